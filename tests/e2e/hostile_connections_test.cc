// Thousands of connections that say nothing, while a run goes through the same agent.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/e2e/hostile_target.h"
#include "tests/support/dslap_process.h"
#include "tests/support/link_certificates.h"
#include "tests/support/raw_socket.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// `wanted`, or what this process may hold.
int Connections(int wanted) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  const int most = static_cast<int>(std::min<rlim_t>(
      limit.rlim_cur - std::min<rlim_t>(limit.rlim_cur, 500), static_cast<rlim_t>(wanted)));
  if (most < wanted) {
    std::printf("%d connections, not %d: only %d descriptors are allowed here\n", most, wanted,
                static_cast<int>(limit.rlim_cur));
  }
  return most;
}

void HoldWhileARunGoesThrough(HostileTarget* target, int wanted,
                              const std::vector<std::string>& controller_arguments) {
  // A run that is at work all the while.
  std::vector<std::string> arguments = EndlessLoad();
  arguments.push_back(absl::StrCat("--agents=", target->address()));
  arguments.insert(arguments.end(), controller_arguments.begin(), controller_arguments.end());
  Subprocess dslap(DslapSpec(arguments));
  ASSERT_TRUE(WaitUntilLoadRuns());

  const int count = Connections(wanted);
  std::vector<RawSocket> idle;
  idle.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    idle.emplace_back(target->address());
    ASSERT_TRUE(idle.back().connected()) << "after " << i;
  }
  ASSERT_TRUE(target->AwaitRefused("crowd", count - 1000)) << target->Refused("crowd");
  // Two descriptors for each of those that may stay.
  EXPECT_LE(target->Figures().descriptors, target->base_descriptors() + 2 * 1000 + 100);
  EXPECT_TRUE(WaitUntilLoadRuns()) << "the run goes on";
  dslap.Signal(SIGINT);
  EXPECT_EQ(WaitForEnd(dslap).exit_code, 130);
  // The next one gets through the crowd.
  EXPECT_TRUE(target->ServesARun());
  // The first were ended by the agent.
  EXPECT_TRUE(idle.front().AwaitEnd(kFewSeconds));
}

TEST(HostileConnectionsTest, TenThousandInPlainText) {
  HostileTarget target;
  ASSERT_TRUE(target.Start());
  HoldWhileARunGoesThrough(&target, 10'000, {});
  EXPECT_LE(target.AwaitLinesWith("connections without a run: it was ended"), 3);
  target.ExpectUnharmed(6);
}

TEST(HostileConnectionsTest, ThreeThousandToAPortWithTls) {
  const LinkCertificates ours;
  HostileTarget target(ours.AgentArguments(), ours.ControllerArguments());
  ASSERT_TRUE(target.Start());
  HoldWhileARunGoesThrough(&target, 3'000, ours.ControllerArguments());
  target.ExpectUnharmed(6);
}

// gRPC's own listener would never accept again.
TEST(HostileConnectionsTest, AgentWithoutADescriptorLeft) {
  HostileTarget target;
  ASSERT_TRUE(target.Start());
  const auto few = static_cast<rlim_t>(target.base_descriptors() + 24);
  const rlimit limit{few, few};
  ASSERT_EQ(prlimit(target.agent().process().pid(), RLIMIT_NOFILE, &limit, nullptr), 0);
  std::vector<RawSocket> idle;
  for (int i = 0; i < 200; ++i) {
    idle.emplace_back(target.address());
    ASSERT_TRUE(idle.back().connected()) << "after " << i;
  }
  ASSERT_TRUE(target.AwaitRefused("descriptors", 10)) << target.Refused("descriptors");
  EXPECT_EQ(target.AwaitLinesWith(": no descriptor is left: Too many open files"), 1);
  idle.clear();
  target.ExpectUnharmed(2);
}

}  // namespace
}  // namespace dslap
