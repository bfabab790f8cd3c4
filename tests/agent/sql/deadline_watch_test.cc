#include "agent/sql/deadline_watch.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "common/clock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

constexpr int64_t kMsNs = 1'000'000;
constexpr int64_t kSecondNs = 1'000 * kMsNs;

int64_t Now() { return SteadyClock::Get()->NowNs(); }

// One end is read without a look at any clock, as a library does under TLS.
class BlindReader {
 public:
  explicit BlindReader(std::shared_ptr<DeadlineWatch> watch) : bound_(std::move(watch), &wait_) {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds_.data()), 0);
    EXPECT_TRUE(wait_.KeepDuplicate(fds_[0]));
  }
  ~BlindReader() {
    close(fds_[0]);
    close(fds_[1]);
  }
  BlindReader(const BlindReader&) = delete;
  BlindReader& operator=(const BlindReader&) = delete;

  DeadlineWatch::Bound& bound() { return bound_; }
  // Bytes read: 0 when the connection was shut down.
  ssize_t Read() const {
    char byte = 0;
    return recv(fds_[0], &byte, 1, 0);
  }
  void Answer() const { EXPECT_EQ(send(fds_[1], "x", 1, 0), 1); }
  bool IsShutDown() const {
    char byte = 0;
    return recv(fds_[1], &byte, 1, MSG_DONTWAIT) == 0;
  }

 private:
  std::array<int, 2> fds_{};
  SocketWait wait_;
  DeadlineWatch::Bound bound_;
};

TEST(DeadlineWatchTest, EndsAReadAtItsDeadline) {
  BlindReader reader(std::make_shared<DeadlineWatch>());
  const int64_t begin_ns = Now();
  EXPECT_TRUE(reader.bound().Set(begin_ns + 100 * kMsNs));
  EXPECT_EQ(reader.Read(), 0);
  EXPECT_GE(Now() - begin_ns, 100 * kMsNs);
  EXPECT_LT(Now() - begin_ns, 5 * kSecondNs);
  EXPECT_TRUE(reader.bound().Clear());
  EXPECT_FALSE(reader.bound().Clear());
}

TEST(DeadlineWatchTest, LeavesAloneWhatIsAnsweredInTime) {
  auto watch = std::make_shared<DeadlineWatch>();
  BlindReader answered(watch);
  EXPECT_TRUE(answered.bound().Set(Now() + kSecondNs / 10));
  answered.Answer();
  EXPECT_EQ(answered.Read(), 1);
  EXPECT_FALSE(answered.bound().Clear());
  // By when this one is cut, the other's deadline has passed, too.
  BlindReader late(watch);
  EXPECT_TRUE(late.bound().Set(Now() + kSecondNs / 5));
  EXPECT_EQ(late.Read(), 0);
  EXPECT_FALSE(answered.IsShutDown());
}

TEST(DeadlineWatchTest, EachSetCountsFromAnew) {
  BlindReader reader(std::make_shared<DeadlineWatch>());
  EXPECT_TRUE(reader.bound().Set(Now() + 3'600 * kSecondNs));
  EXPECT_FALSE(reader.bound().Clear());
  reader.bound().Rest();
  EXPECT_TRUE(reader.bound().Set(Now() + 30 * kMsNs));
  EXPECT_EQ(reader.Read(), 0);
  EXPECT_TRUE(reader.bound().Clear());
}

TEST(DeadlineWatchTest, ShortDeadlineIsKeptBesideLongOnes) {
  auto watch = std::make_shared<DeadlineWatch>();
  std::vector<std::unique_ptr<BlindReader>> others;
  for (int i = 0; i < 50; ++i) {
    others.push_back(std::make_unique<BlindReader>(watch));
    EXPECT_TRUE(others.back()->bound().Set(Now() + 3'600 * kSecondNs));
  }
  BlindReader reader(watch);
  EXPECT_TRUE(reader.bound().Set(Now() + 30 * kMsNs));
  EXPECT_EQ(reader.Read(), 0);
  for (const std::unique_ptr<BlindReader>& other : others) EXPECT_FALSE(other->bound().Clear());
}

// What Clear() says is what happened: a cut that it denies must not come afterwards, when the
// connection serves the next statement.
TEST(DeadlineWatchTest, ClearAndTheSocketAgree) {
  auto watch = std::make_shared<DeadlineWatch>();
  std::atomic<int> disagreements{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 60; ++i) {
        BlindReader reader(watch);
        const int64_t deadline_ns = Now() + (i % 4) * 5 * kMsNs;
        EXPECT_TRUE(reader.bound().Set(deadline_ns));
        while (Now() < deadline_ns) std::this_thread::yield();
        const bool cut = reader.bound().Clear();
        if (cut != reader.IsShutDown()) ++disagreements;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(disagreements.load(), 0);
}

}  // namespace
}  // namespace dslap
