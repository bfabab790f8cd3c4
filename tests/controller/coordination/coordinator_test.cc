#include "controller/coordination/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/controller/coordination/coordinator_fixture.h"

namespace dslap {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using Kind = v1::RunRequest::MessageCase;

TEST_F(CoordinatorTest, GoodRunSendsEverythingInOrder) {
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_EQ(record.tear_down, absl::OkStatus());
  EXPECT_EQ(record.failure_code, ExitCode::kValid);
  EXPECT_THAT(agents_[1]->kinds(),
              ElementsAre("Open", "StatementsChunk", "PrepareRound", "StartRound", "PrepareRound",
                          "StartRound", "Close"));
  EXPECT_THAT(
      agents_[0]->sql_seen(),
      ElementsAre(HasSubstr("INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME = _utf8 0x73686f70"),
                  "CREATE SCHEMA `shop`", HasSubstr("CREATE TABLE `shop`.`_dslap_marker`"),
                  "CREATE TABLE t1 (a INT)", "DROP SCHEMA IF EXISTS `shop`", "CREATE SCHEMA `shop`",
                  HasSubstr("CREATE TABLE `shop`.`_dslap_marker`"), "CREATE TABLE t1 (a INT)",
                  "DROP SCHEMA IF EXISTS `shop`"));
  EXPECT_THAT(agents_[1]->sql_seen(), IsEmpty());
  EXPECT_THAT(agents_[2]->sql_seen(), IsEmpty());
  ASSERT_EQ(record.cases.size(), 1u);
  ASSERT_EQ(record.cases[0].rounds.size(), 2u);
  for (const RoundRecord& round : record.cases[0].rounds) {
    EXPECT_TRUE(round.complete);
    uint64_t statements = 0;
    for (const AgentRoundRecord& agent : round.agents) {
      statements += agent.done->statements_succeeded();
    }
    EXPECT_EQ(statements, 7u);
  }
}

TEST_F(CoordinatorTest, RoundNumbersGrowAndSharesGoToTheirAgents) {
  Run();
  std::vector<uint64_t> rounds;
  for (const v1::RunRequest& request : agents_[1]->requests()) {
    if (!request.has_prepare_round()) continue;
    rounds.push_back(request.prepare_round().round());
    EXPECT_EQ(request.prepare_round().first_client(), 2u);
    EXPECT_EQ(request.prepare_round().default_schema(), "shop");
  }
  EXPECT_THAT(rounds, ElementsAre(1, 2));
}

TEST_F(CoordinatorTest, GatesOpenTogetherHoweverFarTheClocksAreApart) {
  agents_[1]->clock_ahead_ns = 5'000'000'000'000;
  agents_[2]->clock_ahead_ns = -900'000'000'000;
  agents_[2]->opens_late_ns = 3'000'000;
  const RunRecord record = Run();
  const RoundRecord& round = record.cases[0].rounds[0];
  EXPECT_EQ(round.agents[1].opened_at_ns, round.agents[0].opened_at_ns);
  EXPECT_EQ(round.agents[2].opened_at_ns, round.agents[0].opened_at_ns + 3'000'000);
  EXPECT_EQ(round.agents[2].closed_at_ns, round.agents[2].opened_at_ns + 1'000'000'000);
}

TEST_F(CoordinatorTest, ForeignSchemaIsRefusedAndNotTouched) {
  agents_[0]->sql = [](const std::string& sql) {
    return FakeSqlAnswer{{}, sql.find("SCHEMATA") != std::string::npos ? 1 : 0};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr("schema `shop` exists and was not made by dslap"));
  EXPECT_THAT(std::string(record.failure.message()), HasSubstr("--drop-existing-schema"));
  for (const std::string& sql : agents_[0]->sql_seen()) EXPECT_THAT(sql, Not(HasSubstr("DROP")));
  EXPECT_THAT(record.cases, IsEmpty());
  EXPECT_THAT(agents_[0]->kinds(), Contains("Close"));
}

TEST_F(CoordinatorTest, ForeignSchemaIsDroppedWhenTheUserAllowsIt) {
  plan_.schema.drop_existing = true;
  agents_[0]->sql = [](const std::string& sql) {
    return FakeSqlAnswer{{}, sql.find("SCHEMATA") != std::string::npos ? 1 : 0};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kValid);
  EXPECT_THAT(agents_[0]->sql_seen()[2], "DROP SCHEMA IF EXISTS `shop`");
  EXPECT_THAT(record.notes,
              ElementsAre("schema `shop` existed (--drop-existing-schema): dropped and made anew"));
}

// The note said that it was dropped although the server had refused.
TEST_F(CoordinatorTest, ForeignSchemaThatMayNotBeDroppedIsNotSaidToBe) {
  plan_.schema.drop_existing = true;
  agents_[0]->sql = [](const std::string& sql) {
    FakeSqlAnswer answer{{}, sql.find("SCHEMATA") != std::string::npos ? 1 : 0};
    if (sql.find("DROP SCHEMA") == 0) answer.error = {1044, "42000", "Access denied"};
    return answer;
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_THAT(record.notes, IsEmpty());
}

TEST_F(CoordinatorTest, LeftOverSchemaOfOursIsReusedFromScratchAndSaidSo) {
  agents_[0]->sql = [](const std::string& sql) {
    return FakeSqlAnswer{{}, sql.find("INFORMATION_SCHEMA") != std::string::npos ? 1 : 0};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kValid);
  EXPECT_THAT(record.notes, ElementsAre(HasSubstr("was left over from an earlier run of dslap")));
}

TEST_F(CoordinatorTest, NamedSchemaThatIsMissingIsAClearError) {
  plan_.schema.create = false;
  plan_.schema.must_exist = true;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_THAT(std::string(record.failure.message()), HasSubstr("schema `shop` does not exist"));
}

TEST_F(CoordinatorTest, UnnamedSchemaThatIsMissingLeavesClientsWithoutDefault) {
  plan_.schema.create = false;
  plan_.create.clear();
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kValid);
  for (const v1::RunRequest& request : agents_[0]->requests()) {
    if (!request.has_prepare_round()) continue;
    EXPECT_EQ(request.prepare_round().default_schema(), "");
  }
  EXPECT_THAT(agents_[0]->sql_seen(), Not(Contains(HasSubstr("DROP"))));
}

TEST_F(CoordinatorTest, KeptSchemaIsNotDropped) {
  plan_.schema.drop = false;
  plan_.iterations = 1;
  Run();
  EXPECT_THAT(agents_[0]->sql_seen(), Not(Contains(HasSubstr("DROP"))));
}

TEST_F(CoordinatorTest, FailingSetUpNamesTheStatementAndDropsTheSchema) {
  agents_[0]->sql = [](const std::string& sql) {
    return sql == "CREATE TABLE t1 (a INT)" ? FakeSqlAnswer{{1064, "42000", "You have an error"}, 0}
                                            : FakeSqlAnswer{};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_EQ(record.failure.message(),
            "agent a: set-up: statement 1 of 1 (CREATE TABLE t1 (a INT)): You have an error "
            "(1064/42000)");
  EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
}

TEST_F(CoordinatorTest, WrongPasswordIsOneClearError) {
  agents_[0]->script_connect_error = SqlError{1045, "28000", "Access denied for user 'x'@'y'"};
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_EQ(record.failure.message(),
            "agent a: connect to db:3306: Access denied for user 'x'@'y' "
            "(1045/28000)");
  EXPECT_EQ(record.tear_down, absl::OkStatus());
}

TEST_F(CoordinatorTest, UnreachableAgentEndsTheRunBeforeAnythingIsOpened) {
  agents_[2]->info = absl::UnavailableError("connect: Connection refused");
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentUnavailable);
  EXPECT_EQ(record.failure.message(), "agent c: connect: Connection refused");
  EXPECT_THAT(agents_[0]->kinds(), IsEmpty());
}

TEST_F(CoordinatorTest, AgentThatRefusesToOpenIsUnavailableNotLost) {
  agents_[1]->break_on.insert(Kind::kOpen);
  agents_[1]->break_status = absl::ResourceExhaustedError("agent is busy with run r9");
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentUnavailable);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr("agent b: refused at the opening of the run: agent is busy with run r9"));
  EXPECT_THAT(agents_[0]->sql_seen(), IsEmpty());
}

// All agents were said to be late, those that had opened too.
TEST_F(CoordinatorTest, AgentThatDoesNotOpenInTimeIsTheOnlyOneNamed) {
  agents_[1]->ignore.insert(Kind::kOpen);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentUnavailable);
  EXPECT_EQ(record.failure.message(), "agent b: did not open the run within 10 s");
}

// Answers that belong to nothing that was asked, as a broken agent or one of another build sends.
struct StrayRow {
  Kind on;
  std::function<void(v1::RunResponse*)> make;
  const char* reason;
};

class CoordinatorStrayTest : public CoordinatorTest,
                             public testing::WithParamInterface<StrayRow> {};

// They were taken for the answers that were waited for.
TEST_P(CoordinatorStrayTest, AgentThatSendsItIsLost) {
  const StrayRow& row = GetParam();
  agents_[0]->on_request = [&](const v1::RunRequest& request) {
    if (request.message_case() != row.on) return;
    agents_[0]->on_request = nullptr;
    v1::RunResponse response;
    row.make(&response);
    agents_[0]->Say(std::move(response));
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_THAT(std::string(record.failure.message()), HasSubstr(row.reason));
  EXPECT_TRUE(record.agents[0].lost);
  EXPECT_TRUE(agents_[0]->cancelled());
}

INSTANTIATE_TEST_SUITE_P(
    Answers, CoordinatorStrayTest,
    testing::Values(
        StrayRow{Kind::kRunScript, [](auto* r) { r->mutable_script_done()->set_script(9); },
                 "sent ScriptDone of script 9 while script 1 was running"},
        StrayRow{Kind::kPrepareRound, [](auto* r) { r->mutable_round_ready()->set_round(9); },
                 "sent RoundReady of round 9, which is not the one it was asked for, 1"},
        StrayRow{Kind::kStartRound, [](auto* r) { r->mutable_round_ready()->set_round(1); },
                 "sent RoundReady of round 1 twice"},
        StrayRow{Kind::kStartRound, [](auto* r) { r->mutable_round_started()->set_round(2); },
                 "sent RoundStarted of round 2, which is not the one it was asked for, 1"},
        StrayRow{Kind::kStartRound, [](auto* r) { r->mutable_progress()->set_round(0); },
                 "sent Progress of round 0, which is not the one it was asked for, 1"},
        StrayRow{Kind::kStartRound, [](auto* r) { r->mutable_round_done()->set_round(2); },
                 "sent RoundDone of round 2, which is not the one it was asked for, 1"},
        StrayRow{Kind::kPrepareRound, [](auto* r) { r->mutable_round_done()->set_round(1); },
                 "sent RoundDone of round 1 before its RoundReady"}));

// A script that was said to be done with less than was asked passed for done.
TEST_F(CoordinatorTest, ScriptDoneWithFewerResultsThanStatementsIsNotDone) {
  agents_[0]->results_held_back = 1;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr("sent ScriptDone with 0 results for 1 statements"));
}

// An agent that was told to end between opening the gate and saying so.
TEST_F(CoordinatorTest, RoundDoneWithoutRoundStartedIsMappedToo) {
  agents_[1]->clock_ahead_ns = 5'000'000'000'000;
  agents_[1]->says_round_started = false;
  const RunRecord record = Run();
  const RoundRecord& round = record.cases[0].rounds[0];
  EXPECT_EQ(round.agents[1].opened_at_ns, round.agents[0].opened_at_ns);
  EXPECT_EQ(round.agents[1].closed_at_ns, round.agents[0].closed_at_ns);
}

// The zero of a gate that never opened was mapped as if it were an instant.
TEST_F(CoordinatorTest, RoundThatNeverOpenedHasNoInstants) {
  agents_[1]->clock_ahead_ns = 5'000'000'000'000;
  agents_[0]->refused_clients = 1;
  agents_[0]->connect_error = {1045, "28000", "Access denied"};
  agents_[0]->connect_error_is_hopeless = true;
  const RunRecord record = Run();
  const RoundRecord& round = record.cases[0].rounds.at(0);
  ASSERT_TRUE(round.agents[1].done.has_value());
  EXPECT_EQ(round.agents[1].opened_at_ns, 0);
  EXPECT_EQ(round.agents[1].closed_at_ns, 0);
}

TEST_F(CoordinatorTest, SomeClientsRefusedTheOthersRun) {
  agents_[0]->refused_clients = 1;
  agents_[0]->connect_error = {1226, "42000", "User has exceeded max_user_connections"};
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kValid);
  ASSERT_EQ(record.cases[0].rounds.size(), 2u);
  EXPECT_EQ(record.cases[0].rounds[0].agents[0].ready->clients_connected(), 1u);
}

TEST_F(CoordinatorTest, ConnectErrorThatCannotHealStopsBeforeTheGate) {
  agents_[1]->refused_clients = 1;
  agents_[1]->connect_error = {1045, "28000", "Access denied"};
  agents_[1]->connect_error_is_hopeless = true;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_EQ(record.failure.message(),
            "3 of 4 clients connected, so the round was not started: agent b: connect: Access "
            "denied (1045/28000)");
  EXPECT_THAT(agents_[0]->kinds(), Not(Contains("StartRound")));
  EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
}

// A KILL that failed was named as what had stopped the run.
TEST_F(CoordinatorTest, TimeoutIsNamedNotTheKillThatFailedAfterIt) {
  agents_[0]->error_beside = SqlError{2013, "HY000", "KILL CONNECTION 7"};
  agents_[0]->statement_error = SqlError{2999, "HYT00", "given up"};
  EXPECT_EQ(Run().failure.message(),
            "agent a: a statement failed and ended the run: given up (2999/HYT00): to count such "
            "errors and go on, add it to --ignore-errors");
}

TEST_F(CoordinatorTest, EveryScriptIsBoundedAsThePlanSays) {
  plan_.query_timeout_ns = 5;
  plan_.once_timeout_ns = 50;
  plan_.post_queries = {"SELECT 2"};
  Run();
  int scripts = 0;
  for (const v1::RunRequest& request : agents_[0]->requests()) {
    if (!request.has_run_script()) continue;
    ++scripts;
    EXPECT_EQ(request.run_script().statement_timeout_ns(), 50u) << request.ShortDebugString();
  }
  EXPECT_EQ(scripts, 1 + 2 * 4 + 1);  // look-up; create, mark, set up, post-query; drop
}

// The controller had a list of its own, shorter than the agents'.
TEST_F(CoordinatorTest, ConnectErrorThatTheAgentDoesNotCallHopelessLetsTheOthersRun) {
  agents_[0]->refused_clients = 1;
  agents_[0]->connect_error = {1045, "28000", "Access denied"};
  EXPECT_EQ(Run().failure_code, ExitCode::kValid);
}

TEST_F(CoordinatorTest, HopelessConnectErrorIsTheOneNamed) {
  agents_[0]->refused_clients = 1;
  agents_[0]->connect_error = {1040, "08004", "Too many connections"};
  agents_[1]->refused_clients = 1;
  agents_[1]->connect_error = {4151, "HY000", "Account locked"};
  agents_[1]->connect_error_is_hopeless = true;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_EQ(record.failure.message(),
            "2 of 4 clients connected, so the round was not started: agent b: connect: Account "
            "locked (4151/HY000)");
}

TEST_F(CoordinatorTest, NoClientConnectedStopsBeforeTheGate) {
  for (FakeAgentLink* agent : agents_) {
    agent->refused_clients = 9;
    agent->connect_error = {1040, "08004", "Too many connections"};
  }
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_THAT(std::string(record.failure.message()), HasSubstr("0 of 4 clients connected"));
}

TEST_F(CoordinatorTest, FailingStatementStopsAllAgentsAndKeepsWhatWasMeasured) {
  agents_[1]->statement_error = SqlError{1064, "42000", "syntax"};
  agents_[0]->round_runs_until_stopped = true;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kFailures);
  EXPECT_TRUE(record.stopped_by_error);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr("agent b: a statement failed and ended the run: syntax (1064/42000)"));
  ASSERT_EQ(record.cases[0].rounds.size(), 1u);
  EXPECT_FALSE(record.cases[0].rounds[0].complete);
  EXPECT_EQ(record.cases[0].rounds[0].agents[0].done->stop_cause(), v1::STOP_CAUSE_CONTROLLER);
  EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
}

// One row for each state in which an agent can be lost: the message on which its stream breaks.
struct LossRow {
  Kind on;
  size_t agent;
  ExitCode code;
  const char* during;
};

class CoordinatorLossTest : public CoordinatorTest, public testing::WithParamInterface<LossRow> {};

TEST_P(CoordinatorLossTest, OthersAreStoppedASurvivorTearsDownAndTheReasonIsSaid) {
  const LossRow& row = GetParam();
  for (FakeAgentLink* agent : agents_) agent->round_runs_until_stopped = true;
  agents_[row.agent]->break_on.insert(row.on);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, row.code);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr(std::string("agent ") + agents_[row.agent]->name() + ": lost during " +
                        row.during + ": the connection was closed"));
  const size_t survivor = row.agent == 0 ? 1 : 0;
  EXPECT_EQ(agents_[survivor]->kinds().back(), "Close");
  EXPECT_EQ(record.agents[row.agent].lost, row.code == ExitCode::kAgentLost);
  EXPECT_FALSE(record.agents[survivor].lost);
  const bool created = row.on == Kind::kPrepareRound || row.on == Kind::kStartRound;
  if (created) {
    EXPECT_EQ(agents_[survivor]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
    EXPECT_EQ(record.tear_down, absl::OkStatus());
  }
}

INSTANTIATE_TEST_SUITE_P(
    States, CoordinatorLossTest,
    testing::Values(
        LossRow{Kind::kOpen, 1, ExitCode::kAgentUnavailable, "the opening of the run"},
        LossRow{Kind::kStatementsChunk, 1, ExitCode::kAgentLost, "the sending of the statements"},
        LossRow{Kind::kPrepareRound, 1, ExitCode::kAgentLost, "the connecting of the clients"},
        LossRow{Kind::kPrepareRound, 0, ExitCode::kAgentLost, "the connecting of the clients"},
        LossRow{Kind::kStartRound, 2, ExitCode::kAgentLost, "the load"},
        LossRow{Kind::kStartRound, 0, ExitCode::kAgentLost, "the load"}));

TEST_F(CoordinatorTest, SilentAgentIsLostAfterTheLease) {
  agents_[1]->on_request = [this](const v1::RunRequest& request) {
    // From the start of the round on it hangs: no answers, no heartbeats.
    if (request.has_start_round()) {
      agents_[1]->ignore = {Kind::kStartRound, Kind::kHeartbeat, Kind::kStopRound};
    }
  };
  agents_[0]->round_runs_until_stopped = true;
  const int64_t before_ns = clock_.NowNs();
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr("agent b: lost during the load: no message from the agent for 11.0 s"));
  EXPECT_LT(clock_.NowNs() - before_ns, 15'000'000'000);
  EXPECT_TRUE(agents_[1]->cancelled());
  EXPECT_TRUE(record.agents[1].lost);
  EXPECT_EQ(record.cases[0].rounds[0].agents[0].done->stop_cause(), v1::STOP_CAUSE_CONTROLLER);
  EXPECT_FALSE(record.cases[0].rounds[0].agents[1].done.has_value());
}

TEST_F(CoordinatorTest, LongRoundKeepsItsLeasesByHeartbeats) {
  int started = 0;
  for (FakeAgentLink* agent : agents_) agent->round_runs_until_stopped = true;
  agents_[0]->on_request = [&](const v1::RunRequest& request) {
    started += request.has_start_round() ? 1 : 0;
    if (started > 0 && agents_[0]->heartbeats() == 40) coordinator_->Interrupt();
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_GE(agents_[1]->heartbeats(), 39u);
}

// Between the rounds somebody else made a schema of the name; it was dropped at the end of the run.
TEST_F(CoordinatorTest, SchemaThatWasMadeByAnotherBetweenTheRoundsIsLeftAlone) {
  int creates = 0;
  agents_[0]->sql = [&](const std::string& sql) {
    if (sql == "CREATE SCHEMA `shop`" && ++creates == 2) {
      return FakeSqlAnswer{{1007, "HY000", "Can't create database 'shop'; database exists"}, 0};
    }
    return FakeSqlAnswer{};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_EQ(agents_[0]->sql_seen().back(), "CREATE SCHEMA `shop`");
  EXPECT_EQ(record.tear_down, absl::OkStatus());
}

TEST_F(CoordinatorTest, SchemaThatNobodyCanDropIsNamed) {
  for (FakeAgentLink* agent : agents_) agent->break_on.insert(Kind::kStartRound);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_THAT(std::string(record.tear_down.message()),
              HasSubstr("drop schema `shop`: no agent is left to run it on db:3306"));
  EXPECT_THAT(std::string(record.tear_down.message()),
              HasSubstr("schema `shop` was left behind on db:3306: unless the agent that made it "
                        "drops it, drop it by hand"));
}

TEST_F(CoordinatorTest, LossWhileCreatingNamesTheSchemaThatMayExist) {
  agents_[0]->on_request = [this](const v1::RunRequest& request) {
    if (request.run_script().statements_size() > 0 &&
        request.run_script().statements(0).text() == "CREATE SCHEMA `shop`") {
      agents_[0]->break_on.insert(Kind::kRunScript);
    }
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_THAT(std::string(record.tear_down.message()),
              HasSubstr("schema `shop` may have been left behind on db:3306"));
  EXPECT_THAT(agents_[1]->sql_seen(), Not(Contains(HasSubstr("DROP"))));
}

TEST_F(CoordinatorTest, InterruptDuringTheLoadDrainsTearsDownAndReports) {
  for (FakeAgentLink* agent : agents_) agent->round_runs_until_stopped = true;
  agents_[2]->on_request = [this](const v1::RunRequest& request) {
    if (request.has_start_round()) coordinator_->Interrupt();
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_TRUE(record.interrupted);
  EXPECT_EQ(record.failure.message(), "interrupted during the load");
  for (FakeAgentLink* agent : agents_) {
    const auto stop = std::find_if(agent->requests().begin(), agent->requests().end(),
                                   [](const v1::RunRequest& r) { return r.has_stop_round(); });
    ASSERT_NE(stop, agent->requests().end());
    EXPECT_EQ(stop->stop_round().grace_ns(), 2'000'000'000u);
  }
  ASSERT_EQ(record.cases[0].rounds.size(), 1u);
  EXPECT_EQ(record.cases[0].rounds[0].agents[0].done->statements_succeeded(), 2u);
  EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
}

TEST_F(CoordinatorTest, InterruptDuringSetUpLetsTheScriptFinishAndDropsTheSchema) {
  agents_[0]->on_request = [this](const v1::RunRequest& request) {
    for (const v1::ScriptStatement& statement : request.run_script().statements()) {
      if (statement.text() == "CREATE SCHEMA `shop`") coordinator_->Interrupt();
    }
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
  EXPECT_THAT(agents_[0]->kinds(), Not(Contains("PrepareRound")));
}

TEST_F(CoordinatorTest, PreAndPostQueriesRunOnTheFirstAgent) {
  plan_.pre_queries = {"SET @x = 1"};
  plan_.post_queries = {"SET @x = 2"};
  Run();
  EXPECT_THAT(agents_[0]->sql_seen(), Contains("SET @x = 1"));
  EXPECT_THAT(agents_[0]->sql_seen(), Contains("SET @x = 2"));
}

TEST_F(CoordinatorTest, HooksRunAroundEveryRoundWhereMysqlslapRunsThem) {
  plan_.pre_queries = {"SELECT 'pre'"};
  plan_.post_queries = {"SELECT 'post'"};
  plan_.pre_system = "before";
  plan_.post_system = "after";
  std::vector<std::string> events;
  launcher_.behaviour = [&](const std::string& command) {
    events.push_back(command);
    return FakeCommand{};
  };
  agents_[0]->on_request = [&](const v1::RunRequest& request) {
    if (request.has_start_round()) events.emplace_back("load");
    for (const v1::ScriptStatement& statement : request.run_script().statements()) {
      events.push_back(statement.text().substr(0, 13));
    }
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kValid);
  EXPECT_THAT(events, ElementsAre("SELECT 1 FROM", "CREATE SCHEMA", "CREATE TABLE ",
                                  "CREATE TABLE ", "before", "SELECT 'pre'", "load",
                                  "SELECT 'post'", "after", "DROP SCHEMA I", "CREATE SCHEMA",
                                  "CREATE TABLE ", "CREATE TABLE ", "before", "SELECT 'pre'",
                                  "load", "SELECT 'post'", "after", "DROP SCHEMA I"));
}

TEST_F(CoordinatorTest, TextOfHooksNeverCrossesTheWire) {
  plan_.pre_system = "echo secret-of-this-host";
  plan_.post_system = "echo secret-of-this-host";
  Run();
  EXPECT_THAT(launcher_.started, SizeIs(4));
  for (const FakeAgentLink* agent : agents_) {
    for (const v1::RunRequest& request : agent->requests()) {
      EXPECT_THAT(request.SerializeAsString(), Not(HasSubstr("secret-of-this-host")));
    }
  }
}

TEST_F(CoordinatorTest, LeasesOutliveALongHook) {
  plan_.iterations = 1;
  plan_.pre_system = "sleep 60";
  launcher_.behaviour = [](const std::string&) { return FakeCommand{.takes_ns = 60'000'000'000}; };
  uint64_t before = 0;
  agents_[2]->on_request = [&](const v1::RunRequest& request) {
    if (request.has_statements_chunk()) before = agents_[2]->heartbeats();
    if (request.has_prepare_round()) {
      EXPECT_GE(agents_[2]->heartbeats() - before, 59u);
    }
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_THAT(agents_[2]->kinds(), Contains("PrepareRound"));
}

TEST_F(CoordinatorTest, FailingPreSystemEndsTheRunBeforeTheLoad) {
  plan_.pre_system = "mount /data";
  launcher_.behaviour = [](const std::string&) { return FakeCommand{.end = {.exit_code = 32}}; };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_EQ(record.failure.message(),
            "--pre-system: the command 'mount /data' ended with exit code 32: to go on in spite "
            "of that, let it end with '|| true'");
  EXPECT_THAT(agents_[0]->kinds(), Not(Contains("PrepareRound")));
  EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
}

TEST_F(CoordinatorTest, FailingPostSystemEndsTheRunAndKeepsWhatWasMeasured) {
  plan_.post_system = "false";
  launcher_.behaviour = [](const std::string&) { return FakeCommand{.end = {.exit_code = 1}}; };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr("--post-system: the command 'false' ended with exit code 1"));
  ASSERT_THAT(record.cases[0].rounds, SizeIs(1));
  EXPECT_TRUE(record.cases[0].rounds[0].complete);
}

TEST_F(CoordinatorTest, InterruptEndsAHookThatRuns) {
  plan_.pre_system = "sleep 1000";
  launcher_.behaviour = [this](const std::string&) {
    coordinator_->Interrupt();
    return FakeCommand{.takes_ns = FakeCommand::kForever};
  };
  const int64_t before_ns = clock_.NowNs();
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_EQ(record.failure.message(), "interrupted during --pre-system");
  EXPECT_THAT(launcher_.signals, ElementsAre(SIGTERM));
  EXPECT_LT(clock_.NowNs() - before_ns, 1'000'000'000);
  EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
}

TEST_F(CoordinatorTest, HookThatIgnoresTheInterruptIsKilled) {
  plan_.pre_system = "trap '' TERM; sleep 1000";
  launcher_.behaviour = [this](const std::string&) {
    coordinator_->Interrupt();
    return FakeCommand{.takes_ns = FakeCommand::kForever, .ignores_sigterm = true};
  };
  const int64_t before_ns = clock_.NowNs();
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_THAT(launcher_.signals, ElementsAre(SIGTERM, SIGKILL));
  EXPECT_EQ(clock_.NowNs() - before_ns, HookRunner::kTerminateNs);
}

// The terminal sends an interrupt to the command too, and its end may be heard of first.
TEST_F(CoordinatorTest, HookThatTheInterruptEndedFirstIsNoFailure) {
  plan_.pre_system = "sleep 1000";
  launcher_.behaviour = [this](const std::string&) {
    agents_[0]->on_request = [this](const v1::RunRequest& request) {
      if (request.has_heartbeat()) coordinator_->Interrupt();
    };
    return FakeCommand{.takes_ns = 900'000'000, .end = {.signal = SIGINT}};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_EQ(record.failure.message(), "interrupted during --pre-system");
}

TEST_F(CoordinatorTest, AgentLostDuringAHookEndsTheHook) {
  plan_.pre_system = "sleep 1000";
  launcher_.behaviour = [this](const std::string&) {
    agents_[1]->Break(absl::UnavailableError("the connection was closed"));
    return FakeCommand{.takes_ns = FakeCommand::kForever};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_EQ(record.failure.message(),
            "agent b: lost during --pre-system: the connection was closed");
  EXPECT_THAT(launcher_.signals, ElementsAre(SIGTERM));
}

TEST_F(CoordinatorTest, CaseIsToldOfWhenItsRoundsHaveRunAndBeforeItsSchemaIsDropped) {
  plan_.post_queries = {"SELECT 'post'"};
  plan_.cases[0].last_of_engine = false;
  plan_.cases.push_back(plan_.cases[0]);
  plan_.cases[1].clients = 5;
  plan_.cases[1].last_of_engine = true;
  agents_[0]->on_request = [&](const v1::RunRequest& request) {
    for (const v1::ScriptStatement& statement : request.run_script().statements()) {
      if (statement.text() == "SELECT 'post'") events_.emplace_back("post-query");
      if (statement.text() == "DROP SCHEMA IF EXISTS `shop`") events_.emplace_back("drop");
    }
  };
  Run();
  EXPECT_THAT(events_, ElementsAre("post-query", "drop", "post-query", "case finished", "drop",
                                   "post-query", "drop", "post-query", "case finished", "drop"));
  ASSERT_THAT(cases_.records, SizeIs(2));
  ASSERT_THAT(cases_.records[0].cases, SizeIs(1));
  EXPECT_EQ(cases_.records[0].run_id, "run-1");
  EXPECT_EQ(cases_.records[0].planned_cases, 2u);
  EXPECT_EQ(cases_.records[0].cases[0].clients, 4u);
  EXPECT_THAT(cases_.records[0].cases[0].rounds, SizeIs(2));
  ASSERT_THAT(cases_.records[1].cases, SizeIs(2));
  EXPECT_EQ(cases_.records[1].cases[1].clients, 5u);
}

TEST_F(CoordinatorTest, CaseInWhichTheRunEndsIsNotToldOf) {
  agents_[1]->statement_error = SqlError{1064, "42000", "syntax"};
  Run();
  EXPECT_THAT(cases_.records, IsEmpty());
}

TEST_F(CoordinatorTest, ProgressIsOffTheScreenWhileACaseIsTold) {
  progress_.events = &events_;
  Run();
  const auto told = std::find(events_.begin(), events_.end(), "case finished");
  ASSERT_NE(told, events_.begin());
  ASSERT_NE(told, events_.end());
  EXPECT_EQ(*std::prev(told), "clear");
}

TEST_F(CoordinatorTest, NarratorHearsOfEveryStageAndStatementInOrder) {
  plan_.pre_system = "sync";
  plan_.pre_queries = {"SELECT 'pre'"};
  plan_.post_queries = {"SELECT 'post'"};
  plan_.queries = {{"SELECT a FROM t1 WHERE id = ", true}, {"SELECT 2", false}};
  plan_.key_query = "SELECT id from t1";
  plan_.commit_every = 5;
  agents_[1]->refused_clients = 1;
  agents_[1]->connect_error = {1226, "42000", "User has exceeded max_user_connections"};
  Run();
  EXPECT_THAT(
      narrator_.told,
      ElementsAre("sql: SELECT 1 FROM INFORMATION_SCHEMA.S", "stage: Starting Concurrency Test",
                  "stage: Loading Pre-data", "sql: CREATE SCHEMA `shop`",
                  "sql: CREATE TABLE `shop`.`_dslap_marker", "sql: CREATE TABLE t1 (a INT)",
                  "detail: system sync", "sql: SELECT 'pre'", "stage: Generating primary key list",
                  "sql: SELECT id from t1", "detail: connected! (3 of 4 clients)",
                  "sql: SET AUTOCOMMIT=0", "sql: SELECT a FROM t1 WHERE id =  '<key",
                  "sql: SELECT 2", "sql: SELECT 'post'",
                  // What each client executes is told once.
                  "stage: Loading Pre-data", "sql: DROP SCHEMA IF EXISTS `shop`",
                  "sql: CREATE SCHEMA `shop`", "sql: CREATE TABLE `shop`.`_dslap_marker",
                  "sql: CREATE TABLE t1 (a INT)", "detail: system sync", "sql: SELECT 'pre'",
                  "stage: Generating primary key list", "sql: SELECT id from t1",
                  "detail: connected! (3 of 4 clients)", "sql: SELECT 'post'",
                  "stage: Generating stats", "sql: DROP SCHEMA IF EXISTS `shop`"));
}

TEST_F(CoordinatorTest, StagesOfEachEngineAndCase) {
  plan_.iterations = 1;
  plan_.schema.create = false;
  plan_.schema.drop = false;
  plan_.create.clear();
  plan_.cases.assign(3, plan_.cases[0]);
  plan_.cases[0].last_of_engine = false;
  Run();
  std::vector<std::string> stages;
  for (const std::string& line : narrator_.told) {
    if (absl::StartsWith(line, "stage: ")) stages.push_back(line.substr(7));
  }
  EXPECT_THAT(stages, ElementsAre("Starting Concurrency Test", "Generating primary key list",
                                  "Generating stats", "Generating primary key list",
                                  "Generating stats", "Starting Concurrency Test",
                                  "Generating primary key list", "Generating stats"));
}

TEST_F(CoordinatorTest, LongSetUpGoesInBatches) {
  plan_.iterations = 1;
  plan_.create.assign(600, "INSERT INTO t1 VALUES (1)");
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kValid);
  std::vector<int> batches;
  for (const v1::RunRequest& request : agents_[0]->requests()) {
    const auto& statements = request.run_script().statements();
    if (!statements.empty() && statements[0].text().rfind("INSERT", 0) == 0) {
      batches.push_back(statements.size());
    }
  }
  EXPECT_THAT(batches, ElementsAre(256, 256, 88));
}

TEST_F(CoordinatorTest, ProgressTellsPhasesAndIsClearedAtTheEnd) {
  Run();
  std::vector<RunProgress::Phase> phases;
  for (const RunProgress& update : progress_.updates) {
    if (phases.empty() || phases.back() != update.phase) phases.push_back(update.phase);
  }
  using Phase = RunProgress::Phase;
  EXPECT_THAT(phases,
              ElementsAre(Phase::kSetUp, Phase::kConnecting, Phase::kRunning, Phase::kTearDown,
                          Phase::kSetUp, Phase::kConnecting, Phase::kRunning, Phase::kTearDown));
  EXPECT_EQ(progress_.updates.back().connected, 4u);
  EXPECT_EQ(progress_.updates.back().planned, 7u);
  EXPECT_EQ(progress_.cleared, 2);  // for the case and at the end
}

}  // namespace
}  // namespace dslap
