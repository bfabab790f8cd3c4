// The database goes away in the middle of a run, and comes back or not.
#include <csignal>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "controller/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/database_fault_checks.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

// What was committed must outlive a kill of the server.
const auto* const kSandboxEnvironment =
    AddSandboxEnvironment({"--option=--innodb-flush-log-at-trx-commit=2"});

struct Ending {
  const char* name;
  void (SandboxDatabase::*end)();
};

const Ending kEndings[] = {{"Killed", &SandboxDatabase::Kill}, {"Stopped", &SandboxDatabase::Stop}};

// How the server ends, and --load-engine.
class DatabaseRestartTest : public ::testing::TestWithParam<std::tuple<Ending, std::string>> {
 protected:
  void SetUp() override {
    agents_ = StartAgents(2);
    ASSERT_EQ(agents_.size(), 2u);
  }

  SubprocessSpec Spec(std::vector<std::string> arguments) {
    arguments.push_back(absl::StrCat("--load-engine=", std::get<1>(GetParam())));
    return DslapSpec(WithAgents(agents_, arguments));
  }
  void EndServer() { (Sandbox().*std::get<0>(GetParam()).end)(); }

  AgentFleet agents_;
};

TEST_P(DatabaseRestartTest, StopsTheRunWhichTearsDownWhenItIsBack) {
  Subprocess dslap(Spec(EndlessLoad()));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  EndServer();
  Sandbox().StartAgain();
  const ProcessResult result = WaitForEnd(dslap, absl::Seconds(30));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  ExpectOneErrorLine(result, {"a statement failed and ended the run: ", "--ignore-errors"});
  EXPECT_THAT(result.out, HasSubstr("\nVerdict: INVALID: stopped by an error: 0 of 1 round"));
  ExpectNothingLeft();
  ExpectAgentsServe(agents_);
}

// The clients reconnect, with pauses, and every statement is executed; none twice.
TEST_P(DatabaseRestartTest, LoadGoesOnWhenErrorsAreIgnored) {
  const ScratchSchema schema("faults", {"seen (id BIGINT AUTO_INCREMENT PRIMARY KEY, a INT)"});
  constexpr uint64_t kStatements = 1600;
  Subprocess dslap(Spec({"--ignore-errors=all", "--concurrency=4", "--json",
                         absl::StrCat("--number-of-queries=", kStatements),
                         "--query=insert into faults.seen (a) select sleep(0.005)"}));
  ASSERT_TRUE(WaitUntilRows("faults.seen", 100)) << dslap.err();
  EndServer();
  Sandbox().StartAgain();
  const ProcessResult result = WaitForEnd(dslap, absl::Seconds(60));
  const FaultReport report(result);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(report.succeeded() + report.failed(), kStatements);
  EXPECT_EQ(report.reconnects(), 4u);
  EXPECT_GE(report.failed(), 1u);
  EXPECT_LE(report.failed(), 8u) << "each client lost what it was at: no busy loop";
  // What was committed and not answered any more counts as failed.
  const uint64_t rows = CountRows("faults.seen");
  EXPECT_GE(rows, report.succeeded());
  EXPECT_LE(rows, report.succeeded() + report.failed());
  ExpectAgentsServe(agents_);
}

INSTANTIATE_TEST_SUITE_P(Endings, DatabaseRestartTest,
                         ::testing::Combine(::testing::ValuesIn(kEndings),
                                            ::testing::Values("threads", "epoll")),
                         [](const auto& test) {
                           return absl::StrCat(std::get<0>(test.param).name, "_",
                                               std::get<1>(test.param));
                         });

TEST(DatabaseGoneTest, SchemaIsNamedAndTheReportPrinted) {
  const AgentFleet agents = StartAgents(2);
  ASSERT_EQ(agents.size(), 2u);
  Subprocess dslap(DslapSpec(WithAgents(agents, EndlessLoad())));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  Sandbox().Kill();
  const ProcessResult result = WaitForEnd(dslap, absl::Seconds(60));
  Sandbox().StartAgain();
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed)) << result.err;
  EXPECT_THAT(result.err, HasSubstr("dslap: tear-down failed: agent "));
  EXPECT_THAT(result.err, HasSubstr("schema `e2e_load` was left behind on 127.0.0.1:"));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: "));
  EXPECT_THAT(result.out, HasSubstr("(2013/HY000)"));
  // It bears dslap's mark: the next run may drop it.
  const ProcessResult next = RunDslap(WithAgents(
      agents, {"--create=create table t (a int)", "--create-schema=e2e_load", "--query=select 1"}));
  EXPECT_EQ(next.exit_code, 0) << next.err;
  ExpectNothingLeft();
}

TEST(DatabaseGoneTest, BeforeTheRunIsOneError) {
  Sandbox().Stop();
  const ProcessResult result = RunDslap({"-a", "--create-schema=e2e_load"});
  Sandbox().StartAgain();
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed));
  ExpectOneErrorLine(result, {"connect to 127.0.0.1:", "(2002/HY000)"});
  EXPECT_LT(result.elapsed, absl::Seconds(8)) << "nothing was made, so nothing is waited for";
}

}  // namespace
}  // namespace dslap
