// Bounded waits where the wall clock is wrong by an hour. clock_gettime() is this program's own:
// what asks it for the wall clock, as Abseil does, believes an hour that the kernel does not. That
// is what a wait sees whose host is set back by an hour just after it began.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "common/clock.h"

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, now));
  if (clock == CLOCK_REALTIME) now->tv_sec += 3600;
  return result;
}

extern "C" int gettimeofday(timeval* now, void* zone) noexcept {
  const auto result = static_cast<int>(syscall(SYS_gettimeofday, now, zone));
  now->tv_sec += 3600;
  return result;
}

namespace dslap {
namespace {

// Of the test itself: a wait that takes the hour for real would last that long.
constexpr int64_t kBoundNs = 20'000'000'000;

TEST(ClockStepTest, TheProgramBelievesAnotherHour) {
  timespec kernel{};
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &kernel);
  EXPECT_GE(absl::ToUnixSeconds(absl::Now()), kernel.tv_sec + 3600);
}

TEST(ClockStepTest, WaitEndsAtItsDeadlineThoughTheWallClockWasSetBack) {
  Clock* const clock = SteadyClock::Get();
  const int64_t start_ns = clock->NowNs();
  absl::Mutex mu;
  bool never = false;
  absl::MutexLock lock(&mu);
  EXPECT_FALSE(clock->AwaitUntil(&mu, absl::Condition(&never), start_ns + 20'000'000));
  EXPECT_GE(clock->NowNs(), start_ns + 20'000'000);
  EXPECT_LT(clock->NowNs(), start_ns + kBoundNs);
}

TEST(ClockStepTest, WaitForATimeEndsThoughTheWallClockWasSetBack) {
  SteadyClock* const clock = SteadyClock::Get();
  const int64_t start_ns = clock->NowNs();
  absl::Mutex mu;
  bool never = false;
  absl::MutexLock lock(&mu);
  EXPECT_FALSE(clock->AwaitFor(&mu, absl::Condition(&never), absl::Milliseconds(20)));
  EXPECT_LT(clock->NowNs(), start_ns + kBoundNs);
}

}  // namespace
}  // namespace dslap
