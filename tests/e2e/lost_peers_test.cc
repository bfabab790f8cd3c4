// One side goes away in the middle of a run, or is taken already: the other side notices, says so,
// and cleans up.
#include <csignal>
#include <cstddef>
#include <string>
#include <utility>
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

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// Which of two agents goes away. The first one did the set-up: then the second has to tear down.
class LostAgentTest : public ::testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    agents_ = StartAgents(2);
    ASSERT_EQ(agents_.size(), 2u);
  }

  AgentProcess& lost() { return *agents_[GetParam()]; }

  // The agent that stays.
  AgentFleet Survivors() {
    AgentFleet survivors;
    survivors.push_back(std::move(agents_[1 - GetParam()]));
    return survivors;
  }

  void ExpectPartialReport(Subprocess& dslap) {
    const ProcessResult result = WaitForEnd(dslap);
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kAgentLost)) << result.err;
    ExpectOneErrorLine(result, {absl::StrCat("agent ", lost().address())});
    EXPECT_THAT(result.out, HasSubstr("Benchmark\n\tAverage number of seconds"));
    EXPECT_THAT(result.out, ContainsRegex("\n\tStatements executed: [1-9][0-9]* of 10000000"));
    EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\nVerdict: INVALID: agent ", lost().address(),
                                                   " was lost")));
    ExpectNothingLeft();
    ExpectAgentsServe(Survivors());
  }

  AgentFleet agents_;
};

TEST_P(LostAgentTest, Killed) {
  Subprocess dslap(DslapSpec(WithAgents(agents_, EndlessLoad())));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  lost().process().Signal(SIGKILL);
  ExpectPartialReport(dslap);
}

TEST_P(LostAgentTest, Terminated) {
  Subprocess dslap(DslapSpec(WithAgents(agents_, EndlessLoad())));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  lost().process().Signal(SIGTERM);
  EXPECT_TRUE(lost().process().WaitForExit(kFewSeconds));
  EXPECT_EQ(lost().process().exit_code(), 0) << lost().process().err();
  ExpectPartialReport(dslap);
}

INSTANTIATE_TEST_SUITE_P(WhichAgent, LostAgentTest, ::testing::Values(0u, 1u));

class TwoAgentsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    agents_ = StartAgents(2);
    ASSERT_EQ(agents_.size(), 2u);
  }
  AgentFleet agents_;
};

// The agents stop the load by themselves, and the one that made the schema drops it. It stayed.
TEST_F(TwoAgentsTest, KilledControllerLeavesNoLoadAndNoSchema) {
  {
    Subprocess dslap(DslapSpec(WithAgents(agents_, EndlessLoad())));
    ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
    dslap.Signal(SIGKILL);
    ASSERT_TRUE(dslap.WaitForExit(kFewSeconds));
  }
  EXPECT_TRUE(Sandbox().WaitForConnections(0, kFewSeconds));
  EXPECT_TRUE(agents_[0]->process().WaitForErrorLine("last will: drop schema `e2e_load`: done",
                                                     kFewSeconds))
      << agents_[0]->process().err();
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

// Whoever makes the schema anew in the meantime keeps it: the will is for one run's schema.
TEST_F(TwoAgentsTest, TheWillOfAKilledControllerSparesTheSchemaOfTheNextRun) {
  {
    Subprocess dslap(DslapSpec(WithAgents(agents_, EndlessLoad())));
    ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
    Sandbox().Execute(
        "DROP DATABASE e2e_load; CREATE DATABASE e2e_load; "
        "CREATE TABLE e2e_load._dslap_marker (a INT) COMMENT 'dslap run another'");
    dslap.Signal(SIGKILL);
    ASSERT_TRUE(dslap.WaitForExit(kFewSeconds));
  }
  EXPECT_TRUE(agents_[0]->process().WaitForErrorLine(
      "last will: drop schema `e2e_load`: not needed any more", kFewSeconds))
      << agents_[0]->process().err();
  EXPECT_EQ(Sandbox().Schemata(), std::vector<std::string>{"e2e_load"});
  Sandbox().Execute("DROP DATABASE e2e_load");
  ExpectNothingLeft();
}

TEST_F(TwoAgentsTest, BusyAgentNamesItsHolder) {
  Subprocess holder(DslapSpec({absl::StrCat("--agents=", agents_[0]->address()), "--concurrency=4",
                               "--query=do sleep(0.02)", "--number-of-queries=10000000",
                               "--create=create table t (a int)", "--create-schema=e2e_load"}));
  ASSERT_TRUE(WaitUntilLoadRuns()) << holder.err();

  const ProcessResult refused = RunDslap(WithAgents(agents_, {"-a"}));
  EXPECT_EQ(refused.exit_code, static_cast<int>(ExitCode::kAgentUnavailable));
  EXPECT_LT(refused.elapsed, kFewSeconds);
  ExpectOneErrorLine(refused, {absl::StrCat("agent ", agents_[0]->address(), ": busy with run "),
                               absl::StrCat("pid ", holder.pid())});
  EXPECT_EQ(refused.out, "");

  const ProcessResult table = RunProcess(
      BareDslapSpec({"agents", "--no-defaults", AgentsArgument(agents_)}), absl::Seconds(30));
  EXPECT_THAT(table.out, HasSubstr("busy"));
  EXPECT_THAT(table.out, HasSubstr(absl::StrCat("pid ", holder.pid())));

  // The holder was not disturbed.
  EXPECT_TRUE(WaitUntilLoadRuns());
  holder.Signal(SIGINT);
  EXPECT_EQ(WaitForEnd(holder).exit_code, static_cast<int>(ExitCode::kInterrupted));
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

}  // namespace
}  // namespace dslap
