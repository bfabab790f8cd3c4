#include "common/clock.h"

#include <ctime>

namespace dslap {

SteadyClock* SteadyClock::Get() {
  static SteadyClock clock;
  return &clock;
}

int64_t SteadyClock::NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec;
}

bool SteadyClock::AwaitUntil(absl::Mutex* mu, const absl::Condition& condition,
                             int64_t deadline_ns) {
  // absl::Mutex takes a timeout on the wall clock's scale; looping on our own clock keeps a step of
  // the wall clock from shortening the wait.
  while (!condition.Eval()) {
    const int64_t left_ns = deadline_ns - NowNs();
    if (left_ns <= 0) return false;
    mu->AwaitWithTimeout(condition, absl::Nanoseconds(left_ns));
  }
  return true;
}

}  // namespace dslap
