// --query-timeout: a statement or a server that does not answer ends in a report, not in silence.
#include <cstddef>
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
#include "tests/support/stopped_process.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

constexpr char kGivenUp[] = "given up after 1s without a complete answer (--query-timeout)";
// A tear-down finds out in 5 s that its connection is dead, and in 10 s that there is no other.
constexpr absl::Duration kTearDownGivesUp = absl::Seconds(40);

// The parameter: how many agents; 0 is the one inside dslap.
class QueryTimeoutTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    agents_ = StartAgents(GetParam());
    ASSERT_EQ(agents_.size(), static_cast<size_t>(GetParam()));
  }

  AgentFleet agents_;
};

TEST_P(QueryTimeoutTest, SlowStatementStopsTheRunAndIsKilled) {
  const ProcessResult result = RunDslap(
      WithAgents(agents_, {"--query-timeout=1s", "--concurrency=3", "-q", "select sleep(600)"}));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_LT(result.elapsed, kFewSeconds);
  ExpectOneErrorLine(result, {"a statement failed and ended the run: ", kGivenUp, "(2999/HYT00)"});
  EXPECT_THAT(result.out, ContainsRegex("[1-3] x +2999/HYT00: given up after 1s"));
  EXPECT_THAT(result.out, HasSubstr("\nVerdict: INVALID: "));
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

TEST_P(QueryTimeoutTest, IgnoredTimeoutsAreCountedExactly) {
  const ProcessResult result = RunDslap(WithAgents(
      agents_, {"--query-timeout=300ms", "--ignore-errors=2999", "--concurrency=3",
                "--number-of-queries=9", "-F;", "--query=select 1;select sleep(600);select 2"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 9 of 9 (3 of them failed)\n"));
  EXPECT_THAT(result.out, ContainsRegex("3 x +2999/HYT00 \\(ignored\\): "));
  EXPECT_THAT(result.out, HasSubstr("\tReconnects: 3"));
  EXPECT_THAT(result.out, HasSubstr("Verdict: DEGRADED: "));
  ExpectNothingLeft();
}

TEST_P(QueryTimeoutTest, ServerThatStopsEndsTheRunWithItsReport) {
  Subprocess dslap(
      DslapSpec(WithAgents(agents_, {"--query-timeout=1s", "--concurrency=4",
                                     "--query=do sleep(0.02)", "--number-of-queries=10000000"})));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  {
    const StoppedProcess stopped(Sandbox().pid());
    const ProcessResult result = WaitForEnd(dslap, kTearDownGivesUp);
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
    EXPECT_THAT(result.err, HasSubstr(absl::StrCat("a statement failed and ended the run: ",
                                                   kGivenUp, " (2999/HYT00)")));
    EXPECT_THAT(result.out, ContainsRegex("\n\tStatements executed: [1-9][0-9]* of 10000000"));
    EXPECT_THAT(result.out, HasSubstr("2999/HYT00"));
    // It may go on with what it had begun: that is told.
    EXPECT_THAT(result.out, HasSubstr("KILL CONNECTION"));
  }
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

TEST_P(QueryTimeoutTest, TearDownThatCannotBeDoneIsBoundedAndTold) {
  std::vector<std::string> arguments = EndlessLoad();
  arguments.emplace_back("--query-timeout=1s");
  Subprocess dslap(DslapSpec(WithAgents(agents_, arguments)));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  {
    const StoppedProcess stopped(Sandbox().pid());
    const ProcessResult result = WaitForEnd(dslap, kTearDownGivesUp);
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed)) << result.err;
    EXPECT_THAT(result.err, HasSubstr(kGivenUp));
    EXPECT_THAT(result.err, HasSubstr("schema `e2e_load` was left behind on"));
    EXPECT_THAT(result.out, ContainsRegex("\n\tStatements executed: [1-9][0-9]* of 10000000"));
  }
  ExpectNothingLeft({"e2e_load"});
  Sandbox().Execute("DROP SCHEMA e2e_load");
  ExpectAgentsServe(agents_);
}

TEST_P(QueryTimeoutTest, InitCommandThatHangsIsAClientThatDidNotConnect) {
  const ProcessResult result = RunDslap(WithAgents(
      agents_, {"--query-timeout=500ms", "--init-command=select sleep(600)", "--query=select 1"}));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_LT(result.elapsed, kFewSeconds);
  ExpectOneErrorLine(
      result, {"0 of 1 clients connected", "--init-command: given up after 500ms", "(2999/HYT00)"});
  ExpectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(AgentNumbers, QueryTimeoutTest, ::testing::Values(0, 2),
                         [](const ::testing::TestParamInfo<int>& test) {
                           return test.param == 0 ? "InProcess" : "OverAgents";
                         });

}  // namespace
}  // namespace dslap
