#include "common/shutdown_signal.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace dslap {
namespace {

// What the handler was called with.
class Calls {
 public:
  void Add(int times, int signal) {
    absl::MutexLock lock(&mu_);
    calls_.emplace_back(times, signal);
  }
  std::vector<std::pair<int, int>> Await(size_t count) {
    auto there = [&] { return calls_.size() >= count; };
    absl::MutexLock lock(&mu_);
    mu_.AwaitWithTimeout(absl::Condition(&there), absl::Seconds(10));
    return calls_;
  }

 private:
  absl::Mutex mu_;
  std::vector<std::pair<int, int>> calls_;
};

TEST(ShutdownSignalTest, CountsSignalsOfBothKinds) {
  Calls calls;
  const ShutdownSignal signals([&](int times, int signal) { calls.Add(times, signal); });
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(calls.Await(1), (Pairs{{1, SIGTERM}}));
  ASSERT_EQ(kill(getpid(), SIGINT), 0);
  EXPECT_EQ(calls.Await(2), (Pairs{{1, SIGTERM}, {2, SIGINT}}));
}

TEST(ShutdownSignalTest, HangUpCountsToo) {
  Calls calls;
  const ShutdownSignal signals([&](int times, int signal) { calls.Add(times, signal); });
  ASSERT_EQ(kill(getpid(), SIGHUP), 0);
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(calls.Await(1), (Pairs{{1, SIGHUP}}));
}

// As nohup(1) starts programs.
TEST(ShutdownSignalTest, HangUpThatIsIgnoredStaysSo) {
  ASSERT_NE(signal(SIGHUP, SIG_IGN), SIG_ERR);
  {
    Calls calls;
    const ShutdownSignal signals([&](int times, int signal) { calls.Add(times, signal); });
    ASSERT_EQ(kill(getpid(), SIGHUP), 0);
    ASSERT_EQ(kill(getpid(), SIGTERM), 0);
    using Pairs = std::vector<std::pair<int, int>>;
    EXPECT_EQ(calls.Await(1), (Pairs{{1, SIGTERM}}));
  }
  // Blocked by the tests before, it is pending though ignored; this discards it.
  signal(SIGHUP, SIG_IGN);
  signal(SIGHUP, SIG_DFL);
}

TEST(ShutdownSignalTest, HandlerRunsOnAThreadOfItsOwn) {
  absl::Mutex mu;
  bool called = false;
  pthread_t thread{};
  const ShutdownSignal signals([&](int, int) {
    absl::MutexLock lock(&mu);  // a handler proper must not do this
    thread = pthread_self();
    called = true;
  });
  ASSERT_EQ(kill(getpid(), SIGINT), 0);
  absl::MutexLock lock(&mu);
  ASSERT_TRUE(mu.AwaitWithTimeout(absl::Condition(&called), absl::Seconds(10)));
  EXPECT_EQ(pthread_equal(thread, pthread_self()), 0);
}

TEST(ShutdownSignalTest, DestructorEndsTheHandlingAndSignalsStayBlocked) {
  Calls calls;
  {
    const ShutdownSignal signals([&](int times, int signal) { calls.Add(times, signal); });
  }
  // Would end the process if it were not blocked.
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  sigset_t pending;
  ASSERT_EQ(sigpending(&pending), 0);
  EXPECT_EQ(sigismember(&pending, SIGTERM), 1);
  // The next one takes what was left pending, and so leaves nothing for other tests.
  const ShutdownSignal next([&](int times, int signal) { calls.Add(times, signal); });
  EXPECT_EQ(calls.Await(1).size(), 1u);
}

// Signals were blocked with nobody to take them, and the destructor waited for ever.
TEST(ShutdownSignalTest, WithoutDescriptorsSignalsKeepTheirDefaultAction) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto run = [] {
    alarm(20);
    // The tests before may have left them blocked.
    sigset_t blocked;
    sigemptyset(&blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
    const rlimit none{0, 0};
    if (setrlimit(RLIMIT_NOFILE, &none) != 0) std::_Exit(2);
    {
      const ShutdownSignal signals([](int, int) { std::_Exit(3); });
    }
    const ShutdownSignal signals([](int, int) { std::_Exit(4); });
    kill(getpid(), SIGTERM);
    for (;;) pause();
  };
  EXPECT_EXIT(run(), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace dslap
