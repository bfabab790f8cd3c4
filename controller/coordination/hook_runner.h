// Runs the commands of --pre-system and --post-system on the controller's own host, while the
// leases of the agents are kept alive. Their text never crosses the wire.
#ifndef DSLAP_CONTROLLER_COORDINATION_HOOK_RUNNER_H_
#define DSLAP_CONTROLLER_COORDINATION_HOOK_RUNNER_H_

#include <cstdint>
#include <string>

#include "controller/coordination/agent_group.h"
#include "controller/coordination/shell_command.h"
#include "controller/coordination/step.h"

namespace dslap {

// Used by the coordinator's thread.
class HookRunner {
 public:
  // What a command gets between SIGTERM and SIGKILL when the run ends early.
  static constexpr int64_t kTerminateNs = 2'000'000'000;
  // An interrupt from the terminal reaches the command as well, which may end first.
  static constexpr int64_t kInterruptMayFollowNs = 300'000'000;

  // Both must outlive the runner.
  HookRunner(AgentGroup* group, CommandLauncher* launcher) : group_(group), launcher_(launcher) {}

  // Waits for the command's end; `option` ("--pre-system") is for messages. A command that fails:
  // kSetUpFailed. An agent lost or an interrupt meanwhile: the command is ended, and the step says
  // which.
  Step Run(const std::string& option, const std::string& command);

 private:
  void End(RunningCommand* command);

  AgentGroup* group_;
  CommandLauncher* launcher_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_HOOK_RUNNER_H_
