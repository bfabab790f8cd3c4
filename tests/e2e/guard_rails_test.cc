// What the owner of an agent allows, as the users of dslap meet it: a refusal names the rule and
// comes before anything is touched.
#include <cstdint>
#include <memory>
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
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

class GuardRailsE2eTest : public testing::Test {
 protected:
  // With a configuration file of these lines.
  void StartAgent(const std::string& conf) {
    conf_ = directory_.File("agent.conf", conf);
    agent_ =
        std::make_unique<AgentProcess>(std::vector<std::string>{absl::StrCat("--config=", conf_)});
    ASSERT_TRUE(agent_->WaitUntilListening());
  }

  ProcessResult Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-a", absl::StrCat("--agents=", agent_->address())});
    return RunDslap(arguments);
  }

  void ExpectRefused(const std::vector<std::string>& arguments, const std::string& why) const {
    const int64_t connections = Connections();
    const ProcessResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kAgentUnavailable));
    ExpectOneErrorLine(result, {absl::StrCat("agent ", agent_->address(), ": ", why)});
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(Connections(), connections + 1) << "the database was touched";
  }

  // That there were so far, the one that asks among them.
  static int64_t Connections() {
    return std::stoll(
        Sandbox().Value("SELECT VARIABLE_VALUE FROM information_schema.global_status WHERE "
                        "VARIABLE_NAME = 'CONNECTIONS'"));
  }

  ScratchDirectory directory_;
  std::string conf_;
  std::unique_ptr<AgentProcess> agent_;
};

TEST_F(GuardRailsE2eTest, TargetThatIsNotAllowed) {
  StartAgent(absl::StrCat("# only this\nallow-target = 127.0.0.1:1,[fd00::]/8:*\n"));
  ExpectRefused({}, absl::StrCat("refuses the target 127.0.0.1:", Sandbox().port(),
                                 ": --allow-target=127.0.0.1:1,[fd00::]/8:* (", conf_,
                                 ":2) does not include it"));
  ExpectRefused({"--host=localhost", "--protocol=socket", "--socket=/run/other.sock"},
                "refuses the target socket /run/other.sock: --allow-target=");
  ExpectRefused(
      {"--plugin-dir=/tmp"},
      "refuses --plugin-dir=/tmp: it is read by the agent itself, whose owner allows such "
      "directories with --allow-library-dir=DIR");
  ASSERT_TRUE(agent_->process().WaitForErrorLine("event=run ", kFewSeconds));
  EXPECT_THAT(agent_->process().err(),
              ContainsRegex(absl::StrCat(" outcome=refused code=PERMISSION_DENIED "
                                         "reason=\"refuses the target 127.0.0.1:",
                                         Sandbox().port())));
  EXPECT_THAT(agent_->process().err(), Not(HasSubstr("event=run-started")));
}

// Its name has an address that is allowed, whether or not others are; both kinds of connections are
// bound to it.
TEST_F(GuardRailsE2eTest, TargetThatIsAllowed) {
  StartAgent(absl::StrCat("allow-target = 10.0.0.0/8:3306\nallow-target = 127.0.0.0/8:",
                          Sandbox().port(), "\nmax-clients = 4\n"));
  for (const std::string engine : {"threads", "epoll"}) {
    const ProcessResult result = Run({"--host=localhost", "--protocol=tcp", "--concurrency=4",
                                      absl::StrCat("--load-engine=", engine)});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("\nVerdict: VALID"));
  }
  EXPECT_THAT(agent_->process().err(),
              ContainsRegex(" event=run id=[^ ]+ .* target=localhost:[0-9]+ user=[^ ]+ clients=4 "
                            "rounds=1 statements=44 errors=0 outcome=finished duration="));
}

TEST_F(GuardRailsE2eTest, MoreClientsThanAreAllowed) {
  StartAgent("max-clients = 4\nmax-run-time = 1h\n");
  ExpectRefused({"--concurrency=5"},
                absl::StrCat("is to have 5 clients, but its owner allows no more than 4 "
                             "(--max-clients=4 (",
                             conf_, ":1)): use more agents"));
  const ProcessResult table = RunProcess(
      BareDslapSpec({"agents", "--no-defaults", absl::StrCat("--agents=", agent_->address())}),
      kFewSeconds);
  EXPECT_THAT(table.out, HasSubstr(absl::StrCat("\n  --max-clients=4 (", conf_,
                                                ":1)\n  --max-run-time=1h (", conf_, ":2)\n")));
}

// The owner's time is up 20 s before the agent would end the run: there is time to clean up.
TEST_F(GuardRailsE2eTest, RunThatTakesTooLongEndsCleanlyAtBothEnds) {
  StartAgent("max-run-time = 30s\n");
  const ProcessResult result = Run({"--number-of-queries=100000000"});
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat("ended by --max-run-time=30s (", conf_,
                                                 ":1) of agent ", agent_->address())));
  ExpectNothingLeft();
  EXPECT_THAT(agent_->process().err(), HasSubstr(" outcome=finished "));
}

}  // namespace
}  // namespace dslap
