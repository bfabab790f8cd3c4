// The messages of a run, short to write in a test.
//
//   session.Receive(OpenRequest("r1"));
//   session.Receive(PrepareRequest(1, 10, 100));
#ifndef DSLAP_TESTS_FAKES_RUN_REQUESTS_H_
#define DSLAP_TESTS_FAKES_RUN_REQUESTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/version.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

inline v1::RunRequest OpenRequest(const std::string& run_id) {
  v1::RunRequest request;
  v1::Open& open = *request.mutable_open();
  *open.mutable_protocol() = OwnProtocol();
  open.set_build(BuildVersion());
  open.set_run_id(run_id);
  open.set_controller("ann@db-a pid 17");
  open.set_lease_ns(10'000'000'000);
  open.mutable_target()->set_host("10.0.0.5");
  open.mutable_target()->set_password("a password of some length");
  return request;
}

inline v1::RunRequest ChunkRequest(const std::vector<std::string>& statements, bool first = true,
                                   bool last = true) {
  v1::RunRequest request;
  v1::StatementsChunk& chunk = *request.mutable_statements_chunk();
  for (const std::string& text : statements) chunk.add_statements()->set_text(text);
  chunk.set_first(first);
  chunk.set_last(last);
  return request;
}

inline v1::RunRequest ScriptRequestOf(uint64_t number, const std::vector<std::string>& statements) {
  v1::RunRequest request;
  v1::RunScript& script = *request.mutable_run_script();
  script.set_script(number);
  for (const std::string& text : statements) script.add_statements()->set_text(text);
  return request;
}

inline v1::RunRequest PrepareRequest(uint64_t round, uint64_t clients = 2,
                                     uint64_t statements = 3) {
  v1::RunRequest request;
  v1::PrepareRound& prepare = *request.mutable_prepare_round();
  prepare.set_round(round);
  v1::ClientGroup& group = *prepare.add_groups();
  group.set_clients(clients);
  group.set_statements(statements);
  return request;
}

inline v1::RunRequest StartRequest(uint64_t round, int64_t open_at_ns = 0) {
  v1::RunRequest request;
  request.mutable_start_round()->set_round(round);
  request.mutable_start_round()->set_open_at_ns(open_at_ns);
  return request;
}

inline v1::RunRequest StopRequest(uint64_t round, uint64_t grace_ns = 0) {
  v1::RunRequest request;
  request.mutable_stop_round()->set_round(round);
  request.mutable_stop_round()->set_grace_ns(grace_ns);
  return request;
}

inline v1::RunRequest StopScriptRequest(uint64_t script, uint64_t patience_ns = 0) {
  v1::RunRequest request;
  request.mutable_stop_script()->set_script(script);
  request.mutable_stop_script()->set_patience_ns(patience_ns);
  return request;
}

inline v1::RunRequest HeartbeatRequest(uint64_t sequence) {
  v1::RunRequest request;
  request.mutable_heartbeat()->set_sequence(sequence);
  return request;
}

inline v1::RunRequest CloseRequest() {
  v1::RunRequest request;
  request.mutable_close();
  return request;
}

}  // namespace dslap

#endif  // DSLAP_TESTS_FAKES_RUN_REQUESTS_H_
