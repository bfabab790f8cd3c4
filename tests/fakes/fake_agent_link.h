// An agent that lives inside the link: answers at once, on the caller's thread, as a well-behaved
// dslap-agent would, unless a test tells it otherwise. Remembers all it was sent.
//
//   auto link = std::make_unique<FakeAgentLink>("a", &clock);
//   link->sql = [](const std::string& sql) { return FakeSqlAnswer{...}; };
//   link->ignore.insert(v1::RunRequest::kPrepareRound);   // silent from then on
#ifndef DSLAP_TESTS_FAKES_FAKE_AGENT_LINK_H_
#define DSLAP_TESTS_FAKES_FAKE_AGENT_LINK_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/clock.h"
#include "common/error_tally.h"
#include "common/server_connections.h"
#include "controller/coordination/agent_link.h"

namespace dslap {

struct FakeSqlAnswer {
  SqlError error;                                        // code 0: success
  int rows = 0;                                          // rows of one cell "1"
  std::vector<std::vector<std::string>> more_rows = {};  // after those
};

// Not thread-safe: for tests whose coordinator runs on the test's own thread.
class FakeAgentLink final : public AgentLink {
 public:
  using Kind = v1::RunRequest::MessageCase;

  // `clock` must outlive the link.
  FakeAgentLink(std::string name, Clock* clock);

  // What the agent answers. Set before use.
  absl::StatusOr<v1::GetInfoResponse> info;
  bool answers_get_info = true;
  std::function<FakeSqlAnswer(const std::string& sql)> sql;  // for scripts
  SqlError connect_error;  // clients that do not connect get this one
  bool connect_error_is_hopeless = false;
  uint64_t refused_clients = 0;
  ConnectionMap connections;  // that RoundReady tells of
  std::optional<SqlError> script_connect_error;
  // A statement that contains it runs until StopScript comes, and then fails with `stop_error`.
  std::string hanging_sql;
  SqlError stop_error = {1317, "70100", "Query execution was interrupted"};
  std::optional<SqlError> statement_error;  // the round is stopped by it
  std::optional<SqlError> error_beside;     // counted before that one
  bool round_runs_until_stopped = false;
  bool says_round_started = true;
  int results_held_back = 0;   // at the end of every ScriptDone without an error
  int64_t clock_ahead_ns = 0;  // the agent's clock against `clock`
  int64_t opens_late_ns = 0;   // the gate
  int64_t round_takes_ns = 1'000'000'000;
  std::set<Kind> ignore;    // not answered at all
  std::set<Kind> break_on;  // the stream ends instead of an answer
  absl::Status break_status = absl::UnavailableError("the connection was closed");
  std::function<void(const v1::RunRequest&)> on_request;  // before the answer

  // Says something it was not asked for.
  void Say(v1::RunResponse response) { Reply(std::move(response)); }
  // Ends the stream now.
  void Break(absl::Status status) { End(std::move(status)); }

  // What was sent, heartbeats left out.
  const std::vector<v1::RunRequest>& requests() const { return requests_; }
  std::vector<std::string> kinds() const;     // "Open", "RunScript", ...
  std::vector<std::string> sql_seen() const;  // statements of scripts, in order
  uint64_t heartbeats() const { return heartbeats_; }
  bool cancelled() const { return cancelled_; }

  const std::string& name() const override { return name_; }
  void GetInfo(absl::Duration timeout,
               std::function<void(absl::StatusOr<v1::GetInfoResponse>)> done) override;
  void OpenStream(Listener* listener) override { listener_ = listener; }
  void Send(v1::RunRequest request) override;
  void Cancel() override;

 private:
  void Answer(const v1::RunRequest& request);
  void RunScript(const v1::RunScript& script);
  void StopScript();
  void Prepare(const v1::PrepareRound& prepare);
  void Start(const v1::StartRound& start);
  void FinishRound(v1::StopCause cause);
  void Reply(v1::RunResponse response);
  void End(absl::Status status);
  int64_t AgentNowNs() { return clock_->NowNs() + clock_ahead_ns; }

  std::string name_;
  Clock* clock_;
  Listener* listener_ = nullptr;
  bool ended_ = false;
  bool cancelled_ = false;
  std::vector<v1::RunRequest> requests_;
  uint64_t heartbeats_ = 0;
  uint64_t statements_held_ = 0;
  std::optional<v1::ScriptDone> hanging_script_;
  v1::PrepareRound prepared_;
  bool round_open_ = false;
  int64_t opened_at_ns_ = 0;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_FAKES_FAKE_AGENT_LINK_H_
