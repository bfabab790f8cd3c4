#include "common/wait_alarms.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <thread>

namespace dslap {
namespace {

int refusals = 0;

int RefuseTwice(pthread_t* thread, void* (*body)(void*), void* argument) {
  if (++refusals <= 2) return EAGAIN;
  const int error = pthread_create(thread, nullptr, body, argument);
  if (error == 0) pthread_detach(*thread);
  return error;
}

int64_t Now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{1'000'000'000} * now.tv_sec + now.tv_nsec;
}

// A host that had no thread left for the first wait ended the program with an uncaught exception.
TEST(WaitAlarmsTest, WaitsGoOnWithoutAThreadUntilOneIsToBeHad) {
  refusals = 0;
  static auto* const alarms = new WaitAlarms(RefuseTwice);
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  ASSERT_EQ(sigismember(&before, SIGTERM), 0);
  absl::Mutex mu;
  bool ready = false;
  {
    absl::MutexLock lock(&mu);
    const int64_t deadline_ns = Now() + 20'000'000;
    EXPECT_FALSE(alarms->AwaitUntil(&mu, absl::Condition(&ready), deadline_ns));
    EXPECT_GE(Now(), deadline_ns);
  }
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  EXPECT_EQ(sigismember(&after, SIGTERM), 0) << "signals stayed blocked";
  std::thread other([&] {
    absl::MutexLock lock(&mu);
    ready = true;
  });
  {
    absl::MutexLock lock(&mu);
    EXPECT_TRUE(alarms->AwaitUntil(&mu, absl::Condition(&ready), Now() + 20'000'000'000));
    ready = false;
    EXPECT_FALSE(alarms->AwaitUntil(&mu, absl::Condition(&ready), Now() + 1'000'000));
    EXPECT_FALSE(alarms->AwaitUntil(&mu, absl::Condition(&ready), Now() + 1'000'000));
  }
  other.join();
  EXPECT_EQ(refusals, 3) << "the third try got one, and no more were made";
}

}  // namespace
}  // namespace dslap
