#include "controller/coordination/hook_runner.h"

#include <csignal>
#include <memory>

#include "absl/strings/str_cat.h"
#include "controller/coordination/script_runner.h"

namespace dslap {

Step HookRunner::Run(const std::string& option, const std::string& command) {
  const std::unique_ptr<RunningCommand> running =
      launcher_->Start(command, [group = group_] { group->Wake(); });
  WaitEnd wait = group_->Await([&] { return running->end().has_value(); });
  if (wait == WaitEnd::kDone) {
    const CommandEnd end = *running->end();
    if (end.ok()) return Step::Done();
    wait = group_->Await([] { return false; }, group_->NowNs() + kInterruptMayFollowNs);
    if (wait == WaitEnd::kDeadline) {
      return Step::Failed(ExitCode::kSetUpFailed,
                          absl::FailedPreconditionError(absl::StrCat(
                              option, ": the command '", command, "' ", end.Describe(),
                              ": to go on in spite of that, let it end with '|| true'")));
    }
  }
  Step step = StepFromWait(*group_, wait, option);
  group_->AcknowledgeLosses();
  group_->AcknowledgeEarlyEnd();
  End(running.get());
  return step;
}

void HookRunner::End(RunningCommand* command) {
  command->Signal(SIGTERM);
  const int64_t deadline_ns = group_->NowNs() + kTerminateNs;
  for (;;) {
    const WaitEnd end = group_->Await([&] { return command->end().has_value(); }, deadline_ns);
    if (end == WaitEnd::kDone) return;
    if (end == WaitEnd::kDeadline) break;
    group_->AcknowledgeLosses();
    group_->AcknowledgeEarlyEnd();
  }
  command->Signal(SIGKILL);
}

}  // namespace dslap
