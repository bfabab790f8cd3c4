#include "controller/find_agents.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "controller/cli/agent_list.h"
#include "controller/system_resolver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FakeResolver final : public AddressResolver {
 public:
  absl::StatusOr<std::vector<std::string>> Resolve(const std::string& name) override {
    asked.push_back(name);
    const auto found = names.find(name);
    if (found == names.end()) return absl::NotFoundError("Name or service not known");
    return found->second;
  }
  std::map<std::string, absl::StatusOr<std::vector<std::string>>> names;
  std::vector<std::string> asked;
};

class FindAgentsTest : public testing::Test {
 protected:
  absl::StatusOr<std::vector<AgentSpec>> Find(const std::string& text) {
    options_.agents = ParseAgents(text).value();
    return FindAgents(options_, &resolver_);
  }
  std::vector<std::string> Found(const std::string& text) {
    const absl::StatusOr<std::vector<AgentSpec>> agents = Find(text);
    EXPECT_TRUE(agents.ok()) << agents.status();
    std::vector<std::string> texts;
    if (!agents.ok()) return texts;
    for (const AgentSpec& agent : *agents) {
      texts.push_back(agent.address + "*" + std::to_string(agent.weight));
    }
    return texts;
  }
  Options options_;
  FakeResolver resolver_;
};

TEST_F(FindAgentsTest, NothingIsLookedUpThatIsNoName) {
  options_.insecure = true;
  EXPECT_THAT(Found("b*2,a"), ElementsAre("b:7527*2", "a:7527*1"));
  EXPECT_THAT(resolver_.asked, ElementsAre());
}

TEST_F(FindAgentsTest, OneAgentForEachAddressInTheOrderOfTheNumbers) {
  options_.insecure = true;
  resolver_.names["agents.example"] = std::vector<std::string>{
      "fd00::2", "10.0.0.10", "10.0.0.9", "fd00::1", "10.0.0.10", "fe80::1%eth0"};
  EXPECT_THAT(Found("z,dns:agents.example:9*3,a"),
              ElementsAre("z:7527*1", "10.0.0.9:9*3", "10.0.0.10:9*3", "[fd00::1]:9*3",
                          "[fd00::2]:9*3", "[fe80::1%eth0]:9*3", "a:7527*1"));
  EXPECT_THAT(resolver_.asked, ElementsAre("agents.example"));
}

TEST_F(FindAgentsTest, NameWithoutAnAddressIsAnAgentThatCannotBeReached) {
  const absl::Status status = Find("localhost,dns:agents.example").status();
  EXPECT_EQ(status.message(),
            "--agents: dns:agents.example: no address was found: Name or service not known");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(FindAgentsExitCode(status), ExitCode::kAgentUnavailable);
  resolver_.names["agents.example"] =
      absl::UnavailableError("Temporary failure in name resolution");
  EXPECT_EQ(FindAgentsExitCode(Find("dns:agents.example").status()), ExitCode::kAgentUnavailable);
}

TEST_F(FindAgentsTest, AddressOnAnotherHostNeedsInsecure) {
  resolver_.names["agents.example"] = std::vector<std::string>{"127.0.0.1", "10.0.0.9"};
  const absl::Status status = Find("dns:agents.example").status();
  EXPECT_EQ(FindAgentsExitCode(status), ExitCode::kUsage);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("--agents: 10.0.0.9:7527 (--agents, dns:agents.example) is on another "
                        "host, "));
  options_.print_plan = true;
  EXPECT_THAT(Found("dns:agents.example"), ElementsAre("10.0.0.9:7527*1", "127.0.0.1:7527*1"));
}

TEST_F(FindAgentsTest, AddressThatIsNamedOtherwiseTooIsRefusedWithBothPlaces) {
  resolver_.names["agents.example"] = std::vector<std::string>{"127.0.0.1"};
  const absl::Status status = Find("127.0.0.1,dns:agents.example").status();
  EXPECT_EQ(status.message(),
            "--agents: agent 127.0.0.1:7527 is named twice (--agents; --agents, "
            "dns:agents.example), and an agent serves one run at a time; name it once");
  EXPECT_EQ(FindAgentsExitCode(status), ExitCode::kUsage);
}

TEST_F(FindAgentsTest, MoreThanThereAreCannotBeAskedFor) {
  resolver_.names["agents.example"] = std::vector<std::string>{"127.0.0.1", "127.0.0.2"};
  options_.min_agents = 2;
  EXPECT_EQ(Found("dns:agents.example").size(), 2u);
  options_.min_agents = 3;
  const absl::Status status = Find("dns:agents.example").status();
  EXPECT_EQ(status.message(), "--min-agents=3: --agents names only 2; ask for at most that many");
  EXPECT_EQ(FindAgentsExitCode(status), ExitCode::kUsage);
}

TEST(SystemResolverTest, KnowsThisHost) {
  const absl::StatusOr<std::vector<std::string>> addresses = SystemResolver().Resolve("localhost");
  ASSERT_TRUE(addresses.ok()) << addresses.status();
  EXPECT_THAT(*addresses, testing::AnyOf(Contains("127.0.0.1"), Contains("::1")));
  for (const std::string& address : *addresses) {
    EXPECT_EQ(std::count(addresses->begin(), addresses->end(), address), 1) << address;
  }
}

// ".invalid" is never a name (RFC 6761); without a name server the answer is another one.
TEST(SystemResolverTest, NameThatIsNoneIsNotFoundOrCannotBeKnown) {
  const absl::Status status = SystemResolver().Resolve("no-such-host.invalid").status();
  EXPECT_THAT(status.code(),
              testing::AnyOf(absl::StatusCode::kNotFound, absl::StatusCode::kUnavailable));
  EXPECT_NE(status.message(), "");
}

}  // namespace
}  // namespace dslap
