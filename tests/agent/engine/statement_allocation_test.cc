// That a statement costs no allocation: this program counts them all.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "agent/engine/make_engine.h"
#include "gtest/gtest.h"
#include "tests/agent/engine/allocation_counter.h"
#include "tests/fakes/fake_sql_connection.h"

namespace dslap {
namespace {

class StatementAllocationTest : public ::testing::TestWithParam<EngineKind> {
 protected:
  StatementAllocationTest() {
    server_->set_logging(false);
    server_->set_on_query([](uint64_t, std::string_view text) {
      return text == "KEYS" ? FakeReply{.first_result = {{"k"}, {std::string(100, 'k')}}}
                            : FakeReply{};
    });
  }

  // Allocations of everything from the gate's opening to the end of a round.
  uint64_t AllocationsOfRound(uint64_t statements_each) {
    auto list = std::make_shared<StatementList>();
    list->statements = {{"SELECT * FROM t WHERE id =", true}, {"SELECT 1", false}};
    RoundSpec spec;
    spec.round = 1;
    spec.groups = {{4, statements_each}};
    spec.statements = list;
    spec.key_query = "KEYS";
    spec.commit_every = 3;
    engine_.Prepare(spec);
    uint64_t before = 0;
    const RoundOutcome outcome = engine_.Run(0, [&](int64_t) { before = AllocationCount(); });
    EXPECT_EQ(outcome.statements_succeeded, 4 * statements_each);
    return AllocationCount() - before;
  }

  std::shared_ptr<FakeSqlServer> server_ = std::make_shared<FakeSqlServer>();
  const std::unique_ptr<LoadEngine> made_ =
      MakeEngine({.kind = GetParam(), .loops = 2}, server_, SteadyClock::Get()).value();
  LoadEngine& engine_ = *made_;
};

TEST_P(StatementAllocationTest, TheyDoNotGrowWithTheNumberOfStatements) {
  AllocationsOfRound(10);
  // The gate opens before the count begins, so that a client may have allocated its frame by then.
  constexpr uint64_t kFramesAndBuffers = 16;  // four for each client
  const uint64_t few = AllocationsOfRound(100);
  const uint64_t many = AllocationsOfRound(20'000);
  EXPECT_LE(many, few + kFramesAndBuffers);
}

INSTANTIATE_TEST_SUITE_P(Carriers, StatementAllocationTest,
                         ::testing::Values(EngineKind::kThreads, EngineKind::kLoops));

}  // namespace
}  // namespace dslap
