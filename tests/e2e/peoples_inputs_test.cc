// Command lines that people wrote: in manuals, tutorials, questions and bug reports about
// mysqlslap. (An option file with account and load: option_files_test.cc.)
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "controller/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

using Rows = std::vector<std::vector<std::string>>;

TEST(PeoplesInputs, FiftyClientsTwoHundredIterationsOfTheManual) {
  // 200 DROP and CREATE SCHEMA: the server's disk takes most of the time.
  const ProcessResult result =
      RunDslap({"--delimiter=;", "--create=CREATE TABLE a (b int);INSERT INTO a VALUES (23)",
                "--query=SELECT * FROM a", "--concurrency=50", "--iterations=200"},
               absl::Seconds(200));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tNumber of clients running queries: 50\n"
                                    "\tAverage number of queries per client: 1\n"));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 10000 of 10000\n"));
  EXPECT_THAT(result.out, HasSubstr("\nVerdict: VALID\n"));
  ExpectNothingLeft();
}

TEST(PeoplesInputs, StatementsOfFilesOverSeveralLines) {
  const ScratchDirectory directory;
  directory.File("create.sql", "CREATE TABLE a\n  (b int);\n\nINSERT INTO a\n  VALUES (23);\n\n\n");
  directory.File("query.sql", "SELECT *\n  FROM a\n WHERE b = 23;\n\n\nSELECT 2;\n\n");
  SubprocessSpec spec = DslapSpec({"--concurrency=5", "--iterations=5", "--query=query.sql",
                                   "--create=create.sql", "--delimiter=;"});
  spec.directory = directory.path();
  const ProcessResult result = RunProcess(spec, absl::Seconds(60));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tNumber of clients running queries: 5\n"
                                    "\tAverage number of queries per client: 2\n"));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 50 of 50\n"));
  ExpectNothingLeft();
}

std::vector<std::string> TwoThousandOfAll(const std::string& concurrency,
                                          const std::string& iterations) {
  return {concurrency,
          iterations,
          "-y2",
          "-x3",
          "-a",
          "--auto-generate-sql-unique-query-number=2000",
          "--auto-generate-sql-execute-number=2000",
          "--auto-generate-sql-write-number=2000",
          "--auto-generate-sql-unique-write-number=2000"};
}

// As it was written it has 200 clients and 20 iterations: half of its 8 million statements read a
// table that the other half makes grow, which takes days on two cores. Two clients show the same.
TEST(PeoplesInputs, TwoThousandStatementsForEachClient) {
  const ProcessResult result =
      RunDslap(TwoThousandOfAll("--concurrency=2", "--iterations=1"), absl::Seconds(200));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tNumber of clients running queries: 2\n"
                                    "\tAverage number of queries per client: 2000\n"));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 4000 of 4000\n"));
  ExpectNothingLeft();
}

// With --gtest_also_run_disabled_tests.
TEST(PeoplesInputs, DISABLED_TwoThousandStatementsForEachOfTwoHundredClients) {
  const ProcessResult result =
      RunDslap(TwoThousandOfAll("--concurrency=200", "--iterations=20"), absl::Hours(500));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tAverage number of queries per client: 2000\n"));
}

// Number of agents; 0: in-process.
class LimitedAccountTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    agents_ = StartAgents(GetParam());
    ASSERT_EQ(agents_.size(), static_cast<size_t>(GetParam()));
    Sandbox().Execute(
        "CREATE USER two IDENTIFIED BY 'two' WITH MAX_USER_CONNECTIONS 2;"
        "GRANT ALL ON *.* TO two");
  }
  void TearDown() override { Sandbox().Execute("DROP USER two"); }

  AgentFleet agents_;
};

TEST_P(LimitedAccountTest, TenClientsOnTwoConnectionsAreCounted) {
  const ProcessResult result = RunDslap(WithAgents(
      agents_, {"-utwo", "-ptwo", "--query=select 1", "--concurrency=10", "--preflight=warn"}));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  // Among several agents the connection for set-up and tear-down is one of the two.
  const int connected = agents_.empty() ? 2 : 1;
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\tClients: connected ", connected, " of 10\n")));
  EXPECT_THAT(result.out,
              HasSubstr(absl::StrCat("\tStatements executed: ", connected, " of 10\n")));
  EXPECT_THAT(result.out,
              HasSubstr(absl::StrCat("\tErrors: ", 10 - connected, "\n\t  ", 10 - connected,
                                     " x  1226/42000 on connect: User 'two'")));
}

// Set-up, every round and tear-down get their turn on the connections that there are.
TEST_P(LimitedAccountTest, SetUpAndTearDownTakeTurnsWithTheClients) {
  const ProcessResult result =
      RunDslap(WithAgents(agents_, {"-utwo", "-ptwo", "-a", "--concurrency=10", "--iterations=3",
                                    "--post-query=select 1", "--preflight=warn"}));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected "));
  EXPECT_THAT(result.out, ContainsRegex("\tErrors: 2[0-9]\n\t  2[0-9] x  1226/42000 on connect: "));
  EXPECT_THAT(result.out, ::testing::Not(HasSubstr("\tRounds: ")));  // all ran to the end
  EXPECT_EQ(result.err, "");
  ExpectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(AgentNumbers, LimitedAccountTest, ::testing::Values(0, 2));

TEST(PeoplesInputs, AccountThatMayCreateNoDatabaseIsToldAtOnce) {
  const ScratchSchema schema("precious", {"t AS SELECT 42 AS answer"});
  Sandbox().Execute(
      "CREATE USER reader IDENTIFIED BY 'reader'; GRANT SELECT ON precious.* TO reader");
  for (const std::string name : {"mysqlslap", "precious"}) {
    const ProcessResult result =
        RunDslap({"-ureader", "-preader", "-a", "--concurrency=20", "--drop-existing-schema",
                  absl::StrCat("--create-schema=", name)});
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed));
    EXPECT_LT(result.elapsed, kFewSeconds);
    EXPECT_EQ(result.out, "");
    ExpectOneErrorLine(result, {absl::StrCat("create schema `", name, "`"),
                                "Access denied for user", "(1044/42000)"});
  }
  Sandbox().Execute("DROP USER reader");
  EXPECT_EQ(Sandbox().Value("SELECT answer FROM precious.t"), "42");
  ExpectNothingLeft({"precious"});
}

// The rule is in docs/cli.md: ten clients execute one statement each, the others none.
TEST(PeoplesInputs, FewerQueriesThanClientsAreExactlyThose) {
  const ScratchSchema schema("seen", {"clients (id BIGINT)"});
  const ProcessResult result =
      RunDslap({"--concurrency=100", "--number-of-queries=10",
                "--query=insert into seen.clients values (connection_id())"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 10 of 10\n"));
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 100 of 100\n"));
  EXPECT_EQ(Sandbox().Rows("SELECT COUNT(*), COUNT(DISTINCT id) FROM seen.clients"),
            (Rows{{"10", "10"}}));
}

TEST(PeoplesInputs, InitCommandOnceForEachConnection) {
  const ScratchSchema schema("test", {"sessions (id BIGINT)"});
  const ProcessResult once =
      RunDslap({"--create-schema=test", "--init-command=CREATE TABLE t1(a INT)", "--concurrency=1",
                "--iterations=1", "--query=select * from t1"});
  EXPECT_EQ(once.exit_code, 0) << once.err;
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM test.t1"), "0");

  // 30 statements of three clients are ten each, on three connections each.
  const ProcessResult detached = RunDslap(
      {"--create-schema=test", "--concurrency=3", "--number-of-queries=30", "--detach=4",
       "--init-command=insert into sessions values (connection_id())", "--query=select 1"});
  EXPECT_EQ(detached.exit_code, 0) << detached.err;
  EXPECT_EQ(Sandbox().Rows("SELECT COUNT(*), COUNT(DISTINCT id) FROM test.sessions"),
            (Rows{{"9", "9"}}));
}

TEST(PeoplesInputs, CallOfAProcedureThatReturnsRows) {
  const ScratchSchema schema("test", {"t AS SELECT 1 AS a UNION SELECT 2"});
  Sandbox().Execute("CREATE PROCEDURE test.p1() SELECT * FROM t");
  for (const std::string where : {"--query", "--pre-query", "--post-query"}) {
    const ProcessResult result =
        RunDslap({"--create-schema=test", "--delimiter=;", "--query=SELECT 1; SELECT 1;",
                  absl::StrCat(where, "=CALL p1; SELECT 1;"), "--iterations=2"});
    EXPECT_EQ(result.exit_code, 0) << where << ": " << result.err;
    EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 4 of 4\n"));
  }
}

TEST(PeoplesInputs, SchemaGivenWithAutoGenerate) {
  const std::vector<std::string> run = {"--silent", "--create-schema=bug58090",
                                        "--auto-generate-sql"};
  std::vector<std::string> keeping = run;
  keeping.emplace_back("--no-drop");
  EXPECT_EQ(RunDslap(run).exit_code, 0);
  ExpectNothingLeft();
  EXPECT_EQ(RunDslap(keeping).exit_code, 0);
  ExpectNothingLeft({"bug58090"});
  EXPECT_EQ(RunDslap(run).exit_code, 0);
  ExpectNothingLeft();

  const ScratchSchema schema("bug58090", {"precious AS SELECT 42 AS answer"});
  for (const std::vector<std::string>& one : {run, keeping}) {
    const ProcessResult result = RunDslap(one);
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed));
    ExpectOneErrorLine(result, {"schema `bug58090` exists and was not made by dslap"});
    EXPECT_EQ(Sandbox().Value("SELECT answer FROM bug58090.precious"), "42");
  }
}

TEST(PeoplesInputs, NoArgumentsAtAllAreOneClearMessage) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{}, {"--no-defaults"}}) {
    const ProcessResult result = RunProcess(BareDslapSpec(arguments), absl::Seconds(60));
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kUsage));
    EXPECT_LT(result.elapsed, absl::Seconds(1));
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              "dslap: nothing to run: give --query=SQL|FILE, or -a (--auto-generate-sql) to have "
              "statements generated; --help lists all options\n");
  }
}

TEST(PeoplesInputs, CommitAndDetachTogetherAreExact) {
  const ScratchSchema schema("seen", {"statements (id BIGINT, transaction BIGINT) ENGINE=InnoDB"});
  const uint64_t commits = Sandbox().StatusCounter("Com_commit");
  const ProcessResult result =
      RunDslap({"--concurrency=30", "--number-of-queries=10000", "--commit=5", "--detach=20",
                "--query=insert into seen.statements values (connection_id(), (select trx_id from "
                "information_schema.innodb_trx where trx_mysql_thread_id = connection_id()))",
                "--create-schema=seen"},
               absl::Seconds(120));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 10000 of 10000\n"));
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM seen.statements"), "10000");
  // 10 clients of 334 and 20 of 333 statements: 67 transactions and 17 connections each.
  EXPECT_EQ(Sandbox().StatusCounter("Com_commit") - commits, 30u * 67u);
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\tReconnects: ", 30 * 16, "\n")));
  // Connections have 20 statements, the last ones of the clients 14 or 13.
  EXPECT_EQ(Sandbox().Rows("SELECT n, COUNT(*) FROM (SELECT COUNT(*) n FROM seen.statements GROUP "
                           "BY id) c GROUP BY n ORDER BY n DESC"),
            (Rows{{"20", "480"}, {"14", "10"}, {"13", "20"}}));
}

TEST(PeoplesInputs, PastedEnDashIsRefusedWithAHint) {
  const ProcessResult result =
      RunDslap({"--concurrency=5", "-a", "--auto-generate-sql-load-type=write",
                "\xE2\x80\x93"
                "engine=innodb"});
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kUsage));
  ExpectOneErrorLine(result, {"did you mean '--engine=innodb'?"});
}

TEST(PeoplesInputs, LoadTypeInsertIsRefusedWithTheValidOnes) {
  const ProcessResult result = RunDslap({"-a", "--auto-generate-sql-load-type=insert"});
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kUsage));
  ExpectOneErrorLine(result, {"--auto-generate-sql-load-type", "'insert' is none of: mixed, ",
                              "update", "write", "key", "read"});
}

TEST(PeoplesInputs, DatabaseOfOnesOwnIsNeverDropped) {
  const ScratchSchema schema("person", {"t AS SELECT 42 AS answer"});
  const std::vector<std::string> written = {"--create=", "--query=select * from t", "--no-create",
                                            "--no-drop", "--create-schema=person"};
  const ProcessResult unknown = RunDslap(written);
  EXPECT_EQ(unknown.exit_code, static_cast<int>(ExitCode::kUsage));
  ExpectOneErrorLine(unknown, {"unknown option '--no-create'"});
  // And without what does not exist, with and without --no-drop.
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{written[0], written[1], written[3], written[4]},
                                             {written[0], written[1], written[4]}}) {
    const ProcessResult result = RunDslap(arguments);
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed));
    ExpectOneErrorLine(result, {"schema `person` exists and was not made by dslap"});
    EXPECT_EQ(Sandbox().Value("SELECT answer FROM person.t"), "42");
  }
  // What was meant.
  EXPECT_EQ(RunDslap({written[1], written[4]}).exit_code, 0);
  EXPECT_EQ(Sandbox().Value("SELECT answer FROM person.t"), "42");
}

TEST(PeoplesInputs, SessionVariablesSurviveFromStatementToStatement) {
  const ProcessResult result =
      RunDslap({"--query=select sleep(@val := coalesce(@val, 0) + 1)", "--number-of-queries=5"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 5 of 5\n"));
  EXPECT_THAT(result.out, ContainsRegex("\n\t  statement +3.0[0-9] s +3.0[0-9] s +5.0[0-9] s "
                                        "+5.0[0-9] s +5.0[0-9] s +5.0[0-9] s\n"));
  EXPECT_THAT(result.out, StartsWith("Benchmark\n\tAverage number of seconds to run all queries: "
                                     "15.0"));
}

}  // namespace
}  // namespace dslap
