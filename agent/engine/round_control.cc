#include "agent/engine/round_control.h"

#include <sched.h>
#include <sys/prctl.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep is POSIX, not C++

#include <algorithm>
#include <chrono>
#include <utility>

namespace dslap {
namespace {

// For the other clients, when a failing statement ends the round.
constexpr int64_t kGraceOnErrorNs = 1'000'000'000;

// How long before the opening the exact wait begins, and its last part without sleeping.
constexpr int64_t kExactWaitNs = 2'000'000;
constexpr int64_t kSpinNs = 100'000;
// No thread waits so long for a core, in all likelihood: the process was frozen.
constexpr int64_t kFrozenNs = 100'000'000;

// While this lives, the thread is woken at the instant it asks for (the default lets it be 50 us
// late) and, where the process may ask for that (root, CAP_SYS_NICE, RLIMIT_RTPRIO), before any
// that is busy: on a loaded host it would wait for its turn for milliseconds.
class PromptThread {
 public:
  PromptThread() : slack_(prctl(PR_GET_TIMERSLACK)), policy_(sched_getscheduler(0)) {
    sched_getparam(0, &parameters_);
    prctl(PR_SET_TIMERSLACK, 1);
    const sched_param lowest{1};
    prompt_ = policy_ == SCHED_OTHER && sched_setscheduler(0, SCHED_FIFO, &lowest) == 0;
  }
  ~PromptThread() {
    if (prompt_) sched_setscheduler(0, policy_, &parameters_);
    prctl(PR_SET_TIMERSLACK, slack_);
  }
  PromptThread(const PromptThread&) = delete;
  PromptThread& operator=(const PromptThread&) = delete;

 private:
  const int slack_;
  const int policy_;
  sched_param parameters_{};
  bool prompt_ = false;
};

void SleepExactlyUntil(Clock* clock, int64_t instant_ns) {
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

RoundControl::RoundControl(size_t clients, int64_t connect_interval_ns, Clock* clock,
                           std::function<void()> wake_clients)
    : clients_(clients),
      connect_interval_ns_(connect_interval_ns),
      clock_(clock),
      wake_clients_(std::move(wake_clients)) {}

int64_t RoundControl::TakeConnectTurn() {
  if (connect_interval_ns_ == 0) return 0;
  const std::lock_guard<std::mutex> lock(mu_);
  const int64_t now_ns = clock_->NowNs();
  const int64_t turn_ns = std::max(next_connect_ns_, now_ns);
  next_connect_ns_ = turn_ns + connect_interval_ns_;
  return turn_ns - now_ns;
}

void RoundControl::NoteAtGate() {
  const std::lock_guard<std::mutex> lock(mu_);
  ++at_gate_;
  NotePrepared();
}

bool RoundControl::BlockAtGate() const {
  gate_.wait(Gate::kShut);
  return gate_.load() == Gate::kOpen;
}

void RoundControl::ConnectFailed(ConnectVerdict verdict) {
  {
    const std::lock_guard<std::mutex> lock(mu_);
    // Nobody got in and one has tried for as long as anybody may: the server is not there.
    const bool nobody_answers = verdict == ConnectVerdict::kRetry && at_gate_ == 0;
    if (verdict != ConnectVerdict::kHopeless && !nobody_answers) return;
    connecting_given_up_.store(true);
  }
  WakeClients();
}

void RoundControl::WakeClients() {
  const std::lock_guard<std::mutex> lock(wake_mu_);
  if (wake_clients_) wake_clients_();
}

void RoundControl::Close() {
  const std::lock_guard<std::mutex> lock(wake_mu_);
  wake_clients_ = nullptr;
}

void RoundControl::StopOnError() { RequestStop(RoundStopCause::kError, kGraceOnErrorNs); }

void RoundControl::ClientDone(bool was_at_gate) {
  const std::lock_guard<std::mutex> lock(mu_);
  if (!was_at_gate) NotePrepared();
  if (++done_ == clients_) engine_wakes_.notify_all();
}

void RoundControl::NotePrepared() {
  if (++prepared_ == clients_) engine_wakes_.notify_all();
}

void RoundControl::RequestStop(RoundStopCause cause, int64_t grace_ns) {
  {
    const std::lock_guard<std::mutex> lock(mu_);
    if (stop_cause_ == RoundStopCause::kNone) stop_cause_ = cause;
    const int64_t now_ns = clock_->NowNs();
    const int64_t grace_ends_ns = now_ns + std::clamp<int64_t>(grace_ns, 0, INT64_MAX - now_ns);
    grace_ends_ns_ = std::min(grace_ends_ns_, grace_ends_ns);
    if (!stopped()) stop_stage_.store(StopStage::kFinishStatement, std::memory_order_relaxed);
    connecting_given_up_.store(true);
    if (gate_.load() == Gate::kShut) gate_.store(Gate::kBarred);
    engine_wakes_.notify_all();
  }
  gate_.notify_all();
  WakeClients();
}

RoundStopCause RoundControl::stop_cause() const {
  const std::lock_guard<std::mutex> lock(mu_);
  return stop_cause_;
}

bool RoundControl::AwaitPreparedOrStop() {
  std::unique_lock<std::mutex> lock(mu_);
  engine_wakes_.wait(lock, [&] { return prepared_ == clients_ || stopped(); });
  return prepared_ == clients_;
}

bool RoundControl::AwaitPrepared(int64_t timeout_ns) {
  std::unique_lock<std::mutex> lock(mu_);
  return AwaitUntil(lock, clock_->NowNs() + timeout_ns, [&] { return prepared_ == clients_; });
}

int64_t RoundControl::OpenGateAt(int64_t open_at_ns, const std::function<bool()>& may_open) {
  const auto barred = [&] {
    if (!may_open || may_open()) return false;
    RequestStop(RoundStopCause::kController, 0);
    return true;
  };
  // It came over the wire and may be anything: from here on differences to it do not overflow.
  open_at_ns = std::max(open_at_ns, clock_->NowNs());
  {
    std::unique_lock<std::mutex> lock(mu_);
    if (AwaitUntil(lock, open_at_ns - kExactWaitNs, [&] { return stopped(); })) return 0;
  }
  // Asking may wait for a lock: not within the exact part of the wait.
  if (barred()) return 0;
  {
    const PromptThread prompt;
    SleepExactlyUntil(clock_, open_at_ns);
    if (clock_->NowNs() - open_at_ns < kFrozenNs) return OpenGate();
  }
  return barred() ? 0 : OpenGate();
}

int64_t RoundControl::OpenGate() {
  int64_t opened_at_ns = 0;
  {
    const std::lock_guard<std::mutex> lock(mu_);
    if (gate_.load() != Gate::kShut) return 0;
    opened_at_ns = clock_->NowNs();
    gate_.store(Gate::kOpen);
  }
  gate_.notify_all();
  WakeClients();
  return opened_at_ns;
}

bool RoundControl::AwaitDoneOrStop() {
  std::unique_lock<std::mutex> lock(mu_);
  engine_wakes_.wait(lock, [&] { return done_ == clients_ || stopped(); });
  return done_ == clients_;
}

bool RoundControl::AwaitDoneOrGraceOver() {
  std::unique_lock<std::mutex> lock(mu_);
  while (done_ != clients_) {
    const int64_t grace_ends_ns = grace_ends_ns_;
    // Another stop may shorten the grace meanwhile.
    if (!AwaitUntil(lock, grace_ends_ns,
                    [&] { return done_ == clients_ || grace_ends_ns_ < grace_ends_ns; })) {
      return false;
    }
  }
  return true;
}

bool RoundControl::AwaitDone(int64_t timeout_ns) {
  std::unique_lock<std::mutex> lock(mu_);
  return AwaitUntil(lock, clock_->NowNs() + timeout_ns, [&] { return done_ == clients_; });
}

// True when the condition holds, false when the clock has reached the deadline.
bool RoundControl::AwaitUntil(std::unique_lock<std::mutex>& lock, int64_t deadline_ns,
                              const std::function<bool()>& condition) {
  // One wait is bounded, so that a deadline that is years away overflows nothing on its way down.
  constexpr int64_t kLongestWaitNs = int64_t{3600} * 1'000'000'000;
  while (!condition()) {
    const int64_t now_ns = clock_->NowNs();
    if (now_ns >= deadline_ns) return false;
    engine_wakes_.wait_for(
        lock, std::chrono::nanoseconds(std::min(deadline_ns - now_ns, kLongestWaitNs)));
  }
  return true;
}

}  // namespace dslap
