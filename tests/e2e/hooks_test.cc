// --pre-system and --post-system with a real shell, real agents and a real server.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
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

// Number of agents; 0: in-process.
class HooksTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    agents_ = StartAgents(GetParam());
    ASSERT_EQ(agents_.size(), static_cast<size_t>(GetParam()));
  }

  std::vector<std::string> Arguments(std::vector<std::string> more) {
    more.insert(more.begin(),
                {"--create=create table t (a int)", "--query=insert into t values (1)", "-c4"});
    return WithAgents(agents_, std::move(more));
  }

  AgentFleet agents_;
};

TEST_P(HooksTest, RunAroundEveryRound) {
  const std::string log = absl::StrCat(::testing::TempDir(), "/hooks.", getpid());
  // A shell's own syntax, and what the load has left behind at that time.
  const std::string count = absl::StrCat("mariadb --no-defaults -uroot -S", Sandbox().socket(),
                                         " -Ne 'select count(*) from mysqlslap.t') >> ", log);
  const ProcessResult result =
      RunDslap(Arguments({"-i2", absl::StrCat("--pre-system=(echo pre; ", count),
                          absl::StrCat("--post-system=(echo post; ", count)}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::ostringstream written;
  written << std::ifstream(log).rdbuf();
  unlink(log.c_str());
  EXPECT_EQ(written.str(), "pre\n0\npost\n4\npre\n0\npost\n4\n");
}

TEST_P(HooksTest, OutputGoesWhereDslapsGoes) {
  const ProcessResult result =
      RunDslap(Arguments({"--pre-system=echo to the output; echo to the errors >&2"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("to the output\nBenchmark\n"));
  EXPECT_THAT(result.err, HasSubstr("to the errors\n"));
}

TEST_P(HooksTest, FailureIsAnErrorThatNamesTheCommand) {
  const ProcessResult result = RunDslap(Arguments({"--pre-system=exit 3"}));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed));
  EXPECT_EQ(result.out, "");
  ExpectOneErrorLine(result,
                     {"--pre-system: the command 'exit 3' ended with exit code 3", "|| true"});
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

TEST_P(HooksTest, FailureAfterTheLoadKeepsItsReport) {
  const ProcessResult result = RunDslap(Arguments({"-i2", "--post-system=false"}));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 4 of 4\n"));
  EXPECT_THAT(result.out, ContainsRegex("\nVerdict: DEGRADED: 1 of 2 rounds ran to the end"));
  ExpectOneErrorLine(result, {"--post-system: the command 'false' ended with exit code 1"});
}

TEST_P(HooksTest, ControlCDuringACommandEndsBoth) {
  Subprocess dslap(DslapSpec(Arguments({"--pre-system=echo in the command; exec sleep 300"})));
  ASSERT_TRUE(dslap.WaitForOutput("in the command", kFewSeconds)) << dslap.err();
  dslap.Signal(SIGINT);
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
  EXPECT_THAT(result.err, HasSubstr("dslap: interrupted during --pre-system\n"));
  // The output is only complete when nobody holds the pipes any more.
  EXPECT_LT(result.elapsed, absl::Seconds(4));
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

TEST_P(HooksTest, CommandLongerThanTheLeaseLosesNoAgent) {
  const ProcessResult result =
      RunDslap(Arguments({"--lease=1s", "--heartbeat-interval=100ms", "--pre-system=sleep 2.5"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 4 of 4\n"));
}

TEST_P(HooksTest, OnlyPrintRunsNoCommand) {
  const ScratchDirectory scratch;
  const std::string command = absl::StrCat("touch ", scratch.Path("ran"));
  for (const char* const print : {"--only-print", "--print-plan"}) {
    const ProcessResult result = RunDslap(Arguments(
        {print, absl::StrCat("--pre-system=", command), absl::StrCat("--post-system=", command)}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_FALSE(std::filesystem::exists(scratch.Path("ran"))) << print;
  }
}

INSTANTIATE_TEST_SUITE_P(AgentNumbers, HooksTest, ::testing::Values(0, 2));

}  // namespace
}  // namespace dslap
