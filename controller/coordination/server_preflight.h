// Asks the server, over the first agent and before anything is touched, whether its limits allow
// the run.
//
//   ServerPreflight preflight(&scripts);
//   Step step = preflight.Check(DemandOf(plan, agents), PreflightPolicy::kRefuse, &record.notes);
#ifndef DSLAP_CONTROLLER_COORDINATION_SERVER_PREFLIGHT_H_
#define DSLAP_CONTROLLER_COORDINATION_SERVER_PREFLIGHT_H_

#include <string>
#include <vector>

#include "controller/coordination/script_runner.h"
#include "controller/coordination/server_limits.h"
#include "controller/coordination/step.h"
#include "controller/options.h"
#include "controller/plan/run_demand.h"

namespace dslap {

// Used by the coordinator's thread.
class ServerPreflight {
 public:
  explicit ServerPreflight(ScriptRunner* scripts) : scripts_(scripts) {}

  // kSetUpFailed when the run certainly cannot work, each reason named: as with a schema that is
  // not there, the database is not ready for it, and nothing was touched. With kWarn, those are
  // notes. What the account may not read is not checked. Also kInterrupted, kAgentLost, and
  // kSetUpFailed when the database cannot be reached at all.
  Step Check(const RunDemand& demand, PreflightPolicy policy, std::vector<std::string>* notes);

  const ServerLimits& limits() const { return limits_; }

 private:
  Step Ask(const char* statement, void (ServerLimits::*take)(const v1::ScriptResult&));

  ScriptRunner* scripts_;
  ServerLimits limits_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_SERVER_PREFLIGHT_H_
