// The sum of the statements executed is --number-of-queries, as the server itself counts them.
#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

struct Split {
  int agents;  // 0: in-process
  uint64_t clients;
  uint64_t queries;
};

class ExactCountsTest : public ::testing::TestWithParam<Split> {
 protected:
  void SetUp() override {
    Sandbox().Execute(
        "CREATE DATABASE counted; CREATE TABLE counted.t (connection BIGINT NOT NULL)");
  }
  void TearDown() override { Sandbox().Execute("DROP DATABASE counted"); }
};

TEST_P(ExactCountsTest, ServerCountsWhatWasAskedFor) {
  const Split& split = GetParam();
  const AgentFleet agents = StartAgents(split.agents);
  ASSERT_EQ(agents.size(), static_cast<size_t>(split.agents));
  const uint64_t before = Sandbox().StatusCounter("Com_insert");

  const ProcessResult result = RunDslap(
      WithAgents(agents, {"--query=insert into counted.t values (connection_id())",
                          absl::StrCat("--concurrency=", split.clients),
                          absl::StrCat("--number-of-queries=", split.queries), "--iterations=2"}));

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\tStatements executed: ", 2 * split.queries,
                                                 " of ", 2 * split.queries, "\n")));
  EXPECT_THAT(result.out,
              HasSubstr(absl::StrCat("\tNumber of clients running queries: ", split.clients,
                                     "\n"
                                     "\tAverage number of queries per client: ",
                                     split.queries / split.clients, "\n")));
  EXPECT_EQ(Sandbox().StatusCounter("Com_insert") - before, 2 * split.queries);
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM counted.t"), absl::StrCat(2 * split.queries));
  // Connections are kept from one round to the next.
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(DISTINCT connection) FROM counted.t"),
            absl::StrCat(std::min(split.clients, split.queries)));
  ExpectNothingLeft({"counted"});
}

INSTANTIATE_TEST_SUITE_P(Splits, ExactCountsTest,
                         ::testing::Values(Split{3, 4, 7}, Split{3, 2, 10}, Split{2, 5, 3},
                                           Split{3, 7, 1000}, Split{1, 3, 10}, Split{0, 3, 10},
                                           Split{0, 100, 10}, Split{2, 1, 1}),
                         [](const ::testing::TestParamInfo<Split>& test) {
                           return absl::StrCat(test.param.queries, "QueriesOver",
                                               test.param.clients, "ClientsOver", test.param.agents,
                                               "Agents");
                         });

// dslap looks up the schema by a SELECT of its own: two runs that differ only in the number of
// queries show what the clients executed.
TEST(ComSelectTest, DiffersByExactlyTheQueriesAskedFor) {
  const AgentFleet agents = StartAgents(3);
  ASSERT_EQ(agents.size(), 3u);
  const auto selects_of_a_run = [&](int queries) {
    const uint64_t before = Sandbox().StatusCounter("Com_select");
    const ProcessResult result =
        RunDslap(WithAgents(agents, {"--query=select 7", "--concurrency=4",
                                     absl::StrCat("--number-of-queries=", queries)}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Sandbox().StatusCounter("Com_select") - before;
  };
  const uint64_t of_one = selects_of_a_run(1);
  EXPECT_EQ(selects_of_a_run(7) - of_one, 6u);
  EXPECT_EQ(selects_of_a_run(1001) - of_one, 1000u);
}

}  // namespace
}  // namespace dslap
