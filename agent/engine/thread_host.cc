#include "agent/engine/thread_host.h"

#include <sys/prctl.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep is POSIX, not C++

#include <algorithm>
#include <chrono>

namespace dslap {
namespace {

// For the other clients, when a failing statement ends the round.
constexpr int64_t kGraceOnErrorNs = 1'000'000'000;

// How long before the opening the exact wait begins, and its last part without sleeping.
constexpr int64_t kExactWaitNs = 2'000'000;
constexpr int64_t kSpinNs = 100'000;

// Sleeps ask the kernel for exact wake-ups while this lives; the default lets it be 50 us late.
class ExactTimers {
 public:
  ExactTimers() : before_(prctl(PR_GET_TIMERSLACK)) { prctl(PR_SET_TIMERSLACK, 1); }
  ~ExactTimers() { prctl(PR_SET_TIMERSLACK, before_); }
  ExactTimers(const ExactTimers&) = delete;
  ExactTimers& operator=(const ExactTimers&) = delete;

 private:
  const int before_;
};

void SleepExactlyUntil(Clock* clock, int64_t instant_ns) {
  const ExactTimers exact;
  for (;;) {
    const int64_t left_ns = instant_ns - clock->NowNs();
    if (left_ns <= 0) return;
    if (left_ns > kSpinNs) {
      const timespec pause{0, static_cast<long>(left_ns - kSpinNs)};  // NOLINT(google-runtime-int)
      nanosleep(&pause, nullptr);
    }
  }
}

}  // namespace

ThreadHost::ThreadHost(size_t clients, size_t connect_parallelism, Clock* clock)
    : clients_(clients), connect_parallelism_(connect_parallelism), clock_(clock) {}

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
  slot_free_.wait(lock, [&] { return connecting_ < connect_parallelism_ || GiveUpConnecting(); });
  if (GiveUpConnecting()) return false;
  ++connecting_;
  return true;
}

void ThreadHost::ReleaseConnectSlot() {
  const std::lock_guard<std::mutex> lock(mu_);
  --connecting_;
  slot_free_.notify_one();
}

bool ThreadHost::WaitForPause(int64_t pause_ns) {
  std::unique_lock<std::mutex> lock(mu_);
  return !AwaitUntil(lock, pause_over_, clock_->NowNs() + pause_ns,
                     [&] { return GiveUpConnecting(); });
}

bool ThreadHost::WaitAtGate() {
  {
    const std::lock_guard<std::mutex> lock(mu_);
    ++at_gate_;
    NotePrepared();
  }
  gate_.wait(kShut);
  return gate_.load() == kOpen;
}

void ThreadHost::ConnectFailed(ConnectVerdict verdict) {
  const std::lock_guard<std::mutex> lock(mu_);
  // Nobody got in and one has tried for as long as anybody may: the server is not there.
  const bool nobody_answers = verdict == ConnectVerdict::kRetry && at_gate_ == 0;
  if (verdict != ConnectVerdict::kHopeless && !nobody_answers) return;
  hopeless_ = true;
  slot_free_.notify_all();
  pause_over_.notify_all();
}

void ThreadHost::StopOnError() { RequestStop(RoundStopCause::kError, kGraceOnErrorNs); }

void ThreadHost::ClientDone(bool was_at_gate) {
  const std::lock_guard<std::mutex> lock(mu_);
  if (!was_at_gate) NotePrepared();
  if (++done_ == clients_) engine_wakes_.notify_all();
}

void ThreadHost::NotePrepared() {
  if (++prepared_ == clients_) engine_wakes_.notify_all();
}

void ThreadHost::RequestStop(RoundStopCause cause, int64_t grace_ns) {
  const std::lock_guard<std::mutex> lock(mu_);
  if (stop_cause_ == RoundStopCause::kNone) stop_cause_ = cause;
  const int64_t now_ns = clock_->NowNs();
  const int64_t grace_ends_ns = now_ns + std::clamp<int64_t>(grace_ns, 0, INT64_MAX - now_ns);
  grace_ends_ns_ = std::min(grace_ends_ns_, grace_ends_ns);
  if (!stopped()) stop_stage_.store(StopStage::kFinishStatement, std::memory_order_relaxed);
  if (gate_.load() == kShut) {
    gate_.store(kBarred);
    gate_.notify_all();
  }
  slot_free_.notify_all();
  pause_over_.notify_all();
  engine_wakes_.notify_all();
}

RoundStopCause ThreadHost::stop_cause() const {
  const std::lock_guard<std::mutex> lock(mu_);
  return stop_cause_;
}

bool ThreadHost::AwaitPreparedOrStop() {
  std::unique_lock<std::mutex> lock(mu_);
  engine_wakes_.wait(lock, [&] { return prepared_ == clients_ || stopped(); });
  return prepared_ == clients_;
}

bool ThreadHost::AwaitPrepared(int64_t timeout_ns) {
  std::unique_lock<std::mutex> lock(mu_);
  return AwaitUntil(lock, engine_wakes_, clock_->NowNs() + timeout_ns,
                    [&] { return prepared_ == clients_; });
}

bool ThreadHost::AwaitOpening(int64_t open_at_ns) {
  // It came over the wire and may be anything: from here on differences to it do not overflow.
  open_at_ns = std::max(open_at_ns, clock_->NowNs());
  {
    std::unique_lock<std::mutex> lock(mu_);
    if (AwaitUntil(lock, engine_wakes_, open_at_ns - kExactWaitNs, [&] { return stopped(); })) {
      return false;
    }
  }
  SleepExactlyUntil(clock_, open_at_ns);
  return !stopped();
}

int64_t ThreadHost::OpenGate() {
  const std::lock_guard<std::mutex> lock(mu_);
  if (gate_.load() != kShut) return 0;
  const int64_t opened_at_ns = clock_->NowNs();
  gate_.store(kOpen);
  gate_.notify_all();
  return opened_at_ns;
}

bool ThreadHost::AwaitDoneOrStop() {
  std::unique_lock<std::mutex> lock(mu_);
  engine_wakes_.wait(lock, [&] { return done_ == clients_ || stopped(); });
  return done_ == clients_;
}

bool ThreadHost::AwaitDoneOrGraceOver() {
  std::unique_lock<std::mutex> lock(mu_);
  while (done_ != clients_) {
    const int64_t grace_ends_ns = grace_ends_ns_;
    // Another stop may shorten the grace meanwhile.
    if (!AwaitUntil(lock, engine_wakes_, grace_ends_ns,
                    [&] { return done_ == clients_ || grace_ends_ns_ < grace_ends_ns; })) {
      return false;
    }
  }
  return true;
}

bool ThreadHost::AwaitDone(int64_t timeout_ns) {
  std::unique_lock<std::mutex> lock(mu_);
  return AwaitUntil(lock, engine_wakes_, clock_->NowNs() + timeout_ns,
                    [&] { return done_ == clients_; });
}

// True when the condition holds, false when the clock has reached the deadline.
bool ThreadHost::AwaitUntil(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                            int64_t deadline_ns, const std::function<bool()>& condition) {
  // One wait is bounded, so that a deadline that is years away overflows nothing on its way down.
  constexpr int64_t kLongestWaitNs = int64_t{3600} * 1'000'000'000;
  while (!condition()) {
    const int64_t now_ns = clock_->NowNs();
    if (now_ns >= deadline_ns) return false;
    changed.wait_for(lock,
                     std::chrono::nanoseconds(std::min(deadline_ns - now_ns, kLongestWaitNs)));
  }
  return true;
}

}  // namespace dslap
