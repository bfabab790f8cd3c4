#include "controller/plan/shares.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

// "0:2x2", agents as they are numbered: first client, then clients x statements of each group.
std::vector<std::string> Texts(const std::vector<AgentShare>& shares) {
  std::vector<std::string> texts;
  texts.reserve(shares.size());
  for (const AgentShare& share : shares) {
    texts.push_back(absl::StrCat(
        share.first_client, ":",
        absl::StrJoin(share.groups, "+", [](std::string* out, const ClientGroup& group) {
          absl::StrAppend(out, group.clients, "x", group.statements);
        })));
  }
  return texts;
}

TEST(SharesTest, SevenStatementsOverFourClientsOverThreeAgents) {
  EXPECT_THAT(Texts(ShareStatements(7, 4, 3)), ElementsAre("0:2x2", "2:1x2", "3:1x1"));
}

TEST(SharesTest, AnAgentMayHoldBothKindsOfClients) {
  EXPECT_THAT(Texts(ShareStatements(10, 7, 2)), ElementsAre("0:3x2+1x1", "4:3x1"));
}

TEST(SharesTest, MoreAgentsThanClientsLeavesTheLastWithout) {
  EXPECT_THAT(Texts(ShareStatements(5, 2, 4)), ElementsAre("0:1x3", "1:1x2", "2:", "2:"));
}

TEST(SharesTest, MoreClientsThanStatementsLeavesTheLastIdle) {
  EXPECT_THAT(Texts(ShareStatements(3, 5, 2)), ElementsAre("0:3x1", "3:2x0"));
}

TEST(SharesTest, TheSameNumberForEachClient) {
  EXPECT_THAT(Texts(ShareClients(5, 11, 2)), ElementsAre("0:3x11", "3:2x11"));
}

TEST(SharesTest, HugeNumbersDoNotOverflow) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  EXPECT_THAT(Texts(ShareStatements(kMax, 2, 2)),
              ElementsAre("0:1x9223372036854775808", "1:1x9223372036854775807"));
  const std::vector<AgentShare> shares = ShareStatements(kMax, kMax, 3);
  EXPECT_THAT(Texts(shares),
              ElementsAre("0:6148914691236517205x1", "6148914691236517205:6148914691236517205x1",
                          "12297829382473034410:6148914691236517205x1"));
  EXPECT_EQ(shares[0].statements() + shares[1].statements() + shares[2].statements(), kMax);
}

// Everything a split must keep, for all small numbers.
TEST(SharesTest, AddUpExactlyForAllSmallNumbers) {
  for (uint64_t statements = 0; statements <= 24; ++statements) {
    for (uint64_t clients = 1; clients <= 12; ++clients) {
      for (size_t agents = 1; agents <= 8; ++agents) {
        SCOPED_TRACE(absl::StrCat(statements, " over ", clients, " over ", agents));
        const std::vector<AgentShare> shares = ShareStatements(statements, clients, agents);
        ASSERT_EQ(shares.size(), agents);
        std::vector<uint64_t> each;  // statements of every client
        std::vector<uint64_t> held;  // clients of every agent
        for (const AgentShare& share : shares) {
          ASSERT_EQ(share.first_client, each.size());
          for (const ClientGroup& group : share.groups) {
            ASSERT_GT(group.clients, 0U);
            each.insert(each.end(), group.clients, group.statements);
          }
          held.push_back(share.clients());
          ASSERT_LE(share.groups.size(), 2U);
        }
        ASSERT_EQ(each.size(), clients);
        uint64_t sum = 0;
        for (const AgentShare& share : shares) sum += share.statements();
        ASSERT_EQ(sum, statements);
        for (size_t i = 0; i < each.size(); ++i) {
          ASSERT_EQ(each[i], statements / clients + (i < statements % clients ? 1 : 0));
        }
        for (size_t i = 0; i < held.size(); ++i) {
          ASSERT_EQ(held[i], clients / agents + (i < clients % agents ? 1 : 0));
        }
      }
    }
  }
}

}  // namespace
}  // namespace dslap
