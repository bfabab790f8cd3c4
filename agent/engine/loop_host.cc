#include "agent/engine/loop_host.h"

#include <utility>

namespace dslap {

bool LoopHost::StartWait(const Wait& wait, std::coroutine_handle<> waiter, bool* go_on) {
  switch (wait.kind) {
    case Wait::Kind::kConnectSlot:
      return TakeSlot({waiter, go_on});
    case Wait::Kind::kPause:
      return Pause(wait.pause_ns, {waiter, go_on});
    case Wait::Kind::kGate:
      break;
  }
  return PassGate({waiter, go_on});
}

bool LoopHost::TakeSlot(Waiter waiter) {
  *waiter.go_on = false;
  if (control()->connecting_given_up()) return true;
  if (connecting_ == connect_parallelism_) {
    for_slot_.push_back(waiter);
    return false;
  }
  ++connecting_;
  *waiter.go_on = true;
  return true;
}

// The next in the queue gets it in the loop's next turn: by then it is known whether connecting was
// found hopeless.
void LoopHost::ReleaseConnectSlot() {
  --connecting_;
  if (!for_slot_.empty()) Wake();
}

bool LoopHost::Pause(int64_t pause_ns, Waiter waiter) {
  *waiter.go_on = false;
  if (control()->connecting_given_up()) return true;
  const uint64_t number = ++last_pause_;
  const EventLoop::TimerId timer = loop_->CallAt(loop_->NowNs() + pause_ns, [this, number] {
    const auto paused = paused_.extract(number);
    Release(paused.mapped().waiter, /*go_on=*/true);
  });
  paused_.emplace(number, Paused{waiter, timer});
  return false;
}

bool LoopHost::PassGate(Waiter waiter) {
  control()->NoteAtGate();
  const RoundControl::Gate gate = control()->gate();
  *waiter.go_on = gate == RoundControl::Gate::kOpen;
  if (gate != RoundControl::Gate::kShut) return true;
  at_gate_.push_back(waiter);
  return false;
}

void LoopHost::OnNotify() {
  for (; !control()->connecting_given_up() && connecting_ < connect_parallelism_ &&
         !for_slot_.empty();
       ++connecting_) {
    Release(for_slot_.front(), /*go_on=*/true);
    for_slot_.pop_front();
  }
  if (control()->connecting_given_up()) {
    for (const Waiter& waiter : std::exchange(for_slot_, {})) Release(waiter, /*go_on=*/false);
    for (const auto& [number, paused] : std::exchange(paused_, {})) {
      loop_->Cancel(paused.timer);
      Release(paused.waiter, /*go_on=*/false);
    }
  }
  const RoundControl::Gate gate = control()->gate();
  if (gate == RoundControl::Gate::kShut) return;
  for (const Waiter& waiter : std::exchange(at_gate_, {})) {
    Release(waiter, gate == RoundControl::Gate::kOpen);
  }
}

void LoopHost::Release(const Waiter& waiter, bool go_on) {
  *waiter.go_on = go_on;
  loop_->ResumeSoon(waiter.coroutine);
}

}  // namespace dslap
