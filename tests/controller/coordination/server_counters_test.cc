#include "controller/coordination/server_counters.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace dslap {
namespace {

v1::ScriptResult Status(const std::vector<std::pair<std::string, std::string>>& values) {
  v1::ScriptResult result;
  for (const auto& [name, value] : values) {
    v1::Row& row = *result.add_rows();
    row.add_cells()->set_value(name);
    row.add_cells()->set_value(value);
  }
  return result;
}

TEST(ServerCountersTest, ReadsWhatTheServerTells) {
  const auto counters = ParseServerCounters(Status({{"Aborted_clients", "1"},
                                                    {"Aborted_connects", "2"},
                                                    {"Connections", "30"},
                                                    {"Questions", "18446744073709551615"},
                                                    {"Threads_connected", "5"},
                                                    {"Uptime", "60"},
                                                    {"Uptime_since_flush_status", "7"}}));
  ASSERT_TRUE(counters.has_value());
  EXPECT_EQ(counters->aborted_clients, 1u);
  EXPECT_EQ(counters->aborted_connects, 2u);
  EXPECT_EQ(counters->connections, 30u);
  EXPECT_EQ(counters->questions, 18446744073709551615u);
  EXPECT_EQ(counters->threads_connected, 5u);
  EXPECT_EQ(counters->uptime_s, 60u);
  EXPECT_EQ(counters->since_flush_s, 7u);
}

TEST(ServerCountersTest, OneThatIsMissingOrNoNumberSpoilsAll) {
  EXPECT_FALSE(ParseServerCounters(Status({})).has_value());
  EXPECT_FALSE(ParseServerCounters(Status({{"Aborted_clients", "1"},
                                           {"Aborted_connects", "2"},
                                           {"Connections", "30"},
                                           {"Questions", "many"},
                                           {"Threads_connected", "5"},
                                           {"Uptime", "60"},
                                           {"Uptime_since_flush_status", "7"}}))
                   .has_value());
  v1::ScriptResult odd;
  odd.add_rows()->add_cells()->set_value("1");
  EXPECT_FALSE(ParseServerCounters(odd).has_value());
}

}  // namespace
}  // namespace dslap
