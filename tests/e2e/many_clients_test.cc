// A thousand clients on one agent, over epoll: every statement, COMMIT and detach takes place, and
// the threads are not those of the clients.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
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

const auto* const kSandboxEnvironment = AddSandboxEnvironment({"--max-connections=1200"});

constexpr char kThousand[] = "--concurrency=1000";
constexpr char kEpoll[] = "--load-engine=epoll";

uint64_t ThreadsOf(pid_t pid) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("Threads:", 0) != 0) continue;
    uint64_t threads = 0;
    const size_t digits = line.find_first_of("0123456789");
    std::from_chars(line.data() + digits, line.data() + line.size(), threads);
    return threads;
  }
  return 0;
}

TEST(ManyClientsTest, EachExecutesItsShareWithItsCommitsAndDetaches) {
  const ScratchSchema schema("many", {"seen (connection BIGINT NOT NULL)"});
  const uint64_t commits = Sandbox().StatusCounter("Com_commit");

  // Each of them: 1 2 COMMIT, 3 COMMIT, as it detaches, 4 5 COMMIT.
  const ProcessResult result =
      RunDslap({kThousand, kEpoll, "--number-of-queries=5000", "--commit=2", "--detach=3",
                "--create-schema=many", "--query=insert into seen values (connection_id())"});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 5000 of 5000\n"));
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 1000 of 1000\n"));
  EXPECT_EQ(Sandbox().StatusCounter("Com_commit") - commits, 3000u);
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM many.seen"), "5000");
  EXPECT_EQ(Sandbox().Value("SELECT GROUP_CONCAT(DISTINCT n ORDER BY n) FROM (SELECT COUNT(*) AS n "
                            "FROM many.seen GROUP BY connection) AS of_each"),
            "2,3");
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(DISTINCT connection) FROM many.seen"), "2000");
  ExpectNothingLeft({"many"});
}

TEST(ManyClientsTest, ThreadsOfTheAgentDoNotGrowWithThem) {
  const AgentFleet agents = StartAgents(1);
  ASSERT_EQ(agents.size(), 1u);
  const pid_t agent = agents[0]->process().pid();
  const uint64_t idle = ThreadsOf(agent);
  ASSERT_GT(idle, 0u);

  Subprocess dslap(DslapSpec(WithAgents(
      agents, {kThousand, kEpoll, "--number-of-queries=10000", "--query=do sleep(0.05)"})));
  uint64_t peak = 0;
  while (!dslap.WaitForExit(absl::Milliseconds(5))) peak = std::max(peak, ThreadsOf(agent));

  EXPECT_EQ(dslap.exit_code(), 0) << dslap.err();
  EXPECT_THAT(dslap.out(), HasSubstr("\tStatements executed: 10000 of 10000\n"));
  // Beside the loops: those that make connects which would hold a loop up, at most eight; those of
  // the run itself; and what gRPC adds for its one stream.
  constexpr uint64_t kAFew = 8 + 8;
  EXPECT_GT(peak, idle);
  EXPECT_LE(peak, idle + std::thread::hardware_concurrency() + kAFew);
}

}  // namespace
}  // namespace dslap
