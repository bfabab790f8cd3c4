#include "agent/async/task.h"

#include <cstddef>
#include <map>
#include <thread>

#include "agent/async/frame_pool.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

// A place to wait at, resumed by the test.
struct Gate {
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) { waiter = handle; }
  void await_resume() const {}

  std::coroutine_handle<> waiter;
};

Task<int> Twice(int value) { co_return 2 * value; }

Task<int> TwiceAfter(Gate* gate, int value) {
  co_await *gate;
  co_return 2 * value;
}

Task<void> Store(Gate* gate, int* result) {
  const int early = co_await Twice(10);
  const int late = co_await TwiceAfter(gate, early);
  *result = late;
}

TEST(TaskTest, RunsNothingBeforeItIsStarted) {
  Gate gate;
  int result = 0;
  const Task<void> task = Store(&gate, &result);
  EXPECT_FALSE(task.done());
  EXPECT_EQ(gate.waiter, nullptr);
}

TEST(TaskTest, ChildThatWaitsSuspendsItsParents) {
  Gate gate;
  int result = 0;
  Task<void> task = Store(&gate, &result);
  task.Start();
  ASSERT_FALSE(task.done());
  gate.waiter.resume();
  EXPECT_TRUE(task.done());
  EXPECT_EQ(result, 40);
}

TEST(TaskTest, IsStartedThroughItsHandleToo) {
  Gate gate;
  int result = 0;
  Task<void> task;
  task = Store(&gate, &result);
  task.handle().resume();
  gate.waiter.resume();
  EXPECT_TRUE(task.done());
}

TEST(TaskTest, SuspendedTaskMayBeDropped) {
  Gate gate;
  int result = 0;
  {
    Task<void> task = Store(&gate, &result);
    task.Start();
  }
  EXPECT_EQ(result, 0);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(FramePoolTest, FrameThatWasGivenBackIsTakenAgain) {
  void* const first = TakeFrame(200);
  GiveFrame(first, 200);
  // Of the same class of sizes.
  void* const second = TakeFrame(250);
  EXPECT_EQ(second, first);
  void* const third = TakeFrame(200);
  EXPECT_NE(third, second);
  GiveFrame(second, 250);
  GiveFrame(third, 200);
}
#endif

TEST(FramePoolTest, FramesOfAllSizesMayBeGivenBackByAnotherThread) {
  std::map<void*, size_t> frames;
  for (size_t bytes = 1; bytes <= 5'000; bytes += 123) frames.emplace(TakeFrame(bytes), bytes);
  EXPECT_EQ(frames.size(), 41U);
  std::thread([&] {
    for (const auto& [frame, bytes] : frames) GiveFrame(frame, bytes);
  }).join();
}

}  // namespace
}  // namespace dslap
