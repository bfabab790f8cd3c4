#include "agent/service/session_slot.h"

#include "absl/strings/str_cat.h"
#include "common/log.h"

namespace dslap {

absl::Status SessionSlot::Claim(const std::string& run_id, const std::string& controller) {
  absl::MutexLock lock(&mu_);
  clock_->AwaitUntil(&mu_, absl::Condition(this, &SessionSlot::FreeOrShut),
                     clock_->NowNs() + absl::ToInt64Nanoseconds(kPatience));
  if (shut_) return absl::UnavailableError("agent is shutting down");
  if (state_ != State::kFree) {
    return absl::ResourceExhaustedError(
        absl::StrCat("agent is busy with run ", run_id_, " of ", controller_, " since ",
                     absl::ToInt64Seconds(clock_->Since(since_ns_)),
                     state_ == State::kEnding ? " s, which is being cleaned up" : " s"));
  }
  state_ = State::kHeld;
  run_id_ = run_id;
  controller_ = controller;
  since_ns_ = clock_->NowNs();
  return absl::OkStatus();
}

void SessionSlot::AnnounceEnd() {
  absl::MutexLock lock(&mu_);
  if (state_ == State::kHeld) state_ = State::kEnding;
}

void SessionSlot::TurnedAway(const std::string& line) { LogInfo(line); }

void SessionSlot::Release() {
  absl::MutexLock lock(&mu_);
  state_ = State::kFree;
}

void SessionSlot::Shut() {
  absl::MutexLock lock(&mu_);
  shut_ = true;
}

bool SessionSlot::AwaitFree(absl::Duration patience) {
  absl::MutexLock lock(&mu_);
  return SteadyClock::Get()->AwaitFor(&mu_, absl::Condition(this, &SessionSlot::Free), patience);
}

std::optional<SessionSlot::Holder> SessionSlot::holder() const {
  absl::MutexLock lock(&mu_);
  if (state_ == State::kFree) return std::nullopt;
  return Holder{run_id_, controller_, clock_->NowNs() - since_ns_, state_ == State::kEnding};
}

}  // namespace dslap
