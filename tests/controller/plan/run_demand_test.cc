#include "controller/plan/run_demand.h"

#include <gtest/gtest.h>

namespace dslap {
namespace {

Plan TwoCases() {
  Plan plan;
  plan.iterations = 3;
  plan.queries = {{"insert into t values (1)", false}, {"select 1", false}};
  plan.cases.resize(2);
  plan.cases[0].clients = 4;
  plan.cases[0].statements = 14;  // 4 4 3 3
  plan.cases[1].clients = 2;
  plan.cases[1].statements = 2;  // 1 1
  return plan;
}

TEST(RunDemandTest, AddsUpAllRounds) {
  const RunDemand demand = DemandOf(TwoCases(), 1);
  EXPECT_EQ(demand.clients, 4u);
  EXPECT_EQ(demand.statements, 48u);
  // 2 2 2 2 in the first case, 1 1 in the second.
  EXPECT_EQ(demand.updates, 30u);
  EXPECT_EQ(demand.connections, 5u);
  EXPECT_FALSE(demand.scripts_stay);
}

TEST(RunDemandTest, ConnectionOfTheScriptsStaysBesideSeveralAgents) {
  EXPECT_TRUE(DemandOf(TwoCases(), 2).scripts_stay);
}

TEST(RunDemandTest, ReconnectMakesAllConnectionsAnew) {
  Plan plan = TwoCases();
  plan.reconnect = true;
  EXPECT_EQ(DemandOf(plan, 1).connections, 3u * 4 + 3 * 2 + 1);
}

TEST(RunDemandTest, DetachMakesMore) {
  Plan plan = TwoCases();
  plan.detach_every = 3;
  // Of 4 statements after the third, of 3 not at all.
  EXPECT_EQ(DemandOf(plan, 1).connections, 5u + 3 * 2);
}

TEST(RunDemandTest, WithoutAListNothingIsExecuted) {
  Plan plan;
  plan.cases.resize(1);
  plan.cases[0].clients = 4;
  const RunDemand demand = DemandOf(plan, 1);
  EXPECT_EQ(demand.statements, 0u);
  EXPECT_EQ(demand.updates, 0u);
}

TEST(RunDemandTest, UpdatesAreKnownByTheirFirstWord) {
  for (const char* update : {"INSERT INTO t", " \nupdate t", "Delete FROM t", "replace into t",
                             "CREATE TABLE t", "TRUNCATE t"}) {
    EXPECT_TRUE(IsUpdate(update)) << update;
  }
  for (const char* other :
       {"SELECT 1", "", "inserted", "INSERT", "/* */ INSERT INTO t", "commit"}) {
    EXPECT_FALSE(IsUpdate(other)) << other;
  }
}

TEST(RunDemandTest, WhatFollowsASemicolonMayBeAnotherStatement) {
  for (const char* several : {"SELECT 1;SELECT 2", "SELECT 1; -- the end", "SELECT ';'", ";;"}) {
    EXPECT_TRUE(MayHoldSeveral(several)) << several;
  }
  for (const char* one : {"SELECT 1", "SELECT 1;", "SELECT 1; \n", ""}) {
    EXPECT_FALSE(MayHoldSeveral(one)) << one;
  }
}

TEST(RunDemandTest, AllThatClientsSendIsLookedThrough) {
  EXPECT_FALSE(MayHoldSeveral(TwoCases()));
  Plan plan = TwoCases();
  plan.queries[1].text = "select 1; select 2";
  EXPECT_TRUE(MayHoldSeveral(plan));
  plan = TwoCases();
  plan.init_command = "set @a=1; set @b=2";
  EXPECT_TRUE(MayHoldSeveral(plan));
}

}  // namespace
}  // namespace dslap
