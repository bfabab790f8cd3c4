#include "common/wait_alarms.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <limits>

#include "absl/time/time.h"

namespace dslap {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
// Deadlines may be years away and are not to overflow on their way into the kernel.
constexpr int64_t kLongestSleepNs = int64_t{3600} * 1'000'000'000;

int StartDetached(pthread_t* thread, void* (*body)(void*), void* argument) {
  const int error = pthread_create(thread, nullptr, body, argument);
  if (error == 0) pthread_detach(*thread);
  return error;
}

int64_t MonotonicNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec;
}

// By the wall clock, so in short pieces: only the one in which it is set back lasts longer.
bool AwaitWithoutThread(absl::Mutex* mu, const absl::Condition& condition, int64_t deadline_ns) {
  constexpr int64_t kPieceNs = 100'000'000;
  for (;;) {
    const int64_t left_ns = deadline_ns - MonotonicNs();
    if (left_ns <= 0) return condition.Eval();
    const auto piece = absl::Nanoseconds(std::min(left_ns, kPieceNs));
    if (mu->AwaitWithTimeout(condition, piece)) return true;
  }
}

}  // namespace

WaitAlarms* WaitAlarms::Get() {
  static auto* const alarms = new WaitAlarms(StartDetached);
  return alarms;
}

// False: there is none to be had now; a later wait may get one.
bool WaitAlarms::HasThread() {
  const std::lock_guard<std::mutex> lock(mu_);
  if (has_thread_) return true;
  // Signals are for threads that expect them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread{};
  const auto body = +[](void* alarms) -> void* { static_cast<WaitAlarms*>(alarms)->Loop(); };
  has_thread_ = start_thread_(&thread, body, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return has_thread_;
}

bool WaitAlarms::AwaitUntil(absl::Mutex* mu, const absl::Condition& condition,
                            int64_t deadline_ns) {
  if (condition.Eval()) return true;
  if (deadline_ns == kNever) {
    mu->Await(condition);
    return true;
  }
  if (MonotonicNs() >= deadline_ns) return false;
  if (!HasThread()) return AwaitWithoutThread(mu, condition, deadline_ns);
  Alarm alarm;
  alarm.mu = mu;
  const Queue::iterator entry = Add(deadline_ns, &alarm);
  const auto due_or_true = [&alarm, &condition] { return alarm.due || condition.Eval(); };
  mu->Await(absl::Condition(&due_or_true));
  // Taken out, but not yet due: the other thread wants the mutex and then is done with the alarm.
  if (!alarm.due && !Remove(entry, &alarm)) mu->Await(absl::Condition(&alarm.due));
  return condition.Eval();
}

WaitAlarms::Queue::iterator WaitAlarms::Add(int64_t deadline_ns, Alarm* alarm) {
  const std::lock_guard<std::mutex> lock(mu_);
  alarm->queued = true;
  if (deadline_ns < sleeps_until_ns_) wakes_.notify_one();
  return queue_.emplace(deadline_ns, alarm);
}

bool WaitAlarms::Remove(Queue::iterator entry, Alarm* alarm) {
  const std::lock_guard<std::mutex> lock(mu_);
  if (!alarm->queued) return false;
  queue_.erase(entry);
  return true;
}

void WaitAlarms::Loop() {
  std::unique_lock<std::mutex> lock(mu_);
  for (;;) {
    const int64_t now_ns = MonotonicNs();
    const int64_t next_ns = queue_.empty() ? kNever : queue_.begin()->first;
    if (next_ns > now_ns) {
      sleeps_until_ns_ = next_ns;
      wakes_.wait_for(lock, std::chrono::nanoseconds(std::min(next_ns - now_ns, kLongestSleepNs)));
      sleeps_until_ns_ = 0;  // awake: it will look by itself
      continue;
    }
    Alarm* const alarm = queue_.begin()->second;
    queue_.erase(queue_.begin());
    alarm->queued = false;
    lock.unlock();
    absl::Mutex* const mu = alarm->mu;
    {
      const absl::MutexLock due(mu);
      alarm->due = true;
    }
    lock.lock();
  }
}

}  // namespace dslap
