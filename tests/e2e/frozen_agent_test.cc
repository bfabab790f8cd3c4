// An agent that is frozen for longer than its lease and wakes up when its run is long over.
#include <filesystem>
#include <memory>
#include <string>
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

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// A second client of the server that holds a lock on table t of the load until it is destroyed.
std::unique_ptr<Subprocess> LockTable() {
  auto lock = std::make_unique<Subprocess>(
      SubprocessSpec{.argv = {"mariadb", "--no-defaults", "--user=root",
                              absl::StrCat("--socket=", Sandbox().socket()), "--execute",
                              "LOCK TABLES e2e_load.t READ; SELECT SLEEP(600)"}});
  EXPECT_TRUE(Sandbox().WaitForValue(
      "SELECT COUNT(*) FROM information_schema.processlist WHERE info = 'SELECT SLEEP(600)'", "1",
      kFewSeconds));
  return lock;
}

bool WaitForFile(const std::string& path) {
  const absl::Time deadline = absl::Now() + kFewSeconds;
  while (!std::filesystem::exists(path)) {
    if (absl::Now() > deadline) return false;
    absl::SleepFor(absl::Milliseconds(2));
  }
  return true;
}

// It had sent the DROP SCHEMA that the second round begins with, and the server was slow to carry
// it out. When it woke up, long after a survivor had torn down, it went on with the CREATE SCHEMA
// that came next in its script.
TEST(FrozenAgentTest, WakesUpAndMakesNoSchemaAnyMore) {
  const AgentFleet agents = StartAgents(2);
  ASSERT_EQ(agents.size(), 2u);
  const ScratchDirectory directory;
  const std::string between_rounds =
      absl::StrCat("touch ", directory.Path("reached"), "; while [ ! -e ", directory.Path("go"),
                   " ]; do sleep 0.01; done");
  Subprocess dslap(DslapSpec(WithAgents(
      agents, {"--create=create table t (a int)", "--create-schema=e2e_load", "--query=do 1",
               "--number-of-queries=2", "--iterations=2", "--concurrency=2", "--lease=1s",
               "--heartbeat-interval=200ms", absl::StrCat("--post-system=", between_rounds)})));
  ASSERT_TRUE(WaitForFile(directory.Path("reached"))) << dslap.err();
  std::unique_ptr<Subprocess> lock = LockTable();
  (void)directory.File("go", "");
  ASSERT_TRUE(Sandbox().WaitForValue(
      "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'DROP SCHEMA%' AND "
      "state LIKE 'Waiting for%lock'",
      "1", kFewSeconds));

  StoppedProcess frozen(agents[0]->process().pid());
  lock.reset();
  EXPECT_EQ(WaitForEnd(dslap).exit_code, static_cast<int>(ExitCode::kAgentLost)) << dslap.err();
  EXPECT_EQ(Sandbox().Schemata(), std::vector<std::string>{});
  frozen.Continue();
  ExpectNothingLeft();
  ExpectAgentsServe(agents);
  EXPECT_EQ(Sandbox().Schemata(), std::vector<std::string>{});
}

}  // namespace
}  // namespace dslap
