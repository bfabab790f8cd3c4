#include "controller/report/listed_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

using testing::ElementsAre;

std::vector<AgentCaseReport> Fleet(int count) {
  std::vector<AgentCaseReport> agents(static_cast<size_t>(count));
  for (size_t i = 0; i < agents.size(); ++i) {
    agents[i].name = absl::StrCat("a", i);
    agents[i].clients_asked = agents[i].clients_connected = 4;
    agents[i].queries_per_second = 100;
    agents[i].latency.p99_ns = 1000;
    agents[i].process_cpu = 0.1;
  }
  return agents;
}

std::vector<std::string> Listed(const std::vector<AgentCaseReport>& agents) {
  std::vector<std::string> out;
  for (const ListedAgent& listed : ListAgents(agents)) {
    out.push_back(absl::StrCat(listed.agent->name, ": ", listed.remark));
  }
  return out;
}

TEST(ListedAgentsTest, AScreenfulIsListedInFullWithoutRemarks) {
  const std::vector<std::string> listed = Listed(Fleet(kMaxListedAgents));
  EXPECT_EQ(listed.size(), kMaxListedAgents);
  EXPECT_EQ(listed.front(), "a0: ");
}

TEST(ListedAgentsTest, OfMoreThoseThatStandOut) {
  std::vector<AgentCaseReport> agents = Fleet(200);
  agents[150].queries_per_second = 90;
  agents[150].latency.p99_ns = 5000;
  agents[20].queries_per_second = 110;
  agents[70].process_cpu = 0.5;
  EXPECT_THAT(Listed(agents), ElementsAre("a20: most queries/s", "a70: most CPU",
                                          "a150: fewest queries/s, highest p99"));
}

TEST(ListedAgentsTest, LostOnesAreListedAndAreNoExtremes) {
  std::vector<AgentCaseReport> agents = Fleet(200);
  agents[3].lost = true;
  agents[3].queries_per_second = 1;
  agents[4].clients_connected = 3;
  agents[5].clients_connected = 0;
  agents[5].clients_asked = 0;  // more agents than clients
  agents[5].queries_per_second = 0;
  EXPECT_THAT(
      Listed(agents),
      ElementsAre("a0: fewest queries/s, most queries/s, highest p99, most CPU", "a3: ", "a4: "));
}

TEST(ListedAgentsTest, OfManyInTroubleAScreenful) {
  std::vector<AgentCaseReport> agents = Fleet(200);
  for (AgentCaseReport& agent : agents) agent.lost = true;
  EXPECT_EQ(Listed(agents).size(), kMaxListedAgents);
}

}  // namespace
}  // namespace dslap
