#include "agent/service/ticker.h"

#include <gtest/gtest.h>

#include <atomic>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"

namespace dslap {
namespace {

TEST(TickerTest, CallsAgainAndAgain) {
  absl::BlockingCounter three(3);
  std::atomic<int> calls = 0;
  const Ticker ticker("test", absl::Milliseconds(1), [&] {
    if (++calls <= 3) three.DecrementCount();
  });
  three.Wait();
}

TEST(TickerTest, DestructorWaitsForACallAndEndsThem) {
  absl::Notification inside;
  std::atomic<bool> left = false;
  std::atomic<int> calls = 0;
  {
    const Ticker ticker("test", absl::Milliseconds(1), [&] {
      if (++calls > 1) return;
      inside.Notify();
      // Long enough to be caught by the destructor if it does not wait.
      absl::SleepFor(absl::Milliseconds(20));
      left = true;
    });
    inside.WaitForNotification();
  }
  EXPECT_TRUE(left);
}

}  // namespace
}  // namespace dslap
