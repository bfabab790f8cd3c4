// A password is in no output, no log, and on no command line but the one it was typed on.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
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

std::string FileContent(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class SecretsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    agents_ = StartAgents(2);
    ASSERT_EQ(agents_.size(), 2u);
    directory_ = ::testing::TempDir() + "/dslap-secrets-XXXXXX";
    ASSERT_NE(mkdtemp(directory_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void ExpectHidden(const std::string& secret, const std::string& text, const std::string& where) {
    EXPECT_EQ(text.find(secret), std::string::npos) << "the password is in " << where;
  }

  void ExpectAgentsKeepIt(const std::string& secret) {
    for (const auto& agent : agents_) {
      const std::string proc = absl::StrCat("/proc/", agent->process().pid());
      ExpectHidden(secret, agent->process().err(), "an agent's log");
      ExpectHidden(secret, agent->process().out(), "an agent's output");
      ExpectHidden(secret, FileContent(proc + "/cmdline"), "an agent's command line");
      ExpectHidden(secret, FileContent(proc + "/environ"), "an agent's environment");
    }
  }

  AgentFleet agents_;
  std::string directory_;
};

TEST_F(SecretsTest, ReportsAndLogsHaveNoPassword) {
  const std::string json = directory_ + "/report.json";
  const ProcessResult result =
      RunDslap(WithAgents(agents_, {"-a", "--concurrency=3", "-v", "-v", "-v", "--json=" + json}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string secret = Sandbox().password();
  ASSERT_GE(secret.size(), 16u);
  ExpectHidden(secret, result.out, "standard output");
  ExpectHidden(secret, result.err, "standard error");
  // The report repeats the command line, so it must have been looked at.
  const std::string report = FileContent(json);
  EXPECT_THAT(report, HasSubstr("--concurrency=3"));
  EXPECT_THAT(report, HasSubstr(absl::StrCat("-u", Sandbox().user())));
  ExpectHidden(secret, report, "the JSON report");
  ExpectAgentsKeepIt(secret);
}

TEST_F(SecretsTest, RefusalsHaveNoPassword) {
  const std::string secret = "wr0ng-s3cret-of-mine";
  const ProcessResult result = RunDslap(WithAgents(agents_, {"-p" + secret, "-a", "-v", "-v"}));
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("Access denied"));
  ExpectHidden(secret, result.out, "standard output");
  ExpectHidden(secret, result.err, "standard error");
  ExpectAgentsKeepIt(secret);
}

}  // namespace
}  // namespace dslap
