// How a run ends before its time: --deadline and interrupts in every phase, and a database that
// does not let go at the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "controller/coordination/coordinator.h"
#include "tests/controller/coordination/coordinator_fixture.h"
#include "tests/fakes/fake_agent_link.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_launcher.h"

namespace dslap {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Kind = v1::RunRequest::MessageCase;

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kDeadlineNs = 30 * kSecondNs;
// What docs/report.md promises: all is over by then.
constexpr int64_t kAfterDeadlineNs = 20 * kSecondNs;

class Silent final : public ProgressSink, public CaseSink, public Narrator {
 public:
  void Update(const RunProgress&, int64_t) override {}
  void Clear() override {}
  void CaseFinished(const RunRecord&) override {}
  void Stage(absl::string_view) override {}
  void Detail(absl::string_view) override {}
  void Statement(absl::string_view) override {}
  void Warning(absl::string_view) override {}
};

// Two agents, one case, one round, a schema of its own, and a deadline when RunUntil() is used.
class EarlyEndTest : public testing::Test {
 protected:
  EarlyEndTest() {
    for (const char* name : {"a", "b"}) {
      auto link = std::make_unique<FakeAgentLink>(name, &clock_);
      agents_.push_back(link.get());
      links_.push_back(std::move(link));
    }
  }

  RunRecord Run() {
    config_.identity = {"run-1", "me"};
    config_.target.host = "db";
    coordinator_ = std::make_unique<Coordinator>(
        std::move(links_),
        CoordinatorEnvironment{&clock_, &silent_, &launcher_, &silent_, &silent_}, config_);
    RunRecord record = coordinator_->Run(plan_);
    took_ns_ = clock_.NowNs() - began_ns_;
    return record;
  }
  RunRecord RunUntilDeadline(int64_t deadline_ns = kDeadlineNs) {
    config_.deadline_ns = deadline_ns;
    config_.time_up_at_ns = began_ns_ + deadline_ns;
    return Run();
  }
  // Interrupts when the first agent is sent something of which `holds`.
  void InterruptOn(std::function<bool(const v1::RunRequest&)> holds) {
    agents_[0]->on_request = [this, holds = std::move(holds)](const v1::RunRequest& request) {
      if (holds(request)) coordinator_->Interrupt();
    };
  }
  static bool Runs(const v1::RunRequest& request, const std::string& sql) {
    const auto& statements = request.run_script().statements();
    return !statements.empty() && statements[0].text() == sql;
  }

  FakeClock clock_{FakeClock::kAutoAdvance};
  const int64_t began_ns_ = clock_.NowNs();
  int64_t took_ns_ = 0;
  std::vector<FakeAgentLink*> agents_;
  std::vector<std::unique_ptr<AgentLink>> links_;
  CoordinatorConfig config_;
  Silent silent_;
  FakeLauncher launcher_{&clock_};
  Plan plan_ = ShopPlan(/*iterations=*/1, /*statements=*/8);
  std::unique_ptr<Coordinator> coordinator_;
};

// ---------------------------------------------------------------------------- --deadline

// One row for each phase: what hangs in it.
struct PhaseRow {
  const char* name;
  std::function<void(EarlyEndTest*, FakeAgentLink*, Plan*, FakeLauncher*)> hang;
  const char* during;
  bool schema_made;
};

class DeadlineTest : public EarlyEndTest, public testing::WithParamInterface<PhaseRow> {};

TEST_P(DeadlineTest, EndsWhatHangsTearsDownAndSaysSo) {
  const PhaseRow& row = GetParam();
  row.hang(this, agents_[0], &plan_, &launcher_);
  const RunRecord record = RunUntilDeadline();
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_EQ(record.failure.message(), std::string("ended by --deadline=30s during ") + row.during);
  EXPECT_EQ(record.ended_by, "ended by --deadline=30s");
  EXPECT_FALSE(record.interrupted);
  EXPECT_FALSE(record.stopped_by_error);
  EXPECT_EQ(record.tear_down, absl::OkStatus());
  EXPECT_GE(took_ns_, kDeadlineNs);
  EXPECT_LE(took_ns_, kDeadlineNs + kAfterDeadlineNs);
  if (row.schema_made) {
    EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
  } else {
    EXPECT_THAT(agents_[0]->sql_seen(), Not(Contains(StartsWith("DROP"))));
  }
}

void HangOn(FakeAgentLink* agent, Kind kind) { agent->ignore.insert(kind); }

INSTANTIATE_TEST_SUITE_P(
    Phases, DeadlineTest,
    testing::Values(
        PhaseRow{"StatementsNotTaken",
                 [](auto*, auto* a, auto*, auto*) { HangOn(a, Kind::kStatementsChunk); },
                 "the sending of the statements", false},
        PhaseRow{"LookUp",
                 [](auto*, auto* a, auto*, auto*) { a->hanging_sql = "INFORMATION_SCHEMA"; },
                 "look up schema `shop`", false},
        PhaseRow{"CreateSchema",
                 [](auto*, auto* a, auto*, auto*) { a->hanging_sql = "CREATE SCHEMA"; },
                 "create schema `shop`", false},
        PhaseRow{"SetUp", [](auto*, auto* a, auto*, auto*) { a->hanging_sql = "TABLE t1"; },
                 "set-up", true},
        PhaseRow{"PreSystem",
                 [](auto*, auto*, auto* plan, auto* launcher) {
                   plan->pre_system = "sleep 1000";
                   launcher->behaviour = [](const std::string&) {
                     return FakeCommand{.takes_ns = FakeCommand::kForever};
                   };
                 },
                 "--pre-system", true},
        PhaseRow{"PreQuery",
                 [](auto*, auto* a, auto* plan, auto*) {
                   plan->pre_queries = {"SELECT SLEEP(1000)"};
                   a->hanging_sql = "SLEEP";
                 },
                 "pre-query", true},
        PhaseRow{"Load", [](auto*, auto* a, auto*, auto*) { a->round_runs_until_stopped = true; },
                 "the load", true},
        PhaseRow{"PostQuery",
                 [](auto*, auto* a, auto* plan, auto*) {
                   plan->post_queries = {"SELECT SLEEP(1000)"};
                   a->hanging_sql = "SLEEP";
                 },
                 "post-query", true},
        PhaseRow{"PostSystem",
                 [](auto*, auto*, auto* plan, auto* launcher) {
                   plan->post_system = "sleep 1000";
                   launcher->behaviour = [](const std::string&) {
                     return FakeCommand{.takes_ns = FakeCommand::kForever, .ignores_sigterm = true};
                   };
                 },
                 "--post-system", true}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(EarlyEndTest, DeadlineThatHasPassedAtTheStartIsNoFault) {
  config_.deadline_ns = 1'000'000;
  config_.time_up_at_ns = began_ns_;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_EQ(record.failure.message(), "ended by --deadline=1ms during the opening of the run");
  EXPECT_THAT(agents_[0]->sql_seen(), IsEmpty());
}

// So that there is time to tear down before the agent ends it.
TEST_F(EarlyEndTest, TimeThatAnAgentsOwnerAllowsIsKeptTo) {
  agents_[0]->round_runs_until_stopped = true;
  v1::GuardRails& rails = *agents_[1]->info->mutable_guard_rails();
  rails.set_max_run_time_ns(30 * kSecondNs);
  rails.set_max_run_time_rule("--max-run-time=30s (/a.conf:9)");
  agents_[0]->info->mutable_guard_rails()->set_max_run_time_ns(40 * kSecondNs);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_EQ(record.ended_by, "ended by --max-run-time=30s (/a.conf:9) of agent b");
  EXPECT_GE(took_ns_, 10 * kSecondNs);
  EXPECT_LT(took_ns_, 30 * kSecondNs);
  EXPECT_EQ(record.tear_down, absl::OkStatus());
}

TEST_F(EarlyEndTest, DeadlineWhileAgentsOpen) {
  agents_[1]->ignore.insert(Kind::kOpen);
  const RunRecord record = RunUntilDeadline(3 * kSecondNs);
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_EQ(record.failure.message(), "ended by --deadline=3s during the opening of the run");
  EXPECT_EQ(took_ns_, 3 * kSecondNs);
}

TEST_F(EarlyEndTest, DeadlineWhileAnAgentDoesNotAnswer) {
  agents_[1]->answers_get_info = false;
  const RunRecord record = RunUntilDeadline(3 * kSecondNs);
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_EQ(record.failure.message(), "ended by --deadline=3s during the asking of the agents");
  EXPECT_EQ(took_ns_, 3 * kSecondNs);
}

TEST_F(EarlyEndTest, DeadlineDrainsTheLoadAsAnInterruptDoes) {
  agents_[1]->round_runs_until_stopped = true;
  const RunRecord record = RunUntilDeadline();
  for (const v1::RunRequest& request : agents_[1]->requests()) {
    if (request.has_stop_round()) {
      EXPECT_EQ(request.stop_round().grace_ns(), 2'000'000'000u);
    }
  }
  ASSERT_EQ(record.cases[0].rounds.size(), 1u);
  EXPECT_FALSE(record.cases[0].rounds[0].complete);
  EXPECT_EQ(record.cases[0].rounds[0].agents[1].done->statements_succeeded(), 2u);
}

TEST_F(EarlyEndTest, DeadlineThatDoesNotPassChangesNothing) {
  const RunRecord record = RunUntilDeadline();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_EQ(record.ended_by, "");
}

// It waits for a metadata lock, say.
TEST_F(EarlyEndTest, TearDownThatHangsIsKilledAfterTheDeadlineAndTheSchemaNamed) {
  agents_[0]->hanging_sql = "DROP SCHEMA";
  const RunRecord record = RunUntilDeadline();
  EXPECT_EQ(record.tear_down.message(),
            "drop schema `shop`: the server did not finish it in the time there was: schema `shop` "
            "was left behind on db:3306, drop it by hand");
  EXPECT_GE(took_ns_, kDeadlineNs + 10 * kSecondNs);
  EXPECT_LE(took_ns_, kDeadlineNs + kAfterDeadlineNs);
  EXPECT_THAT(agents_[0]->kinds(), Contains("StopScript"));
  ASSERT_EQ(record.cases[0].rounds.size(), 1u);
  EXPECT_TRUE(record.cases[0].rounds[0].complete);
}

// The server is frozen, and so is the agent for all it says; only heartbeats are answered.
TEST_F(EarlyEndTest, NothingThatHappensAfterTheDeadlineHoldsItUp) {
  agents_[0]->round_runs_until_stopped = true;
  for (FakeAgentLink* agent : agents_) {
    agent->ignore = {Kind::kStopRound, Kind::kStopScript, Kind::kClose};
    agent->hanging_sql = "DROP SCHEMA";
  }
  const RunRecord record = RunUntilDeadline();
  EXPECT_EQ(record.failure.message(), "ended by --deadline=30s during the load");
  EXPECT_THAT(std::string(record.tear_down.message()), HasSubstr("schema `shop` was left behind"));
  EXPECT_LE(took_ns_, kDeadlineNs + kAfterDeadlineNs);
}

// ---------------------------------------------------------------------------- interrupts

// It waited for the statement, which may have taken hours.
TEST_F(EarlyEndTest, InterruptKillsAStatementOfSetUpAndDropsTheSchema) {
  agents_[0]->hanging_sql = "TABLE t1";
  InterruptOn([](const auto& request) { return Runs(request, "CREATE TABLE t1 (a INT)"); });
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_EQ(record.failure.message(), "interrupted during set-up");
  EXPECT_THAT(agents_[0]->kinds(), Contains("StopScript"));
  EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
  EXPECT_LT(took_ns_, kSecondNs);
}

// The connection was cut in the end: the server may have made it after all.
TEST_F(EarlyEndTest, SchemaIsNamedWhenTheAnswerToItsCreationIsLost) {
  agents_[0]->hanging_sql = "CREATE SCHEMA";
  agents_[0]->stop_error = {2013, "HY000", "Lost connection to server during query"};
  InterruptOn([](const auto& request) { return Runs(request, "CREATE SCHEMA `shop`"); });
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_EQ(record.tear_down.message(),
            "the answer to its CREATE SCHEMA was lost: schema `shop` may have been left behind on "
            "db:3306, drop it by hand");
}

TEST_F(EarlyEndTest, InterruptDuringTearDownLetsItFinishAndCountsAsOne) {
  InterruptOn([](const auto& request) { return Runs(request, "DROP SCHEMA IF EXISTS `shop`"); });
  const RunRecord record = Run();
  EXPECT_TRUE(record.interrupted);
  EXPECT_EQ(record.tear_down, absl::OkStatus());
  EXPECT_THAT(agents_[0]->kinds(), Not(Contains("StopScript")));
}

// The schema was said to be left behind, though it was dropped.
TEST_F(EarlyEndTest, InterruptDuringTheLastTearDownIsNoFaultOfIt) {
  agents_[0]->statement_error = SqlError{1146, "42S02", "Table 'shop.t' doesn't exist"};
  InterruptOn([](const auto& request) { return Runs(request, "DROP SCHEMA IF EXISTS `shop`"); });
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_TRUE(record.interrupted);
  EXPECT_EQ(record.tear_down, absl::OkStatus());
}

// The run went on with the next case.
TEST_F(EarlyEndTest, InterruptWhileAServerIsWaitedForBetweenTheCasesEndsTheRun) {
  plan_.cases.push_back(plan_.cases[0]);
  int refusals = 0;
  agents_[0]->sql = [&](const std::string& sql) {
    // The schema still has the mark of this run.
    if (absl::StrContains(sql, "TABLE_COMMENT")) return FakeSqlAnswer{{}, 1};
    if (sql.rfind("DROP", 0) != 0 || ++refusals > 5) return FakeSqlAnswer{};
    return FakeSqlAnswer{{2013, "HY000", "Lost connection to server during query"}, 0};
  };
  agents_[1]->on_request = [&](const v1::RunRequest& request) {
    if (request.has_heartbeat() && refusals > 3) coordinator_->Interrupt();
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_EQ(record.cases.size(), 1u);
  EXPECT_EQ(record.tear_down, absl::OkStatus());
}

TEST_F(EarlyEndTest, TearDownThatHangsIsGivenUpAMinuteAfterAnInterrupt) {
  agents_[0]->hanging_sql = "DROP SCHEMA";
  InterruptOn([](const auto& request) { return Runs(request, "DROP SCHEMA IF EXISTS `shop`"); });
  const RunRecord record = Run();
  EXPECT_TRUE(record.interrupted);
  EXPECT_THAT(std::string(record.tear_down.message()), HasSubstr("schema `shop` was left behind"));
  EXPECT_GE(took_ns_, 60 * kSecondNs);
  EXPECT_LT(took_ns_, 130 * kSecondNs);
}

// Await() ended at once for what it had ended for before, again and again, and never waited.
TEST_F(EarlyEndTest, InterruptWhileAHookIsEndedForAnotherReasonDoesNotSpin) {
  plan_.pre_system = "sleep 1000";
  launcher_.behaviour = [this](const std::string&) {
    agents_[1]->Break(absl::UnavailableError("is gone"));
    coordinator_->Interrupt();
    return FakeCommand{.takes_ns = FakeCommand::kForever, .ignores_sigterm = true};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_TRUE(record.interrupted);
  EXPECT_THAT(launcher_.signals, ElementsAre(SIGTERM, SIGKILL));
}

// It was waited for, which may have taken hours.
TEST_F(EarlyEndTest, StatementOfSetUpIsKilledWhenAnotherAgentIsLost) {
  agents_[0]->hanging_sql = "TABLE t1";
  agents_[0]->on_request = [this](const v1::RunRequest& request) {
    if (Runs(request, "CREATE TABLE t1 (a INT)")) agents_[1]->Break(absl::UnavailableError("gone"));
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_EQ(record.failure.message(), "agent b: lost during set-up: gone");
  EXPECT_THAT(agents_[0]->kinds(), Contains("StopScript"));
  EXPECT_EQ(record.tear_down, absl::OkStatus());
}

// It was not known any more whether there is a schema, though the agent that made it was there.
TEST_F(EarlyEndTest, LossOfAnotherAgentDuringCreateSchemaLeavesNoDoubt) {
  agents_[0]->hanging_sql = "CREATE SCHEMA";
  agents_[0]->on_request = [this](const v1::RunRequest& request) {
    if (Runs(request, "CREATE SCHEMA `shop`")) agents_[1]->Break(absl::UnavailableError("gone"));
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_EQ(record.tear_down, absl::OkStatus());
}

// ---------------------------------------------------------------------------- the server is away

TEST_F(EarlyEndTest, TearDownWaitsForAServerThatComesBack) {
  int refusals = 0;
  agents_[0]->sql = [&](const std::string& sql) {
    if (sql.rfind("DROP", 0) == 0 && ++refusals <= 5) {
      return FakeSqlAnswer{{2013, "HY000", "Lost connection to server during query"}, 0};
    }
    // The schema still has the mark of this run.
    return FakeSqlAnswer{{}, absl::StrContains(sql, "TABLE_COMMENT") ? 1 : 0};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_EQ(record.tear_down, absl::OkStatus());
  EXPECT_EQ(refusals, 6);
  EXPECT_GE(took_ns_, 3 * kSecondNs) << "pauses of 0.1, 0.2, 0.4, 0.8, 1.6 s";
  EXPECT_LT(took_ns_, 4 * kSecondNs);
}

// The message said that the connect had failed, and not what it left on the server.
TEST_F(EarlyEndTest, SchemaIsNamedWhenTheServerDoesNotComeBack) {
  agents_[0]->on_request = [this](const v1::RunRequest& request) {
    if (request.has_start_round()) {
      agents_[0]->script_connect_error = SqlError{2002, "HY000", "Can't connect to server on 'db'"};
    }
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_EQ(record.tear_down.message(),
            "agent a: connect to db:3306: Can't connect to server on 'db' (2002/HY000): schema "
            "`shop` was left behind on db:3306, drop it by hand");
  EXPECT_GE(took_ns_, 9 * kSecondNs);
  EXPECT_LT(took_ns_, 12 * kSecondNs);
}

TEST_F(EarlyEndTest, TearDownThatIsRefusedIsNotTriedAgain) {
  int attempts = 0;
  agents_[0]->sql = [&](const std::string& sql) {
    if (sql.rfind("DROP", 0) != 0) return FakeSqlAnswer{};
    ++attempts;
    return FakeSqlAnswer{{1290, "HY000", "The server is running with --read-only"}, 0};
  };
  const RunRecord record = Run();
  EXPECT_THAT(std::string(record.tear_down.message()), HasSubstr("(1290/HY000): schema `shop`"));
  EXPECT_EQ(attempts, 2) << "after the case, and at the end";
}

}  // namespace
}  // namespace dslap
