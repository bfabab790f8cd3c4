#include "controller/report/share_table.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/report/golden.h"

namespace dslap {
namespace {

using testing::HasSubstr;

AgentSpec Agent(const std::string& address, uint64_t weight = 1) {
  AgentSpec agent;
  agent.address = address;
  agent.weight = weight;
  return agent;
}

Plan SamplePlan() {
  Plan plan;
  plan.schema.name = "mysqlslap";
  plan.schema.create = plan.schema.drop = true;
  plan.iterations = 3;
  plan.create = std::vector<std::string>(101, "INSERT INTO t1 VALUES (1)");
  plan.pre_queries = {"ANALYZE TABLE t1", "FLUSH STATUS"};
  plan.pre_system = "echo before\x1b[2J";
  for (const uint64_t clients : {5, 50}) {
    CasePlan one;
    one.engine = "innodb";
    one.clients = clients;
    one.statements = 2003;
    plan.cases.push_back(one);
  }
  return plan;
}

TEST(ShareTableTest, ThreeAgentsOfDifferentWeights) {
  EXPECT_TRUE(
      MatchesGolden(FormatShares(SamplePlan(), {Agent("big:7527", 3), Agent("192.168.100.12:7527"),
                                                Agent("[2001:db8:0:1::17]:7527")}),
                    "print_plan.txt"));
}

TEST(ShareTableTest, OneInsideDslap) {
  Plan plan = SamplePlan();
  plan.cases.resize(1);
  plan.iterations = 1;
  plan.schema.drop = false;
  plan.pre_queries.clear();
  plan.pre_system.clear();
  EXPECT_EQ(FormatShares(plan, {}),
            "Plan: 1 case, 1 round, 1 agent. Nothing was contacted.\n"
            "\n"
            "Case 1 of 1: innodb, 5 clients, 2003 statements in each round\n"
            "  Agent         weight  clients  numbers  statements    of each\n"
            "  inside dslap       1        5    1 - 5        2003  400 - 401\n"
            "  total                       5                 2003\n"
            "\n"
            "In each round\n"
            "  set-up  inside dslap  101 statements\n"
            "  load    all agents    as above, started together\n"
            "\n"
            "Schema `mysqlslap`\n"
            "  made anew before every round, kept at the end (--no-drop)\n"
            "  one of that name that dslap did not make is left alone, and ends the run\n");
}

TEST(ShareTableTest, MoreAgentsThanClientsLeavesSomeWithout) {
  std::vector<AgentSpec> agents;
  for (int i = 0; i < 12; ++i) agents.push_back(Agent(absl::StrCat("10.0.0.", i, ":7527")));
  const std::string text = FormatShares(SamplePlan(), agents);
  EXPECT_THAT(text, HasSubstr("  10.0.0.4:7527        1        1        5         400      400\n"));
  EXPECT_THAT(text, HasSubstr("  10.0.0.5:7527        1        0        -           0        -\n"));
}

TEST(ShareTableTest, SchemaThatIsNotOursIsSaidToBeLeftAlone) {
  Plan plan = SamplePlan();
  plan.schema = SchemaPlan();
  plan.schema.name = "shop";
  plan.schema.must_exist = true;
  EXPECT_THAT(FormatShares(plan, {}),
              HasSubstr("\nSchema `shop`\n  must exist, and is used as it is\n"));
  plan.schema.must_exist = false;
  EXPECT_THAT(FormatShares(plan, {}),
              HasSubstr("\n  the clients' default if it exists, and left as it is\n"));
  plan.schema.create = plan.schema.drop = plan.schema.drop_existing = true;
  EXPECT_THAT(FormatShares(plan, {}), HasSubstr("is dropped (--drop-existing-schema)\n"));
}

TEST(ShareTableTest, FitsEightyColumns) {
  const std::string text =
      FormatShares(SamplePlan(), {Agent("big:7527", 3), Agent("[2001:db8:0:1::17]:7527")});
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    EXPECT_LE(line.size(), 80u) << line;
  }
}

}  // namespace
}  // namespace dslap
