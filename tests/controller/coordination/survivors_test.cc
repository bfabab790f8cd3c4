// Runs that go on without some of their agents: those that were missing at the start
// (--min-agents), and those that were lost on the way (--on-agent-loss=continue).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/controller/coordination/coordinator_fixture.h"

namespace dslap {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Kind = v1::RunRequest::MessageCase;

// "2+1" for each round an agent was asked to prepare: its clients by group, "-" for none.
std::string Prepared(const FakeAgentLink& agent) {
  std::vector<std::string> rounds;
  for (const v1::RunRequest& request : agent.requests()) {
    if (!request.has_prepare_round()) continue;
    const auto& groups = request.prepare_round().groups();
    rounds.push_back(
        groups.empty() ? "-" : absl::StrJoin(groups, "+", [](std::string* out, const auto& group) {
          absl::StrAppend(out, group.clients());
        }));
  }
  return absl::StrJoin(rounds, " ");
}

uint64_t Statements(const RoundRecord& round) {
  uint64_t sum = 0;
  for (const AgentRoundRecord& agent : round.agents) {
    if (agent.done.has_value()) sum += agent.done->statements_succeeded();
  }
  return sum;
}

class MinAgentsTest : public CoordinatorTest {};

TEST_F(MinAgentsTest, RunsOnThoseThatAreThereAndNamesTheOthers) {
  config_.min_agents = 1;
  agents_[0]->info = absl::UnavailableError("connect: Connection refused");
  agents_[2]->info->mutable_active_run()->set_run_id("r42");
  agents_[2]->info->mutable_active_run()->set_controller("eve@laptop pid 9");
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_THAT(agents_[0]->kinds(), IsEmpty());
  EXPECT_THAT(agents_[2]->kinds(), IsEmpty());
  EXPECT_EQ(Prepared(*agents_[1]), "3+1 3+1");
  EXPECT_EQ(agents_[1]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
  for (const RoundRecord& round : record.cases[0].rounds) {
    EXPECT_TRUE(round.complete);
    EXPECT_EQ(Statements(round), 7u);
  }
  EXPECT_TRUE(record.agents[0].missing);
  EXPECT_EQ(record.agents[0].missing_reason, "connect: Connection refused");
  EXPECT_FALSE(record.agents[0].lost);
  EXPECT_FALSE(record.agents[1].missing);
  EXPECT_TRUE(record.agents[2].missing);
  EXPECT_EQ(record.agents[2].missing_reason,
            "busy with run r42 of eve@laptop pid 9 since 0 s: wait for it, or use another agent");
  EXPECT_THAT(narrator_.warnings, ElementsAre("agent a is missing (connect: Connection refused)",
                                              HasSubstr("agent c is missing (busy with run r42"),
                                              "running on 1 of 3 agents (--min-agents)"));
}

TEST_F(MinAgentsTest, ClientsAreSharedByTheWeightsOfThoseThatAreThere) {
  config_.min_agents = 2;
  config_.weights = {5, 3, 1};
  agents_[0]->info = absl::UnavailableError("connect: Connection refused");
  Run();
  EXPECT_EQ(Prepared(*agents_[1]), "3 3");
  EXPECT_EQ(Prepared(*agents_[2]), "1 1");
}

TEST_F(MinAgentsTest, ConnectRateIsSharedAmongThoseThatAreThere) {
  config_.min_agents = 2;
  config_.load_engine.connect_rate = 10;
  agents_[0]->info = absl::UnavailableError("connect: Connection refused");
  Run();
  EXPECT_EQ(agents_[1]->requests()[0].open().load_engine().connect_interval_ns(), 200'000'000u);
}

TEST_F(MinAgentsTest, TooFewEndTheRunBeforeAnythingIsOpened) {
  config_.min_agents = 2;
  agents_[0]->info = absl::UnavailableError("connect: Connection refused");
  agents_[2]->info = absl::UnavailableError("connect: No route to host");
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentUnavailable);
  EXPECT_EQ(record.failure.message(),
            "agent a: connect: Connection refused; agent c: connect: No route to host; that leaves "
            "1 of 3 agents, and --min-agents=2 asks for more");
  EXPECT_THAT(agents_[1]->kinds(), IsEmpty());
  EXPECT_THAT(narrator_.warnings, IsEmpty());
}

TEST_F(MinAgentsTest, AgentThatFallsAwayBeforeItHasOpenedIsMissingNotLost) {
  config_.min_agents = 1;
  agents_[0]->break_on.insert(Kind::kOpen);
  agents_[0]->break_status = absl::ResourceExhaustedError("agent is busy with run r9");
  agents_[1]->ignore.insert(Kind::kOpen);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_EQ(Prepared(*agents_[2]), "3+1 3+1");
  EXPECT_EQ(record.agents[0].missing_reason,
            "refused at the opening of the run: agent is busy with run r9");
  EXPECT_EQ(record.agents[1].missing_reason, "did not open the run within 10 s");
  EXPECT_FALSE(record.agents[0].lost);
  EXPECT_FALSE(record.agents[1].lost);
  EXPECT_TRUE(agents_[1]->cancelled());
}

TEST_F(MinAgentsTest, NobodyOpeningEndsTheRun) {
  config_.min_agents = 1;
  for (FakeAgentLink* agent : agents_) agent->break_on.insert(Kind::kOpen);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentUnavailable);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr("that leaves 0 of 3 agents, and --min-agents=1 asks for more"));
}

class ContinueTest : public CoordinatorTest {
 protected:
  ContinueTest() {
    config_.on_agent_loss = AgentLossPolicy::kContinue;
    plan_.iterations = 3;
  }

  // The agent's stream breaks when it is told for the `nth` time.
  void BreakOn(size_t agent, Kind kind, int nth) {
    agents_[agent]->on_request = [=, this, seen = 0](const v1::RunRequest& request) mutable {
      if (request.message_case() != kind || ++seen != nth) return;
      agents_[agent]->Break(absl::UnavailableError("the connection was closed"));
    };
  }
  // ... when it is to run this statement.
  void BreakOnSql(size_t agent, const std::string& sql, int nth) {
    agents_[agent]->on_request = [=, this, seen = 0](const v1::RunRequest& request) mutable {
      for (const v1::ScriptStatement& statement : request.run_script().statements()) {
        if (!absl::StrContains(statement.text(), sql) || ++seen != nth) continue;
        agents_[agent]->Break(absl::UnavailableError("the connection was closed"));
      }
    };
  }
  std::vector<bool> Complete(const RunRecord& record) {
    std::vector<bool> complete;
    for (const RoundRecord& round : record.cases.at(0).rounds) complete.push_back(round.complete);
    return complete;
  }
};

TEST_F(ContinueTest, LossInTheLoadMarksThatRoundAndTheNextHasAllClientsAgain) {
  BreakOn(1, Kind::kStartRound, 2);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_THAT(Complete(record), ElementsAre(true, false, true));
  EXPECT_FALSE(record.cases[0].rounds[0].agent_lost);
  EXPECT_TRUE(record.cases[0].rounds[1].agent_lost);
  EXPECT_EQ(Prepared(*agents_[0]), "2 2 2");
  EXPECT_EQ(Prepared(*agents_[1]), "1 1");
  EXPECT_EQ(Prepared(*agents_[2]), "1 1 1+1");
  // What it reported before counts; of the round in which it was lost nothing is known.
  EXPECT_EQ(record.cases[0].rounds[0].agents[1].done->statements_succeeded(), 2u);
  EXPECT_FALSE(record.cases[0].rounds[1].agents[1].done.has_value());
  EXPECT_EQ(Statements(record.cases[0].rounds[1]), 5u);
  EXPECT_EQ(Statements(record.cases[0].rounds[2]), 7u);
  EXPECT_TRUE(record.agents[1].lost);
  EXPECT_EQ(record.agents[1].loss_reason, "the connection was closed");
  EXPECT_EQ(record.agents[1].lost_case, 1u);
  EXPECT_EQ(record.agents[1].lost_round, 2u);
  EXPECT_THAT(narrator_.warnings,
              ElementsAre("agent b was lost (the connection was closed); going on with 2 agents"));
  EXPECT_EQ(agents_[0]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
  EXPECT_EQ(record.tear_down, absl::OkStatus());
}

TEST_F(ContinueTest, TheOthersGoOnToTheEndOfTheRound) {
  BreakOn(1, Kind::kStartRound, 1);
  Run();
  EXPECT_THAT(agents_[0]->kinds(), Not(Contains("StopRound")));
}

TEST_F(ContinueTest, SilentAgentIsGoneAfterTheLease) {
  agents_[1]->on_request = [this](const v1::RunRequest& request) {
    if (request.has_start_round()) agents_[1]->ignore = {Kind::kStartRound, Kind::kHeartbeat};
  };
  const RunRecord record = Run();
  EXPECT_THAT(Complete(record), ElementsAre(false, true, true));
  EXPECT_EQ(record.agents[1].loss_reason, "no message from the agent for 11.0 s");
}

TEST_F(ContinueTest, AgentThatHadFinishedTheRoundLeavesItComplete) {
  agents_[0]->on_request = [this](const v1::RunRequest& request) {
    if (request.has_close()) return;
    // b has said RoundDone by the time that c is told to start.
    if (request.has_run_script() || !request.has_start_round()) return;
    agents_[2]->on_request = [this](const v1::RunRequest& other) {
      if (other.has_start_round()) agents_[1]->Break(absl::UnavailableError("gone"));
    };
  };
  const RunRecord record = Run();
  EXPECT_THAT(Complete(record), ElementsAre(true, true, true));
  EXPECT_TRUE(record.agents[1].lost);
  EXPECT_EQ(Prepared(*agents_[1]), "1");
}

TEST_F(ContinueTest, AgentWithoutClientsTakesNothingFromTheRoundWithIt) {
  plan_.cases[0].clients = 2;
  plan_.cases[0].statements = 4;
  BreakOn(2, Kind::kStartRound, 1);
  const RunRecord record = Run();
  EXPECT_EQ(Prepared(*agents_[2]), "-");
  EXPECT_THAT(Complete(record), ElementsAre(true, true, true));
}

TEST_F(ContinueTest, LossBeforeTheGatePreparesTheSameRoundAnewForAllClients) {
  BreakOn(1, Kind::kPrepareRound, 2);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_THAT(Complete(record), ElementsAre(true, true, true));
  EXPECT_EQ(Prepared(*agents_[0]), "2 2 2 2");
  EXPECT_EQ(Prepared(*agents_[2]), "1 1 1+1 1+1");
  // The set-up of the round is not repeated for it.
  uint64_t creates = 0;
  for (const std::string& sql : agents_[0]->sql_seen()) creates += sql == "CREATE SCHEMA `shop`";
  EXPECT_EQ(creates, 3u);
  EXPECT_EQ(record.agents[1].lost_round, 2u);
}

// b is lost when it was ready and c was not yet.
TEST_F(ContinueTest, LossOfAReadyAgentPreparesAnewToo) {
  agents_[2]->on_request = [this, seen = 0](const v1::RunRequest& request) mutable {
    if (request.has_prepare_round() && ++seen == 1) {
      agents_[1]->Break(absl::UnavailableError("gone"));
    }
  };
  const RunRecord record = Run();
  EXPECT_THAT(Complete(record), ElementsAre(true, true, true));
  EXPECT_EQ(Prepared(*agents_[0]), "2 2 2 2");
  EXPECT_THAT(agents_[0]->kinds(), Contains("StopRound"));
}

TEST_F(ContinueTest, LastAgentLeftGoesOnAlone) {
  BreakOn(0, Kind::kStartRound, 1);
  BreakOn(1, Kind::kStartRound, 2);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_THAT(Complete(record), ElementsAre(false, false, true));
  EXPECT_EQ(Prepared(*agents_[2]), "1 1+1 3+1");
  EXPECT_THAT(narrator_.warnings,
              ElementsAre(HasSubstr("agent a was lost (the connection was closed); going on with "
                                    "2 agents"),
                          HasSubstr("going on with 1 agent")));
  EXPECT_EQ(agents_[2]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
}

TEST_F(ContinueTest, LossOfTheLastEndsTheRun) {
  BreakOn(0, Kind::kStartRound, 1);
  BreakOn(1, Kind::kStartRound, 2);
  BreakOn(2, Kind::kStartRound, 2);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr("agent c: lost during the load: the connection was closed"));
  EXPECT_THAT(std::string(record.failure.message()), Not(HasSubstr("agent a")));
  EXPECT_THAT(Complete(record), ElementsAre(false, false));
  EXPECT_TRUE(record.agents[2].lost);
}

TEST_F(ContinueTest, AllLostAtOnceAreAllNamed) {
  for (size_t i = 0; i < 3; ++i) BreakOn(i, Kind::kStartRound, 1);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  for (const char* name : {"agent a", "agent b", "agent c"}) {
    EXPECT_TRUE(absl::StrContains(record.failure.message(), name) ||
                absl::StrContains(absl::StrJoin(narrator_.warnings, "\n"), name))
        << name;
  }
}

TEST_F(ContinueTest, LossBeforeTheFirstRoundIsSaidToBe) {
  BreakOn(2, Kind::kStatementsChunk, 1);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_TRUE(record.agents[2].lost);
  EXPECT_EQ(record.agents[2].lost_case, 0u);
  EXPECT_EQ(record.agents[2].lost_round, 0u);
  EXPECT_THAT(Complete(record), ElementsAre(true, true, true));
}

TEST_F(ContinueTest, SurvivorLooksUpTheSchema) {
  BreakOnSql(0, "SCHEMATA", 1);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_THAT(agents_[1]->sql_seen().front(), HasSubstr("INFORMATION_SCHEMA.SCHEMATA"));
  EXPECT_EQ(agents_[1]->sql_seen().back(), "DROP SCHEMA IF EXISTS `shop`");
}

TEST_F(ContinueTest, SurvivorBeginsTheSetUpAnewInASchemaOfItsOwn) {
  BreakOnSql(0, "CREATE TABLE t1", 1);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  const std::vector<std::string> sql = agents_[1]->sql_seen();
  ASSERT_GE(sql.size(), 4u);
  EXPECT_EQ(sql[0], "DROP SCHEMA IF EXISTS `shop`");
  EXPECT_EQ(sql[1], "CREATE SCHEMA `shop`");
  EXPECT_EQ(sql[3], "CREATE TABLE t1 (a INT)");
  EXPECT_THAT(Complete(record), ElementsAre(true, true, true));
}

TEST_F(ContinueTest, SchemaThatTheLostAgentDidNotCreateIsCreatedByASurvivor) {
  BreakOnSql(0, "CREATE SCHEMA", 1);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  const std::vector<std::string> sql = agents_[1]->sql_seen();
  ASSERT_GE(sql.size(), 2u);
  EXPECT_THAT(sql[0], HasSubstr("INFORMATION_SCHEMA.SCHEMATA"));
  EXPECT_EQ(sql[1], "CREATE SCHEMA `shop`");
}

TEST_F(ContinueTest, SchemaOfUnknownOriginIsNotDroppedToGoOn) {
  BreakOnSql(0, "CREATE SCHEMA", 1);
  agents_[1]->sql = [](const std::string& sql) {
    return FakeSqlAnswer{{}, absl::StrContains(sql, "SCHEMATA") ? 1 : 0};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_EQ(record.failure.message(),
            "schema `shop` is there after the loss of the agent that was to create it, and without "
            "dslap's mark: it may be somebody's");
  EXPECT_THAT(agents_[1]->sql_seen(), Not(Contains(HasSubstr("DROP"))));
}

TEST_F(ContinueTest, LossOfTheAgentOfAPreQueryBeginsTheRoundAnew) {
  plan_.pre_queries = {"SELECT 'pre 1'", "SELECT 'pre 2'"};
  plan_.pre_system = "before";
  BreakOnSql(0, "pre 2", 2);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  const std::vector<std::string> sql = agents_[1]->sql_seen();
  ASSERT_GE(sql.size(), 6u);
  EXPECT_EQ(sql[1], "CREATE SCHEMA `shop`");
  EXPECT_EQ(sql[4], "SELECT 'pre 1'");
  EXPECT_EQ(sql[5], "SELECT 'pre 2'");
  EXPECT_EQ(launcher_.started.size(), 4u);
}

TEST_F(ContinueTest, LossDuringAHookDoesNotEndTheHook) {
  plan_.pre_system = "sleep 60";
  launcher_.behaviour = [](const std::string&) { return FakeCommand{.takes_ns = 60'000'000'000}; };
  agents_[1]->on_request = [this](const v1::RunRequest& request) {
    if (request.has_heartbeat() && agents_[1]->heartbeats() == 20) {
      agents_[1]->Break(absl::UnavailableError("gone"));
    }
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_EQ(launcher_.started.size(), 3u);
  EXPECT_EQ(Prepared(*agents_[1]), "");
  EXPECT_THAT(Complete(record), ElementsAre(true, true, true));
}

TEST_F(ContinueTest, SurvivorRunsThePostQueriesFromTheFirst) {
  plan_.post_queries = {"SELECT 'post 1'", "SELECT 'post 2'"};
  BreakOnSql(0, "post 2", 1);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  const std::vector<std::string> sql = agents_[1]->sql_seen();
  ASSERT_GE(sql.size(), 2u);
  EXPECT_EQ(sql[0], "SELECT 'post 1'");
  EXPECT_EQ(sql[1], "SELECT 'post 2'");
  EXPECT_THAT(Complete(record), ElementsAre(true, true, true));
}

constexpr char kAsksForTheMark[] = "AND TABLE_COMMENT = ";

TEST_F(ContinueTest, SurvivorDropsTheSchemaThatIsStillThisRuns) {
  BreakOnSql(0, "DROP SCHEMA", 3);
  agents_[1]->sql = [](const std::string& sql) {
    return FakeSqlAnswer{{}, absl::StrContains(sql, kAsksForTheMark) ? 1 : 0};
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_EQ(record.tear_down, absl::OkStatus());
  EXPECT_THAT(agents_[1]->sql_seen(),
              ElementsAre(HasSubstr(kAsksForTheMark), "DROP SCHEMA IF EXISTS `shop`"));
}

// The lost agent had dropped it, and another run had made one of the same name since.
TEST_F(ContinueTest, SchemaThatIsAnotherRunsByNowIsNotDropped) {
  BreakOnSql(0, "DROP SCHEMA", 3);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_EQ(record.tear_down, absl::OkStatus());
  EXPECT_THAT(agents_[1]->sql_seen(), ElementsAre(HasSubstr(kAsksForTheMark)));
}

// The second agent has told of connection 7, and the server still shows it.
class LeftConnectionTest : public ContinueTest {
 protected:
  LeftConnectionTest() {
    agents_[1]->connections = {{7, 4007}};
    agents_[0]->sql = [](const std::string& sql) {
      FakeSqlAnswer answer;
      if (absl::StrContains(sql, "PROCESSLIST")) answer.more_rows = {{"7", "b:4007"}};
      return answer;
    };
  }
  // Where the first agent was asked to run this, for the last time; -1: never.
  ptrdiff_t LastSeen(const std::string& sql) const {
    const std::vector<std::string> seen = agents_[0]->sql_seen();
    for (size_t i = seen.size(); i > 0; --i) {
      if (absl::StrContains(seen[i - 1], sql)) return static_cast<ptrdiff_t>(i) - 1;
    }
    return -1;
  }
};

// The DROP would wait for what its statement holds, and nothing bounds it.
TEST_F(LeftConnectionTest, IsKilledBeforeTheSchemaIsDropped) {
  plan_.iterations = 1;
  BreakOn(1, Kind::kStartRound, 1);
  Run();
  EXPECT_GT(LastSeen("KILL CONNECTION 7"), LastSeen("CREATE TABLE t1"));
  EXPECT_GT(LastSeen("DROP SCHEMA"), LastSeen("KILL CONNECTION 7"));
}

// It holds places that the clients need.
TEST_F(LeftConnectionTest, IsKilledBeforeTheRoundIsPreparedAnew) {
  agents_[2]->on_request = [this](const v1::RunRequest& request) {
    if (request.has_prepare_round()) agents_[1]->Break(absl::UnavailableError("is gone"));
  };
  Run();
  std::vector<std::string> order;
  for (const v1::RunRequest& request : agents_[0]->requests()) {
    if (request.has_prepare_round()) order.emplace_back("prepare");
    for (const v1::ScriptStatement& statement : request.run_script().statements()) {
      if (statement.text() == "KILL CONNECTION 7") order.emplace_back("kill");
    }
  }
  ASSERT_GE(order.size(), 3U);
  EXPECT_EQ(order[0], "prepare");
  EXPECT_EQ(order[1], "kill");
  EXPECT_EQ(order[2], "prepare");
}

// It was taken note of over the killing, and forgotten: the remaining rounds ran.
TEST_F(LeftConnectionTest, InterruptWhileItIsLookedForEndsTheRun) {
  BreakOn(1, Kind::kStartRound, 1);
  agents_[0]->on_request = [this](const v1::RunRequest& request) {
    for (const v1::ScriptStatement& statement : request.run_script().statements()) {
      if (absl::StrContains(statement.text(), "PROCESSLIST")) coordinator_->Interrupt();
    }
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
  EXPECT_EQ(record.cases.at(0).rounds.size(), 1U);
  EXPECT_GE(LastSeen("KILL CONNECTION 7"), 0);
}

TEST_F(ContinueTest, InterruptStillEndsTheRun) {
  BreakOn(1, Kind::kStartRound, 1);
  agents_[2]->on_request = [this, seen = 0](const v1::RunRequest& request) mutable {
    if (request.has_start_round() && ++seen == 2) coordinator_->Interrupt();
  };
  agents_[0]->round_runs_until_stopped = false;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kInterrupted);
}

}  // namespace
}  // namespace dslap
