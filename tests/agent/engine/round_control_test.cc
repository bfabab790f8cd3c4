#include <sched.h>
#include <sys/prctl.h>

#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <future>

#include "agent/engine/thread_host.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"

namespace dslap {
namespace {

using Wait = ClientHost::Wait;

// A round's control with a host on it.
struct Round {
  Round(size_t clients, size_t connect_parallelism)
      : control(clients, 0, SteadyClock::Get(), [this] { host.WakeClients(); }),
        host(&control, connect_parallelism, SteadyClock::Get()) {}

  RoundControl control;
  ThreadHost host;
};

constexpr int64_t kHourNs = int64_t{3600} * 1'000'000'000;

bool WaitFor(Round& round, Wait wait) {
  bool go_on = false;
  EXPECT_TRUE(round.host.StartWait(wait, std::noop_coroutine(), &go_on));
  return go_on;
}

bool TakeSlot(Round& round) { return WaitFor(round, {Wait::Kind::kConnectSlot, 0}); }
bool PauseFor(Round& round, int64_t ns) { return WaitFor(round, {Wait::Kind::kPause, ns}); }
bool PassGate(Round& round) { return WaitFor(round, {Wait::Kind::kGate, 0}); }

TEST(RoundControlTest, ConnectSlotIsHandedOn) {
  Round round(2, 1);
  ASSERT_TRUE(TakeSlot(round));
  std::future<bool> second = std::async(std::launch::async, [&] { return TakeSlot(round); });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(5)), std::future_status::timeout);
  round.host.ReleaseConnectSlot();
  EXPECT_TRUE(second.get());
}

TEST(RoundControlTest, StopEndsTheWaitForASlotAndForTheEndOfAPause) {
  Round round(3, 1);
  ASSERT_TRUE(TakeSlot(round));
  std::future<bool> slot = std::async(std::launch::async, [&] { return TakeSlot(round); });
  std::future<bool> pause =
      std::async(std::launch::async, [&] { return PauseFor(round, kHourNs); });
  round.control.RequestStop(RoundStopCause::kController, 0);
  EXPECT_FALSE(slot.get());
  EXPECT_FALSE(pause.get());
}

TEST(RoundControlTest, ConnectsTakeTurnsOnlyWhenPaced) {
  RoundControl free_for_all(3, 0, SteadyClock::Get(), [] {});
  EXPECT_EQ(free_for_all.TakeConnectTurn(), 0);
  EXPECT_EQ(free_for_all.TakeConnectTurn(), 0);

  RoundControl paced(3, kHourNs, SteadyClock::Get(), [] {});
  EXPECT_EQ(paced.TakeConnectTurn(), 0);
  const int64_t second_ns = paced.TakeConnectTurn();
  const int64_t third_ns = paced.TakeConnectTurn();
  EXPECT_LE(second_ns, kHourNs);
  EXPECT_GT(second_ns, kHourNs / 2);
  EXPECT_LE(third_ns, 2 * kHourNs);
  EXPECT_GT(third_ns, 2 * kHourNs - kHourNs / 2);
}

TEST(RoundControlTest, StopAfterTheCloseWakesNobody) {
  int woken = 0;
  RoundControl control(1, 0, SteadyClock::Get(), [&] { ++woken; });
  control.RequestStop(RoundStopCause::kController, 0);
  EXPECT_EQ(woken, 1);
  control.Close();
  control.RequestStop(RoundStopCause::kController, 0);
  control.ConnectFailed(ConnectVerdict::kHopeless);
  EXPECT_EQ(woken, 1);
}

TEST(RoundControlTest, PauseEnds) {
  Round round(1, 1);
  const int64_t start_ns = SteadyClock::Get()->NowNs();
  EXPECT_TRUE(PauseFor(round, 3'000'000));
  EXPECT_GE(SteadyClock::Get()->NowNs() - start_ns, 3'000'000);
}

TEST(RoundControlTest, HopelessErrorEndsTheConnectingOfAll) {
  Round round(2, 5);
  std::future<bool> pause =
      std::async(std::launch::async, [&] { return PauseFor(round, kHourNs); });
  round.control.ConnectFailed(ConnectVerdict::kHopeless);
  EXPECT_FALSE(pause.get());
  EXPECT_FALSE(TakeSlot(round));
  EXPECT_FALSE(round.control.stopped());
}

TEST(RoundControlTest, ClientThatGivesUpAloneLeavesTheOthersTheirTry) {
  Round round(2, 5);
  round.control.ConnectFailed(ConnectVerdict::kGiveUp);
  EXPECT_TRUE(TakeSlot(round));
}

TEST(RoundControlTest, ServerThatAnsweredNobodyIsGivenUpForAll) {
  Round round(2, 5);
  round.control.ConnectFailed(ConnectVerdict::kRetry);
  EXPECT_FALSE(TakeSlot(round));
}

TEST(RoundControlTest, ServerThatAnsweredSomebodyIsNotGivenUp) {
  Round round(3, 5);
  std::future<bool> gate = std::async(std::launch::async, [&] { return PassGate(round); });
  round.control.ClientDone(/*was_at_gate=*/false);
  round.control.ClientDone(/*was_at_gate=*/false);
  ASSERT_TRUE(round.control.AwaitPreparedOrStop());
  round.control.ConnectFailed(ConnectVerdict::kRetry);
  EXPECT_TRUE(TakeSlot(round));
  EXPECT_NE(round.control.OpenGate(), 0);
  EXPECT_TRUE(gate.get());
}

TEST(RoundControlTest, GateOpensForAllOrIsBarredForAll) {
  Round open(2, 5);
  std::future<bool> first = std::async(std::launch::async, [&] { return PassGate(open); });
  std::future<bool> second = std::async(std::launch::async, [&] { return PassGate(open); });
  ASSERT_TRUE(open.control.AwaitPreparedOrStop());
  EXPECT_NE(open.control.OpenGate(), 0);
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(second.get());

  Round barred(1, 5);
  std::future<bool> third = std::async(std::launch::async, [&] { return PassGate(barred); });
  barred.control.RequestStop(RoundStopCause::kController, kHourNs);
  EXPECT_FALSE(third.get());
  EXPECT_EQ(barred.control.OpenGate(), 0);
  EXPECT_FALSE(PassGate(barred));
}

TEST(RoundControlTest, OpeningIsNeverEarlyAndStopEndsTheWaitForIt) {
  Round soon(0, 5);
  const int64_t open_at_ns = SteadyClock::Get()->NowNs() + 10'000'000;
  EXPECT_GE(soon.control.OpenGateAt(open_at_ns), open_at_ns);
  EXPECT_EQ(soon.control.gate(), RoundControl::Gate::kOpen);
  Round now(0, 5);
  EXPECT_NE(now.control.OpenGateAt(0), 0);  // has passed

  Round far(0, 5);
  std::future<int64_t> opened = std::async(std::launch::async, [&] {
    return far.control.OpenGateAt(SteadyClock::Get()->NowNs() + kHourNs);
  });
  far.control.RequestStop(RoundStopCause::kController, kHourNs);
  EXPECT_EQ(opened.get(), 0);
  EXPECT_EQ(far.control.gate(), RoundControl::Gate::kBarred);
}

// Nothing is asked within the exact part of the wait: whoever wakes up late by far asks again.
TEST(RoundControlTest, GateThatIsLateAsksAgainWhetherItMayOpen) {
  FakeClock clock;
  RoundControl control(0, 0, &clock, [] {});
  int asked = 0;
  const auto may_open = [&] {
    clock.Advance(absl::Milliseconds(100));
    return ++asked == 1;
  };
  EXPECT_EQ(control.OpenGateAt(clock.NowNs(), may_open), 0);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(control.gate(), RoundControl::Gate::kBarred);
  EXPECT_EQ(control.stop_cause(), RoundStopCause::kController);
}

TEST(RoundControlTest, GateThatIsInTimeAsksOnce) {
  FakeClock clock;
  RoundControl control(0, 0, &clock, [] {});
  int asked = 0;
  const auto may_open = [&] {
    clock.Advance(absl::Milliseconds(99));
    return ++asked == 1;
  };
  EXPECT_NE(control.OpenGateAt(clock.NowNs(), may_open), 0);
  EXPECT_EQ(asked, 1);
}

// It is hurried for the moment of the opening only.
TEST(RoundControlTest, ThreadThatOpenedTheGateIsScheduledAsBefore) {
  const int policy = sched_getscheduler(0);
  const int slack = prctl(PR_GET_TIMERSLACK);
  Round round(0, 5);
  EXPECT_NE(round.control.OpenGateAt(SteadyClock::Get()->NowNs() + 3'000'000), 0);
  EXPECT_EQ(sched_getscheduler(0), policy);
  EXPECT_EQ(prctl(PR_GET_TIMERSLACK), slack);
}

TEST(RoundControlTest, EarliestEndOfGraceWins) {
  Round round(1, 5);
  round.control.RequestStop(RoundStopCause::kController, kHourNs);
  round.control.RequestStop(RoundStopCause::kError, 0);
  round.control.RequestStop(RoundStopCause::kController, INT64_MAX);
  EXPECT_FALSE(round.control.AwaitDoneOrGraceOver());
  EXPECT_EQ(round.control.stop_cause(), RoundStopCause::kController);
}

TEST(RoundControlTest, GraceThatIsShortenedMeanwhileEndsAtOnce) {
  Round round(1, 5);
  round.control.RequestStop(RoundStopCause::kController, kHourNs);
  std::future<bool> grace =
      std::async(std::launch::async, [&] { return round.control.AwaitDoneOrGraceOver(); });
  round.control.RequestStop(RoundStopCause::kController, 0);
  EXPECT_FALSE(grace.get());
}

TEST(RoundControlTest, StagesOfAStop) {
  Round round(1, 5);
  EXPECT_EQ(round.control.stop_stage(), StopStage::kGoOn);
  round.control.StopOnError();
  EXPECT_EQ(round.control.stop_stage(), StopStage::kFinishStatement);
  EXPECT_EQ(round.control.stop_cause(), RoundStopCause::kError);
  round.control.EnterKilling();
  round.control.RequestStop(RoundStopCause::kController, 0);
  EXPECT_EQ(round.control.stop_stage(), StopStage::kKilling);
  EXPECT_FALSE(round.control.AwaitDone(1'000'000));
  round.control.ClientDone(/*was_at_gate=*/false);
  EXPECT_TRUE(round.control.AwaitDone(kHourNs));
}

}  // namespace
}  // namespace dslap
