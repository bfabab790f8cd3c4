#include "agent/session/session_scripts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/fakes/fake_database.h"

namespace dslap {
namespace {

using testing::ElementsAre;

v1::RunScript Script(const std::vector<std::string>& statements, const std::string& schema = "") {
  v1::RunScript script;
  script.set_script(7);
  script.set_default_schema(schema);
  for (const std::string& text : statements) {
    v1::ScriptStatement* statement = script.add_statements();
    statement->set_text(text);
    statement->set_return_rows(true);
  }
  return script;
}

class SessionScriptsTest : public testing::Test {
 protected:
  FakeDatabase database_;
  std::unique_ptr<SqlConnectionFactory> factory_ = database_.MakeFactory();
  SessionScripts scripts_{factory_.get()};
};

TEST_F(SessionScriptsTest, RunsStatementsInOrderAndReturnsRows) {
  database_.Answer("SELECT 1", {{"1", std::nullopt}, {"", "x"}});
  const v1::ScriptDone done = scripts_.Run(Script({"SELECT 1", "SET @a = 1"}, "shop"));
  EXPECT_EQ(done.script(), 7u);
  EXPECT_FALSE(done.has_error());
  EXPECT_EQ(done.failed_stage(), v1::SCRIPT_STAGE_UNSPECIFIED);
  ASSERT_EQ(done.results_size(), 2);
  ASSERT_EQ(done.results(0).rows_size(), 2);
  EXPECT_EQ(done.results(0).rows(0).cells(0).value(), "1");
  EXPECT_FALSE(done.results(0).rows(0).cells(0).is_null());
  EXPECT_TRUE(done.results(0).rows(0).cells(1).is_null());
  EXPECT_EQ(done.results(0).rows(1).cells(0).value(), "");
  EXPECT_FALSE(done.results(0).rows(1).cells(0).is_null());
  EXPECT_EQ(done.results(0).rows(1).cells(1).value(), "x");
  EXPECT_EQ(done.results(1).rows_size(), 0);
  EXPECT_THAT(database_.log(),
              ElementsAre("1 connect", "1 schema shop", "1 query SELECT 1", "1 query SET @a = 1"));
}

TEST_F(SessionScriptsTest, StatementThatMayNotBeginIsNotSent) {
  int asked = 0;
  scripts_.SetMayBegin([&asked](const v1::ScriptDone&) { return ++asked < 2; });
  const v1::ScriptDone done = scripts_.Run(Script({"DROP SCHEMA a", "CREATE SCHEMA a"}));
  EXPECT_EQ(done.results_size(), 1);
  EXPECT_EQ(done.error().message(), "the run is over: the statement was not begun");
  EXPECT_THAT(database_.log(), ElementsAre("1 connect", "1 query DROP SCHEMA a"));
}

TEST_F(SessionScriptsTest, RowsThatWereNotAskedForAreDropped) {
  database_.Answer("SELECT 1", {{"1"}});
  v1::RunScript script = Script({"SELECT 1"});
  script.mutable_statements(0)->set_return_rows(false);
  const v1::ScriptDone done = scripts_.Run(script);
  ASSERT_EQ(done.results_size(), 1);
  EXPECT_EQ(done.results(0).rows_size(), 0);
}

// Only the bytes of values were counted: rows of NULLs made a message larger than any may be.
TEST_F(SessionScriptsTest, CellsWithoutAValueCountAgainstTheLimitToo) {
  constexpr int kRowsOfAStatement = 1000;
  const std::vector<SqlRow> rows(kRowsOfAStatement, SqlRow(1000));
  database_.Answer("SELECT NULLS", rows);
  const v1::ScriptDone done = scripts_.Run(Script(std::vector<std::string>(30, "SELECT NULLS")));
  EXPECT_EQ(done.error().code(), 2000u);
  EXPECT_THAT(done.error().message(), testing::HasSubstr("the script's rows are larger than"));
  EXPECT_LT(done.ByteSizeLong(), size_t{64} << 20);
}

// The server counts connections of the clients for a moment after they were closed.
TEST_F(SessionScriptsTest, AfterGivingWayItWaitsForItsTurn) {
  const SqlError limit = {1226, "42000",
                          "User 'a' has exceeded the 'max_user_connections' resource"};
  database_.FailConnects(limit);
  EXPECT_EQ(scripts_.Run(Script({"SELECT 1"})).error().code(), 1226u);
  database_.FailConnects({});
  EXPECT_FALSE(scripts_.Run(Script({"SELECT 1"})).has_error());
  EXPECT_TRUE(scripts_.connected());
  scripts_.GiveWay();
  EXPECT_FALSE(scripts_.connected());
  EXPECT_EQ(database_.open_connections(), 0);
  database_.FailConnects(limit);
  std::future<v1::ScriptDone> done =
      std::async(std::launch::async, [&] { return scripts_.Run(Script({"SELECT 2"})); });
  EXPECT_EQ(done.wait_for(std::chrono::milliseconds(30)), std::future_status::timeout);
  database_.FailConnects({});
  EXPECT_FALSE(done.get().has_error());
}

TEST_F(SessionScriptsTest, OnTheKeptConnectionNothingButItsStatementsIsSent) {
  v1::RunScript script = Script({"SHOW STATUS"});
  script.set_on_kept_connection(true);
  const v1::ScriptDone without = scripts_.Run(script);
  EXPECT_EQ(without.error().code(), 2000u);
  EXPECT_EQ(without.error().message(), "the scripts have no connection now");
  EXPECT_EQ(without.failed_stage(), v1::SCRIPT_STAGE_CONNECT);
  EXPECT_THAT(database_.log(), ElementsAre());
  scripts_.Run(Script({"SELECT 1"}));
  EXPECT_FALSE(scripts_.Run(script).has_error());
  EXPECT_THAT(database_.log(), ElementsAre("1 connect", "1 query SELECT 1", "1 query SHOW STATUS"));
}

TEST_F(SessionScriptsTest, StopsAtTheFirstFailure) {
  database_.Fail("DROP TABLE t", {1051, "42S02", "Unknown table 't'"});
  const v1::ScriptDone done = scripts_.Run(Script({"SELECT 1", "DROP TABLE t", "SELECT 2"}));
  EXPECT_EQ(done.results_size(), 1);
  EXPECT_EQ(done.error().code(), 1051u);
  EXPECT_EQ(done.error().sqlstate(), "42S02");
  EXPECT_EQ(done.error().message(), "Unknown table 't'");
  EXPECT_EQ(done.failed_stage(), v1::SCRIPT_STAGE_STATEMENT);
  EXPECT_THAT(database_.log(),
              ElementsAre("1 connect", "1 query SELECT 1", "1 query DROP TABLE t"));
}

TEST_F(SessionScriptsTest, SaysThatConnectingFailed) {
  database_.FailConnects({1045, "28000", "Access denied"});
  v1::ScriptDone done = scripts_.Run(Script({"SELECT 1"}));
  EXPECT_EQ(done.error().code(), 1045u);
  EXPECT_EQ(done.failed_stage(), v1::SCRIPT_STAGE_CONNECT);
  EXPECT_EQ(done.results_size(), 0);
  database_.FailConnects({});
  done = scripts_.Run(Script({"SELECT 1"}));
  EXPECT_FALSE(done.has_error()) << "the next script tries again";
}

TEST_F(SessionScriptsTest, SaysThatTheSchemaFailed) {
  database_.Fail("USE nowhere", {1049, "42000", "Unknown database 'nowhere'"});
  const v1::ScriptDone done = scripts_.Run(Script({"SELECT 1"}, "nowhere"));
  EXPECT_EQ(done.error().code(), 1049u);
  EXPECT_EQ(done.failed_stage(), v1::SCRIPT_STAGE_SELECT_SCHEMA);
  EXPECT_EQ(done.results_size(), 0);
}

TEST_F(SessionScriptsTest, StatementThatTimesOutIsKilledOnTheServerAndTheNextScriptConnectsAnew) {
  database_.TimeOut("LOAD");
  v1::RunScript script = Script({"SELECT 1", "LOAD", "SELECT 2"});
  script.set_statement_timeout_ns(90'000'000'000);
  v1::ScriptDone done = scripts_.Run(script);
  EXPECT_EQ(done.results_size(), 1);
  EXPECT_EQ(done.failed_stage(), v1::SCRIPT_STAGE_STATEMENT);
  EXPECT_EQ(done.error().code(), 2999u);
  EXPECT_EQ(done.error().sqlstate(), "HYT00");
  EXPECT_EQ(done.error().message(),
            "given up after 1m30s without a complete answer (--query-timeout)");
  done = scripts_.Run(Script({"SELECT 3"}));
  EXPECT_FALSE(done.has_error());
  EXPECT_THAT(database_.log(),
              ElementsAre("1 connect", "1 query SELECT 1", "1 query LOAD", "2 connect",
                          "2 query KILL CONNECTION 1", "2 close", "3 connect", "3 query SELECT 3"));
}

TEST_F(SessionScriptsTest, KillThatFailsIsTold) {
  database_.TimeOut("LOAD");
  database_.Fail("KILL CONNECTION 1", {1095, "HY000", "You are not owner of thread 1"});
  v1::RunScript script = Script({"LOAD"});
  script.set_statement_timeout_ns(1'000'000'000);
  EXPECT_EQ(scripts_.Run(script).error().message(),
            "given up after 1s without a complete answer (--query-timeout); it could not be "
            "killed, so the server may still be at it: You are not owner of thread 1 (1095/HY000)");
}

TEST_F(SessionScriptsTest, StatementThatIsGoneWhenItIsToBeKilledIsNoFault) {
  database_.TimeOut("LOAD");
  database_.Fail("KILL CONNECTION 1", {1094, "HY000", "Unknown thread id: 1"});
  v1::RunScript script = Script({"LOAD"});
  script.set_statement_timeout_ns(1'000'000'000);
  EXPECT_EQ(scripts_.Run(script).error().message(),
            "given up after 1s without a complete answer (--query-timeout)");
}

TEST_F(SessionScriptsTest, WithoutATimeoutNothingTimesOut) {
  database_.TimeOut("LOAD");
  EXPECT_FALSE(scripts_.Run(Script({"LOAD"})).has_error());
}

// A server that stopped between two scripts held up the tear-down for ever.
TEST_F(SessionScriptsTest, KeptConnectionThatDoesNotAnswerIsReplaced) {
  scripts_.Run(Script({"SELECT 1"}));
  database_.TimeOut("DO 0");
  EXPECT_FALSE(scripts_.Run(Script({"SELECT 2"})).has_error());
  EXPECT_THAT(database_.log(), ElementsAre("1 connect", "1 query SELECT 1", "1 query DO 0",
                                           "2 connect", "2 query SELECT 2"));
}

TEST_F(SessionScriptsTest, KeepsTheConnectionFromScriptToScript) {
  scripts_.Run(Script({"SELECT 1"}));
  scripts_.Run(Script({"SELECT 2"}));
  EXPECT_THAT(database_.log(),
              ElementsAre("1 connect", "1 query SELECT 1", "1 query DO 0", "1 query SELECT 2"));
  EXPECT_EQ(database_.open_connections(), 1);
  scripts_.Close();
  EXPECT_EQ(database_.open_connections(), 0);
}

TEST_F(SessionScriptsTest, ConnectsAnewWhenTheConnectionBrokeBetweenScripts) {
  scripts_.Run(Script({"SELECT 1"}));
  database_.DropConnections();
  const v1::ScriptDone done = scripts_.Run(Script({"SELECT 2"}));
  EXPECT_FALSE(done.has_error()) << done.error().message();
  EXPECT_THAT(database_.log(),
              ElementsAre("1 connect", "1 query SELECT 1", "2 connect", "2 query SELECT 2"));
}

TEST_F(SessionScriptsTest, TooManyRowsAreAnError) {
  const std::vector<SqlRow> most(SessionScripts::kMaxRows, SqlRow{"x"});
  database_.Answer("SELECT most", most);
  std::vector<SqlRow> more = most;
  more.push_back({"x"});
  database_.Answer("SELECT more", more);
  v1::ScriptDone done = scripts_.Run(Script({"SELECT most"}));
  EXPECT_FALSE(done.has_error());
  EXPECT_EQ(done.results(0).rows_size(), 10'000);
  done = scripts_.Run(Script({"SELECT more", "SELECT 1"}));
  EXPECT_EQ(done.results_size(), 0);
  EXPECT_EQ(done.failed_stage(), v1::SCRIPT_STAGE_STATEMENT);
  EXPECT_EQ(done.error().code(), 2000u);
  EXPECT_EQ(done.error().sqlstate(), "HY000");
  EXPECT_EQ(done.error().message(),
            "the statement returned more than 10000 rows, the most a script may fetch: add a "
            "LIMIT");
}

TEST_F(SessionScriptsTest, RowsThatFillNoMessageAreAnError) {
  constexpr uint64_t kOfRowAndCell = 32;
  const std::string half(SessionScripts::kMaxRowBytes / 2 - kOfRowAndCell, 'x');
  database_.Answer("SELECT half", {{half}});
  database_.Answer("SELECT one", {{"x"}});
  v1::ScriptDone done = scripts_.Run(Script({"SELECT half", "SELECT half"}));
  EXPECT_FALSE(done.has_error());
  done = scripts_.Run(Script({"SELECT half", "SELECT half", "SELECT one"}));
  EXPECT_EQ(done.results_size(), 2);
  EXPECT_EQ(done.error().message(),
            "the script's rows are larger than 33554432 bytes, the most a script may fetch");
}

TEST_F(SessionScriptsTest, CancelKillsTheRunningStatement) {
  database_.Block("SELECT SLEEP(100)");
  std::future<v1::ScriptDone> running = std::async(std::launch::async, [this] {
    return scripts_.Run(Script({"SELECT SLEEP(100)", "SELECT 1"}));
  });
  ASSERT_TRUE(database_.AwaitLog("1 query SELECT SLEEP(100)"));
  scripts_.Cancel();
  scripts_.Cancel();
  const v1::ScriptDone done = running.get();
  EXPECT_EQ(done.error().code(), 1317u);
  scripts_.Close();
  EXPECT_THAT(database_.log(),
              testing::UnorderedElementsAre("1 connect", "1 query SELECT SLEEP(100)", "2 connect",
                                            "2 query KILL QUERY 1", "1 close", "2 close"));
  EXPECT_EQ(database_.open_connections(), 0);
}

TEST_F(SessionScriptsTest, StopKillsTheRunningStatementAndTheNextScriptRuns) {
  database_.Block("SELECT SLEEP(100)");
  std::future<v1::ScriptDone> running = std::async(std::launch::async, [this] {
    return scripts_.Run(Script({"SELECT 1", "SELECT SLEEP(100)", "SELECT 2"}));
  });
  ASSERT_TRUE(database_.AwaitLog("1 query SELECT SLEEP(100)"));
  scripts_.Stop(7);
  scripts_.Stop(7);
  const v1::ScriptDone done = running.get();
  EXPECT_EQ(done.error().code(), 1317u);
  EXPECT_EQ(done.results_size(), 1);
  v1::RunScript next = Script({"DROP SCHEMA x"});
  next.set_script(8);
  EXPECT_FALSE(scripts_.Run(next).has_error());
  EXPECT_THAT(database_.log(),
              testing::UnorderedElementsAre(
                  "1 connect", "1 query SELECT 1", "1 query SELECT SLEEP(100)", "2 connect",
                  "2 query KILL QUERY 1", "2 close", "1 query DO 0", "1 query DROP SCHEMA x"));
}

TEST_F(SessionScriptsTest, StopBeforeTheScriptHasBegunIsNotForgotten) {
  scripts_.Stop(7);
  const v1::ScriptDone done = scripts_.Run(Script({"SELECT 1"}));
  EXPECT_EQ(done.error().message(), "the script was stopped");
  EXPECT_TRUE(database_.log().empty());
}

// A KILL QUERY that comes when the statement has just ended may hit the next one.
TEST_F(SessionScriptsTest, KillThatHitsTheCheckOfTheConnectionDoesNoHarm) {
  scripts_.Run(Script({"SELECT 1"}));
  database_.Fail("DO 0", {1317, "70100", "Query execution was interrupted"});
  EXPECT_FALSE(scripts_.Run(Script({"SELECT 2"})).has_error());
}

TEST_F(SessionScriptsTest, CutBreaksWhatCannotBeKilled) {
  database_.Block("SELECT SLEEP(100)");
  database_.IgnoreKills();
  std::future<v1::ScriptDone> running = std::async(
      std::launch::async, [this] { return scripts_.Run(Script({"SELECT SLEEP(100)"})); });
  ASSERT_TRUE(database_.AwaitLog("1 query SELECT SLEEP(100)"));
  scripts_.Cancel();
  ASSERT_TRUE(database_.AwaitLog("2 query KILL QUERY 1"));
  scripts_.Cut();
  EXPECT_EQ(running.get().error().code(), 2013u);
}

TEST_F(SessionScriptsTest, CancelEndsConnecting) {
  database_.BlockConnects();
  std::future<v1::ScriptDone> running =
      std::async(std::launch::async, [this] { return scripts_.Run(Script({"SELECT 1"})); });
  ASSERT_TRUE(database_.AwaitLog("connecting"));
  scripts_.Cancel();
  const v1::ScriptDone done = running.get();
  EXPECT_EQ(done.failed_stage(), v1::SCRIPT_STAGE_CONNECT);
  EXPECT_EQ(done.error().code(), 2013u);
}

TEST_F(SessionScriptsTest, NothingBeginsAfterCancel) {
  scripts_.Run(Script({"SELECT 1"}));
  scripts_.Cancel();
  const v1::ScriptDone done = scripts_.Run(Script({"SELECT 2"}));
  EXPECT_EQ(done.error().message(), "the run was aborted");
  EXPECT_THAT(database_.log(), ElementsAre("1 connect", "1 query SELECT 1"));
}

}  // namespace
}  // namespace dslap
