#include "controller/coordination/server_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace dslap {
namespace {

using ::testing::ElementsAreArray;

v1::ScriptResult Result(const std::vector<std::vector<std::string>>& rows) {
  v1::ScriptResult result;
  for (const std::vector<std::string>& cells : rows) {
    v1::Row& row = *result.add_rows();
    for (const std::string& cell : cells) row.add_cells()->set_value(cell);
  }
  return result;
}

// An account without privileges at a server for 151 connections; 10 clients.
ServerLimits Usual() {
  ServerLimits limits;
  limits.max_connections = 151;
  limits.privileged = false;
  return limits;
}

RunDemand Demand(uint64_t clients) {
  RunDemand demand;
  demand.clients = clients;
  demand.scripts_stay = false;
  demand.statements = 1000;
  demand.updates = 500;
  demand.connections = clients + 1;
  return demand;
}

struct Row {
  std::string what;
  std::function<void(ServerLimits*, RunDemand*)> change;
  std::vector<std::string> impossible;
  std::vector<std::string> doubtful;
};

const std::vector<Row>& Rows() {
  static const auto* const kRows = new std::vector<Row>{
      {"all fits", [](ServerLimits*, RunDemand*) {}, {}, {}},
      {"nothing is known",
       [](ServerLimits* limits, RunDemand* demand) {
         *limits = ServerLimits();
         demand->clients = 100'000;
       },
       {},
       {}},
      {"the last client has room",
       [](ServerLimits*, RunDemand* demand) { demand->clients = 150; },
       {},
       {}},
      {"one more has none",
       [](ServerLimits*, RunDemand* demand) { demand->clients = 151; },
       {"the server takes 151 connections, 151 clients and 1 connection for set-up need 152: set "
        "global max_connections = 152 or ask for fewer clients"},
       {}},
      {"but beside the one that is kept free for the privileged",
       [](ServerLimits* limits, RunDemand* demand) {
         limits->privileged = true;
         demand->clients = 151;
       },
       {},
       {}},
      {"and not two",
       [](ServerLimits* limits, RunDemand* demand) {
         limits->privileged = true;
         demand->clients = 152;
       },
       {"the server takes 151 connections, 152 clients and 1 connection for set-up need 153: set "
        "global max_connections = 153 or ask for fewer clients"},
       {}},
      {"others use it",
       [](ServerLimits* limits, RunDemand* demand) {
         limits->connected = 53;
         demand->clients = 100;
       },
       {},
       {"the server takes 151 connections, of which others held 52 when the run began: not all of "
        "the 100 clients may find room"}},
      {"others use it, and there is room",
       [](ServerLimits* limits, RunDemand* demand) {
         limits->connected = 51;
         demand->clients = 100;
       },
       {},
       {}},
      {"the account's own limit, the scripts give way",
       [](ServerLimits* limits, RunDemand*) { limits->user_connections = 10; },
       {},
       {}},
      {"the account's own limit, beside other agents",
       [](ServerLimits* limits, RunDemand* demand) {
         limits->user_connections = 10;
         demand->scripts_stay = true;
       },
       {"the account may hold 10 connections (max_user_connections), 10 clients and 1 connection "
        "for set-up need 11: alter the account with max_user_connections 11 or ask for fewer "
        "clients"},
       {}},
      {"the account's own limit holds for the privileged too",
       [](ServerLimits* limits, RunDemand*) {
         limits->privileged = true;
         limits->mariadb = true;
         limits->user_connections = 1;
       },
       {"the account may hold 1 connection (max_user_connections), 10 clients need 10: alter the "
        "account with max_user_connections 10 or ask for fewer clients"},
       {}},
      {"MariaDB lets the privileged pass the others'",
       [](ServerLimits* limits, RunDemand*) {
         limits->privileged = true;
         limits->mariadb = true;
         limits->effective_user_connections = 5;
       },
       {},
       {}},
      {"MySQL does not",
       [](ServerLimits* limits, RunDemand*) {
         limits->privileged = true;
         limits->effective_user_connections = 5;
       },
       {"the account may hold 5 connections (max_user_connections), 10 clients need 10: alter the "
        "account with max_user_connections 10 or ask for fewer clients"},
       {}},
      {"by the hour",
       [](ServerLimits* limits, RunDemand*) {
         limits->queries_per_hour = 999;
         limits->updates_per_hour = 499;
         limits->connections_per_hour = 10;
       },
       {"the account may execute a statement 999 times an hour (max_queries_per_hour), the run "
        "does "
        "it 1000 times: alter the account with max_queries_per_hour 0, or ask for less",
        "the account may change something 499 times an hour (max_updates_per_hour), the run does "
        "it 500 times: alter the account with max_updates_per_hour 0, or ask for less",
        "the account may connect 10 times an hour (max_connections_per_hour), the run does it 11 "
        "times: alter the account with max_connections_per_hour 0, or ask for less"},
       {}},
      {"by the hour, just enough",
       [](ServerLimits* limits, RunDemand*) {
         limits->queries_per_hour = 1000;
         limits->updates_per_hour = 500;
         limits->connections_per_hour = 11;
       },
       {},
       {}},
  };
  return *kRows;
}

TEST(ServerLimitsTest, Table) {
  for (const Row& row : Rows()) {
    SCOPED_TRACE(row.what);
    ServerLimits limits = Usual();
    RunDemand demand = Demand(10);
    row.change(&limits, &demand);
    const LimitFindings findings = CheckServerLimits(limits, demand);
    EXPECT_THAT(findings.impossible, ElementsAreArray(row.impossible));
    EXPECT_THAT(findings.doubtful, ElementsAreArray(row.doubtful));
  }
}

TEST(ServerLimitsTest, ReadsVariables) {
  ServerLimits limits;
  limits.TakeVariables(Result({{"151", "0", "", "10.11.6-MariaDB-0+deb12u1"}}));
  EXPECT_EQ(limits.max_connections, 151u);
  EXPECT_EQ(limits.effective_user_connections, std::nullopt);
  EXPECT_TRUE(limits.mariadb);
  EXPECT_FALSE(limits.init_connect);
  limits.TakeVariables(Result({{"500", "7", "SET NAMES utf8mb4", "9.7.4"}}));
  EXPECT_EQ(limits.max_connections, 500u);
  EXPECT_EQ(limits.effective_user_connections, 7u);
  EXPECT_FALSE(limits.mariadb);
  EXPECT_TRUE(limits.init_connect);
}

TEST(ServerLimitsTest, ReadsTheAccountOfMariaDb) {
  ServerLimits limits;
  limits.TakeAccount(
      Result({{"CREATE USER `lim`@`%` IDENTIFIED BY PASSWORD '*B6' WITH MAX_QUERIES_PER_HOUR 50 "
               "MAX_UPDATES_PER_HOUR 20 MAX_CONNECTIONS_PER_HOUR 30 MAX_USER_CONNECTIONS 1"}}));
  EXPECT_EQ(limits.queries_per_hour, 50u);
  EXPECT_EQ(limits.updates_per_hour, 20u);
  EXPECT_EQ(limits.connections_per_hour, 30u);
  EXPECT_EQ(limits.user_connections, 1u);
}

TEST(ServerLimitsTest, ReadsTheAccountOfMySql) {
  ServerLimits limits;
  limits.TakeAccount(Result(
      {{"CREATE USER `lim`@`%` IDENTIFIED WITH 'caching_sha2_password' AS '$A$' REQUIRE NONE "
        "WITH MAX_UPDATES_PER_HOUR 20 MAX_USER_CONNECTIONS 12 PASSWORD EXPIRE DEFAULT "
        "ACCOUNT UNLOCK"}}));
  EXPECT_EQ(limits.queries_per_hour, std::nullopt);
  EXPECT_EQ(limits.updates_per_hour, 20u);
  EXPECT_EQ(limits.connections_per_hour, std::nullopt);
  EXPECT_EQ(limits.user_connections, 12u);
}

TEST(ServerLimitsTest, ReadsPrivileges) {
  const auto privileged = [](const std::vector<std::vector<std::string>>& grants) {
    ServerLimits limits;
    limits.TakeGrants(Result(grants));
    return limits.privileged;
  };
  EXPECT_TRUE(privileged({}));  // they could not be read
  EXPECT_TRUE(privileged({{"GRANT ALL PRIVILEGES ON *.* TO `a`@`%`"}}));
  EXPECT_TRUE(privileged({{"GRANT USAGE ON *.* TO `a`@`%`"},
                          {"GRANT BINLOG_ADMIN,CONNECTION_ADMIN ON *.* TO `a`@`%`"}}));
  EXPECT_TRUE(privileged({{"GRANT SELECT, CONNECTION ADMIN ON *.* TO `a`@`%`"}}));
  EXPECT_TRUE(privileged({{"GRANT `boss`@`%` TO `a`@`%`"}}));
  EXPECT_FALSE(privileged(
      {{"GRANT USAGE ON *.* TO `a`@`%`"}, {"GRANT ALL PRIVILEGES ON `shop`.* TO `a`@`%`"}}));
}

TEST(ServerLimitsTest, WhatIsNotOfTheFormIsPassedOver) {
  ServerLimits limits;
  limits.TakeVariables(Result({{"many"}}));
  limits.TakeVariables(Result({{"many", "some", "", ""}}));
  limits.TakeAccount(Result({}));
  limits.TakeAccount(Result({{"CREATE USER a WITH MAX_USER_CONNECTIONS many"}}));
  limits.TakeConnected(Result({{"Threads_connected"}}));
  EXPECT_EQ(limits.max_connections, std::nullopt);
  EXPECT_EQ(limits.user_connections, std::nullopt);
  EXPECT_EQ(limits.connected, std::nullopt);
  limits.TakeConnected(Result({{"Threads_connected", "3"}}));
  EXPECT_EQ(limits.connected, 3u);
}

}  // namespace
}  // namespace dslap
