#include "controller/plan/shares.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/numeric/int128.h"
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
  EXPECT_THAT(Texts(ShareOut(7, 4, {1, 1, 1})), ElementsAre("0:2x2", "2:1x2", "3:1x1"));
}

TEST(SharesTest, AnAgentMayHoldBothKindsOfClients) {
  EXPECT_THAT(Texts(ShareOut(10, 7, {1, 1})), ElementsAre("0:3x2+1x1", "4:3x1"));
}

TEST(SharesTest, MoreAgentsThanClientsLeavesTheLastWithout) {
  EXPECT_THAT(Texts(ShareOut(5, 2, {1, 1, 1, 1})), ElementsAre("0:1x3", "1:1x2", "2:", "2:"));
}

TEST(SharesTest, MoreClientsThanStatementsLeavesTheLastIdle) {
  EXPECT_THAT(Texts(ShareOut(3, 5, {1, 1})), ElementsAre("0:3x1", "3:2x0"));
}

TEST(SharesTest, TheSameNumberForEachClient) {
  EXPECT_THAT(Texts(ShareOut(55, 5, {1, 1})), ElementsAre("0:3x11", "3:2x11"));
}

TEST(SharesTest, HugeNumbersDoNotOverflow) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  EXPECT_THAT(Texts(ShareOut(kMax, 2, {1, 1})),
              ElementsAre("0:1x9223372036854775808", "1:1x9223372036854775807"));
  const std::vector<AgentShare> shares = ShareOut(kMax, kMax, {1, 1, 1});
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
        const std::vector<AgentShare> shares =
            ShareOut(statements, clients, std::vector<uint64_t>(agents, 1));
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

TEST(SharesTest, WeightsAreKeptExactlyWhereTheyCanBe) {
  EXPECT_THAT(Apportion(50, {3, 1, 1}), ElementsAre(30, 10, 10));
  EXPECT_THAT(Texts(ShareOut(10, 8, {3, 1})), ElementsAre("0:2x2+4x1", "6:2x1"));
}

TEST(SharesTest, LargestFractionsGetWhatIsLeftOver) {
  // Dues: 1.5, 0.75, 0.75.
  EXPECT_THAT(Apportion(3, {4, 2, 2}), ElementsAre(1, 1, 1));
  // Dues: 4.5, 4.5: of equals the earlier.
  EXPECT_THAT(Apportion(9, {7, 7}), ElementsAre(5, 4));
  // Dues: 0.1, 0.9.
  EXPECT_THAT(Apportion(1, {1, 9}), ElementsAre(0, 1));
}

TEST(SharesTest, AgentOfWeightZeroIsNotThere) {
  EXPECT_THAT(Texts(ShareOut(8, 4, {3, 0, 1})), ElementsAre("0:3x2", "3:", "3:1x2"));
  EXPECT_THAT(Apportion(4, {0, 0}), ElementsAre(0, 0));
  EXPECT_THAT(Apportion(4, {}), ElementsAre());
}

TEST(SharesTest, HugeWeightsDoNotOverflow) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  // Dues: a quarter above kMax / 2, the same, and nearly a half.
  EXPECT_THAT(Apportion(kMax, {kMax, kMax, 1}), ElementsAre(kMax / 2, kMax / 2, 1));
  EXPECT_THAT(Apportion(kMax, {kMax}), ElementsAre(kMax));
}

// A number whose size is as random as its digits.
uint64_t Random(std::mt19937_64* random) { return (*random)() >> ((*random)() % 64); }

TEST(SharesTest, KeepTheirPromisesForRandomInputs) {
  std::mt19937_64 random(20240817);
  for (int run = 0; run < 20'000; ++run) {
    const uint64_t total = Random(&random);
    std::vector<uint64_t> weights(1 + random() % 12);
    for (uint64_t& weight : weights) weight = random() % 4 == 0 ? 0 : Random(&random) >> 4;
    absl::uint128 sum = 0;
    for (const uint64_t weight : weights) sum += weight;
    if (sum == 0) continue;
    SCOPED_TRACE(absl::StrCat(total, " over ", absl::StrJoin(weights, ", ")));
    const std::vector<uint64_t> parts = Apportion(total, weights);
    ASSERT_EQ(parts.size(), weights.size());
    uint64_t left = total;
    for (size_t i = 0; i < parts.size(); ++i) {
      left -= parts[i];
      const absl::uint128 due = absl::uint128(total) * weights[i];
      const absl::uint128 whole = due / sum;
      ASSERT_GE(parts[i], whole);
      ASSERT_LE(parts[i], whole + (due % sum == 0 ? 0 : 1));
      for (size_t j = 0; j < parts.size(); ++j) {
        const bool first = weights[i] > weights[j] || (weights[i] == weights[j] && i < j);
        ASSERT_TRUE(!first || parts[i] >= parts[j]);
      }
    }
    ASSERT_EQ(left, 0U);
  }
}

}  // namespace
}  // namespace dslap
