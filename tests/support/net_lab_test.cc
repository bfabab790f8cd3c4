#include "tests/support/net_lab.h"

#include <memory>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/agent_process.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kBound = absl::Seconds(20);

class NetLabTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = NetLab::WhyNot(); !why.empty()) GTEST_SKIP() << why;
    lab_ = std::make_unique<NetLab>();
  }

  // What bash says of a connection from `from`, within the time; empty: it was made.
  static std::string Connect(const NetHost& from, const std::string& address,
                             const std::string& seconds = "20") {
    const ProcessResult result =
        RunProcess({.argv = {"timeout", seconds, "bash", "-c",
                             absl::StrCat("exec 5<>/dev/tcp/", address.substr(0, address.find(':')),
                                          "/", address.substr(address.find(':') + 1))},
                    .network_fd = from.network_fd()},
                   kBound + absl::Seconds(5));
    if (result.exit_code == 124) return "timed out";
    return result.exit_code == 0 ? "" : result.err;
  }

  static std::unique_ptr<AgentProcess> StartAgent(const NetHost& host) {
    auto agent = std::make_unique<AgentProcess>(
        std::vector<std::string>{"--insecure", absl::StrCat("--listen=", host.address(), ":7527")},
        host.network_fd());
    EXPECT_TRUE(agent->WaitUntilListening());
    return agent;
  }

  std::unique_ptr<NetLab> lab_;
};

TEST_F(NetLabTest, HostsReachEachOtherAndNobodyElseDoes) {
  NetHost& a = lab_->AddHost("a");
  const NetHost& b = lab_->AddHost("b");
  const auto agent = StartAgent(b);
  EXPECT_EQ(agent->address(), "10.77.0.2:7527");
  EXPECT_EQ(Connect(a, agent->address()), "");
  EXPECT_THAT(Connect(a, "10.77.0.2:7528"), HasSubstr("Connection refused"));
  NetLab other;
  EXPECT_EQ(Connect(other.AddHost("c"), agent->address(), "0.3"), "timed out");
}

TEST_F(NetLabTest, CableCutAndPlugged) {
  const NetHost& a = lab_->AddHost("a");
  NetHost& b = lab_->AddHost("b");
  const auto agent = StartAgent(b);
  ASSERT_EQ(Connect(a, agent->address()), "");
  b.CutCable();
  EXPECT_EQ(Connect(a, agent->address(), "0.3"), "timed out");
  b.PlugCable();
  EXPECT_EQ(Connect(a, agent->address()), "");
}

TEST_F(NetLabTest, Filters) {
  const NetHost& a = lab_->AddHost("a");
  NetHost& b = lab_->AddHost("b");
  const auto agent = StartAgent(b);
  b.DropPackets();
  EXPECT_EQ(Connect(a, agent->address(), "0.3"), "timed out");
  b.RemoveFilters();
  EXPECT_EQ(Connect(a, agent->address()), "");
  b.ResetConnections(7527);
  EXPECT_THAT(Connect(a, agent->address()), HasSubstr("Connection refused"));
  b.RemoveFilters();
  EXPECT_EQ(Connect(a, agent->address()), "");
}

TEST_F(NetLabTest, RebootedHostKeepsItsAddressAndNothingElse) {
  const NetHost& a = lab_->AddHost("a");
  NetHost& b = lab_->AddHost("b");
  auto agent = StartAgent(b);
  ASSERT_EQ(Connect(a, agent->address()), "");
  b.CutCable();
  agent.reset();
  b.Reboot();
  EXPECT_THAT(Connect(a, "10.77.0.2:7527"), HasSubstr("Connection refused"));
  agent = StartAgent(b);
  EXPECT_EQ(Connect(a, "10.77.0.2:7527"), "");
}

TEST_F(NetLabTest, WireDelays) {
  const NetHost& near_host = lab_->AddHost("near");
  const NetHost& far_host = lab_->AddHost("far", {.delay = absl::Milliseconds(50)});
  const auto agent = StartAgent(far_host);
  ASSERT_EQ(Connect(near_host, agent->address()), "");  // addresses are known from now on
  const absl::Time start = absl::Now();
  EXPECT_EQ(Connect(near_host, agent->address()), "");
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(100));
}

TEST_F(NetLabTest, WireLoses) {
  const NetHost& near_host = lab_->AddHost("near");
  const NetHost& far_host = lab_->AddHost("far", {.loss_percent = 100});
  const auto agent = StartAgent(far_host);
  EXPECT_EQ(Connect(near_host, agent->address(), "0.3"), "timed out");
}

}  // namespace
}  // namespace dslap
