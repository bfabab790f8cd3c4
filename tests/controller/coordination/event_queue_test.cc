#include "controller/coordination/event_queue.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/fakes/fake_clock.h"

namespace dslap {
namespace {

TEST(EventQueueTest, GivesEventsInTheOrderTheyCame) {
  FakeClock clock;
  EventQueue queue(&clock);
  queue.Push(StreamClosedEvent{7, absl::OkStatus()});
  queue.Push(InterruptEvent{});
  const std::optional<Event> first = queue.Pop(clock.NowNs());
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(std::get<StreamClosedEvent>(*first).agent, 7u);
  EXPECT_TRUE(std::holds_alternative<InterruptEvent>(*queue.Pop(clock.NowNs())));
}

TEST(EventQueueTest, WaitsUntilTheDeadlineAndNoLonger) {
  FakeClock clock(FakeClock::kAutoAdvance);
  EventQueue queue(&clock);
  const int64_t deadline_ns = clock.NowNs() + 1234;
  EXPECT_FALSE(queue.Pop(deadline_ns).has_value());
  EXPECT_EQ(clock.NowNs(), deadline_ns);
}

TEST(EventQueueTest, AnEventOfAnotherThreadEndsTheWait) {
  EventQueue queue(SteadyClock::Get());
  std::thread other([&] { queue.Push(InterruptEvent{}); });
  EXPECT_TRUE(queue.Pop(SteadyClock::Get()->NowNs() + 60'000'000'000).has_value());
  other.join();
}

}  // namespace
}  // namespace dslap
