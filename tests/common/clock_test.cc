#include "common/clock.h"

#include <gtest/gtest.h>

#include <ctime>
#include <memory>
#include <thread>
#include <vector>

namespace dslap {
namespace {

TEST(SteadyClockTest, IsTheMonotonicClockOfTheHost) {
  timespec before{};
  ASSERT_EQ(clock_gettime(CLOCK_MONOTONIC, &before), 0);
  const int64_t now_ns = SteadyClock::Get()->NowNs();
  timespec after{};
  ASSERT_EQ(clock_gettime(CLOCK_MONOTONIC, &after), 0);
  EXPECT_GE(now_ns, before.tv_sec * int64_t{1'000'000'000} + before.tv_nsec);
  EXPECT_LE(now_ns, after.tv_sec * int64_t{1'000'000'000} + after.tv_nsec);
}

TEST(SteadyClockTest, SinceIsWhatHasPassed) {
  Clock* const clock = SteadyClock::Get();
  const absl::Duration since = clock->Since(clock->NowNs() - 5'000'000'000);
  EXPECT_GE(since, absl::Seconds(5));
  EXPECT_LT(since, absl::Seconds(60));
}

TEST(SteadyClockTest, WaitEndsAtTheDeadline) {
  Clock* const clock = SteadyClock::Get();
  absl::Mutex mu;
  bool never = false;
  absl::MutexLock lock(&mu);
  const int64_t deadline_ns = clock->NowNs() + 20'000'000;
  EXPECT_FALSE(clock->AwaitUntil(&mu, absl::Condition(&never), deadline_ns));
  EXPECT_GE(clock->NowNs(), deadline_ns);
}

TEST(SteadyClockTest, WaitEndsWhenTheConditionHolds) {
  Clock* const clock = SteadyClock::Get();
  absl::Mutex mu;
  bool ready = false;
  std::thread other([&] {
    absl::MutexLock lock(&mu);
    ready = true;
  });
  {
    absl::MutexLock lock(&mu);
    EXPECT_TRUE(clock->AwaitUntil(&mu, absl::Condition(&ready), INT64_MAX));
    EXPECT_TRUE(ready);
  }
  other.join();
}

// The end of the time and the condition come true at about the same instant, again and again: no
// wait may miss both, and none may leave anything behind for the next.
TEST(SteadyClockTest, ManyWaitsAtOnceEndEachByItself) {
  SteadyClock* const clock = SteadyClock::Get();
  constexpr int kWaits = 200;
  std::vector<std::thread> waiting;
  for (int thread = 0; thread < 4; ++thread) {
    waiting.emplace_back([clock] {
      for (int i = 0; i < kWaits; ++i) {
        auto mu = std::make_unique<absl::Mutex>();
        bool ready = false;
        std::thread other([&] {
          absl::MutexLock lock(mu.get());
          clock->AwaitFor(mu.get(), absl::Condition(&ready), absl::Microseconds(50 + i));
          ready = true;
        });
        {
          absl::MutexLock lock(mu.get());
          while (!clock->AwaitFor(mu.get(), absl::Condition(&ready), absl::Microseconds(50))) {
          }
        }
        other.join();
      }
    });
  }
  for (std::thread& thread : waiting) thread.join();
}

TEST(SteadyClockTest, WaitForATimeWithoutEndEndsWithTheCondition) {
  absl::Mutex mu;
  bool ready = false;
  std::thread other([&] {
    absl::MutexLock lock(&mu);
    ready = true;
  });
  {
    absl::MutexLock lock(&mu);
    EXPECT_TRUE(
        SteadyClock::Get()->AwaitFor(&mu, absl::Condition(&ready), absl::InfiniteDuration()));
  }
  other.join();
}

TEST(SteadyClockTest, PastDeadlineStillLooksAtTheCondition) {
  Clock* const clock = SteadyClock::Get();
  absl::Mutex mu;
  bool yes = true;
  bool no = false;
  absl::MutexLock lock(&mu);
  EXPECT_TRUE(clock->AwaitUntil(&mu, absl::Condition(&yes), 0));
  EXPECT_FALSE(clock->AwaitUntil(&mu, absl::Condition(&no), 0));
}

}  // namespace
}  // namespace dslap
