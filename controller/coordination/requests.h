// Plan and options -> messages to an agent. Pure.
#ifndef DSLAP_CONTROLLER_COORDINATION_REQUESTS_H_
#define DSLAP_CONTROLLER_COORDINATION_REQUESTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "controller/options.h"
#include "controller/plan/plan.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

struct RunIdentity {
  std::string run_id;
  std::string controller;  // "user@host pid 123"
};

// Names this process for the agents; the run id is random.
RunIdentity MakeRunIdentity();

v1::Open MakeOpen(const RunIdentity& identity, const TargetOptions& target, int64_t lease_ns);

// `agents`: among how many the connect rate is shared out.
v1::LoadEngine MakeLoadEngine(const LoadEngineOptions& options, size_t agents);

// `shares`: of all agents in this round. `default_schema`: empty when the clients shall have none.
v1::PrepareRound MakePrepareRound(const Plan& plan, const std::vector<AgentShare>& shares,
                                  size_t agent, uint64_t round, const std::string& default_schema);

// The query list in pieces below kChunkBytes, except where one statement is larger. At least one.
inline constexpr size_t kChunkBytes = size_t{4} << 20;
class StatementChunker {
 public:
  // `statements` must outlive the chunker.
  explicit StatementChunker(const std::vector<PlannedStatement>* statements)
      : statements_(statements) {}
  bool done() const { return started_ && next_ == statements_->size(); }
  v1::StatementsChunk Next();

 private:
  const std::vector<PlannedStatement>* statements_;
  size_t next_ = 0;
  bool started_ = false;
};

// Whether the agents reach the database over a Unix socket, as far as the client library's rules
// are known here.
bool GoesBySocket(const TargetOptions& target);

// "10.0.0.5:3306", "socket /run/x.sock", "localhost": the database in messages.
std::string DescribeTarget(const TargetOptions& target);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_REQUESTS_H_
