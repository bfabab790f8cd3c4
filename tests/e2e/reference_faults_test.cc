// The faults of mysqlslap that dslap must not have, at a glance: one test or more for each, named
// by its number in docs/compatibility.md, on a real server. Those of the input are in
// reference_faults_input_test.cc, in the same program.
#include <csignal>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "controller/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

constexpr int kFailures = static_cast<int>(ExitCode::kFailures);
constexpr int kSetUpFailed = static_cast<int>(ExitCode::kSetUpFailed);

using Rows = std::vector<std::vector<std::string>>;

// The number in `pattern`'s first group; -1, and a failed test, when the report does not have it.
double Figure(const std::string& report, const std::string& pattern) {
  std::smatch match;
  double figure = -1;
  if (!std::regex_search(report, match, std::regex(pattern)) ||
      !absl::SimpleAtod(match[1].str(), &figure)) {
    ADD_FAILURE() << "no " << pattern << " in\n" << report;
  }
  return figure;
}

TEST(ReferenceFaults, Fault01RefusedClientsAreCountedAndShown) {
  Sandbox().Execute("CREATE USER few IDENTIFIED BY 'few' WITH MAX_USER_CONNECTIONS 2");
  const ProcessResult result = RunDslap({"-ufew", "-pfew", "--query=select 1", "-c10",
                                         "--number-of-queries=100", "--preflight=warn"});
  Sandbox().Execute("DROP USER few");
  EXPECT_EQ(result.exit_code, kFailures) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tNumber of clients running queries: 2\n"));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 20 of 100\n"));
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 2 of 10\n"));
  EXPECT_THAT(result.out, HasSubstr("\tErrors: 8\n\t  8 x  1226/42000 on connect: User 'few' has"));
  EXPECT_THAT(result.out,
              HasSubstr("\nVerdict: DEGRADED: 8 of 10 clients did not connect (1226/42000)\n"));
}

// mysqlslap tries ten times for each client, inside the measurement.
TEST(ReferenceFaults, Fault01ErrorsThatCannotHealStopAtOnce) {
  Sandbox().Execute("CREATE USER poor IDENTIFIED BY 'poor'; CREATE DATABASE rich");
  struct Case {
    std::vector<std::string> arguments;
    std::string code;
  };
  for (const Case& one : std::vector<Case>{
           {{"-ufew", "-pwrong", "--query=select 1"}, "(1045/28000)"},
           {{"-upoor", "-ppoor", "-a"}, "(1044/42000)"},
           {{"--query=select 1", "--create-schema=nowhere"}, "schema `nowhere` does not exist"}}) {
    std::vector<std::string> arguments = one.arguments;
    arguments.emplace_back("-c20");
    const uint64_t before = Sandbox().StatusCounter("Connections");
    const ProcessResult result = RunDslap(arguments);
    const uint64_t after = Sandbox().StatusCounter("Connections");
    EXPECT_EQ(result.exit_code, kSetUpFailed) << one.code;
    ExpectOneErrorLine(result, {one.code});
    // dslap's own, and that of the look at the counter.
    EXPECT_EQ(after - before, 2u) << one.code;
  }
  Sandbox().Execute("DROP USER poor; DROP DATABASE rich");
}

TEST(ReferenceFaults, Fault02SqlErrorsAreCountedAndChangeTheExitCode) {
  const std::string query = "--query=select 1;select * from mysql.nowhere;select 2";
  const ProcessResult stopped = RunDslap({query, "-F;", "-c2"});
  EXPECT_EQ(stopped.exit_code, kFailures);
  ExpectOneErrorLine(stopped, {"a statement failed and ended the run", "(1146/42S02)"});
  EXPECT_THAT(stopped.out, StartsWith("Benchmark\n\tAverage number of seconds"));
  EXPECT_THAT(stopped.out, ContainsRegex("\tErrors: [12]\n\t  [12] x  1146/42S02: Table "
                                         "'mysql.nowhere' doesn't exist\n"));
  EXPECT_THAT(stopped.out, HasSubstr("\nVerdict: INVALID: stopped by an error"));

  // The policy: counted and passed over.
  const ProcessResult passed_over = RunDslap({query, "-F;", "-c2", "--ignore-errors=1146"});
  EXPECT_EQ(passed_over.exit_code, 0);
  EXPECT_THAT(passed_over.out, HasSubstr("\tStatements executed: 6 of 6 (2 of them failed)\n"));
  EXPECT_THAT(passed_over.out, HasSubstr("\tErrors: 2\n\t  2 x  1146/42S02 (ignored): Table "));
  EXPECT_THAT(passed_over.out, HasSubstr("\nVerdict: DEGRADED: 2 of 6 statements failed"));
}

TEST(ReferenceFaults, Fault02OneKilledConnectionKeepsTheReport) {
  const std::string statement = "select sleep(300)";
  Subprocess dslap(DslapSpec(EndlessLoad(statement)));
  ASSERT_TRUE(WaitUntilAllRun(statement)) << dslap.err();
  Sandbox().Execute(absl::StrCat(
      "KILL ", Sandbox().Value(absl::StrCat("SELECT MAX(id) FROM information_schema.processlist ",
                                            "WHERE info = '", statement, "'"))));
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, kFailures) << result.err;
  EXPECT_THAT(result.out, StartsWith("Benchmark\n\tAverage number of seconds"));
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 4 of 4\n"));
  // What the client library makes of it, over TLS too.
  EXPECT_THAT(result.out, ContainsRegex("\tErrors: 1\n\t  1 x  (2013|1927|2006|2026)/"));
  ExpectNothingLeft();
}

TEST(ReferenceFaults, Fault03CountsAreExactAndAreThoseExecuted) {
  const ScratchSchema schema("counted", {"t (connection BIGINT)"});
  struct Case {
    std::string clients, queries, per_client;
  };
  for (const Case& one : std::vector<Case>{{"3", "10", "3"}, {"5", "3", "0"}}) {
    Sandbox().Execute("TRUNCATE counted.t");
    const ProcessResult result = RunDslap({"--query=insert into counted.t values (connection_id())",
                                           absl::StrCat("-c", one.clients),
                                           absl::StrCat("--number-of-queries=", one.queries)});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM counted.t"), one.queries);
    EXPECT_THAT(result.out, HasSubstr(absl::StrCat(
                                "\tAverage number of queries per client: ", one.per_client, "\n")));
    EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\tStatements executed: ", one.queries, " of ",
                                                   one.queries, "\n")));
  }
}

TEST(ReferenceFaults, Fault07ExistingSchemaIsRefusedUnlessOwnOrAllowed) {
  const ScratchSchema schema("mysqlslap", {"precious AS SELECT 42 AS answer"});
  for (const std::string way : {"-a", "--create=create table t (a int)"}) {
    std::vector<std::string> arguments = {way};
    if (way != "-a") arguments.emplace_back("--query=select 1");
    const ProcessResult result = RunDslap(arguments);
    EXPECT_EQ(result.exit_code, kSetUpFailed);
    ExpectOneErrorLine(result, {"schema `mysqlslap` exists and was not made by dslap"});
    EXPECT_EQ(Sandbox().Value("SELECT answer FROM mysqlslap.precious"), "42");
  }
  EXPECT_EQ(RunDslap({"-a", "--drop-existing-schema", "--no-drop"}).exit_code, 0);
  EXPECT_EQ(Sandbox().Schemata(), std::vector<std::string>{"mysqlslap"});
  // Now it is dslap's own: from scratch, and said so.
  Sandbox().Execute("CREATE TABLE mysqlslap.left_over (a INT)");
  const ProcessResult result = RunDslap({"-a", "--no-drop"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Note: schema `mysqlslap` was left over from an earlier run of "
                                    "dslap: dropped and made anew\n"));
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = "
                            "'mysqlslap' AND table_name = 'left_over'"),
            "0");
}

TEST(ReferenceFaults, Fault08SignalsLeaveNeitherSchemaNorQueries) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Subprocess dslap(DslapSpec(EndlessLoad()));
    ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
    dslap.Signal(signal);
    const ProcessResult result = WaitForEnd(dslap);
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
    EXPECT_THAT(result.out, ContainsRegex("\n\tStatements executed: [1-9][0-9]* of 10000000"));
    ExpectNothingLeft();
  }
}

TEST(ReferenceFaults, Fault09CommitWithIterationsShowsTheLoadedRows) {
  const ScratchSchema schema("seen", {"counts (n INT)"});
  const ProcessResult result =
      RunDslap({"--create=create table t (a int) engine=innodb;insert into t values (1),(2)", "-F;",
                "--query=insert into seen.counts select count(*) from t", "--commit=1", "-i3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Sandbox().Rows("SELECT n, COUNT(*) FROM seen.counts GROUP BY n"), (Rows{{"2", "3"}}));
}

TEST(ReferenceFaults, Fault10DetachCountsOverTheClientsLifeAndRestoresTheSession) {
  const ScratchSchema schema("seen", {"sessions (id BIGINT, autocommit INT, x INT)"});
  // A list of two statements: the count does not start again with it.
  const std::string insert = "insert into seen.sessions values (connection_id(), @@autocommit, @x)";
  const ProcessResult result =
      RunDslap({absl::StrCat("--query=", insert, ";", insert), "-F;", "-c3",
                "--number-of-queries=30", "--detach=4", "--commit=2", "--init-command=set @x = 7"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tReconnects: 6\n"));
  // Each of three clients: 4, 4 and 2 statements; not reconnected before the first.
  EXPECT_EQ(Sandbox().Rows("SELECT n, COUNT(*) FROM (SELECT COUNT(*) n FROM seen.sessions GROUP BY "
                           "id) c GROUP BY n ORDER BY n"),
            (Rows{{"2", "3"}, {"4", "6"}}));
  EXPECT_EQ(Sandbox().Rows("SELECT DISTINCT autocommit, x FROM seen.sessions"), (Rows{{"0", "7"}}));
}

TEST(ReferenceFaults, Fault11PreAndPostQueryMayCallAndHaveADefaultDatabase) {
  const ScratchSchema schema("shop", {"log (what TEXT)"});
  Sandbox().Execute(
      "CREATE PROCEDURE shop.p1() SELECT 1 UNION SELECT 2;"
      "CREATE PROCEDURE shop.p2() INSERT INTO log VALUES (DATABASE())");
  const ProcessResult result =
      RunDslap({"--create-schema=shop", "-F;", "--query=select 1", "-i2",
                "--pre-query=call p1;call p2", "--post-query=call p1;call p1;call p2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Sandbox().Rows("SELECT what, COUNT(*) FROM shop.log GROUP BY what"),
            (Rows{{"shop", "4"}}));
}

// Those of TLS are in connection tests of their own.
TEST(ReferenceFaults, Fault12EveryOptionHoldsOnEveryConnection) {
  const ScratchSchema schema("seen", {"sessions (host TEXT, compressed TEXT, charset TEXT, mode "
                                      "TEXT)"});
  // MySQL 9 has the session's status in the performance schema only, which is off here.
  const std::string compressed =
      Sandbox().is_mysql() ? "'ON'"
                           : "(select variable_value from information_schema.session_status where "
                             "variable_name = 'COMPRESSION')";
  const std::string insert =
      absl::StrCat("insert into seen.sessions select substring_index(host, ':', 1), ", compressed,
                   ", @@character_set_client, @@sql_mode from information_schema.processlist where "
                   "id = connection_id()");
  const std::vector<std::string> sessions = {absl::StrCat("--query=", insert),
                                             absl::StrCat("--pre-query=", insert),
                                             absl::StrCat("--post-query=", insert),
                                             "-c3",
                                             "--number-of-queries=9",
                                             "--detach=2",
                                             "--compress",
                                             "--sql-mode=ANSI_QUOTES"};
  for (const auto& [by, host] :
       std::map<std::string, std::string>{{"tcp", "127.0.0.1"}, {"socket", "localhost"}}) {
    Sandbox().Execute("TRUNCATE seen.sessions");
    std::vector<std::string> arguments = sessions;
    if (by == "socket") {
      for (const std::string& one :
           {std::string("-hlocalhost"), "--socket=" + Sandbox().socket()}) {
        arguments.push_back(one);
      }
    }
    arguments.push_back(absl::StrCat("--protocol=", by));
    const ProcessResult result = RunDslap(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Sandbox().Rows("SELECT *, COUNT(*) FROM seen.sessions GROUP BY 1, 2, 3, 4"),
              (Rows{{host, "ON", "utf8mb4", "ANSI_QUOTES", "11"}}));
  }
}

TEST(ReferenceFaults, Fault14ConnectTimeIsNotInTheFigures) {
  const ProcessResult result = RunDslap({"--query=do 0", "--init-command=do sleep(1.5)", "-c2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_LT(Figure(result.out, "Maximum number of seconds to run all queries: ([0-9.]+)"), 1.0);
  // Finer than milliseconds.
  EXPECT_THAT(result.out, ContainsRegex("\n\t  statement +[0-9.]+ (us|ms) "));
  EXPECT_THAT(result.out, ContainsRegex("\n\t  connect +[0-9.]+ (us|ms) "));
}

TEST(ReferenceFaults, Fault15ConnectionsAreKeptBetweenRounds) {
  const ScratchSchema schema("seen", {"sessions (id BIGINT, x INT)"});
  const auto connections_of = [](const std::vector<std::string>& more) {
    Sandbox().Execute("TRUNCATE seen.sessions");
    std::vector<std::string> arguments = {
        "--query=insert into seen.sessions values (connection_id(), @x);set @x = 1", "-F;", "-c5",
        "-i4"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(RunDslap(arguments).exit_code, 0);
    // Reset in between: what a client has set is gone.
    EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM seen.sessions WHERE x IS NULL"), "20");
    return Sandbox().Value("SELECT COUNT(DISTINCT id) FROM seen.sessions");
  };
  EXPECT_EQ(connections_of({}), "5");
  EXPECT_EQ(connections_of({"--reconnect"}), "20");
}

TEST(ReferenceFaults, Fault16NamesAreQuoted) {
  for (const std::string name : {"a-b", "a`b", "select", "a.b"}) {
    const ProcessResult result =
        RunDslap({"-a", absl::StrCat("--create-schema=", name), "--no-drop"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(Sandbox().Schemata(), ElementsAre(name));
    EXPECT_EQ(RunDslap({"-a", absl::StrCat("--create-schema=", name)}).exit_code, 0);
    ExpectNothingLeft();
  }
}

TEST(ReferenceFaults, Fault17ResultsAreNotStored) {
  const std::vector<std::string> small = {"--query=select repeat('x', 1000) from " +
                                          SequenceTable(10)};
  const std::vector<std::string> large = {"--query=select repeat('x', 1000) from " +
                                          SequenceTable(200000)};
  const ProcessResult few = RunDslap(small);
  const ProcessResult many = RunDslap(large);
  EXPECT_EQ(few.exit_code, 0) << few.err;
  EXPECT_EQ(many.exit_code, 0) << many.err;
  EXPECT_GT(few.peak_rss_bytes, 1 << 20);
  // 200 MB came over the connection.
  EXPECT_LT(many.peak_rss_bytes - few.peak_rss_bytes, 10 << 20);
}

TEST(ReferenceFaults, Fault19EachEngineIsNamedAsGiven) {
  const ScratchSchema schema("seen", {"engines (name TEXT)"});
  const std::string look =
      "insert into seen.engines select concat(engine, ' ', create_options) from "
      "information_schema.tables where table_schema = database() and table_name = 't1'";
  for (const std::string compat : {"mysql", "mariadb"}) {
    Sandbox().Execute("TRUNCATE seen.engines");
    const ProcessResult result =
        RunDslap({"-a", "--engine=innodb,memory:max_rows=10000",
                  absl::StrCat("--post-query=", look), absl::StrCat("--compat=", compat)});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("\tRunning for engine innodb\n"));
    EXPECT_THAT(result.out, HasSubstr("\tRunning for engine memory\n"));
    EXPECT_EQ(Sandbox().Rows("SELECT name FROM seen.engines ORDER BY 1"),
              (Rows{{"InnoDB "}, {"MEMORY max_rows=10000"}}))
        << compat;
  }
}

}  // namespace
}  // namespace dslap
