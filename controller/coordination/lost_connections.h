// Ends on the server what lost agents left there: a survivor kills their connections, those that
// they had told of and that are still theirs. Without it a statement of a host that was cut off, or
// stopped, goes on for as long as it takes.
//
//   LostConnectionKiller killer(&group, &scripts);
//   killer.KillOfLost();
//   killer.left(agent).Describe(group.name(agent))
#ifndef DSLAP_CONTROLLER_COORDINATION_LOST_CONNECTIONS_H_
#define DSLAP_CONTROLLER_COORDINATION_LOST_CONNECTIONS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/server_connections.h"
#include "controller/coordination/agent_group.h"
#include "controller/coordination/left_connections.h"
#include "controller/coordination/script_runner.h"
#include "controller/coordination/step.h"

namespace dslap {

// Used by the coordinator's thread, when no round is going on: survivors run the scripts.
class LostConnectionKiller {
 public:
  // For all agents together; a script that has begun is bounded by its statements' timeouts.
  static constexpr int64_t kBoundNs = 10'000'000'000;
  static constexpr int64_t kStatementTimeoutNs = 5'000'000'000;
  // Looked for by one statement.
  static constexpr size_t kIdsAtOnce = 1'000;

  LostConnectionKiller(AgentGroup* group, ScriptRunner* scripts)
      : group_(group), scripts_(scripts), seen_(group->size()), left_(group->size()) {}

  // How often it is looked again when the connection that looked broke before it could kill.
  static constexpr int kAttempts = 3;

  // Of every agent that was lost since the last call. A survivor that is lost over it is replaced,
  // and what it left is killed, too. What could not be killed is in left(), and no failure: the
  // step is an interrupt or a time that was up meanwhile, or that no agent is left to run anything.
  Step KillOfLost();

  const LeftConnections& left(size_t agent) const { return left_[agent]; }

 private:
  bool KillOf(size_t agent);
  Step FindAndKill(const ConnectionMap& told, LeftConnections* left);
  Step Find(const ConnectionMap& told, FoundConnections* found);
  Step Kill(const std::vector<uint64_t>& ids, LeftConnections* left);
  bool OutOfTime() const;
  Step Run(const ScriptRequest& request, std::vector<v1::ScriptResult>* results);

  AgentGroup* group_;
  ScriptRunner* scripts_;
  std::vector<bool> seen_;
  std::vector<LeftConnections> left_;
  int64_t deadline_ns_ = 0;  // of this call
  Step early_;               // what came meanwhile and is to end the run
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_LOST_CONNECTIONS_H_
