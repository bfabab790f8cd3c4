#include "agent/sql/socket_wait.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <future>
#include <thread>

#include "gtest/gtest.h"

namespace dslap {
namespace {

constexpr SocketWait::Direction kRead = SocketWait::Direction::kRead;
constexpr SocketWait::Direction kWrite = SocketWait::Direction::kWrite;

class SocketPair {
 public:
  SocketPair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds_.data()), 0); }
  ~SocketPair() {
    close(fds_[0]);
    close(fds_[1]);
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;

  int near() const { return fds_[0]; }
  int far() const { return fds_[1]; }

 private:
  std::array<int, 2> fds_{};
};

// Whether somebody has shut the socket down.
bool IsShutDown(int fd) {
  char byte = 0;
  return recv(fd, &byte, 1, MSG_DONTWAIT) == 0;
}

TEST(SocketWaitTest, ReturnsWhenTheSocketIsReady) {
  const SocketPair pair;
  SocketWait wait;
  EXPECT_EQ(wait.Wait(pair.near(), kWrite, -1), 1);
  ASSERT_EQ(send(pair.far(), "x", 1, 0), 1);
  EXPECT_EQ(wait.Wait(pair.near(), kRead, -1), 1);
}

TEST(SocketWaitTest, TimesOut) {
  const SocketPair pair;
  SocketWait wait;
  errno = 0;
  EXPECT_EQ(wait.Wait(pair.near(), kRead, 5), 0);
  EXPECT_EQ(errno, ETIMEDOUT);
}

// Whether the interrupt finds the wait begun or not, the wait fails; when it does, the socket is
// shut down. Repeated until that was seen.
TEST(SocketWaitTest, InterruptEndsTheWaitAndShutsTheSocketDown) {
  bool seen = false;
  for (int i = 0; i < 10'000 && !seen; ++i) {
    const SocketPair pair;
    SocketWait wait;
    std::promise<void> about_to_wait;
    std::future<int> error = std::async(std::launch::async, [&] {
      about_to_wait.set_value();
      return wait.Wait(pair.near(), kRead, -1) == -1 ? errno : 0;
    });
    about_to_wait.get_future().wait();
    std::this_thread::yield();
    wait.Interrupt();
    EXPECT_EQ(error.get(), ECONNABORTED);
    seen = IsShutDown(pair.far());
  }
  EXPECT_TRUE(seen);
}

TEST(SocketWaitTest, InterruptBeforeTheWaitFailsItWithoutTouchingTheSocket) {
  const SocketPair pair;
  SocketWait wait;
  wait.Interrupt();
  EXPECT_EQ(wait.Wait(pair.near(), kWrite, -1), -1);
  EXPECT_EQ(errno, ECONNABORTED);
  EXPECT_FALSE(IsShutDown(pair.far()));
  wait.Rearm();
  EXPECT_EQ(wait.Wait(pair.near(), kWrite, -1), 1);
}

TEST(SocketWaitTest, InterruptAfterTheWaitTouchesNoDescriptor) {
  const SocketPair pair;
  SocketWait wait;
  EXPECT_EQ(wait.Wait(pair.near(), kWrite, -1), 1);
  wait.Interrupt();
  EXPECT_FALSE(IsShutDown(pair.far()));
}

TEST(SocketWaitTest, DuplicateIsShutDownUntilItIsDropped) {
  const SocketPair kept;
  const SocketPair dropped;
  SocketWait wait;
  ASSERT_TRUE(wait.KeepDuplicate(dropped.near()));
  wait.DropDuplicate();
  ASSERT_TRUE(wait.KeepDuplicate(kept.near()));
  wait.Interrupt();
  EXPECT_TRUE(IsShutDown(kept.far()));
  EXPECT_FALSE(IsShutDown(dropped.far()));
}

// The owner closes its descriptor as soon as a wait ends, and its number is taken by another socket
// at once: that one must never be shut down.
TEST(SocketWaitTest, ReusedDescriptorIsNeverHit) {
  SocketWait wait;
  std::atomic<bool> stop{false};
  std::thread cutter([&] {
    while (!stop) wait.Interrupt();
  });
  int hits = 0;
  for (int i = 0; i < 600; ++i) {
    int number = 0;
    {
      const SocketPair victim;
      number = victim.near();
      wait.Rearm();
      wait.Wait(victim.near(), kWrite, -1);
    }
    const SocketPair bystander;
    EXPECT_EQ(bystander.near(), number);
    std::this_thread::yield();  // a chance for the cutter to be wrong
    if (IsShutDown(bystander.far())) ++hits;
  }
  stop = true;
  cutter.join();
  EXPECT_EQ(hits, 0);
}

}  // namespace
}  // namespace dslap
