// What dslap counts is compared with what a real server counts.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
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
using ::testing::Not;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

struct CountedRun {
  std::string name;
  int agents;  // 0: in-process
  std::vector<std::string> arguments;
  std::string line;  // of the report
};

void PrintTo(const CountedRun& run, std::ostream* out) { *out << run.name; }

class ServerCountTest : public ::testing::TestWithParam<CountedRun> {
 protected:
  const ScratchSchema schema_{"counted"};
};

// Nobody else is there, so every command must be accounted for.
TEST_P(ServerCountTest, AgreesWithTheServer) {
  const AgentFleet agents = StartAgents(GetParam().agents);
  ASSERT_EQ(agents.size(), static_cast<size_t>(GetParam().agents));
  Sandbox().Execute("CREATE PROCEDURE counted.p() SELECT 1");
  ASSERT_TRUE(Sandbox().WaitForConnections(0, absl::Seconds(10)));
  const ProcessResult result = RunDslap(WithAgents(agents, GetParam().arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\tServer's count: ", GetParam().line, "\n")));
}

INSTANTIATE_TEST_SUITE_P(
    Runs, ServerCountTest,
    ::testing::Values(
        CountedRun{"plain",
                   0,
                   {"--query=select 1", "-c5", "--number-of-queries=100", "--load-engine=threads"},
                   "agrees (100 statements, 0 others, 5 connects)"},
        CountedRun{"loops",
                   0,
                   {"--query=select 1", "-c20", "--number-of-queries=400", "--load-engine=epoll"},
                   "agrees (400 statements, 0 others, 20 connects)"},
        // The second round resets its 20 connections, and each selects its schema.
        CountedRun{"generated_on_two_agents",
                   2,
                   {"-a", "-c20", "--number-of-queries=200", "-i2"},
                   "agrees (400 statements, 40 others, 20 connects)"},
        // Both rounds: a SET, an AUTOCOMMIT and a COMMIT after 5 and 10 of each of the 4 clients;
        // the second round has their resets, with a SET of its own.
        CountedRun{"all_that_a_session_does",
                   0,
                   {"--query=select 1", "-c4", "--number-of-queries=40", "-i2", "--commit=5",
                    "--init-command=set @a = 1", "--sql-mode=ANSI"},
                   "agrees (80 statements, 44 others, 4 connects)"},
        // Good-byes are counted when the server reads them.
        CountedRun{"detach",
                   0,
                   {"--query=select 1", "-c4", "--number-of-queries=40", "--detach=5"},
                   "agrees (40 statements, 4 others, 8 connects; 4 unclear)"},
        CountedRun{"reconnect",
                   0,
                   {"--query=select 1", "-c4", "--number-of-queries=40", "-i2", "--reconnect"},
                   "agrees (80 statements, 4 others, 8 connects; 4 unclear)"},
        CountedRun{"keys",
                   0,
                   {"-a", "--auto-generate-sql-load-type=key",
                    "--auto-generate-sql-add-autoincrement", "-c4", "--number-of-queries=40"},
                   "agrees (40 statements, 2 others, 5 connects; 1 unclear)"},
        CountedRun{"procedures_and_failures",
                   0,
                   {"--query=call counted.p();selekt 1", "--delimiter=;", "-c4",
                    "--number-of-queries=40", "--ignore-errors=1064"},
                   "agrees (40 statements, 0 others, 4 connects)"},
        CountedRun{"several_statements",
                   0,
                   {"--query=select 1; select 2", "-c4", "--number-of-queries=40"},
                   "no fewer than dslap's 40 statements (not compared exactly: a text with a ';' "
                   "inside may be several statements)"}),
    [](const auto& run) { return run.param.name; });

TEST(ServerCountOfOthersTest, OtherTrafficIsToldAndNoFault) {
  Subprocess others(DslapSpec(EndlessLoad()));
  ASSERT_TRUE(WaitUntilLoadRuns());
  const ProcessResult result =
      RunDslap({"--query=select 1", "-c5", "--number-of-queries=20000", "--create-schema=mysql"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              ContainsRegex("\tServer's count: [0-9]+ commands? more than dslap's own 20000: other "
                            "traffic\n"));
  EXPECT_THAT(result.out, HasSubstr("\nVerdict: VALID\n"));
}

TEST(ServerCountOfOthersTest, StatementsThatAreKilledMayBeCountedOrNot) {
  const ProcessResult result = RunDslap({"--query=select sleep(100)", "-c4", "--ignore-errors=all",
                                         "--query-timeout=200ms", "--number-of-queries=8"});
  EXPECT_THAT(result.out, HasSubstr("\tServer's count: agrees (8 statements, "));
}

TEST(ServerCountOfOthersTest, CanBeLeftOut) {
  for (const char* option : {"--skip-truth-check", "--classic"}) {
    const ProcessResult result = RunDslap({"--query=select 1", option});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("\tNumber of clients running queries: 1\n"));
    EXPECT_THAT(result.out, Not(HasSubstr("Server's count")));
  }
}

}  // namespace
}  // namespace dslap
