// Limits that are too small are found before anything is touched: of agents, and of the server.
#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
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

const auto* const kSandboxEnvironment = AddSandboxEnvironment({"--max-connections=60"});

void LimitFiles(const AgentProcess& agent, rlim_t most) {
  const rlimit limit{most, most};
  ASSERT_EQ(prlimit(agent.process().pid(), RLIMIT_NOFILE, &limit, nullptr), 0);
}

// An account of the server for one test.
class Account {
 public:
  explicit Account(const std::string& limits) {
    Sandbox().Execute(absl::StrCat("CREATE USER small IDENTIFIED BY 'small' WITH ", limits,
                                   "; GRANT ALL ON mysqlslap.* TO small"));
  }
  ~Account() { Sandbox().Execute("DROP USER small"); }
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;
};

// A run that was refused touched nothing.
class UntouchedServer {
 public:
  UntouchedServer() : created_(Sandbox().StatusCounter("Com_create_db")) {}
  ~UntouchedServer() {
    EXPECT_EQ(Sandbox().StatusCounter("Com_create_db"), created_);
    ExpectNothingLeft();
  }
  UntouchedServer(const UntouchedServer&) = delete;
  UntouchedServer& operator=(const UntouchedServer&) = delete;

 private:
  const uint64_t created_;
};

TEST(PreflightTest, EachAgentThatLacksDescriptorsIsNamedWithTheFigure) {
  const UntouchedServer untouched;
  const AgentFleet agents = StartAgents(3);
  ASSERT_EQ(agents.size(), 3u);
  LimitFiles(*agents[0], 100);
  LimitFiles(*agents[2], 120);
  const ProcessResult result = RunDslap(WithAgents(agents, {"-a", "-c900"}));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kAgentUnavailable));
  EXPECT_EQ(result.out, "");
  for (const auto& [index, files] : {std::pair{0, 100}, std::pair{2, 120}}) {
    EXPECT_THAT(result.err, ContainsRegex(absl::StrCat(
                                "agent ", agents[index]->address(),
                                ": needs 3[0-9][0-9] descriptors for 300 clients, has ", files,
                                ": raise LimitNOFILE= of its unit \\(or `ulimit "
                                "-n`\\)")));
  }
  EXPECT_THAT(result.err, ::testing::Not(HasSubstr(agents[1]->address())));
  ExpectAgentsServe({});
}

TEST(PreflightTest, AgentThatLacksDescriptorsIsLeftOutWithMinAgents) {
  const AgentFleet agents = StartAgents(2);
  ASSERT_EQ(agents.size(), 2u);
  LimitFiles(*agents[1], 40);
  const ProcessResult result =
      RunDslap(WithAgents(agents, {"-a", "-c40", "--min-agents=1", "--number-of-queries=80"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr(absl::StrCat("agent ", agents[1]->address(), " is missing")));
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 40 of 40\n"));
}

TEST(PreflightTest, ThisProcessIsHeldToItsLimitsToo) {
  const UntouchedServer untouched;
  SubprocessSpec spec = DslapSpec({"-a", "-c500"});
  spec.argv.insert(spec.argv.begin(), {"prlimit", "--nofile=200:200"});
  const ProcessResult result = RunProcess(spec, absl::Seconds(30));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kAgentUnavailable));
  EXPECT_THAT(result.err, ContainsRegex("dslap: this process needs 5[0-9][0-9] descriptors for 500 "
                                        "clients, has 200: raise `ulimit -n`\n"));
}

TEST(PreflightTest, SoftLimitsAreRaisedToTheHardOnes) {
  // Enough for fifty clients only when raised.
  SubprocessSpec spec = DslapSpec({"-a", "-c50"});
  spec.argv.insert(spec.argv.begin(), {"prlimit", "--nofile=48:1000"});
  const ProcessResult result = RunProcess(spec, absl::Seconds(30));
  EXPECT_EQ(result.exit_code, 0) << result.err;

  const std::string program = absl::StrCat(BareDslapSpec({}).argv[0], "-agent");
  SubprocessSpec of_agent;
  of_agent.argv = {"prlimit", "--nofile=100:1000", program, "--listen=127.0.0.1:0"};
  Subprocess agent(of_agent);
  EXPECT_TRUE(agent.WaitForErrorLine(
      "raised the limit of open files from 100 to 1000, the hard limit", absl::Seconds(30)));
}

TEST(PreflightTest, ServerThatTakesTooFewConnections) {
  const UntouchedServer untouched;
  const ProcessResult result = RunDslap({"-a", "-c20,100"});
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed));
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "dslap: the server takes 60 connections, 100 clients and 1 connection for set-up need "
            "101: set global max_connections = 101 or ask for fewer clients\n");
}

// The account may do everything, so one connection is kept free for it.
TEST(PreflightTest, ServerThatTakesJustEnough) {
  const ProcessResult result = RunDslap({"--query=select 1", "-c60", "--number-of-queries=60"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 60 of 60\n"));
}

struct AccountRow {
  std::string name;
  std::string limits;
  std::vector<std::string> arguments;
  std::string message;
};

void PrintTo(const AccountRow& row, std::ostream* out) { *out << row.name; }

class LimitedAccountPreflightTest : public ::testing::TestWithParam<AccountRow> {};

TEST_P(LimitedAccountPreflightTest, IsRefusedNamingFigureAndCure) {
  const UntouchedServer untouched;
  const Account account(GetParam().limits);
  std::vector<std::string> arguments = {"-usmall", "-psmall"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const ProcessResult result = RunDslap(arguments);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed));
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, absl::StrCat("dslap: ", GetParam().message, "\n"));
}

INSTANTIATE_TEST_SUITE_P(
    Limits, LimitedAccountPreflightTest,
    ::testing::Values(
        AccountRow{"connections",
                   "MAX_USER_CONNECTIONS 5",
                   {"-a", "-c10"},
                   "the account may hold 5 connections (max_user_connections), 10 clients need 10: "
                   "alter the account with max_user_connections 10 or ask for fewer clients"},
        AccountRow{
            "queries",
            "MAX_QUERIES_PER_HOUR 50",
            {"--query=select 1", "-c2", "--number-of-queries=30", "-i2"},
            "the account may execute a statement 50 times an hour (max_queries_per_hour), "
            "the run does it 60 times: alter the account with max_queries_per_hour 0, or ask "
            "for less"},
        AccountRow{
            "updates",
            "MAX_UPDATES_PER_HOUR 10",
            {"--query=insert into t values (1);select 1", "--delimiter=;", "-c2",
             "--number-of-queries=24"},
            "the account may change something 10 times an hour (max_updates_per_hour), the "
            "run does it 12 times: alter the account with max_updates_per_hour 0, or ask for "
            "less"},
        AccountRow{"connects",
                   "MAX_CONNECTIONS_PER_HOUR 8",
                   {"--query=select 1", "-c4", "-i2", "--reconnect"},
                   "the account may connect 8 times an hour (max_connections_per_hour), the run "
                   "does it 9 times: alter the account with max_connections_per_hour 0, or ask for "
                   "less"}),
    [](const auto& row) { return row.param.name; });

TEST(PreflightTest, WithWarnTheRunGoesOnAndSaysSo) {
  const Account account("MAX_USER_CONNECTIONS 2");
  const ProcessResult result =
      RunDslap({"-usmall", "-psmall", "--query=select 1", "-c4", "--preflight=warn"});
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 2 of 4\n"));
  EXPECT_THAT(result.out,
              HasSubstr("\nNote: the account may hold 2 connections (max_user_connections), 4 "
                        "clients need 4: "));
}

}  // namespace
}  // namespace dslap
