// The end of a run in the database: drops the schema, with patience for a server that comes back
// and for agents that are lost over it, and says what is left behind when it cannot be done.
//
//   TearDown tear_down(&group, &scripts, &schema, "db:3306");
//   absl::Status left = tear_down.Run(/*early=*/false, /*lost=*/false);
#ifndef DSLAP_CONTROLLER_COORDINATION_TEAR_DOWN_H_
#define DSLAP_CONTROLLER_COORDINATION_TEAR_DOWN_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "controller/coordination/agent_group.h"
#include "controller/coordination/lost_connections.h"
#include "controller/coordination/schema_keeper.h"
#include "controller/coordination/script_runner.h"
#include "controller/coordination/step.h"

namespace dslap {

// Used by the coordinator's thread.
class TearDown {
 public:
  // How long a server that cannot be reached is tried again, with pauses that grow.
  static constexpr int64_t kServerReturnNs = 10'000'000'000;
  static constexpr int64_t kFirstPauseNs = 100'000'000;
  static constexpr int64_t kLongestPauseNs = 1'600'000'000;

  // After a loss, a DROP may wait for what the lost agent has left on the server.
  static constexpr int64_t kAfterLossNs = 30'000'000'000;

  // All outlive it. `target`: the database, for messages.
  TearDown(AgentGroup* group, ScriptRunner* scripts, LostConnectionKiller* lost_connections,
           SchemaKeeper* schema, std::string target)
      : group_(group),
        scripts_(scripts),
        lost_connections_(lost_connections),
        schema_(schema),
        target_(std::move(target)) {}

  // Between the cases. An interrupt or a loss meanwhile is told also when it was dropped.
  Step Drop();

  // Last: kills what lost agents left on the server, and drops. `early`: the run did not come to
  // its end by itself, `lost`: agents were lost; the time is bounded then. The error names the
  // schema that was left.
  absl::Status Run(bool early, bool lost);

 private:
  void GiveUpWithin(int64_t time_ns);
  Step Pause(int64_t until_ns);

  AgentGroup* group_;
  ScriptRunner* scripts_;
  LostConnectionKiller* lost_connections_;
  SchemaKeeper* schema_;
  std::string target_;
  bool waited_in_vain_ = false;  // for the server
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_TEAR_DOWN_H_
