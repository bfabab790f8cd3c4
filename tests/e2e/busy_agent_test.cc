// Busy is not dead: an agent whose CPU is taken by its own load, and by others', keeps its lease.
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
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

using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment({"--max-connections=500"});

// With the shortest lease there is, three times.
constexpr absl::Duration kHowLong = absl::Seconds(3);

// Has all threads of a process, and those to come, share the first core.
void Confine(const Subprocess& process) {
  const ProcessResult result = RunProcess(
      {.argv = {"taskset", "--all-tasks", "--cpu-list", "--pid", "0", absl::StrCat(process.pid())}},
      absl::Seconds(10));
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

class BusyAgentTest : public ::testing::TestWithParam<const char*> {
 protected:
  // Programs that want the first core for themselves.
  void StartHogs(int count) {
    for (int i = 0; i < count; ++i) {
      hogs_.push_back(std::make_unique<Subprocess>(SubprocessSpec{
          .argv = {"taskset", "--cpu-list", "0", "sh", "-c", "while :; do :; done"}}));
    }
  }

  std::vector<std::unique_ptr<Subprocess>> hogs_;
};

TEST_P(BusyAgentTest, KeepsAShortLease) {
  const AgentFleet agents = StartAgents(1);
  ASSERT_EQ(agents.size(), 1u);
  Confine(agents[0]->process());
  StartHogs(4);
  Subprocess dslap(DslapSpec({AgentsArgument(agents), absl::StrCat("--load-engine=", GetParam()),
                              "--concurrency=300", "--query=do 1", "--number-of-queries=300000000",
                              "--lease=1s", "--heartbeat-interval=200ms"}));
  Confine(dslap);
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  EXPECT_FALSE(dslap.WaitForExit(kHowLong));
  dslap.Signal(SIGINT);
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 300 of 300\n"));
  EXPECT_THAT(result.out,
              HasSubstr("\nVerdict: INVALID: interrupted: 0 of 1 round ran to the end\n"));
}

INSTANTIATE_TEST_SUITE_P(Engines, BusyAgentTest, ::testing::Values("threads", "epoll"));

}  // namespace
}  // namespace dslap
