// One round on all agents: prepare, decide whether to start, open the gates together, wait for the
// last response, and collect what every agent says. Also the early ends: loss, interrupt, error.
#ifndef DSLAP_CONTROLLER_COORDINATION_ROUND_RUNNER_H_
#define DSLAP_CONTROLLER_COORDINATION_ROUND_RUNNER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "controller/coordination/agent_group.h"
#include "controller/coordination/run_record.h"
#include "controller/coordination/step.h"
#include "controller/plan/plan.h"

namespace dslap {

// Used by the coordinator's thread.
class RoundRunner {
 public:
  // Between the order to open the gate and its opening: the longest round trip and this much, so
  // that the order has arrived everywhere.
  static constexpr int64_t kStartMarginNs = 10'000'000;
  // What a running statement gets to finish after an interrupt, before it is killed.
  static constexpr int64_t kDrainNs = 2'000'000'000;
  // How long agents may take to stop, beyond the grace: the kill, and a connect that hangs.
  static constexpr int64_t kStopBoundNs = 20'000'000'000;

  RoundRunner(AgentGroup* group, const Plan* plan) : group_(group), plan_(plan) {}

  // Connects the clients on all agents. `round` grows from round to round. What happened is in
  // `record`, also after a failure; unless Prepare() was good, the round is over. kAgentLost: some
  // of the clients are gone, and if an agent is left the round can be prepared anew.
  Step Prepare(const std::vector<AgentShare>& shares, const std::string& default_schema,
               uint64_t round, RoundRecord* record);

  // Opens the gates and waits for the end.
  Step Run(RoundRecord* record);

 private:
  Step CheckReady(RoundRecord* record);
  std::optional<size_t> LostParticipant() const;
  bool Complete() const;
  std::string WhyStopped() const;
  Step StopAfter(WaitEnd end, const std::string& what, RoundRecord* record);
  void StopAndCollect(int64_t grace_ns, RoundRecord* record);
  void Collect(RoundRecord* record);

  AgentGroup* group_;
  const Plan* plan_;
  std::vector<AgentShare> shares_;  // of the round
  uint64_t round_ = 0;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_ROUND_RUNNER_H_
