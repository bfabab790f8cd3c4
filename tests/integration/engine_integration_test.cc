// The load engine, with each kind of carrier, over real connections to a real server.
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "agent/engine/make_engine.h"
#include "agent/sql/mysql_connection_factory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int64_t kSecondNs = 1'000'000'000;

const auto* const kSandboxEnvironment = AddSandboxEnvironment({"--max-connections=120"});

SqlTarget Target() {
  SqlTarget target;
  target.host = Sandbox().host();
  target.port = Sandbox().port();
  target.user = Sandbox().user();
  target.password = Secret(Sandbox().password());
  return target;
}

class EngineIntegrationTest : public ::testing::TestWithParam<EngineKind> {
 protected:
  EngineIntegrationTest() {
    Sandbox().MakeSchema("shop");
    Sandbox().Execute("CREATE TABLE shop.t (a INT); INSERT INTO shop.t VALUES (1)");
  }

  RoundSpec Spec(std::vector<LoadClientGroup> groups, std::vector<std::string> texts) {
    auto list = std::make_shared<StatementList>();
    for (std::string& text : texts) list->statements.push_back({std::move(text), false});
    RoundSpec spec;
    spec.round = ++round_;
    spec.groups = std::move(groups);
    spec.default_schema = "shop";
    spec.statements = list;
    return spec;
  }

  // Prepares and runs a round in which nothing may go wrong.
  RoundOutcome RunRound(const RoundSpec& spec) {
    const PrepareOutcome prepared = engine_.Prepare(spec);
    EXPECT_EQ(prepared.clients_connected, spec.clients());
    for (const ErrorTally::Entry& entry : prepared.connect_errors.entries()) {
      ADD_FAILURE() << entry.first.ToString();
    }
    EXPECT_FALSE(prepared.key_error.has_value());
    RoundOutcome outcome = RunNow();
    for (const ErrorTally::Entry& entry : outcome.errors.entries()) {
      ADD_FAILURE() << entry.first.ToString();
    }
    EXPECT_EQ(outcome.clients_finished, spec.clients());
    return outcome;
  }

  RoundOutcome RunNow() {
    return engine_.Run(SteadyClock::Get()->NowNs(), [](int64_t) {});
  }

  // Statements of dslap's user that the server is executing now.
  std::string Running() {
    return Sandbox().Value(
        absl::StrCat("SELECT COUNT(*) FROM information_schema.processlist WHERE user = '",
                     Sandbox().user(), "' AND command = 'Query'"));
  }

  bool AwaitRunning(const std::string& count) {
    const absl::Time deadline = absl::Now() + absl::Seconds(20);
    while (absl::Now() < deadline) {
      if (Running() == count) return true;
    }
    return false;
  }

  std::unique_ptr<LoadEngine> MakeEngineFor(SqlTarget target) {
    return MakeEngine({.kind = GetParam()},
                      std::make_shared<MySqlConnectionFactory>(std::move(target)),
                      SteadyClock::Get())
        .value();
  }

  const std::unique_ptr<LoadEngine> made_ = MakeEngineFor(Target());
  LoadEngine& engine_ = *made_;
  uint64_t round_ = 0;
};

TEST_P(EngineIntegrationTest, ServerCountsExactlyTheStatementsOfTheShares) {
  const uint64_t before = Sandbox().StatusCounter("Com_select");
  const RoundOutcome outcome =
      RunRound(Spec({{3, 143}, {4, 142}}, {"SELECT a FROM t", "SELECT 1"}));
  EXPECT_EQ(outcome.statements_succeeded, 997);
  EXPECT_EQ(Sandbox().StatusCounter("Com_select") - before, 997);
}

TEST_P(EngineIntegrationTest, CommitsAndDetachesAsOftenAsAsked) {
  const uint64_t commits = Sandbox().StatusCounter("Com_commit");
  RoundSpec spec = Spec({{2, 100}}, {"INSERT INTO t VALUES (2)"});
  spec.commit_every = 15;
  RunRound(spec);
  EXPECT_EQ(Sandbox().StatusCounter("Com_commit") - commits, 2 * 7);
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM shop.t WHERE a = 2"), "200");
}

TEST_P(EngineIntegrationTest, NothingIsLostByDetachesBetweenCommits) {
  RoundSpec spec = Spec({{5, 101}}, {"INSERT INTO t VALUES (3)"});
  spec.commit_every = 7;
  spec.detach_every = 10;
  const RoundOutcome outcome = RunRound(spec);
  EXPECT_EQ(outcome.reconnects, 5 * 10);
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM shop.t WHERE a = 3"), "505");
}

TEST_P(EngineIntegrationTest, SessionVariablesSurviveFromStatementToStatement) {
  RunRound(Spec({{1, 5}}, {"INSERT INTO t SELECT @val := COALESCE(@val, 10) + 1"}));
  EXPECT_EQ(Sandbox().Value("SELECT GROUP_CONCAT(a ORDER BY a) FROM shop.t WHERE a > 10"),
            "11,12,13,14,15");
  // The next round begins with a fresh session.
  RunRound(Spec({{1, 1}}, {"INSERT INTO t SELECT COALESCE(@val, 99)"}));
  EXPECT_EQ(Sandbox().Value("SELECT MAX(a) FROM shop.t"), "99");
}

TEST_P(EngineIntegrationTest, ConnectionsAreKeptBetweenRoundsUnlessAskedOtherwise) {
  const uint64_t start = Sandbox().StatusCounter("Connections");
  RunRound(Spec({{20, 2}}, {"SELECT 1"}));
  const uint64_t first = Sandbox().StatusCounter("Connections");
  EXPECT_EQ(first - start, 20 + 1);  // and the one that asked
  RunRound(Spec({{20, 2}}, {"SELECT 1"}));
  EXPECT_EQ(Sandbox().StatusCounter("Connections") - first, 1);
  RoundSpec fresh = Spec({{20, 2}}, {"SELECT 1"});
  fresh.reconnect = true;
  RunRound(fresh);
  EXPECT_EQ(Sandbox().StatusCounter("Connections") - first, 20 + 2);
}

TEST_P(EngineIntegrationTest, KeptConnectionsFollowTheSchemaThatWasMadeAnew) {
  RunRound(Spec({{3, 1}}, {"SELECT a FROM t"}));
  Sandbox().Execute("DROP DATABASE shop; CREATE DATABASE shop; CREATE TABLE shop.t (a INT)");
  RunRound(Spec({{3, 1}}, {"INSERT INTO t VALUES (1)"}));
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM shop.t"), "3");
}

TEST_P(EngineIntegrationTest, KeysAreDrawnFromTheDatabase) {
  Sandbox().Execute(
      "CREATE TABLE shop.k (id VARCHAR(36) PRIMARY KEY, hits INT DEFAULT 0);"
      "INSERT INTO shop.k (id) VALUES ('a'), ('it''s'), ('back\\\\slash')");
  auto list = std::make_shared<StatementList>();
  list->statements = {{"UPDATE k SET hits = hits + 1 WHERE id = ", true}};
  RoundSpec spec = Spec({{4, 50}}, {});
  spec.statements = list;
  spec.key_query = "SELECT id FROM k";
  spec.error_policy.ignored_codes = {1020};
  RunRound(spec);
  EXPECT_EQ(Sandbox().Value("SELECT SUM(hits) FROM shop.k"), "200");
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM shop.k WHERE hits > 30"), "3");
}

TEST_P(EngineIntegrationTest, StopKillsWhatRunsOnTheServer) {
  engine_.Prepare(Spec({{10, 3}}, {"SELECT SLEEP(60)"}));
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  ASSERT_TRUE(AwaitRunning("10"));
  const absl::Time stopped = absl::Now();
  engine_.Stop(RoundStopCause::kController, 100'000'000);
  const RoundOutcome outcome = running.get();
  EXPECT_LT(absl::Now() - stopped, absl::Seconds(5));
  EXPECT_EQ(outcome.statements_interrupted, 10);
  EXPECT_EQ(outcome.statements_failed, 0);
  EXPECT_EQ(outcome.statements_succeeded, 0);
  EXPECT_EQ(Running(), "0");
  // The connections have survived and serve the next round.
  EXPECT_EQ(engine_.Prepare(Spec({{10, 1}}, {"SELECT 1"})).connect_time.count(), 0);
  EXPECT_EQ(RunNow().statements_succeeded, 10);
  engine_.CloseAll();
  EXPECT_TRUE(Sandbox().WaitForConnections(0, absl::Seconds(10)));
}

TEST_P(EngineIntegrationTest, WrongPasswordIsToldOnceAndNotTriedByAll) {
  SqlTarget target = Target();
  target.password = Secret("wrong");
  const std::unique_ptr<LoadEngine> made = MakeEngineFor(target);
  LoadEngine& engine = *made;
  const absl::Time start = absl::Now();
  const PrepareOutcome outcome = engine.Prepare(Spec({{300, 1}}, {"SELECT 1"}));
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
  EXPECT_EQ(outcome.clients_connected, 0);
  EXPECT_GE(outcome.clients_not_tried, 200);
  ASSERT_THAT(outcome.connect_errors.entries(), SizeIs(1));
  EXPECT_EQ(outcome.connect_errors.entries()[0].first.code, 1045);
  EXPECT_EQ(outcome.connect_errors.entries()[0].first.sqlstate, "28000");
}

TEST_P(EngineIntegrationTest, UnknownSchemaIsHopelessAlsoForKeptConnections) {
  RunRound(Spec({{5, 1}}, {"SELECT 1"}));
  RoundSpec spec = Spec({{5, 1}}, {"SELECT 1"});
  spec.default_schema = "absent";
  const PrepareOutcome outcome = engine_.Prepare(spec);
  EXPECT_EQ(outcome.clients_connected, 0);
  ASSERT_THAT(outcome.connect_errors.entries(), SizeIs(1));
  EXPECT_EQ(outcome.connect_errors.entries()[0].first.code, 1049);
}

TEST_P(EngineIntegrationTest, LimitOfTheAccountLetsInAsManyAsItAllows) {
  Sandbox().Execute(
      "DROP USER IF EXISTS few@'%'; CREATE USER few@'%' IDENTIFIED BY 'pw' WITH "
      "MAX_USER_CONNECTIONS 2;"
      "GRANT ALL ON shop.* TO few@'%'");
  SqlTarget target = Target();
  target.user = "few";
  target.password = Secret("pw");
  const std::unique_ptr<LoadEngine> made = MakeEngineFor(target);
  LoadEngine& engine = *made;
  const PrepareOutcome prepared = engine.Prepare(Spec({{10, 4}}, {"SELECT a FROM t"}));
  EXPECT_EQ(prepared.clients_asked, 10);
  EXPECT_EQ(prepared.clients_connected, 2);
  ASSERT_THAT(prepared.connect_errors.entries(), SizeIs(1));
  EXPECT_EQ(prepared.connect_errors.entries()[0].first.code, 1226);
  EXPECT_EQ(prepared.connect_errors.entries()[0].count, 8);
  const RoundOutcome outcome = engine.Run(0, [](int64_t) {});
  EXPECT_EQ(outcome.statements_succeeded, 8);
}

TEST_P(EngineIntegrationTest, ServerWithTooFewConnectionsIsRetriedThenCounted) {
  const PrepareOutcome prepared = engine_.Prepare(Spec({{150, 1}}, {"SELECT 1"}));
  EXPECT_GE(prepared.clients_connected, 115);
  EXPECT_LE(prepared.clients_connected, 121);
  ASSERT_THAT(prepared.connect_errors.entries(), SizeIs(1));
  EXPECT_EQ(prepared.connect_errors.entries()[0].first.code, 1040);
  EXPECT_EQ(prepared.clients_connected + prepared.connect_errors.total(), 150);
  EXPECT_EQ(RunNow().statements_succeeded, prepared.clients_connected);
}

TEST_P(EngineIntegrationTest, ServerThatIsNotThereIsOneErrorWithinSeconds) {
  SqlTarget target = Target();
  target.port = 1;
  const std::unique_ptr<LoadEngine> made = MakeEngineFor(target);
  LoadEngine& engine = *made;
  const absl::Time start = absl::Now();
  const PrepareOutcome outcome = engine.Prepare(Spec({{100, 1}}, {"SELECT 1"}));
  EXPECT_LT(absl::Now() - start, absl::Seconds(8));
  EXPECT_EQ(outcome.clients_connected, 0);
  EXPECT_THAT(outcome.connect_errors.entries().at(0).first.message,
              HasSubstr("(111): Connection refused"));
}

TEST_P(EngineIntegrationTest, StatementErrorStopsTheRoundUnlessIgnored) {
  RoundSpec spec = Spec({{4, 10}}, {"SELECT * FROM absent"});
  engine_.Prepare(spec);
  RoundOutcome outcome = RunNow();
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kError);
  EXPECT_GE(outcome.statements_failed, 1);
  EXPECT_LE(outcome.statements_failed, 4);
  EXPECT_EQ(outcome.errors.entries().at(0).first.code, 1146);
  EXPECT_EQ(outcome.errors.entries().at(0).first.sqlstate, "42S02");

  spec.error_policy.ignored_codes = {1146};
  engine_.Prepare(spec);
  outcome = RunNow();
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kNone);
  EXPECT_EQ(outcome.statements_failed, 40);
  EXPECT_EQ(outcome.clients_finished, 4);
}

TEST_P(EngineIntegrationTest, KilledConnectionsAreRemadeWhenListed) {
  // Long enough for the kills to meet no client at its last statement.
  RoundSpec spec = Spec({{3, 10}}, {"SELECT SLEEP(0.2)"});
  spec.error_policy.ignored_codes = {1317, 1927, 2006, 2013};
  engine_.Prepare(spec);
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  ASSERT_TRUE(AwaitRunning("3"));
  std::string kills;
  for (const std::vector<std::string>& row :
       Sandbox().Rows(absl::StrCat("SELECT id FROM information_schema.processlist WHERE user = '",
                                   Sandbox().user(), "'"))) {
    absl::StrAppend(&kills, "KILL ", row[0], ";");
  }
  Sandbox().Execute(kills);
  const RoundOutcome outcome = running.get();
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kNone);
  EXPECT_EQ(outcome.statements_failed, 3);
  EXPECT_EQ(outcome.statements_succeeded, 27);
  EXPECT_EQ(outcome.reconnects, 3);
  EXPECT_EQ(outcome.clients_finished, 3);
}

TEST_P(EngineIntegrationTest, ManyClientsReadLargeResultsAtOnce) {
  const RoundOutcome outcome = RunRound(
      Spec({{50, 1}}, {absl::StrCat("SELECT REPEAT('x', 10000) FROM ", SequenceTable(1000))}));
  EXPECT_EQ(outcome.statements_succeeded, 50);
}

INSTANTIATE_TEST_SUITE_P(Carriers, EngineIntegrationTest,
                         ::testing::Values(EngineKind::kThreads, EngineKind::kLoops),
                         [](const ::testing::TestParamInfo<EngineKind>& kind) {
                           return kind.param == EngineKind::kThreads ? "Threads" : "Loops";
                         });

}  // namespace
}  // namespace dslap
