#include "common/clock.h"

#include <algorithm>
#include <ctime>

#include "common/wait_alarms.h"

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
  return WaitAlarms::Get()->AwaitUntil(mu, condition, deadline_ns);
}

bool SteadyClock::AwaitFor(absl::Mutex* mu, const absl::Condition& condition, absl::Duration time) {
  const int64_t now_ns = NowNs();
  const int64_t time_ns = std::max<int64_t>(absl::ToInt64Nanoseconds(time), 0);
  return AwaitUntil(mu, condition, now_ns + std::min(time_ns, INT64_MAX - now_ns));
}

}  // namespace dslap
