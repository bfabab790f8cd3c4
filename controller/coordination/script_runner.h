// Runs SQL once, on exactly one agent: set-up, tear-down, look-ups. The lowest-numbered agent that
// is alive does it, so that a survivor tears down.
#ifndef DSLAP_CONTROLLER_COORDINATION_SCRIPT_RUNNER_H_
#define DSLAP_CONTROLLER_COORDINATION_SCRIPT_RUNNER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/error_tally.h"
#include "controller/coordination/agent_group.h"
#include "controller/coordination/narrator.h"
#include "controller/coordination/step.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

struct ScriptRequest {
  std::string what;  // for messages: "set-up", "look up schema `x`"
  std::vector<std::string> statements;
  std::string default_schema;
  bool return_rows = false;
  std::optional<v1::LastWill> last_will = {};  // see RunScript; goes with the last batch
  bool on_kept_connection = false;             // see RunScript
  std::optional<int64_t> timeout_ns;           // of each statement, in place of the runner's
  bool told = true;                            // to the narrator
  v1::ScriptDone* failed = nullptr;            // the agent's answer, when it tells an error
  // Cleans up: an interrupt lets it go on, as it would have to be done all the same.
  bool cleans_up = false;
  ExitCode failure_code = ExitCode::kSetUpFailed;
};

// Used by the coordinator's thread.
class ScriptRunner {
 public:
  // A batch ends at this many statements or bytes: no message outgrows what an agent accepts.
  static constexpr size_t kBatchStatements = 256;
  static constexpr size_t kBatchBytes = size_t{4} << 20;
  // From killing a statement to cutting its connection: a server may take seconds over a KILL.
  static constexpr int64_t kStopPatienceNs = 5'000'000'000;
  static constexpr int64_t kLastPatienceNs = 1'000'000'000;  // when giving up
  // What cleaning up may take once the run is to end early.
  static constexpr int64_t kCleanUpBoundNs = 60'000'000'000;

  // `target`: the database, for messages. Every statement is told to the narrator when it is sent.
  ScriptRunner(AgentGroup* group, std::string target, Narrator* narrator)
      : group_(group), target_(std::move(target)), narrator_(narrator) {}

  // For every statement from now on; see RunScript. 0: none.
  void set_statement_timeout_ns(int64_t timeout_ns) { statement_timeout_ns_ = timeout_ns; }

  // When a statement still runs by then, it is killed and the script has failed, whatever it is
  // for.
  void set_give_up_at_ns(int64_t give_up_at_ns) { give_up_at_ns_ = give_up_at_ns; }
  int64_t give_up_at_ns() const { return give_up_at_ns_; }

  // Results of the statements that succeeded are appended to `results` when that is not null.
  // Lost agent: kAgentLost; interrupt: kInterrupted; time is up: kFailures; SQL that fails: the
  // request's failure code. What runs on the server when the run is to end is killed. Even then the
  // agent is ready for the next script when this returns, unless it is lost.
  Step Run(const ScriptRequest& request, std::vector<v1::ScriptResult>* results = nullptr);

 private:
  Step RunBatch(const ScriptRequest& request, size_t agent, size_t begin, size_t end,
                std::vector<v1::ScriptResult>* results);
  Step AwaitScript(size_t agent, const ScriptRequest& request);
  bool Succeeded(size_t agent) const;
  // Has the agent kill what runs; by when it must have answered, or it counts as lost.
  int64_t Stop(size_t agent, int64_t patience_ns);
  Step SqlFailure(const ScriptRequest& request, size_t agent, size_t begin,
                  const v1::ScriptDone& done) const;

  AgentGroup* group_;
  std::string target_;
  Narrator* narrator_;
  int64_t statement_timeout_ns_ = 0;
  int64_t give_up_at_ns_ = AgentGroup::kForever;
  uint64_t next_script_ = 1;
};

// The failure of a step because agents were lost, an interrupt came or the time was up, as an
// Await() without a deadline told.
Step StepFromWait(const AgentGroup& group, WaitEnd end, const std::string& what);

// Why an agent that is lost was lost, with its name: for the step during which it happened.
absl::Status DescribeLoss(const AgentGroup& group, size_t agent, const std::string& what);

// "agent db-a:7527: " or, for the only agent in this process, nothing.
std::string AgentPrefix(const AgentGroup& group, size_t agent);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_SCRIPT_RUNNER_H_
