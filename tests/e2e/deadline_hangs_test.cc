// What comes after the end by --deadline is bounded too, when the database hangs in it. Both runs
// wait for the same long time, so they do it side by side, each with a database of its own.
#include <memory>
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
#include "tests/support/stopped_process.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// What the help text promises, and time to start and end a program on a busy machine.
const absl::Duration kAfterDeadline = absl::Seconds(20) + absl::Seconds(5);

// A hook whose child keeps a lock that the DROP SCHEMA waits for.
std::string LockingHook() {
  const std::string client =
      absl::StrCat("mariadb --no-defaults -uroot -S", Sandbox().socket(), " ");
  return absl::StrCat("--post-system=", client,
                      "-e 'lock tables e2e_load.t read; select sleep(601)' >/dev/null 2>&1 & while "
                      "! ",
                      client, "-Ne 'show processlist' | grep -q 'sleep(601)'; do :; done");
}

class DeadlineHangsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { RunBoth(); }
  static void TearDownTestSuite() {
    agents_.clear();
    frozen_database_.reset();
  }

  static void RunBoth() {
    auto started = SandboxDatabase::Start();
    ASSERT_TRUE(started.ok()) << started.status();
    frozen_database_ = *std::move(started);
    agents_ = StartAgents(2);
    ASSERT_EQ(agents_.size(), 2u);

    const absl::Time begin = absl::Now();
    Subprocess locked(DslapSpec({"--create-schema=e2e_load", "--create=create table t (a int)",
                                 "--query=select 1", LockingHook(), "--deadline=3s"}));
    std::vector<std::string> endless = EndlessLoad();
    endless.emplace_back("--deadline=4s");
    for (const std::string& argument : frozen_database_->ClientArguments()) {
      endless.push_back(argument);
    }
    Subprocess frozen(DslapSpec(WithAgents(agents_, endless)));
    ASSERT_TRUE(frozen_database_->WaitForValue(
        "SELECT VARIABLE_VALUE > 40 FROM information_schema.global_status WHERE VARIABLE_NAME = "
        "'Com_do'",
        "1", kFewSeconds))
        << frozen.err();
    const StoppedProcess stopped(frozen_database_->pid());
    locked_ = WaitForEnd(locked, begin + absl::Seconds(3) + kAfterDeadline - absl::Now());
    frozen_ = WaitForEnd(frozen, begin + absl::Seconds(4) + kAfterDeadline - absl::Now());
  }

  inline static std::unique_ptr<SandboxDatabase> frozen_database_;
  inline static AgentFleet agents_;
  inline static ProcessResult locked_;
  inline static ProcessResult frozen_;
};

TEST_F(DeadlineHangsTest, TearDownThatWaitsForALockIsGivenUpAndTheSchemaNamed) {
  EXPECT_EQ(locked_.exit_code, static_cast<int>(ExitCode::kSetUpFailed)) << locked_.err;
  EXPECT_THAT(locked_.err, HasSubstr("schema `e2e_load` was left behind on 127.0.0.1:"));
  EXPECT_THAT(locked_.out, HasSubstr("\tStatements executed: 1 of 1\n"));
  EXPECT_EQ(Sandbox().Value("select count(*) from information_schema.processlist where info like "
                            "'DROP SCHEMA%'"),
            "0");
  for (const auto& row : Sandbox().Rows(
           "select id from information_schema.processlist where info = 'select sleep(601)'")) {
    Sandbox().Execute("KILL " + row[0]);
  }
  EXPECT_EQ(Sandbox().Schemata(), std::vector<std::string>{"e2e_load"});
  Sandbox().Execute("DROP SCHEMA e2e_load");
}

// Without --query-timeout nothing else would end this run.
TEST_F(DeadlineHangsTest, ServerThatIsFrozenHoldsItUpForAWhileOnly) {
  EXPECT_EQ(frozen_.exit_code, static_cast<int>(ExitCode::kSetUpFailed)) << frozen_.err;
  EXPECT_THAT(frozen_.err, HasSubstr("dslap: ended by --deadline=4s during the load"));
  EXPECT_THAT(frozen_.err, HasSubstr("schema `e2e_load` was left behind on 127.0.0.1:"));
  EXPECT_THAT(frozen_.out, ContainsRegex("\n\tStatements executed: [1-9][0-9]* of 10000000"));
  EXPECT_TRUE(frozen_database_->WaitForConnections(0, kFewSeconds));
  EXPECT_EQ(frozen_database_->Schemata(), std::vector<std::string>{"e2e_load"});
  ExpectAgentsServe(agents_);
}

}  // namespace
}  // namespace dslap
