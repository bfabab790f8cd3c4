#include "agent/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/log.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_database.h"
#include "tests/fakes/fake_load_engine.h"
#include "tests/fakes/recording_sink.h"
#include "tests/fakes/run_requests.h"

namespace dslap {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// An agent that is free unless the test says otherwise.
class FakeHost final : public SessionHost {
 public:
  absl::Status Claim(const std::string& run_id, const std::string& controller) override {
    absl::MutexLock lock(&mu_);
    claims_.push_back(run_id + " of " + controller);
    mu_.Await(absl::Condition(
        +[](bool* hold) { return !*hold; }, &hold_));
    return answer_;
  }
  void AnnounceEnd() override {
    absl::MutexLock lock(&mu_);
    ++announced_;
  }
  void Release() override {
    absl::MutexLock lock(&mu_);
    ++released_;
  }
  void TurnedAway(const std::string& line) override {
    absl::MutexLock lock(&mu_);
    turned_away_.push_back(line);
  }

  void Answer(absl::Status answer) {
    absl::MutexLock lock(&mu_);
    answer_ = std::move(answer);
  }
  void Hold(bool hold) {
    absl::MutexLock lock(&mu_);
    hold_ = hold;
  }
  std::vector<std::string> claims() const {
    absl::MutexLock lock(&mu_);
    return claims_;
  }
  int announced() const {
    absl::MutexLock lock(&mu_);
    return announced_;
  }
  int released() const {
    absl::MutexLock lock(&mu_);
    return released_;
  }
  std::vector<std::string> turned_away() const {
    absl::MutexLock lock(&mu_);
    return turned_away_;
  }

 private:
  mutable absl::Mutex mu_;
  absl::Status answer_;
  bool hold_ = false;
  std::vector<std::string> claims_;
  std::vector<std::string> turned_away_;
  int announced_ = 0;
  int released_ = 0;
};

class SessionTest : public testing::Test {
 protected:
  explicit SessionTest(GuardRails guard_rails = {}) {
    SetLogLevel(LogLevel::kOff);
    SessionEnvironment environment;
    environment.guard_rails = std::move(guard_rails);
    environment.clock = &clock_;
    environment.hostname = "load-1";
    environment.cores = 8;
    environment.make_connections = [this](SqlTarget target) {
      targets_.push_back(std::move(target));
      return database_.MakeFactory();
    };
    environment.make_engine = [this](const EngineOptions&,
                                     const std::shared_ptr<SqlConnectionFactory>&,
                                     Clock*) -> absl::StatusOr<std::unique_ptr<LoadEngine>> {
      return std::make_unique<FakeLoadEngine>(&engine_, &clock_);
    };
    environment.read_cpu = [this] {
      // Each reading is further than the one before.
      const int64_t reading = ++cpu_readings_;
      return CpuUse{reading * 1000, reading * 3000, 8};
    };
    session_ = std::make_unique<Session>(environment, &host_, &sink_);
  }

  ~SessionTest() override { session_.reset(); }

  // Whatever the test did, nothing may be left behind.
  void TearDown() override {
    session_.reset();
    EXPECT_TRUE(sink_.finished());
    EXPECT_EQ(sink_.uses_after_finish(), 0);
    EXPECT_EQ(database_.open_connections(), 0);
    EXPECT_EQ(host_.released(), released_.value_or(claimed_ ? 1 : 0));
    const std::vector<std::string> calls = engine_.calls();
    if (claimed_) {
      ASSERT_GE(calls.size(), 2u);
      EXPECT_EQ(calls[calls.size() - 2], "close all");
      EXPECT_EQ(calls.back(), "destroyed");
    }
  }

  // Brings the session where the test begins. All answers on the way are taken.
  void Open() {
    session_->Receive(OpenRequest("r1"));
    ASSERT_TRUE(sink_.Next().has_opened());
    claimed_ = true;
  }
  void OpenWithList() {
    Open();
    session_->Receive(ChunkRequest({"SELECT 1"}));
    ASSERT_TRUE(sink_.Next().has_statements_accepted());
  }
  void Prepare(uint64_t round = 1) {
    session_->Receive(PrepareRequest(round));
    ASSERT_TRUE(sink_.Next().has_round_ready());
  }
  void PrepareAlone() {
    v1::RunRequest request = PrepareRequest(1);
    request.mutable_prepare_round()->set_sole_agent(true);
    session_->Receive(request);
    ASSERT_TRUE(sink_.Next().has_round_ready());
  }
  void Start(uint64_t round = 1) {
    session_->Receive(StartRequest(round));
    ASSERT_TRUE(sink_.Next().has_round_started());
  }
  void StartHeld(uint64_t round = 1) {
    engine_.HoldRun();
    OpenWithList();
    Prepare(round);
    Start(round);
  }
  void BlockInScript() {
    database_.Block("SELECT SLEEP(100)");
    session_->Receive(ScriptRequestOf(1, {"SELECT SLEEP(100)", "SELECT 2"}));
    ASSERT_TRUE(database_.AwaitLog("1 query SELECT SLEEP(100)"));
  }

  FakeClock clock_;
  FakeDatabase database_;
  FakeLoadEngineControl engine_;
  FakeHost host_;
  RecordingSink sink_;
  std::vector<SqlTarget> targets_;
  std::atomic<int64_t> cpu_readings_{0};
  bool claimed_ = false;         // and so an engine was made
  std::optional<int> released_;  // how often the agent was given back, if not once for a claim
  std::unique_ptr<Session> session_;
};

// ---------------------------------------------------------------------------- each message

TEST_F(SessionTest, OpenClaimsTheAgentAndTellsAboutIt) {
  session_->Receive(OpenRequest("r1"));
  const v1::RunResponse response = sink_.Next();
  claimed_ = true;
  EXPECT_EQ(response.opened().protocol().major(), kProtocolMajor);
  EXPECT_EQ(response.opened().protocol().minor(), kProtocolMinor);
  EXPECT_EQ(response.opened().build(), BuildVersion());
  EXPECT_EQ(response.opened().hostname(), "load-1");
  EXPECT_EQ(response.opened().cores(), 8u);
  EXPECT_THAT(host_.claims(), testing::ElementsAre("r1 of ann@db-a pid 17"));
  ASSERT_EQ(targets_.size(), 1u);
  EXPECT_EQ(targets_[0].host, "10.0.0.5");
  EXPECT_EQ(targets_[0].password.Reveal(), "a password of some length");
  EXPECT_EQ(database_.log().size(), 0u) << "the database is not touched yet";
}

TEST_F(SessionTest, ChunksMakeOneListAndAFirstChunkDropsIt) {
  Open();
  session_->Receive(ChunkRequest({"a", "b"}, true, false));
  EXPECT_EQ(sink_.Next().statements_accepted().statements(), 2u);
  session_->Receive(ChunkRequest({"c"}, false, true));
  EXPECT_EQ(sink_.Next().statements_accepted().statements(), 3u);
  Prepare(1);
  session_->Receive(StopRequest(1));
  ASSERT_TRUE(sink_.Next().has_round_done());
  session_->Receive(ChunkRequest({"d"}, true, true));
  EXPECT_EQ(sink_.Next().statements_accepted().statements(), 1u);
  Prepare(2);
  const std::vector<RoundSpec> specs = engine_.specs();
  ASSERT_EQ(specs.size(), 2u);
  ASSERT_EQ(specs[0].statements->statements.size(), 3u);
  EXPECT_EQ(specs[0].statements->statements[2].text, "c");
  ASSERT_EQ(specs[1].statements->statements.size(), 1u);
  EXPECT_EQ(specs[1].statements->statements[0].text, "d");
}

TEST_F(SessionTest, ScriptAnswersWithItsNumberAndResults) {
  Open();
  database_.Answer("SELECT 1", {{"1"}});
  session_->Receive(ScriptRequestOf(41, {"SELECT 1", "SELECT 2"}));
  v1::RunResponse response = sink_.Next();
  EXPECT_EQ(response.script_done().script(), 41u);
  EXPECT_EQ(response.script_done().results_size(), 2);
  session_->Receive(ScriptRequestOf(42, {"SELECT 3"}));
  EXPECT_EQ(sink_.Next().script_done().script(), 42u);
  EXPECT_THAT(database_.log(),
              testing::ElementsAre("1 connect", "1 query SELECT 1", "1 query SELECT 2",
                                   "1 query DO 0", "1 query SELECT 3"));
}

TEST_F(SessionTest, FailedScriptIsDataAndTheRunGoesOn) {
  Open();
  database_.Fail("DROP DATABASE x", {1008, "HY000", "no such database"});
  session_->Receive(ScriptRequestOf(1, {"DROP DATABASE x"}));
  EXPECT_EQ(sink_.Next().script_done().error().code(), 1008u);
  session_->Receive(ScriptRequestOf(2, {"SELECT 1"}));
  EXPECT_FALSE(sink_.Next().script_done().has_error());
}

TEST_F(SessionTest, WholeRound) {
  PrepareOutcome prepared;
  prepared.clients_asked = 2;
  prepared.clients_connected = 2;
  engine_.set_prepare_outcome(prepared);
  RoundOutcome outcome;
  outcome.statements_succeeded = 6;
  outcome.clients_finished = 2;
  engine_.set_run_outcome(outcome);
  OpenWithList();

  session_->Receive(PrepareRequest(1));
  v1::RunResponse response = sink_.Next();
  EXPECT_EQ(response.round_ready().round(), 1u);
  EXPECT_EQ(response.round_ready().clients_connected(), 2u);

  const int64_t open_at_ns = clock_.NowNs() + 5;
  session_->Receive(StartRequest(1, open_at_ns));
  response = sink_.Next();
  EXPECT_EQ(response.round_started().round(), 1u);
  EXPECT_EQ(response.round_started().opened_at_ns(), clock_.NowNs());

  response = sink_.Next();
  EXPECT_EQ(response.round_done().round(), 1u);
  EXPECT_EQ(response.round_done().statements_succeeded(), 6u);
  EXPECT_EQ(response.round_done().opened_at_ns(), clock_.NowNs());
  EXPECT_EQ(response.round_done().stop_cause(), v1::STOP_CAUSE_UNSPECIFIED);
  EXPECT_EQ(response.round_done().cpu().process_ns(), 1000u);
  EXPECT_EQ(response.round_done().cpu().host_busy_ns(), 3000u);
  EXPECT_EQ(response.round_done().cpu().cores(), 8u);
  EXPECT_THAT(engine_.open_at_ns(), testing::ElementsAre(open_at_ns));
}

TEST_F(SessionTest, RoundAfterRoundAndScriptsBetween) {
  OpenWithList();
  for (uint64_t round = 1; round <= 3; ++round) {
    session_->Receive(ScriptRequestOf(round, {"SELECT 1"}));
    EXPECT_EQ(sink_.Next().script_done().script(), round);
    Prepare(round);
    Start(round);
    EXPECT_EQ(sink_.Next().round_done().round(), round);
  }
}

PrepareOutcome LimitedTo(uint64_t connected, const std::string& resource) {
  PrepareOutcome outcome;
  outcome.clients_asked = 10;
  outcome.clients_connected = connected;
  outcome.connect_errors.Add(
      {1226, "42000", absl::StrCat("User 'a' has exceeded the '", resource, "' resource")},
      10 - connected);
  return outcome;
}

// An account of two connections let one client in: the other was held by a script that had ended.
TEST_F(SessionTest, ScriptConnectionGivesWayWhenTheAccountMayHoldNoMore) {
  OpenWithList();
  session_->Receive(ScriptRequestOf(1, {"SELECT 1"}));
  ASSERT_TRUE(sink_.Next().has_script_done());
  engine_.set_prepare_outcome(LimitedTo(1, "max_user_connections"));
  PrepareAlone();
  EXPECT_EQ(database_.log().back(), "1 close");
  // Nobody more got in: it was tried for a while, with all connections made anew.
  EXPECT_THAT(engine_.calls(),
              testing::ElementsAre("prepare 1", "close all", "prepare 1", "close all", "prepare 1",
                                   "close all", "prepare 1", "close all", "prepare 1", "close all",
                                   "prepare 1"));
  Start();
  ASSERT_TRUE(sink_.Next().has_round_done());
  // And the clients give way to the next script.
  EXPECT_EQ(engine_.calls().back(), "close all");
  session_->Receive(ScriptRequestOf(2, {"SELECT 2"}));
  EXPECT_FALSE(sink_.Next().script_done().has_error());
  EXPECT_EQ(database_.log().back(), "2 query SELECT 2");
}

TEST_F(SessionTest, ScriptConnectionStaysWhenItsPlaceWouldHelpNobody) {
  OpenWithList();
  session_->Receive(ScriptRequestOf(1, {"SELECT 1"}));
  ASSERT_TRUE(sink_.Next().has_script_done());
  engine_.set_prepare_outcome(LimitedTo(1, "max_connections_per_hour"));
  PrepareAlone();
  EXPECT_THAT(engine_.calls(), testing::ElementsAre("prepare 1"));
  EXPECT_EQ(database_.log().back(), "1 query SELECT 1");
}

// A client of theirs might take its place, and keep it when the schema is to be dropped.
TEST_F(SessionTest, ScriptConnectionStaysBesideOtherAgents) {
  OpenWithList();
  session_->Receive(ScriptRequestOf(1, {"SELECT 1"}));
  ASSERT_TRUE(sink_.Next().has_script_done());
  engine_.set_prepare_outcome(LimitedTo(1, "max_user_connections"));
  Prepare();
  EXPECT_THAT(engine_.calls(), testing::ElementsAre("prepare 1"));
  EXPECT_EQ(database_.log().back(), "1 query SELECT 1");
}

TEST_F(SessionTest, CloseReleasesAllAndThenEndsTheStreamOk) {
  OpenWithList();
  session_->Receive(ScriptRequestOf(1, {"SELECT 1"}));
  ASSERT_TRUE(sink_.Next().has_script_done());
  int released_at_finish = 0;
  int open_at_finish = -1;
  sink_.OnFinish([&] {
    released_at_finish = host_.released();
    open_at_finish = database_.open_connections();
  });
  session_->Receive(CloseRequest());
  EXPECT_EQ(sink_.AwaitFinish(), absl::OkStatus());
  EXPECT_TRUE(sink_.Next().has_closed());
  EXPECT_EQ(released_at_finish, 1) << "the agent is free before the controller sees the end";
  EXPECT_EQ(open_at_finish, 0);
}

TEST_F(SessionTest, ControllerMayEndItsSideAfterClose) {
  Open();
  session_->Receive(CloseRequest());
  session_->ReceiveEnd();
  EXPECT_EQ(sink_.AwaitFinish(), absl::OkStatus());
}

// ---------------------------------------------------------------------------- heartbeats

TEST_F(SessionTest, HeartbeatIsAnsweredWithBothInstants) {
  Open();
  session_->Receive(HeartbeatRequest(99));
  const v1::RunResponse response = sink_.Next();
  EXPECT_EQ(response.heartbeat_ack().sequence(), 99u);
  EXPECT_EQ(response.heartbeat_ack().received_at_ns(), clock_.NowNs());
  EXPECT_EQ(response.heartbeat_ack().sent_at_ns(), clock_.NowNs());
}

TEST_F(SessionTest, HeartbeatIsAnsweredWhileOpeningWaits) {
  host_.Hold(true);
  session_->Receive(OpenRequest("r1"));
  session_->Receive(HeartbeatRequest(1));
  EXPECT_EQ(sink_.Next().heartbeat_ack().sequence(), 1u);
  host_.Hold(false);
  EXPECT_TRUE(sink_.Next().has_opened());
  claimed_ = true;
}

TEST_F(SessionTest, HeartbeatIsAnsweredWhileAScriptRuns) {
  Open();
  BlockInScript();
  session_->Receive(HeartbeatRequest(5));
  EXPECT_EQ(sink_.Next().heartbeat_ack().sequence(), 5u);
}

TEST_F(SessionTest, HeartbeatIsAnsweredWhilePreparingAndRunning) {
  engine_.HoldPrepare();
  engine_.HoldRun();
  OpenWithList();
  session_->Receive(PrepareRequest(1));
  session_->Receive(HeartbeatRequest(1));
  EXPECT_EQ(sink_.Next().heartbeat_ack().sequence(), 1u);
  engine_.ReleasePrepare();
  ASSERT_TRUE(sink_.Next().has_round_ready());
  Start();
  session_->Receive(HeartbeatRequest(2));
  EXPECT_EQ(sink_.Next().heartbeat_ack().sequence(), 2u);
}

// ---------------------------------------------------------------------------- progress

TEST_F(SessionTest, ProgressEachSecondWhileRunning) {
  StartHeld();
  session_->Tick();
  EXPECT_FALSE(sink_.HasNext());
  engine_.set_counters({100, 2, 10});
  clock_.Advance(absl::Seconds(1));
  session_->Tick();
  v1::RunResponse response = sink_.Next();
  EXPECT_EQ(response.progress().round(), 1u);
  EXPECT_EQ(response.progress().statements(), 100u);
  EXPECT_EQ(response.progress().errors(), 2u);
  EXPECT_EQ(response.progress().clients_connected(), 10u);
  session_->Tick();
  EXPECT_FALSE(sink_.HasNext()) << "one a second";
  engine_.set_counters({130, 2, 9});
  clock_.Advance(absl::Seconds(1));
  session_->Tick();
  response = sink_.Next();
  EXPECT_EQ(response.progress().statements(), 30u);
  EXPECT_EQ(response.progress().errors(), 0u);
  engine_.ReleaseRun();
  ASSERT_TRUE(sink_.Next().has_round_done());
  clock_.Advance(absl::Seconds(2));
  session_->Tick();
  EXPECT_FALSE(sink_.HasNext()) << "none after RoundDone";
}

// ---------------------------------------------------------------------------- stopping

TEST_F(SessionTest, StopWhileRunningActsAtOnce) {
  RoundOutcome outcome;
  outcome.statements_succeeded = 4;
  engine_.set_run_outcome(outcome);
  StartHeld();
  session_->Receive(StopRequest(1, 2 * kSecond));
  const v1::RunResponse response = sink_.Next();
  EXPECT_EQ(response.round_done().statements_succeeded(), 4u);
  EXPECT_EQ(response.round_done().stop_cause(), v1::STOP_CAUSE_CONTROLLER);
  const auto stops = engine_.stops();
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_EQ(stops[0].cause, RoundStopCause::kController);
  EXPECT_EQ(stops[0].grace_ns, 2 * kSecond);
}

TEST_F(SessionTest, StopWhilePreparingAnswersRoundReadyAndRoundDone) {
  engine_.HoldPrepare();
  OpenWithList();
  session_->Receive(PrepareRequest(1));
  ASSERT_TRUE(engine_.AwaitCall("prepare 1"));
  session_->Receive(StopRequest(1));
  EXPECT_EQ(sink_.Next().round_ready().round(), 1u);
  const v1::RunResponse response = sink_.Next();
  EXPECT_EQ(response.round_done().round(), 1u);
  EXPECT_EQ(response.round_done().opened_at_ns(), 0);
  EXPECT_EQ(response.round_done().stop_cause(), v1::STOP_CAUSE_CONTROLLER);
  EXPECT_FALSE(response.round_done().has_cpu());
  engine_.ReleasePrepare();
  Prepare(2);
}

TEST_F(SessionTest, StopWhileReadyKeepsTheGateShut) {
  OpenWithList();
  Prepare();
  session_->Receive(StopRequest(1));
  const v1::RunResponse response = sink_.Next();
  EXPECT_EQ(response.round_done().opened_at_ns(), 0);
  EXPECT_EQ(response.round_done().stop_cause(), v1::STOP_CAUSE_CONTROLLER);
}

TEST_F(SessionTest, StopWhileArmedKeepsTheGateShut) {
  engine_.HoldGate();
  OpenWithList();
  Prepare();
  session_->Receive(StartRequest(1, INT64_MAX));
  ASSERT_TRUE(engine_.AwaitCall("run"));
  session_->Receive(StopRequest(1));
  EXPECT_EQ(sink_.Next().round_done().opened_at_ns(), 0);
}

// The engine forgets a stop that comes before Prepare(): it must be said again.
TEST_F(SessionTest, StopThatTheEngineMissedIsRepeatedWithWhatIsLeftOfItsGrace) {
  engine_.HoldPrepare();
  engine_.IgnoreStops(true);
  OpenWithList();
  session_->Receive(PrepareRequest(1));
  ASSERT_TRUE(engine_.AwaitCall("prepare 1"));
  session_->Receive(StopRequest(1, 3 * kSecond));
  engine_.IgnoreStops(false);
  clock_.Advance(absl::Seconds(1));
  session_->Tick();
  ASSERT_TRUE(sink_.Next().has_round_ready());
  ASSERT_TRUE(sink_.Next().has_round_done());
  const auto stops = engine_.stops();
  ASSERT_GE(stops.size(), 2u);
  EXPECT_EQ(stops[0].grace_ns, 3 * kSecond);
  EXPECT_EQ(stops[1].grace_ns, 2 * kSecond);
}

TEST_F(SessionTest, SecondStopShortensTheGrace) {
  StartHeld();
  engine_.IgnoreStops(true);
  session_->Receive(StopRequest(1, 30 * kSecond));
  session_->Receive(StopRequest(1, 1 * kSecond));
  session_->Receive(StopRequest(1, 60 * kSecond));
  session_->Tick();
  const auto stops = engine_.stops();
  ASSERT_EQ(stops.size(), 4u);
  EXPECT_EQ(stops[3].grace_ns, 1 * kSecond) << "the shortest counts";
  engine_.IgnoreStops(false);
}

TEST_F(SessionTest, StopThatCrossedWithItsRoundDoneIsPassedOver) {
  OpenWithList();
  Prepare(1);
  Start(1);
  ASSERT_TRUE(sink_.Next().has_round_done());
  session_->Receive(StopRequest(1));
  session_->Receive(HeartbeatRequest(1));
  EXPECT_TRUE(sink_.Next().has_heartbeat_ack());
  // Also when the next round is under way: it is not that round's stop.
  Prepare(2);
  session_->Receive(StopRequest(1));
  Start(2);
  EXPECT_EQ(sink_.Next().round_done().stop_cause(), v1::STOP_CAUSE_UNSPECIFIED);
  EXPECT_EQ(engine_.stops().size(), 0u);
}

// ---------------------------------------------------------------------------- refusals

TEST_F(SessionTest, IllegalMessageEndsTheStream) {
  OpenWithList();
  session_->Receive(StartRequest(1));
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::FailedPreconditionError(
                "StartRound is not allowed while the session is idle; send PrepareRound first"));
}

TEST_F(SessionTest, IllegalFirstMessageEndsTheStreamWithoutTheAgent) {
  session_->Receive(PrepareRequest(1));
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::FailedPreconditionError(
                "PrepareRound is not allowed while the session is new; send Open first"));
  EXPECT_TRUE(host_.claims().empty());
}

TEST_F(SessionTest, IllegalMessageStopsTheLoad) {
  StartHeld();
  session_->Receive(CloseRequest());
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::FailedPreconditionError(
                "Close is not allowed while the session is running; wait for RoundDone"));
  ASSERT_GE(engine_.stops().size(), 1u);
  EXPECT_EQ(engine_.stops()[0].grace_ns, kSecond);
}

TEST_F(SessionTest, EmptyMessageIsInvalidInAnyState) {
  session_->Receive(v1::RunRequest());
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(SessionTest, InvalidArgumentEndsTheStream) {
  OpenWithList();
  Prepare(3);
  session_->Receive(StartRequest(4));
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::InvalidArgumentError("StartRound.round is 4, but the prepared round is 3"));
}

TEST_F(SessionTest, PrepareBeforeTheListIsComplete) {
  Open();
  session_->Receive(ChunkRequest({"SELECT 1"}, true, false));
  ASSERT_TRUE(sink_.Next().has_statements_accepted());
  session_->Receive(PrepareRequest(1));
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::InvalidArgumentError("PrepareRound.round is 1, but the list of statements is not "
                                       "complete: send the last StatementsChunk first"));
  EXPECT_TRUE(engine_.specs().empty());
}

TEST_F(SessionTest, OtherMajorVersionIsRefusedBeforeAnythingIsTouched) {
  v1::RunRequest open = OpenRequest("r1");
  open.mutable_open()->mutable_protocol()->set_major(2);
  open.mutable_open()->mutable_protocol()->set_minor(3);
  open.mutable_open()->set_build("9.9.9");
  session_->Receive(std::move(open));
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::FailedPreconditionError(
                "the controller speaks protocol 2.3 (build 9.9.9), this side 1.1 (build " +
                BuildVersion() + "): install the same major version on both"));
  EXPECT_TRUE(host_.claims().empty());
  EXPECT_TRUE(targets_.empty());
}

TEST_F(SessionTest, BusyAgentEndsTheStreamWithItsReason) {
  host_.Answer(absl::ResourceExhaustedError("agent is busy with run r0"));
  session_->Receive(OpenRequest("r1"));
  EXPECT_EQ(sink_.AwaitFinish(), absl::ResourceExhaustedError("agent is busy with run r0"));
  EXPECT_THAT(
      host_.turned_away(),
      testing::ElementsAre(testing::HasSubstr(
          " outcome=refused code=RESOURCE_EXHAUSTED reason=\"agent is busy with run r0\" ")));
  EXPECT_TRUE(targets_.empty());
}

TEST_F(SessionTest, TargetThatThisHostCannotServeEndsTheStreamWithItsReason) {
  database_.FailCheck(absl::FailedPreconditionError("--ssl-ca: read /x: No such file"));
  session_->Receive(OpenRequest("r1"));
  EXPECT_EQ(sink_.AwaitFinish(), absl::FailedPreconditionError("--ssl-ca: read /x: No such file"));
  EXPECT_EQ(targets_.size(), 1u);
  EXPECT_TRUE(engine_.calls().empty());
  EXPECT_TRUE(database_.log().empty());
  EXPECT_EQ(host_.announced(), 1);
  released_ = 1;  // claimed, and given back at once
}

// ---------------------------------------------------------------------------- aborts

TEST_F(SessionTest, SilenceEndsTheRunAfterTheLease) {
  StartHeld();
  clock_.Advance(absl::Nanoseconds(10 * kSecond - 1));
  session_->Tick();
  EXPECT_TRUE(engine_.stops().empty());
  clock_.Advance(absl::Nanoseconds(1));
  session_->Tick();
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::DeadlineExceededError("no message from the controller for 10 s"));
  ASSERT_GE(engine_.stops().size(), 1u);
  EXPECT_EQ(engine_.stops()[0].grace_ns, kSecond);
}

// A script that leaves a will, and is done.
void LeaveWill(Session* session, RecordingSink* sink, const std::vector<std::string>& statements,
               int64_t delay_ns = 0) {
  v1::RunRequest request = ScriptRequestOf(1, {"CREATE TABLE marker"});
  v1::LastWill& will = *request.mutable_run_script()->mutable_last_will();
  will.set_what("drop schema `x`");
  for (const std::string& statement : statements) {
    will.set_only_if("IS IT OURS");
    will.add_statements(statement);
    will.set_statement_timeout_ns(kSecond);
    will.set_delay_ns(static_cast<uint64_t>(delay_ns));
  }
  session->Receive(std::move(request));
  EXPECT_TRUE(sink->Next().has_script_done());
}

TEST_F(SessionTest, AControllerThatGoesAwayHasItsWillDone) {
  database_.Answer("IS IT OURS", {{"1"}});
  Open();
  LeaveWill(session_.get(), &sink_, {"DROP SCHEMA x"});
  session_->ReceiveEnd();
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(database_.log(), testing::Contains("2 query DROP SCHEMA x"));
}

TEST_F(SessionTest, AWillWaitsForItsDelayAfterTheLeaseRanOut) {
  database_.Answer("IS IT OURS", {{"1"}});
  Open();
  LeaveWill(session_.get(), &sink_, {"DROP SCHEMA x"}, 2 * kSecond);
  clock_.Advance(absl::Seconds(10));
  session_->Tick();
  ASSERT_TRUE(clock_.AwaitWaiter());
  // The stream's end may be told twice, and late: the will is for just that.
  session_->ReceiveEnd();
  clock_.Advance(absl::Nanoseconds(2 * kSecond - 1));
  session_->Tick();
  EXPECT_FALSE(sink_.finished());
  EXPECT_THAT(database_.log(), testing::ElementsAre("1 connect", "1 query CREATE TABLE marker",
                                                    "1 close", "2 connect", "2 query IS IT OURS"));
  EXPECT_EQ(host_.released(), 0);
  clock_.Advance(absl::Nanoseconds(1));
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::DeadlineExceededError("no message from the controller for 10 s"));
  EXPECT_THAT(database_.log(), testing::Contains("2 query DROP SCHEMA x"));
}

// An agent that was to stop waited for it, and was killed.
TEST_F(SessionTest, ShuttingDownEndsAWillsDelay) {
  database_.Answer("IS IT OURS", {{"1"}});
  Open();
  LeaveWill(session_.get(), &sink_, {"DROP SCHEMA x"}, 2 * kSecond);
  session_->ReceiveEnd();
  ASSERT_TRUE(clock_.AwaitWaiter());
  session_->Abort(absl::UnavailableError("agent is shutting down"));
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(database_.log(), testing::Not(testing::Contains("2 query DROP SCHEMA x")));
}

TEST_F(SessionTest, ShuttingDownKillsAWillsStatement) {
  database_.Answer("IS IT OURS", {{"1"}});
  database_.Block("DROP SCHEMA x");
  Open();
  LeaveWill(session_.get(), &sink_, {"DROP SCHEMA x"});
  session_->ReceiveEnd();
  ASSERT_TRUE(database_.AwaitLog("2 query DROP SCHEMA x"));
  session_->Abort(absl::UnavailableError("agent is shutting down"));
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(database_.log(), testing::Contains("3 query KILL QUERY 2"));
}

TEST_F(SessionTest, ShuttingDownEndsAWillsConnecting) {
  Open();
  LeaveWill(session_.get(), &sink_, {"DROP SCHEMA x"});
  database_.BlockConnects();
  session_->ReceiveEnd();
  ASSERT_TRUE(database_.AwaitLog("connecting"));
  session_->Abort(absl::UnavailableError("agent is shutting down"));
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
}

TEST_F(SessionTest, AWillIsKilledAfterTwentySecondsAndCutASecondLater) {
  database_.Answer("IS IT OURS", {{"1"}});
  database_.Block("DROP SCHEMA x");
  database_.IgnoreKills();
  Open();
  LeaveWill(session_.get(), &sink_, {"DROP SCHEMA x"});
  session_->ReceiveEnd();
  ASSERT_TRUE(database_.AwaitLog("2 query DROP SCHEMA x"));
  clock_.Advance(absl::Nanoseconds(20 * kSecond - 1));
  session_->Tick();
  EXPECT_THAT(database_.log(), testing::Not(testing::Contains("3 connect")));
  clock_.Advance(absl::Nanoseconds(1));
  session_->Tick();
  ASSERT_TRUE(database_.AwaitLog("3 query KILL QUERY 2"));
  session_->Tick();
  EXPECT_FALSE(sink_.finished());
  clock_.Advance(absl::Seconds(1));
  session_->Tick();
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
}

TEST_F(SessionTest, AWillIsNotForARunThatIsClosed) {
  database_.Answer("IS IT OURS", {{"1"}});
  Open();
  LeaveWill(session_.get(), &sink_, {"DROP SCHEMA x"});
  v1::RunRequest close;
  close.mutable_close();
  session_->Receive(std::move(close));
  EXPECT_EQ(sink_.AwaitFinish(), absl::OkStatus());
  EXPECT_THAT(database_.log(), testing::Not(testing::Contains("2 connect")));
}

// The controller hears of it and has a survivor tear down: other agents may be at work until then.
TEST_F(SessionTest, AWillIsNotForAnAgentThatShutsDown) {
  database_.Answer("IS IT OURS", {{"1"}});
  Open();
  LeaveWill(session_.get(), &sink_, {"DROP SCHEMA x"});
  session_->Abort(absl::UnavailableError("agent is shutting down"));
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(database_.log(), testing::Not(testing::Contains("2 connect")));
}

TEST_F(SessionTest, AWillWithoutStatementsTakesTheOldOneAway) {
  database_.Answer("IS IT OURS", {{"1"}});
  Open();
  LeaveWill(session_.get(), &sink_, {"DROP SCHEMA x"});
  LeaveWill(session_.get(), &sink_, {});
  session_->ReceiveEnd();
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(database_.log(), testing::Not(testing::Contains("2 connect")));
}

TEST_F(SessionTest, AnyMessageRenewsTheLease) {
  StartHeld();
  for (int i = 0; i < 5; ++i) {
    clock_.Advance(absl::Seconds(9));
    session_->Receive(HeartbeatRequest(1));
    session_->Tick();
  }
  EXPECT_TRUE(engine_.stops().empty()) << "the load goes on";
}

// A process that was frozen longer than its lease wakes up to old heartbeats, whose sender has
// given it up, and had renewed its lease by them.
TEST_F(SessionTest, MessageThatComesAfterTheLeaseRenewsNothing) {
  StartHeld();
  clock_.Advance(absl::Seconds(10));
  session_->Receive(HeartbeatRequest(1));
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::DeadlineExceededError("no message from the controller for 10 s"));
}

// It woke up after its time, which "has passed and means now".
TEST_F(SessionTest, GateStaysShutWhenTheLeaseRanOutBeforeIt) {
  engine_.HoldGate();
  OpenWithList();
  Prepare();
  session_->Receive(StartRequest(1));
  ASSERT_TRUE(engine_.AwaitCall("run"));
  clock_.Advance(absl::Seconds(10));
  engine_.ReleaseGate();
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::DeadlineExceededError("no message from the controller for 10 s"));
  EXPECT_FALSE(sink_.HasNext()) << "no RoundStarted";
  EXPECT_THAT(engine_.calls(), testing::Contains("kept shut"));
}

TEST_F(SessionTest, ScriptBeginsNoStatementAfterTheLease) {
  Open();
  BlockInScript();
  clock_.Advance(absl::Seconds(10));
  database_.Unblock("SELECT SLEEP(100)");
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::DeadlineExceededError("no message from the controller for 10 s"));
  EXPECT_THAT(database_.log(), testing::Not(testing::Contains("1 query SELECT 2")));
  EXPECT_FALSE(sink_.HasNext());
}

TEST_F(SessionTest, LeaseIsTheOneOfOpen) {
  v1::RunRequest open = OpenRequest("r1");
  open.mutable_open()->set_lease_ns(2 * kSecond);
  session_->Receive(std::move(open));
  ASSERT_TRUE(sink_.Next().has_opened());
  claimed_ = true;
  clock_.Advance(absl::Seconds(2));
  session_->Tick();
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::DeadlineExceededError("no message from the controller for 2 s"));
}

TEST_F(SessionTest, StreamThatNeverOpensEnds) {
  clock_.Advance(absl::Seconds(10));
  session_->Tick();
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::DeadlineExceededError("no message from the controller for 10 s"));
}

TEST_F(SessionTest, ControllerThatGoesAwayEndsTheRun) {
  StartHeld();
  session_->ReceiveEnd();
  EXPECT_EQ(sink_.AwaitFinish(), absl::CancelledError("the controller went away without Close"));
}

TEST_F(SessionTest, AbortWhileRunningStillSaysWhatWasMeasured) {
  RoundOutcome outcome;
  outcome.statements_succeeded = 11;
  engine_.set_run_outcome(outcome);
  StartHeld();
  session_->Abort(absl::UnavailableError("agent is shutting down"));
  EXPECT_EQ(sink_.AwaitFinish(), absl::UnavailableError("agent is shutting down"));
  const v1::RunResponse response = sink_.Next();
  EXPECT_EQ(response.round_done().statements_succeeded(), 11u);
  EXPECT_EQ(response.round_done().stop_cause(), v1::STOP_CAUSE_CONTROLLER);
  EXPECT_FALSE(sink_.HasNext());
}

TEST_F(SessionTest, AbortWhilePreparingAnswersNothingMore) {
  engine_.HoldPrepare();
  OpenWithList();
  session_->Receive(PrepareRequest(1));
  ASSERT_TRUE(engine_.AwaitCall("prepare 1"));
  session_->Abort(absl::UnavailableError("agent is shutting down"));
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(sink_.HasNext());
}

TEST_F(SessionTest, AbortWhileArmedAnswersNothingMore) {
  engine_.HoldGate();
  OpenWithList();
  Prepare();
  session_->Receive(StartRequest(1, INT64_MAX));
  ASSERT_TRUE(engine_.AwaitCall("run"));
  session_->ReceiveEnd();
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
  EXPECT_FALSE(sink_.HasNext());
}

TEST_F(SessionTest, AbortWhileReadyAndIdle) {
  OpenWithList();
  Prepare();
  session_->ReceiveEnd();
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
}

TEST_F(SessionTest, AbortKillsARunningScript) {
  Open();
  BlockInScript();
  session_->ReceiveEnd();
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
  EXPECT_FALSE(sink_.HasNext());
  const std::vector<std::string> log = database_.log();
  EXPECT_EQ(std::count(log.begin(), log.end(), "2 query KILL QUERY 1"), 1);
  EXPECT_EQ(std::count(log.begin(), log.end(), "1 query SELECT 2"), 0);
}

TEST_F(SessionTest, AbortCutsAScriptThatCannotBeKilledAfterASecond) {
  Open();
  database_.IgnoreKills();
  BlockInScript();
  session_->ReceiveEnd();
  ASSERT_TRUE(database_.AwaitLog("2 query KILL QUERY 1"));
  clock_.Advance(absl::Milliseconds(999));
  session_->Tick();
  EXPECT_FALSE(sink_.finished());
  clock_.Advance(absl::Milliseconds(1));
  session_->Tick();
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
}

TEST_F(SessionTest, StoppedScriptIsAnsweredAndTheRunGoesOn) {
  Open();
  BlockInScript();
  session_->Receive(StopScriptRequest(1, kSecond));
  v1::RunResponse response = sink_.Next();
  EXPECT_EQ(response.script_done().script(), 1u);
  EXPECT_EQ(response.script_done().error().code(), 1317u);
  session_->Receive(StopScriptRequest(1, kSecond));  // it crossed
  clock_.Advance(absl::Seconds(2));
  session_->Tick();
  session_->Receive(ScriptRequestOf(2, {"DROP SCHEMA x"}));
  response = sink_.Next();
  EXPECT_EQ(response.script_done().script(), 2u);
  EXPECT_FALSE(response.script_done().has_error());
}

TEST_F(SessionTest, StoppedScriptThatCannotBeKilledIsCutAfterThePatience) {
  Open();
  database_.IgnoreKills();
  BlockInScript();
  session_->Receive(StopScriptRequest(1, kSecond));
  ASSERT_TRUE(database_.AwaitLog("2 query KILL QUERY 1"));
  clock_.Advance(absl::Milliseconds(999));
  session_->Tick();
  EXPECT_FALSE(sink_.HasNext());
  clock_.Advance(absl::Milliseconds(1));
  session_->Tick();
  EXPECT_EQ(sink_.Next().script_done().error().code(), 2013u);
}

TEST_F(SessionTest, AbortStopsAnEngineAgainWithoutGraceAfterASecond) {
  StartHeld();
  engine_.IgnoreStops(true);
  session_->ReceiveEnd();
  engine_.IgnoreStops(false);
  clock_.Advance(absl::Seconds(1));
  session_->Tick();
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
  const auto stops = engine_.stops();
  ASSERT_EQ(stops.size(), 2u);
  EXPECT_EQ(stops[0].grace_ns, kSecond);
  EXPECT_EQ(stops[1].grace_ns, 0);
}

TEST_F(SessionTest, AgentIsFreeBeforeAnAbortIsSeen) {
  StartHeld();
  int released_at_finish = 0;
  sink_.OnFinish([&] { released_at_finish = host_.released(); });
  session_->Abort(absl::UnavailableError("agent is shutting down"));
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(released_at_finish, 1);
  EXPECT_EQ(host_.announced(), 1);
}

TEST_F(SessionTest, HostIsToldOfTheEndAtItsBeginning) {
  StartHeld();
  engine_.IgnoreStops(true);
  session_->ReceiveEnd();
  EXPECT_EQ(host_.announced(), 1);
  EXPECT_EQ(host_.released(), 0);
  engine_.ReleaseRun();
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
}

TEST_F(SessionTest, FirstReasonOfAnAbortCounts) {
  StartHeld();
  engine_.IgnoreStops(true);
  session_->Abort(absl::UnavailableError("agent is shutting down"));
  session_->ReceiveEnd();
  session_->Receive(StartRequest(1));
  engine_.IgnoreStops(false);
  engine_.ReleaseRun();
  EXPECT_EQ(sink_.AwaitFinish(), absl::UnavailableError("agent is shutting down"));
}

TEST_F(SessionTest, AbortWhileOpeningWaitsGivesTheAgentBack) {
  host_.Hold(true);
  session_->Receive(OpenRequest("r1"));
  session_->ReceiveEnd();
  host_.Hold(false);
  EXPECT_EQ(sink_.AwaitFinish().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(host_.released(), static_cast<int>(host_.claims().size()));
  EXPECT_TRUE(targets_.empty()) << "no connections for a run that is over";
  EXPECT_TRUE(engine_.calls().empty());
  released_ = static_cast<int>(host_.claims().size());
}

TEST_F(SessionTest, MessagesAfterTheEndAreDropped) {
  Open();
  session_->Receive(CloseRequest());
  EXPECT_EQ(sink_.AwaitFinish(), absl::OkStatus());
  EXPECT_TRUE(sink_.Next().has_closed());
  session_->Receive(HeartbeatRequest(1));
  session_->Receive(StartRequest(1));
  session_->Tick();
  session_->Abort(absl::UnavailableError("late"));
  EXPECT_FALSE(sink_.HasNext());
}

TEST_F(SessionTest, IllegalMessageAfterCloseSpoilsTheEnd) {
  engine_.HoldClose();
  Open();
  session_->Receive(CloseRequest());
  session_->Receive(HeartbeatRequest(3));
  EXPECT_EQ(sink_.Next().heartbeat_ack().sequence(), 3u) << "closing answers heartbeats";
  session_->Receive(ScriptRequestOf(1, {"SELECT 1"}));
  engine_.ReleaseClose();
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::FailedPreconditionError("RunScript is not allowed while the session is closing"));
  EXPECT_FALSE(sink_.HasNext()) << "no Closed";
}

class GuardedSessionTest : public SessionTest {
 protected:
  GuardedSessionTest()
      : SessionTest({.admit_target =
                         [](SqlTarget* target) {
                           if (target->port == 22) {
                             return absl::PermissionDeniedError("refuses the target: a rule");
                           }
                           target->addresses = {"10.0.0.7"};
                           return absl::OkStatus();
                         },
                     .target_rule = "a rule",
                     .max_clients = 3,
                     .max_clients_rule = "--max-clients=3 (/a.conf:8)",
                     .max_run_time_ns = 12 * kSecond,
                     .max_run_time_rule = "--max-run-time=12s"}) {}
};

TEST_F(GuardedSessionTest, TargetIsRefusedAndTheAgentGivenBack) {
  v1::RunRequest open = OpenRequest("r1");
  open.mutable_open()->mutable_target()->set_port(22);
  session_->Receive(open);
  EXPECT_EQ(sink_.AwaitFinish(), absl::PermissionDeniedError("refuses the target: a rule"));
  EXPECT_THAT(host_.claims(), testing::SizeIs(1));
  released_ = 1;
  EXPECT_EQ(host_.announced(), 0);
  EXPECT_TRUE(targets_.empty()) << "no connections for a run that is refused";
  EXPECT_THAT(host_.turned_away(),
              testing::ElementsAre(
                  testing::AllOf(testing::HasSubstr("event=run id=r1 "),
                                 testing::HasSubstr(" outcome=refused code=PERMISSION_DENIED "
                                                    "reason=\"refuses the target: a rule\" "))));
}

// The look-up may block, and whoever may call may call often.
TEST_F(GuardedSessionTest, BusyAgentLooksNoTargetUp) {
  host_.Answer(absl::ResourceExhaustedError("agent is busy with run r0"));
  v1::RunRequest open = OpenRequest("r1");
  open.mutable_open()->mutable_target()->set_port(22);
  session_->Receive(open);
  EXPECT_EQ(sink_.AwaitFinish(), absl::ResourceExhaustedError("agent is busy with run r0"));
  EXPECT_EQ(host_.released(), 0);
}

TEST_F(GuardedSessionTest, EveryConnectionIsMadeToTheTargetThatWasAdmitted) {
  Open();
  ASSERT_EQ(targets_.size(), 1u);
  EXPECT_THAT(targets_[0].addresses, testing::ElementsAre("10.0.0.7"));
  session_->Receive(CloseRequest());
  EXPECT_EQ(sink_.AwaitFinish(), absl::OkStatus());
}

TEST_F(GuardedSessionTest, MoreClientsThanAllowedAreRefusedBeforeAnyConnects) {
  OpenWithList();
  v1::RunRequest prepare = PrepareRequest(1, 2);
  *prepare.mutable_prepare_round()->add_groups() = prepare.prepare_round().groups(0);
  session_->Receive(prepare);
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::PermissionDeniedError(
                "refuses 4 clients: --max-clients=3 (/a.conf:8) does not allow them"));
}

TEST_F(GuardedSessionTest, AsManyClientsAsAllowedAreFine) {
  OpenWithList();
  session_->Receive(PrepareRequest(1, 3));
  EXPECT_TRUE(sink_.Next().has_round_ready());
}

TEST_F(GuardedSessionTest, RunThatTakesTooLongIsEndedWithWhatItMeasured) {
  StartHeld();
  clock_.Advance(absl::Seconds(6));
  session_->Receive(HeartbeatRequest(1));
  clock_.Advance(absl::Seconds(6) - absl::Nanoseconds(1));
  session_->Tick();
  EXPECT_FALSE(sink_.finished());
  clock_.Advance(absl::Nanoseconds(1));
  session_->Tick();
  EXPECT_EQ(sink_.AwaitFinish(),
            absl::PermissionDeniedError("the run has taken too long: --max-run-time=12s ends it"));
  bool round_done = false;
  while (sink_.HasNext()) round_done = sink_.Next().has_round_done();
  EXPECT_TRUE(round_done);
}

}  // namespace
}  // namespace dslap
