#include "agent/engine/thread_host.h"

#include <chrono>

namespace dslap {

ThreadHost::ThreadHost(RoundControl* control, size_t connect_parallelism, Clock* clock)
    : ControlledHost(control), connect_parallelism_(connect_parallelism), clock_(clock) {}

bool ThreadHost::StartWait(const Wait& wait, std::coroutine_handle<> /*waiter*/, bool* go_on) {
  switch (wait.kind) {
    case Wait::Kind::kConnectSlot:
      *go_on = WaitForSlot();
      break;
    case Wait::Kind::kPause:
      *go_on = WaitForPause(wait.pause_ns);
      break;
    case Wait::Kind::kGate:
      *go_on = WaitAtGate();
      break;
  }
  return true;
}

bool ThreadHost::WaitForSlot() {
  std::unique_lock<std::mutex> lock(mu_);
  slot_free_.wait(
      lock, [&] { return connecting_ < connect_parallelism_ || control()->connecting_given_up(); });
  if (control()->connecting_given_up()) return false;
  ++connecting_;
  return true;
}

void ThreadHost::ReleaseConnectSlot() {
  const std::lock_guard<std::mutex> lock(mu_);
  --connecting_;
  slot_free_.notify_one();
}

bool ThreadHost::WaitForPause(int64_t pause_ns) {
  const int64_t end_ns = clock_->NowNs() + pause_ns;
  std::unique_lock<std::mutex> lock(mu_);
  for (;;) {
    if (control()->connecting_given_up()) return false;
    const int64_t left_ns = end_ns - clock_->NowNs();
    if (left_ns <= 0) return true;
    pause_over_.wait_for(lock, std::chrono::nanoseconds(left_ns));
  }
}

bool ThreadHost::WaitAtGate() {
  control()->NoteAtGate();
  return control()->BlockAtGate();
}

void ThreadHost::WakeClients() {
  const std::lock_guard<std::mutex> lock(mu_);
  slot_free_.notify_all();
  pause_over_.notify_all();
}

}  // namespace dslap
