#include "agent/service/session_slot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "tests/fakes/fake_clock.h"

namespace dslap {
namespace {

TEST(SessionSlotTest, OneRunAtATime) {
  FakeClock clock;
  SessionSlot slot(&clock);
  EXPECT_FALSE(slot.holder().has_value());
  EXPECT_EQ(slot.Claim("r1", "ann@db-a pid 17"), absl::OkStatus());
  clock.Advance(absl::Milliseconds(12'900));
  EXPECT_EQ(
      slot.Claim("r2", "bob@db-b pid 4"),
      absl::ResourceExhaustedError("agent is busy with run r1 of ann@db-a pid 17 since 12 s"));
  ASSERT_TRUE(slot.holder().has_value());
  EXPECT_EQ(slot.holder()->run_id, "r1");
  EXPECT_EQ(slot.holder()->controller, "ann@db-a pid 17");
  EXPECT_EQ(slot.holder()->age_ns, 12'900'000'000);
  slot.Release();
  EXPECT_FALSE(slot.holder().has_value());
  EXPECT_EQ(slot.Claim("r2", "bob@db-b pid 4"), absl::OkStatus());
  EXPECT_EQ(slot.holder()->run_id, "r2");
  EXPECT_EQ(slot.holder()->age_ns, 0);
}

TEST(SessionSlotTest, NewcomerWaitsForARunThatIsEnding) {
  FakeClock clock;
  SessionSlot slot(&clock);
  ASSERT_EQ(slot.Claim("r1", "ann"), absl::OkStatus());
  slot.AnnounceEnd();
  std::atomic<bool> claimed = false;
  std::thread newcomer([&] {
    EXPECT_EQ(slot.Claim("r2", "ann"), absl::OkStatus());
    claimed = true;
  });
  EXPECT_FALSE(claimed);
  slot.Release();
  newcomer.join();
  EXPECT_EQ(slot.holder()->run_id, "r2");
}

// The controller's preflight asks before it opens: it must not be told of a run that is all but
// over.
TEST(SessionSlotTest, RunThatIsEndingSaysSo) {
  FakeClock clock;
  SessionSlot slot(&clock);
  ASSERT_EQ(slot.Claim("r1", "ann"), absl::OkStatus());
  slot.AnnounceEnd();
  ASSERT_TRUE(slot.holder().has_value());
  EXPECT_TRUE(slot.holder()->ending);
  slot.Release();
  EXPECT_FALSE(slot.holder().has_value());
}

TEST(SessionSlotTest, NewcomerDoesNotWaitForEver) {
  FakeClock clock(FakeClock::kAutoAdvance);
  SessionSlot slot(&clock);
  ASSERT_EQ(slot.Claim("r1", "ann"), absl::OkStatus());
  slot.AnnounceEnd();
  EXPECT_EQ(slot.Claim("r2", "bob"),
            absl::ResourceExhaustedError(
                "agent is busy with run r1 of ann since 9 s, which is being cleaned up"));
}

// The run before is given back after 8.9 s of waiting, if anybody still waits then.
class ReleasingClock final : public Clock {
 public:
  static constexpr int64_t kReleasedAfterNs = 8'900'000'000;

  void Release(SessionSlot* slot) { slot_ = slot; }
  int64_t NowNs() override { return now_ns_; }
  bool AwaitUntil(absl::Mutex* mu, const absl::Condition& condition, int64_t deadline_ns) override {
    if (condition.Eval()) return true;
    const int64_t released_at_ns = now_ns_ + kReleasedAfterNs;
    now_ns_ = std::min(released_at_ns, deadline_ns);
    if (released_at_ns > deadline_ns) return false;
    mu->Unlock();
    slot_->Release();
    mu->Lock();
    return condition.Eval();
  }

 private:
  SessionSlot* slot_ = nullptr;
  int64_t now_ns_ = 0;
};

// Grace, killing and a last will's delay took longer than a newcomer waited: it was told "busy".
TEST(SessionSlotTest, NewcomerOutlastsAWholeCleanUp) {
  ReleasingClock clock;
  SessionSlot slot(&clock);
  clock.Release(&slot);
  ASSERT_EQ(slot.Claim("r1", "ann"), absl::OkStatus());
  slot.AnnounceEnd();
  EXPECT_EQ(slot.Claim("r2", "ann"), absl::OkStatus());
  EXPECT_EQ(clock.NowNs(), ReleasingClock::kReleasedAfterNs);
}

TEST(SessionSlotTest, OnlyOneOfManyNewcomersGetsIt) {
  FakeClock clock;
  SessionSlot slot(&clock);
  ASSERT_EQ(slot.Claim("r1", "ann"), absl::OkStatus());
  slot.AnnounceEnd();
  std::atomic<int> got = 0;
  std::atomic<int> busy = 0;
  std::array<std::thread, 8> newcomers;
  for (std::thread& newcomer : newcomers) {
    newcomer = std::thread([&] { ++(slot.Claim("r2", "bob").ok() ? got : busy); });
  }
  slot.Release();
  for (std::thread& newcomer : newcomers) newcomer.join();
  EXPECT_EQ(got, 1);
  EXPECT_EQ(busy, 7);
}

TEST(SessionSlotTest, ShutRefusesNewcomersAndThoseThatWait) {
  FakeClock clock;
  SessionSlot slot(&clock);
  ASSERT_EQ(slot.Claim("r1", "ann"), absl::OkStatus());
  slot.AnnounceEnd();
  std::thread waiting([&] {
    EXPECT_EQ(slot.Claim("r2", "bob"), absl::UnavailableError("agent is shutting down"));
  });
  slot.Shut();
  waiting.join();
  slot.Release();
  EXPECT_EQ(slot.Claim("r3", "bob"), absl::UnavailableError("agent is shutting down"));
}

TEST(SessionSlotTest, AwaitFreeIsBounded) {
  FakeClock clock;
  SessionSlot slot(&clock);
  EXPECT_TRUE(slot.AwaitFree(absl::ZeroDuration()));
  ASSERT_EQ(slot.Claim("r1", "ann"), absl::OkStatus());
  EXPECT_FALSE(slot.AwaitFree(absl::Milliseconds(1)));
  slot.AnnounceEnd();
  EXPECT_FALSE(slot.AwaitFree(absl::Milliseconds(1)));
  std::thread releasing([&] { slot.Release(); });
  EXPECT_TRUE(slot.AwaitFree(absl::Seconds(20)));
  releasing.join();
}

}  // namespace
}  // namespace dslap
