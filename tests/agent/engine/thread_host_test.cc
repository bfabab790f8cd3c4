#include "agent/engine/thread_host.h"

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <future>

#include "gtest/gtest.h"

namespace dslap {
namespace {

using Wait = ClientHost::Wait;

constexpr int64_t kHourNs = int64_t{3600} * 1'000'000'000;

bool WaitFor(ThreadHost& host, Wait wait) {
  bool go_on = false;
  EXPECT_TRUE(host.StartWait(wait, std::noop_coroutine(), &go_on));
  return go_on;
}

bool TakeSlot(ThreadHost& host) { return WaitFor(host, {Wait::Kind::kConnectSlot, 0}); }
bool PauseFor(ThreadHost& host, int64_t ns) { return WaitFor(host, {Wait::Kind::kPause, ns}); }
bool PassGate(ThreadHost& host) { return WaitFor(host, {Wait::Kind::kGate, 0}); }

TEST(ThreadHostTest, ConnectSlotIsHandedOn) {
  ThreadHost host(2, 1, SteadyClock::Get());
  ASSERT_TRUE(TakeSlot(host));
  std::future<bool> second = std::async(std::launch::async, [&] { return TakeSlot(host); });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(5)), std::future_status::timeout);
  host.ReleaseConnectSlot();
  EXPECT_TRUE(second.get());
}

TEST(ThreadHostTest, StopEndsTheWaitForASlotAndForTheEndOfAPause) {
  ThreadHost host(3, 1, SteadyClock::Get());
  ASSERT_TRUE(TakeSlot(host));
  std::future<bool> slot = std::async(std::launch::async, [&] { return TakeSlot(host); });
  std::future<bool> pause = std::async(std::launch::async, [&] { return PauseFor(host, kHourNs); });
  host.RequestStop(RoundStopCause::kController, 0);
  EXPECT_FALSE(slot.get());
  EXPECT_FALSE(pause.get());
}

TEST(ThreadHostTest, PauseEnds) {
  ThreadHost host(1, 1, SteadyClock::Get());
  const int64_t start_ns = SteadyClock::Get()->NowNs();
  EXPECT_TRUE(PauseFor(host, 3'000'000));
  EXPECT_GE(SteadyClock::Get()->NowNs() - start_ns, 3'000'000);
}

TEST(ThreadHostTest, HopelessErrorEndsTheConnectingOfAll) {
  ThreadHost host(2, 5, SteadyClock::Get());
  std::future<bool> pause = std::async(std::launch::async, [&] { return PauseFor(host, kHourNs); });
  host.ConnectFailed(ConnectVerdict::kHopeless);
  EXPECT_FALSE(pause.get());
  EXPECT_FALSE(TakeSlot(host));
  EXPECT_FALSE(host.stopped());
}

TEST(ThreadHostTest, ClientThatGivesUpAloneLeavesTheOthersTheirTry) {
  ThreadHost host(2, 5, SteadyClock::Get());
  host.ConnectFailed(ConnectVerdict::kGiveUp);
  EXPECT_TRUE(TakeSlot(host));
}

TEST(ThreadHostTest, ServerThatAnsweredNobodyIsGivenUpForAll) {
  ThreadHost host(2, 5, SteadyClock::Get());
  host.ConnectFailed(ConnectVerdict::kRetry);
  EXPECT_FALSE(TakeSlot(host));
}

TEST(ThreadHostTest, ServerThatAnsweredSomebodyIsNotGivenUp) {
  ThreadHost host(3, 5, SteadyClock::Get());
  std::future<bool> gate = std::async(std::launch::async, [&] { return PassGate(host); });
  host.ClientDone(/*was_at_gate=*/false);
  host.ClientDone(/*was_at_gate=*/false);
  ASSERT_TRUE(host.AwaitPreparedOrStop());
  host.ConnectFailed(ConnectVerdict::kRetry);
  EXPECT_TRUE(TakeSlot(host));
  EXPECT_NE(host.OpenGate(), 0);
  EXPECT_TRUE(gate.get());
}

TEST(ThreadHostTest, GateOpensForAllOrIsBarredForAll) {
  ThreadHost open(2, 5, SteadyClock::Get());
  std::future<bool> first = std::async(std::launch::async, [&] { return PassGate(open); });
  std::future<bool> second = std::async(std::launch::async, [&] { return PassGate(open); });
  ASSERT_TRUE(open.AwaitPreparedOrStop());
  EXPECT_NE(open.OpenGate(), 0);
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(second.get());

  ThreadHost barred(1, 5, SteadyClock::Get());
  std::future<bool> third = std::async(std::launch::async, [&] { return PassGate(barred); });
  barred.RequestStop(RoundStopCause::kController, kHourNs);
  EXPECT_FALSE(third.get());
  EXPECT_EQ(barred.OpenGate(), 0);
  EXPECT_FALSE(PassGate(barred));
}

TEST(ThreadHostTest, OpeningIsNeverEarlyAndStopEndsTheWaitForIt) {
  ThreadHost host(0, 5, SteadyClock::Get());
  const int64_t open_at_ns = SteadyClock::Get()->NowNs() + 10'000'000;
  EXPECT_TRUE(host.AwaitOpening(open_at_ns));
  EXPECT_GE(SteadyClock::Get()->NowNs(), open_at_ns);
  EXPECT_TRUE(host.AwaitOpening(0));  // has passed: now

  std::future<bool> far = std::async(
      std::launch::async, [&] { return host.AwaitOpening(SteadyClock::Get()->NowNs() + kHourNs); });
  host.RequestStop(RoundStopCause::kController, kHourNs);
  EXPECT_FALSE(far.get());
}

TEST(ThreadHostTest, EarliestEndOfGraceWins) {
  ThreadHost host(1, 5, SteadyClock::Get());
  host.RequestStop(RoundStopCause::kController, kHourNs);
  host.RequestStop(RoundStopCause::kError, 0);
  host.RequestStop(RoundStopCause::kController, INT64_MAX);
  EXPECT_FALSE(host.AwaitDoneOrGraceOver());
  EXPECT_EQ(host.stop_cause(), RoundStopCause::kController);
}

TEST(ThreadHostTest, GraceThatIsShortenedMeanwhileEndsAtOnce) {
  ThreadHost host(1, 5, SteadyClock::Get());
  host.RequestStop(RoundStopCause::kController, kHourNs);
  std::future<bool> grace =
      std::async(std::launch::async, [&] { return host.AwaitDoneOrGraceOver(); });
  host.RequestStop(RoundStopCause::kController, 0);
  EXPECT_FALSE(grace.get());
}

TEST(ThreadHostTest, StagesOfAStop) {
  ThreadHost host(1, 5, SteadyClock::Get());
  EXPECT_EQ(host.stop_stage(), StopStage::kGoOn);
  host.StopOnError();
  EXPECT_EQ(host.stop_stage(), StopStage::kFinishStatement);
  EXPECT_EQ(host.stop_cause(), RoundStopCause::kError);
  host.EnterKilling();
  host.RequestStop(RoundStopCause::kController, 0);
  EXPECT_EQ(host.stop_stage(), StopStage::kKilling);
  EXPECT_FALSE(host.AwaitDone(1'000'000));
  host.ClientDone(/*was_at_gate=*/false);
  EXPECT_TRUE(host.AwaitDone(kHourNs));
}

}  // namespace
}  // namespace dslap
