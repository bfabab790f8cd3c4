#include "agent/async/event_loop.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "agent/async/task.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kMsNs = 1'000'000;

// Two ends of a connection, closed at the end.
class SocketPair {
 public:
  SocketPair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds_.data()), 0); }
  ~SocketPair() {
    close(fds_[0]);
    close(fds_[1]);
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;

  int here() const { return fds_[0]; }
  int there() const { return fds_[1]; }
  void SendFromThere() const { EXPECT_EQ(send(fds_[1], "x", 1, 0), 1); }

 private:
  std::array<int, 2> fds_{};
};

class RecordingHandler final : public EventLoop::Handler {
 public:
  void OnSocket(uint32_t events) override { events_seen.push_back(events); }
  void OnNotify() override { ++notified; }

  std::vector<uint32_t> events_seen;
  int notified = 0;
};

class EventLoopTest : public ::testing::Test {
 protected:
  // One turn at least: until a notification that is sent now has arrived.
  void Turn() {
    RecordingHandler marker;
    loop_->Notify(&marker);
    loop_->RunUntil([&] { return marker.notified == 1; });
  }

  const std::unique_ptr<EventLoop> loop_ = EventLoop::Create(SteadyClock::Get()).value();
};

TEST_F(EventLoopTest, DoesNothingWhenAllIsDoneAlready) {
  int asked = 0;
  loop_->RunUntil([&] { return ++asked == 1; });
  EXPECT_EQ(asked, 1);
}

TEST_F(EventLoopTest, TellsOnceAboutBytesThatCame) {
  const SocketPair sockets;
  RecordingHandler handler;
  ASSERT_TRUE(loop_->Watch(sockets.here(), &handler));
  sockets.SendFromThere();
  loop_->RunUntil([&] { return !handler.events_seen.empty(); });
  EXPECT_THAT(handler.events_seen, ElementsAre(EPOLLIN));
  Turn();
  Turn();
  EXPECT_THAT(handler.events_seen, ElementsAre(EPOLLIN));
  sockets.SendFromThere();
  Turn();
  EXPECT_THAT(handler.events_seen, ElementsAre(EPOLLIN, EPOLLIN));
}

TEST_F(EventLoopTest, TellsOfRoomToWriteOnlyWhenAsked) {
  const SocketPair sockets;
  RecordingHandler handler;
  ASSERT_TRUE(loop_->Watch(sockets.here(), &handler));
  Turn();
  EXPECT_TRUE(handler.events_seen.empty());
  loop_->WantWritable(sockets.here(), &handler, true);
  loop_->RunUntil([&] { return !handler.events_seen.empty(); });
  EXPECT_THAT(handler.events_seen, ElementsAre(EPOLLOUT));
  loop_->WantWritable(sockets.here(), &handler, false);
  sockets.SendFromThere();
  Turn();
  EXPECT_THAT(handler.events_seen, ElementsAre(EPOLLOUT, EPOLLIN));
}

TEST_F(EventLoopTest, TellsWhenTheOtherEndIsGone) {
  const SocketPair sockets;
  RecordingHandler handler;
  ASSERT_TRUE(loop_->Watch(sockets.here(), &handler));
  shutdown(sockets.there(), SHUT_RDWR);
  loop_->RunUntil([&] { return !handler.events_seen.empty(); });
  EXPECT_EQ(handler.events_seen.front() & (EPOLLRDHUP | EPOLLHUP), EPOLLRDHUP | EPOLLHUP);
}

TEST_F(EventLoopTest, TimersRunInOrderAndNotBeforeTheirTime) {
  const int64_t start_ns = loop_->NowNs();
  std::vector<int> ran;
  loop_->CallAt(start_ns + 6 * kMsNs, [&] { ran.push_back(2); });
  loop_->CallAt(start_ns + 3 * kMsNs, [&] { ran.push_back(1); });
  const EventLoop::TimerId cancelled = loop_->CallAt(start_ns + kMsNs, [&] { ran.push_back(0); });
  loop_->Cancel(cancelled);
  loop_->RunUntil([&] { return ran.size() == 2; });
  EXPECT_THAT(ran, ElementsAre(1, 2));
  EXPECT_GE(loop_->NowNs() - start_ns, 6 * kMsNs);
}

TEST_F(EventLoopTest, TimerMaySetTheNext) {
  int ran = 0;
  std::function<void()> again = [&] {
    if (++ran < 3) loop_->CallAt(loop_->NowNs(), again);
  };
  loop_->CallAt(0, again);
  loop_->RunUntil([&] { return ran == 3; });
  EXPECT_EQ(ran, 3);
}

TEST_F(EventLoopTest, NotificationFromAnotherThreadEndsTheWait) {
  RecordingHandler handler;
  std::thread other([&] { loop_->Notify(&handler); });
  loop_->RunUntil([&] { return handler.notified == 1; });
  other.join();
}

TEST_F(EventLoopTest, NotificationBeforeTheLoopRunsIsNotLost) {
  RecordingHandler handler;
  loop_->Notify(&handler);
  loop_->RunUntil([&] { return handler.notified == 1; });
}

TEST_F(EventLoopTest, ForgottenHandlerIsNotTold) {
  RecordingHandler forgotten;
  loop_->Notify(&forgotten);
  loop_->Forget(&forgotten);
  Turn();
  EXPECT_EQ(forgotten.notified, 0);
}

struct Yield {
  EventLoop* loop;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiter) const { loop->ResumeSoon(waiter); }
  void await_resume() const {}
};

Task<void> CountTurns(EventLoop* loop, int turns, int* counted) {
  for (; *counted < turns; ++*counted) co_await Yield{loop};
}

TEST_F(EventLoopTest, CrowdOfCoroutinesLeavesTheSocketsTheirTurn) {
  constexpr int kCrowd = 500;
  const SocketPair sockets;
  RecordingHandler handler;
  ASSERT_TRUE(loop_->Watch(sockets.here(), &handler));
  std::vector<int> counted(kCrowd, 0);
  std::vector<Task<void>> crowd;
  for (int& count : counted) crowd.push_back(CountTurns(loop_.get(), 1, &count));
  for (const Task<void>& task : crowd) loop_->ResumeSoon(task.handle());
  sockets.SendFromThere();
  loop_->RunUntil([&] { return !handler.events_seen.empty(); });
  // Far from all had their turn before the socket had.
  EXPECT_FALSE(crowd.back().done());
  loop_->RunUntil([&] { return crowd.back().done(); });
  EXPECT_EQ(counted, std::vector<int>(kCrowd, 1));
}

}  // namespace
}  // namespace dslap
