// --deadline: bounds a run whatever hangs in it. What comes after it is bounded too:
// deadline_hangs_test.cc.
#include <unistd.h>

#include <string>
#include <utility>
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
#include "tests/support/stopped_process.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// Number of agents; 0: in-process.
class DeadlineTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    agents_ = StartAgents(GetParam());
    ASSERT_EQ(agents_.size(), static_cast<size_t>(GetParam()));
  }

  ProcessResult Run(std::vector<std::string> arguments, const std::string& deadline) {
    arguments.push_back(absl::StrCat("--deadline=", deadline));
    return RunDslap(WithAgents(agents_, std::move(arguments)));
  }

  AgentFleet agents_;
};

TEST_P(DeadlineTest, EndsTheLoadAndReportsWhatWasMeasured) {
  const ProcessResult result = Run(EndlessLoad(), "2s");
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  ExpectOneErrorLine(result, {"dslap: ended by --deadline=2s during the load"});
  EXPECT_THAT(result.out, ContainsRegex("\n\tStatements executed: [1-9][0-9]* of 10000000"));
  EXPECT_THAT(result.out,
              HasSubstr("\nVerdict: INVALID: ended by --deadline=2s: 0 of 1 round ran to the end"));
  EXPECT_GE(result.elapsed, absl::Seconds(2));
  EXPECT_LT(result.elapsed, absl::Seconds(10)) << "nothing hung";
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

TEST_P(DeadlineTest, RoundsThatRanToTheirEndCount) {
  const ProcessResult result =
      Run({"--query=do sleep(0.5)", "--iterations=1000", "--json", "--silent"}, "2s");
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\"ended_by_deadline\": true"));
  EXPECT_THAT(result.out, HasSubstr("\"verdict\": \"degraded\""));
}

TEST_P(DeadlineTest, KillsAStatementOfSetUp) {
  const ProcessResult result =
      Run({"--create=create table t as select sleep(600)", "--query=select 1"}, "1s");
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_THAT(result.err, HasSubstr("dslap: ended by --deadline=1s during set-up\n"));
  EXPECT_LT(result.elapsed, absl::Seconds(10));
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

TEST_P(DeadlineTest, EndsAHookWithWhatItHasStarted) {
  const std::string sleeper = absl::StrCat("sleep 607.", getpid());  // nobody else's
  const ProcessResult result =
      Run({absl::StrCat("--pre-system=", sleeper, "; true"), "--query=select 1"}, "1s");
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_THAT(result.err, HasSubstr("dslap: ended by --deadline=1s during --pre-system\n"));
  EXPECT_EQ(RunProcess({.argv = {"pgrep", "-fx", sleeper}}, kFewSeconds).out, "");
  ExpectAgentsServe(agents_);
}

TEST_P(DeadlineTest, ShorterThanAnythingIsNoUsageError) {
  const ProcessResult result = Run({"--query=select 1"}, "1ms");
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_THAT(result.err, HasSubstr("dslap: ended by --deadline=1ms during the "));
  ExpectAgentsServe(agents_);
}

INSTANTIATE_TEST_SUITE_P(AgentNumbers, DeadlineTest, ::testing::Values(0, 2),
                         [](const ::testing::TestParamInfo<int>& test) {
                           return test.param == 0 ? "InProcess" : "OverAgents";
                         });

TEST(DeadlineWithoutAnAgentTest, AgentThatDoesNotAnswerIsNotWaitedFor) {
  const AgentFleet agents = StartAgents(1);
  ASSERT_EQ(agents.size(), 1u);
  const StoppedProcess stopped(agents[0]->process().pid());
  const ProcessResult result = RunDslap(WithAgents(agents, {"--query=select 1", "--deadline=1s"}));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("dslap: ended by --deadline=1s during the asking of the agents\n"));
  EXPECT_LT(result.elapsed, absl::Seconds(4));
}

}  // namespace
}  // namespace dslap
