// Carries out a plan on the agents: opens their streams, sends the statements, sets up, runs every
// round, tears down, closes. Returns what happened as a RunRecord, whatever went wrong.
//
//   Coordinator coordinator(std::move(links), environment, config);
//   RunRecord record = coordinator.Run(plan);
#ifndef DSLAP_CONTROLLER_COORDINATION_COORDINATOR_H_
#define DSLAP_CONTROLLER_COORDINATION_COORDINATOR_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.h"
#include "controller/coordination/agent_group.h"
#include "controller/coordination/agent_link.h"
#include "controller/coordination/case_sink.h"
#include "controller/coordination/hook_runner.h"
#include "controller/coordination/lost_connections.h"
#include "controller/coordination/narrator.h"
#include "controller/coordination/requests.h"
#include "controller/coordination/run_progress.h"
#include "controller/coordination/run_record.h"
#include "controller/coordination/schema_keeper.h"
#include "controller/coordination/server_count_reader.h"
#include "controller/coordination/shell_command.h"
#include "controller/coordination/step.h"
#include "controller/coordination/tear_down.h"
#include "controller/options.h"
#include "controller/plan/plan.h"

namespace dslap {

// What a coordinator works with besides the agents. All must outlive it.
struct CoordinatorEnvironment {
  Clock* clock = nullptr;
  ProgressSink* progress = nullptr;
  CommandLauncher* commands = nullptr;
  CaseSink* cases = nullptr;
  Narrator* narrator = nullptr;
};

struct CoordinatorConfig {
  RunIdentity identity;
  TargetOptions target;
  LoadEngineOptions load_engine;
  PreflightPolicy preflight = PreflightPolicy::kRefuse;
  bool checks_server = false;    // its limits, before anything is touched
  bool compares_counts = false;  // of the agents and of the server, around every round
  LeaseTimes times;
  std::vector<uint64_t> weights;  // of the agents, in their order; empty: all the same
  uint64_t min_agents = 0;        // the run begins without the others; 0: all are needed
  AgentLossPolicy on_agent_loss = AgentLossPolicy::kStop;
  // --deadline, as it was given and as an instant of the clock; kForever: none.
  int64_t deadline_ns = 0;
  int64_t time_up_at_ns = AgentGroup::kForever;
};

// Run() once, by one thread. Interrupt() is thread-safe.
class Coordinator {
 public:
  static constexpr int64_t kOpenBoundNs = 10'000'000'000;
  static constexpr int64_t kCloseBoundNs = 5'000'000'000;
  static constexpr int kOpeningPings = 5;

  Coordinator(std::vector<std::unique_ptr<AgentLink>> links,
              const CoordinatorEnvironment& environment, CoordinatorConfig config);
  ~Coordinator();

  RunRecord Run(const Plan& plan);

  // Ends the run early: what runs is drained, what was made is dropped, the record says so.
  void Interrupt() { group_.Interrupt(); }

  // True when an agent drops the schema by itself should this process end now. Thread-safe.
  bool SchemaIsWilled() const {
    const SchemaKeeper* const schema = shared_schema_.load();
    return schema != nullptr && schema->willed();
  }

 private:
  Step Preflight(const Plan& plan);
  std::vector<absl::Status> CapacityProblems(const Plan& plan) const;
  Step CheckCapacities(const Plan& plan);
  void KeepToRunTimes();
  Step CheckServer(const Plan& plan);
  Step LeaveOut(const std::vector<absl::Status>& of_agents);
  std::vector<uint64_t> PresentWeights() const;
  std::vector<AgentShare> Shares(const CasePlan& case_plan) const;
  Step OpenStreams(const Plan& plan);
  std::vector<absl::Status> WhyNotOpened(bool late) const;
  Step MeasureRoundTrips();
  Step SendStatements(const std::vector<PlannedStatement>& statements);
  Step RunCases(const Plan& plan);
  Step RunCase(const Plan& plan, const CasePlan& case_plan);
  Step RunRound(const Plan& plan, const CasePlan& case_plan, RoundRecord* record);
  Step ReadCountsBefore(ServerCountReader* counts, RoundRecord* record);
  Step SetUpRound(const Plan& plan, const CasePlan& case_plan);
  Step OnSurvivors(const std::function<Step()>& attempt);
  Step RunQueries(const char* what, const std::vector<std::string>& queries);
  Step RunHook(RunProgress::Phase phase, const std::string& command);
  void Enter(RunProgress::Phase phase);
  void CleanUp(bool early);
  void NoteLeftConnections();
  void NameFurtherLosses(Step* step) const;
  void NoteLosses();
  void GoOnWithout(size_t agent, const Plan& plan);
  void Warn(const std::string& text);
  void TellConnected(const Plan& plan);
  void ShowProgress();

  Clock* clock_;
  CoordinatorConfig config_;
  ProgressSink* progress_sink_;
  CaseSink* case_sink_;
  Narrator* narrator_;
  AgentGroup group_;
  ScriptRunner scripts_;
  LostConnectionKiller lost_connections_;
  HookRunner hooks_;
  std::unique_ptr<SchemaKeeper> schema_;
  std::atomic<const SchemaKeeper*> shared_schema_{nullptr};  // of Run(), for SchemaIsWilled()
  std::unique_ptr<TearDown> tear_down_;
  RunRecord record_;
  RunProgress progress_;
  uint64_t next_round_ = 1;
  bool list_told_ = false;  // to the narrator
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_COORDINATOR_H_
