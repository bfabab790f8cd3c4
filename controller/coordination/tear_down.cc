#include "controller/coordination/tear_down.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "controller/coordination/server_outage.h"

namespace dslap {

absl::Status TearDown::Run(bool early, bool lost) {
  if (early) GiveUpWithin(ScriptRunner::kCleanUpBoundNs);
  if (lost) GiveUpWithin(kAfterLossNs);
  Step step = Drop();
  // Each agent that is lost over it leaves a survivor to try.
  while (step.code == ExitCode::kAgentLost && group_->AnyAlive().has_value()) step = Drop();
  static_cast<void>(lost_connections_->KillOfLost());
  // An interrupt or a loss meanwhile is no fault of it.
  if (step.ok() || !schema_->left_behind()) return absl::OkStatus();
  const char* const advice = schema_->willed() && lost
                                 ? ": unless the agent that made it drops it, drop it by hand"
                                 : ", drop it by hand";
  return absl::Status(step.status.code(),
                      absl::StrCat(step.status.message(), ": ", schema_->name(),
                                   schema_->maybe_created() ? " may have been" : " was",
                                   " left behind on ", target_, advice));
}

void TearDown::GiveUpWithin(int64_t time_ns) {
  scripts_->set_give_up_at_ns(std::min(scripts_->give_up_at_ns(), group_->NowNs() + time_ns));
}

Step TearDown::Drop() {
  const int64_t give_up_at_ns =
      std::min(scripts_->give_up_at_ns(), group_->NowNs() + kServerReturnNs);
  int64_t pause_ns = kFirstPauseNs;
  Step early;  // what came meanwhile and is to end the run
  for (;;) {
    // First, as the DROP would wait for what their statements hold.
    Step killed = lost_connections_->KillOfLost();
    if (early.ok()) early = std::move(killed);
    Step step = schema_->Drop();
    if (step.ok()) return early;
    const int64_t again_at_ns = group_->NowNs() + pause_ns;
    if (!MayBeBackSoon(step.sql_code) || waited_in_vain_) return step;
    waited_in_vain_ = again_at_ns > give_up_at_ns;
    if (waited_in_vain_) return step;
    Step paused = Pause(again_at_ns);
    if (early.ok()) early = std::move(paused);
    pause_ns = std::min(2 * pause_ns, kLongestPauseNs);
  }
}

Step TearDown::Pause(int64_t until_ns) {
  Step early;
  for (;;) {
    const WaitEnd end = group_->Await([] { return false; }, until_ns);
    if (end == WaitEnd::kDeadline) return early;
    if (early.ok()) early = StepFromWait(*group_, end, "tear-down");
    group_->AcknowledgeLosses();
    group_->AcknowledgeEarlyEnd();
  }
}

}  // namespace dslap
