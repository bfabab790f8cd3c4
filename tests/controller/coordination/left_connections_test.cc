#include "controller/coordination/left_connections.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

v1::ScriptResult Rows(const std::vector<std::pair<std::string, std::string>>& rows) {
  v1::ScriptResult result;
  for (const auto& [id, host] : rows) {
    v1::Row& row = *result.add_rows();
    row.add_cells()->set_value(id);
    row.add_cells()->set_value(host);
  }
  return result;
}

TEST(LeftConnectionsTest, OnlyWhatHasTheClientsPortIsTheAgents) {
  const ConnectionMap told = {{1, 4001}, {2, 4002}, {3, 0}, {4, 4004}, {5, 0}};
  FoundConnections found;
  SortFound(Rows({{"1", "10.0.0.3:4001"},
                  {"2", "10.0.0.3:4099"},
                  {"3", "localhost"},
                  {"4", "localhost"},
                  {"5", "10.0.0.3:5"},
                  {"6", "10.0.0.3:4001"},
                  {"x", "10.0.0.3:4001"}}),
            told, &found);
  EXPECT_THAT(found.surely, ElementsAre(1, 3));
  EXPECT_THAT(found.perhaps, ElementsAre(2, 4, 5));
}

TEST(LeftConnectionsTest, AddressesOfTheSixthVersionHaveAPortToo) {
  FoundConnections found;
  SortFound(Rows({{"1", "fe80::1:4001"}}), {{1, 4001}}, &found);
  EXPECT_THAT(found.surely, ElementsAre(1));
}

TEST(LeftConnectionsTest, SaysWhatWasKilled) {
  LeftConnections left;
  EXPECT_EQ(left.Describe("b:7527"), "");
  left.told = left.found = left.killed = 1;
  EXPECT_EQ(left.Describe("b:7527"),
            "agent b:7527 left 1 connection on the server, which was killed");
  left.told = left.found = left.killed = 4;
  EXPECT_EQ(left.Describe("b:7527"),
            "agent b:7527 left 4 connections on the server, which were killed");
}

TEST(LeftConnectionsTest, NamesSomeOfWhatWasNotKilled) {
  LeftConnections left;
  left.problem = "no agent is left to do it";
  left.not_killed = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  EXPECT_EQ(left.Describe("b:7527"),
            "agent b:7527 may have left 12 connections on the server that nobody killed (no agent "
            "is left to do it): KILL what SHOW PROCESSLIST still has of 1, 2, 3, 4, 5, 6, 7, 8, 9, "
            "10 and 2 more");
}

}  // namespace
}  // namespace dslap
