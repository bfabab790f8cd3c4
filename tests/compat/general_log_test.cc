// What dslap sends to a real server beside what the real mysqlslap sends: the server's general log,
// by connection. The same but for the listed differences, each of which must be there.
#include "tests/compat/general_log.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/general_log_differences.h"
#include "tests/compat/reference_program.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

const auto* const kSandboxEnvironment =
    AddSandboxEnvironment({"--option=--log-output=TABLE", "--option=--general-log=0"});

struct LoggedRun {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> differences;                      // names of LogDifferences()
  std::vector<std::string> own_arguments = {"--reconnect"};  // dslap's only
  int agents = 0;
  std::optional<Compat> only = {};              // absent: both programs
  std::vector<std::string> of_mysql_only = {};  // differences
};

void PrintTo(const LoggedRun& run, std::ostream* out) { *out << run.name; }

Compat WhoseServer() { return Sandbox().is_mysql() ? Compat::kMySql : Compat::kMariaDb; }

// Where two texts part.
std::string Parting(const LogSession& reference, const LogSession& own) {
  for (size_t i = 0; i < std::max(reference.size(), own.size()); ++i) {
    const std::string left = i < reference.size() ? reference[i] : "(its end)";
    const std::string right = i < own.size() ? own[i] : "(its end)";
    if (left != right) {
      return absl::StrCat("line ", i + 1, "\n  mysqlslap: ", left.substr(0, 200),
                          "\n  dslap:     ", right.substr(0, 200));
    }
  }
  return "none";
}

// The first session of each that the other does not have.
std::string PartingSessions(const ServerLog& reference, const ServerLog& own) {
  std::vector<std::string> left = reference.SortedSessions();
  std::vector<std::string> right = own.SortedSessions();
  std::vector<std::string> only_left, only_right;
  std::set_difference(left.begin(), left.end(), right.begin(), right.end(),
                      std::back_inserter(only_left));
  std::set_difference(right.begin(), right.end(), left.begin(), left.end(),
                      std::back_inserter(only_right));
  only_left.emplace_back();
  only_right.emplace_back();
  return absl::StrCat(
      left.size(), " and ", right.size(), " connections of clients, of which ",
      only_left.size() - 1, " and ", only_right.size() - 1, " are different; the first part at ",
      Parting(absl::StrSplit(only_left[0], '\n'), absl::StrSplit(only_right[0], '\n')));
}

// Differences of every run.
const std::vector<std::string>& OfEveryRun() {
  static const auto* const names = new std::vector<std::string>{"limits", "counters", "life_sign"};
  return *names;
}

class GeneralLogTest : public ::testing::TestWithParam<LoggedRun> {
 protected:
  void SetUp() override {
    reference_ = FindReference(WhoseServer());
    ASSERT_EQ(reference_.error, "");
    if (!reference_.skip_reason.empty()) GTEST_SKIP() << reference_.skip_reason;
    if (GetParam().only.value_or(WhoseServer()) != WhoseServer()) {
      GTEST_SKIP() << "this mysqlslap has no such option";
    }
    Sandbox().MakeSchema("shop");
    Sandbox().Execute("CREATE TABLE shop.t (a INT); INSERT INTO shop.t VALUES (1)");
    agents_ = StartAgents(GetParam().agents);
    ASSERT_EQ(agents_.size(), static_cast<size_t>(GetParam().agents));
  }
  void TearDown() override {
    Sandbox().Execute("DROP SCHEMA IF EXISTS shop; DROP SCHEMA IF EXISTS mysqlslap");
  }

  static bool Listed(const std::string& difference) {
    if (absl::c_linear_search(OfEveryRun(), difference)) return true;
    if (absl::c_linear_search(GetParam().differences, difference)) return true;
    return WhoseServer() == Compat::kMySql &&
           absl::c_linear_search(GetParam().of_mysql_only, difference);
  }

  ServerLog OfReference() {
    std::vector<std::string> all = reference_.command;
    all.emplace_back("--no-defaults");
    for (const std::string& one : Sandbox().ClientArguments()) all.push_back(one);
    for (const std::string& one : GetParam().arguments) all.push_back(one);
    StartGeneralLog();
    const ProcessResult result = RunProcess({.argv = all}, absl::Seconds(60));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return TakeGeneralLog();
  }

  ServerLog OfDslap() {
    std::vector<std::string> all = GetParam().arguments;
    for (const std::string& one : GetParam().own_arguments) all.push_back(one);
    all.emplace_back("--classic");
    all.push_back(WhoseServer() == Compat::kMySql ? "--compat=mysql" : "--compat=mariadb");
    if (!agents_.empty()) all.push_back(AgentsArgument(agents_));
    StartGeneralLog();
    const ProcessResult result = RunDslap(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return TakeGeneralLog();
  }

  ReferenceProgram reference_;
  AgentFleet agents_;
};

TEST_P(GeneralLogTest, DiffersExactlyAsListed) {
  ServerLog reference = OfReference();
  Sandbox().Execute("DROP SCHEMA IF EXISTS mysqlslap");
  ServerLog own = OfDslap();
  for (const LogDifference& difference : LogDifferences()) {
    if (!Listed(difference.name)) continue;
    EXPECT_TRUE(difference.take_away(&reference, &own))
        << "listed for this run, but not there: " << difference.name << " (" << difference.reason
        << ")";
  }
  EXPECT_GT(reference.sessions.size(), 0u);
  EXPECT_EQ(own.control.size(), reference.control.size());
  EXPECT_TRUE(own.control == reference.control)
      << "the control connection parts at " << Parting(reference.control, own.control);
  EXPECT_TRUE(own.SortedSessions() == reference.SortedSessions())
      << PartingSessions(reference, own);
}

// Of every run that makes a schema, and of those with generated statements.
std::vector<std::string> WithSchema(std::vector<std::string> more) {
  more.insert(more.end(), {"look_up", "marker", "needless_drop"});
  return more;
}
std::vector<std::string> Generated(std::vector<std::string> more) {
  more.emplace_back("nul");
  return WithSchema(std::move(more));
}

std::vector<LoggedRun> Runs() {
  return {
      {"read", {"-a", "--auto-generate-sql-load-type=read", "-c2"}, Generated({})},
      {"write", {"-a", "--auto-generate-sql-load-type=write", "-c2"}, Generated({})},
      {"mixed", {"-a", "-c2"}, Generated({})},
      {"update", {"-a", "--auto-generate-sql-load-type=update", "-x2", "-y2"}, Generated({})},
      {"key",
       {"-a", "--auto-generate-sql-load-type=key", "--auto-generate-sql-add-autoincrement", "-c2"},
       Generated({"keys"})},
      {"key_update",
       {"-a", "--auto-generate-sql-load-type=update", "--auto-generate-sql-guid-primary"},
       Generated({"keys"})},
      {"secondary",
       {"-a", "--auto-generate-sql-secondary-indexes=2", "--auto-generate-sql-execute-number=5"},
       Generated({})},
      {"commit", {"-a", "--commit=3", "-c2", "--number-of-queries=20"}, Generated({"autocommit"})},
      {"commit_even",
       {"-a", "--commit=5", "-c2", "--number-of-queries=20"},
       Generated({"autocommit", "empty_commit"})},
      {"init_and_detach",
       {"--create-schema=shop", "--init-command=set @a = 1", "--query=select @a", "-c2",
        "--number-of-queries=20", "--detach=4"},
       {"look_up", "unused", "pass"},
       {"--reconnect"},
       0,
       Compat::kMariaDb},
      {"passes",
       {"-a", "--auto-generate-sql-unique-query-number=3", "-c2", "--number-of-queries=20"},
       Generated({})},
      {"detach", {"-a", "--detach=3", "-c2", "--number-of-queries=20"}, Generated({"unused"})},
      {"pre_post",
       {"--create=create table t (a int);insert into t values (1)", "-F;",
        "--query=select * from t;select 2", "--pre-query=insert into t values (2)",
        "--post-query=delete from t;select 3"},
       WithSchema({"repeated_use"})},
      {"pre_post_without_create",
       {"--create-schema=shop", "--query=select * from t", "--pre-query=select 1",
        "--post-query=select 2"},
       {"look_up", "repeated_use", "default_database"}},
      {"one_packet", {"--create-schema=shop", "--query=select 1;select 2"}, {"look_up"}},
      {"engines",
       {"-a", "--engine=innodb,memory:max_rows=1000"},
       Generated({}),
       {"--reconnect"},
       0,
       {},
       {"engine_names"}},
      {"engines_of_own_tables",
       {"--create=create table t (a int);create table u (a int)", "-F;", "--query=select 1",
        "--engine=innodb,memory"},
       WithSchema({})},
      {"iterations", {"-a", "-c2", "-i2"}, Generated({})},
      {"iterations_kept", {"-a", "-c2", "-i2"}, Generated({"kept"}), {}},
      {"concurrency_list", {"-a", "-c1,3"}, Generated({})},
      {"no_drop", {"-a", "--no-drop"}, {"look_up", "marker", "nul"}},
      {"uneven", {"-a", "-c3", "--number-of-queries=10"}, Generated({"exact"})},
      {"two_agents",
       {"-a", "-c4", "-i2", "--number-of-queries=20"},
       Generated({}),
       {"--reconnect"},
       2},
      {"init_command",
       {"--create-schema=shop", "--init-command=set @a = 1", "--query=select @a", "-c2"},
       {"look_up"},
       {"--reconnect"},
       0,
       Compat::kMariaDb},
      {"sql_mode",
       {"-a", "--sql-mode=ANSI_QUOTES", "-c2"},
       Generated({"sql_mode"}),
       {"--reconnect"},
       0,
       Compat::kMySql},
  };
}

TEST(LogDifferencesTest, EachIsShownByARunAndEachThatARunNamesIsKnown) {
  std::set<std::string> named(OfEveryRun().begin(), OfEveryRun().end());
  for (const LoggedRun& run : Runs()) {
    named.insert(run.differences.begin(), run.differences.end());
    named.insert(run.of_mysql_only.begin(), run.of_mysql_only.end());
  }
  std::set<std::string> known;
  for (const LogDifference& difference : LogDifferences()) known.insert(difference.name);
  EXPECT_EQ(named, known);
}

INSTANTIATE_TEST_SUITE_P(Runs, GeneralLogTest, ::testing::ValuesIn(Runs()),
                         [](const ::testing::TestParamInfo<LoggedRun>& run) {
                           return run.param.name;
                         });

}  // namespace
}  // namespace dslap
