// Signals to the controller: it stops the load, prints what was measured, and cleans up.
#include <csignal>
#include <string>

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

const char kLongStatement[] = "select sleep(300)";

// Number of agents; 0: in-process.
class InterruptedRunTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    agents_ = StartAgents(GetParam());
    ASSERT_EQ(agents_.size(), static_cast<size_t>(GetParam()));
  }

  void ExpectPartialReportAndCleanEnd(Subprocess& dslap) {
    const ProcessResult result = WaitForEnd(dslap);
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
    EXPECT_THAT(result.out, StartsWith("Benchmark\n\tAverage number of seconds"));
    EXPECT_THAT(result.out, HasSubstr("\tNumber of clients running queries: 4\n"));
    EXPECT_THAT(result.out, ContainsRegex("\n\tStatements executed: [1-9][0-9]* of 10000000"));
    EXPECT_THAT(result.out, ContainsRegex("\nVerdict: INVALID: .*interrupted"));
    ExpectNothingLeft();
    ExpectAgentsServe(agents_);
  }

  AgentFleet agents_;
};

TEST_P(InterruptedRunTest, ControlC) {
  Subprocess dslap(DslapSpec(WithAgents(agents_, EndlessLoad())));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  dslap.Signal(SIGINT);
  ExpectPartialReportAndCleanEnd(dslap);
}

TEST_P(InterruptedRunTest, Terminate) {
  Subprocess dslap(DslapSpec(WithAgents(agents_, EndlessLoad())));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  dslap.Signal(SIGTERM);
  ExpectPartialReportAndCleanEnd(dslap);
}

TEST_P(InterruptedRunTest, StatementsThatLastForMinutesAreKilled) {
  Subprocess dslap(DslapSpec(WithAgents(agents_, EndlessLoad(kLongStatement))));
  ASSERT_TRUE(WaitUntilAllRun(kLongStatement)) << dslap.err();
  dslap.Signal(SIGINT);
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

// The second signal waits for nothing. The agents end the load by themselves, and the one that made
// the schema drops it; without agents it is left, with dslap's mark, so the next run may drop it.
TEST_P(InterruptedRunTest, SecondControlCAborts) {
  Subprocess dslap(DslapSpec(WithAgents(agents_, EndlessLoad(kLongStatement))));
  ASSERT_TRUE(WaitUntilAllRun(kLongStatement)) << dslap.err();
  dslap.Signal(SIGINT);
  ASSERT_TRUE(dslap.WaitForError("once more", kFewSeconds)) << dslap.err();
  dslap.Signal(SIGINT);
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
  EXPECT_TRUE(Sandbox().WaitForConnections(0, kFewSeconds));
  if (agents_.empty()) {
    EXPECT_THAT(result.err, HasSubstr("aborted; schema e2e_load may be left behind"));
  } else {
    EXPECT_THAT(result.err, HasSubstr("aborted; an agent drops schema e2e_load as soon as"));
    EXPECT_TRUE(
        agents_[0]->process().WaitForErrorLine("drop schema `e2e_load`: done", kFewSeconds));
    ExpectNothingLeft();
  }
  ExpectAgentsServe(agents_);
  const ProcessResult next =
      RunDslap(WithAgents(agents_, {"--create=create table t (a int)", "--create-schema=e2e_load",
                                    "--query=select 1"}));
  EXPECT_EQ(next.exit_code, 0) << next.err;
  ExpectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(AgentNumbers, InterruptedRunTest, ::testing::Values(0, 2));

}  // namespace
}  // namespace dslap
