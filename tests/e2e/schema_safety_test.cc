// A schema that dslap did not make is never dropped unless its owner says so.
#include <string>
#include <tuple>
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

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

class ForeignSchemaTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    agents_ = StartAgents(GetParam());
    ASSERT_EQ(agents_.size(), static_cast<size_t>(GetParam()));
    Sandbox().Execute(
        "CREATE DATABASE mysqlslap; CREATE TABLE mysqlslap.precious AS SELECT 42 AS answer");
  }
  void TearDown() override { Sandbox().Execute("DROP DATABASE IF EXISTS mysqlslap"); }

  void ExpectRefused(const std::vector<std::string>& arguments) {
    const ProcessResult result = RunDslap(WithAgents(agents_, arguments));
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed));
    ExpectOneErrorLine(result, {"schema `mysqlslap` exists and was not made by dslap",
                                "--create-schema=NAME", "--drop-existing-schema"});
    EXPECT_EQ(Sandbox().Value("SELECT answer FROM mysqlslap.precious"), "42");
    EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = "
                              "'mysqlslap'"),
              "1");
    ExpectNothingLeft({"mysqlslap"});
  }

  AgentFleet agents_;
};

TEST_P(ForeignSchemaTest, RefusedWithAutoGenerate) { ExpectRefused({"-a"}); }

TEST_P(ForeignSchemaTest, RefusedWithCreate) {
  ExpectRefused({"--create=create table t (a int)", "--query=select 1"});
}

TEST_P(ForeignSchemaTest, RefusedWithNoDrop) { ExpectRefused({"-a", "--no-drop"}); }

TEST_P(ForeignSchemaTest, UsedWhenNothingIsCreated) {
  const ProcessResult result =
      RunDslap(WithAgents(agents_, {"--query=select answer from precious", "--concurrency=2"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Sandbox().Value("SELECT answer FROM mysqlslap.precious"), "42");
  ExpectNothingLeft({"mysqlslap"});
}

TEST_P(ForeignSchemaTest, DroppedWhenTheUserSaysSo) {
  const ProcessResult result = RunDslap(WithAgents(agents_, {"-a", "--drop-existing-schema"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(AgentNumbers, ForeignSchemaTest, ::testing::Values(0, 2));

}  // namespace
}  // namespace dslap
