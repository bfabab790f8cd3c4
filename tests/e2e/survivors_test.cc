// Runs with real agents that go on without one of them: missing at the start, or killed on the way.
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
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

using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

class SurvivorsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    agents_ = StartAgents(3);
    ASSERT_EQ(agents_.size(), 3u);
  }
  AgentFleet agents_;
};

// The first agent, which also runs set-up, is killed in the middle round of three.
TEST_F(SurvivorsTest, KilledInTheMiddleRoundOfThree) {
  Subprocess dslap(DslapSpec(WithAgents(
      agents_, {"--on-agent-loss=continue", "--concurrency=4", "--iterations=3",
                "--number-of-queries=160", "--query=do sleep(0.05)", "--create-schema=e2e_load",
                "--create=create table t (a int)", "--pre-system=echo round >&2"})));
  const auto rounds = [&] {
    const std::string err = dslap.err();
    size_t count = 0;
    for (size_t at = err.find("round\n"); at != std::string::npos; at = err.find("round\n", at + 1))
      ++count;
    return count;
  };
  const absl::Time deadline = absl::Now() + kFewSeconds;
  while (rounds() < 2 && absl::Now() < deadline) absl::SleepFor(absl::Milliseconds(2));
  ASSERT_EQ(rounds(), 2u) << dslap.err();
  ASSERT_TRUE(WaitUntilAllRun("do sleep(0.05)")) << dslap.err();
  agents_[0]->process().Signal(SIGKILL);

  const ProcessResult result = WaitForEnd(dslap);
  const std::string lost = agents_[0]->address();
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kAgentLost)) << result.err;
  EXPECT_THAT(result.err, HasSubstr(absl::StrCat("dslap: warning: agent ", lost, " was lost (")));
  EXPECT_THAT(result.err, HasSubstr("); going on with 2 agents\n"));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 320 of 320\n"));
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 4 of 4\n"));
  EXPECT_THAT(result.out, HasSubstr("\tRounds: 2 of 3 ran to the end, 1 with an agent lost in it "
                                    "(not in these figures)\n"));
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\t  ", lost, " LOST")));
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\nVerdict: DEGRADED: agent ", lost,
                                                 " was lost in round 2 (")));
  ExpectNothingLeft();
  agents_.erase(agents_.begin());
  ExpectAgentsServe(agents_);
}

TEST_F(SurvivorsTest, BeginsWithoutTheMissingIfEnoughAreLeft) {
  const std::string missing = agents_[1]->address();
  agents_[1]->process().Signal(SIGKILL);
  ASSERT_TRUE(agents_[1]->process().WaitForExit(kFewSeconds));
  const std::vector<std::string> load = {"-a", "--concurrency=5", "--number-of-queries=50",
                                         "--create-schema=e2e_load"};
  std::vector<std::string> arguments = WithAgents(agents_, load);
  arguments.emplace_back("--min-agents=2");
  const ProcessResult result = RunDslap(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr(absl::StrCat("dslap: warning: agent ", missing, " is missing (connect: ")));
  EXPECT_THAT(result.err, HasSubstr("dslap: warning: running on 2 of 3 agents (--min-agents)\n"));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 50 of 50\n"));
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\t  ", missing, " MISSING")));
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\nVerdict: DEGRADED: agent ", missing,
                                                 " is missing (connect: ")));

  arguments.back() = "--min-agents=3";
  const ProcessResult refused = RunDslap(arguments);
  EXPECT_EQ(refused.exit_code, static_cast<int>(ExitCode::kAgentUnavailable));
  ExpectOneErrorLine(refused, {absl::StrCat("agent ", missing),
                               "that leaves 2 of 3 agents, and --min-agents=3 asks for more"});
  ExpectNothingLeft();
}

// Weights reach the agents: the report's lines show who had how many clients.
TEST_F(SurvivorsTest, WeightsDecideWhoRunsHowMany) {
  const ProcessResult result =
      RunDslap({absl::StrCat("--agents=", agents_[0]->address(), "*3,", agents_[1]->address()),
                "-a", "--concurrency=8", "--number-of-queries=80", "--create-schema=e2e_load"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              ::testing::ContainsRegex(absl::StrCat("\n\t  ", agents_[0]->address(), " +6 +60 ")));
  EXPECT_THAT(result.out,
              ::testing::ContainsRegex(absl::StrCat("\n\t  ", agents_[1]->address(), " +2 +20 ")));
}

TEST_F(SurvivorsTest, PlanIsPrintedWithoutTouchingAnyAgent) {
  for (const char* option : {"--print-plan", "--only-print"}) {
    const ProcessResult result =
        RunDslap({"--agents=127.0.0.1:1*2,127.0.0.1:2", option, "-a", "--concurrency=6",
                  "--number-of-queries=60", "--host=127.0.0.1", "--port=3"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, HasSubstr("\n  127.0.0.1:1       2        4    1 - 4          40"));
    EXPECT_THAT(result.out, HasSubstr("\n  127.0.0.1:2       1        2    5 - 6          20"));
  }
}

}  // namespace
}  // namespace dslap
