// A host of a run is lost, in every way and in every state of the run: both sides notice within the
// lease, say so, stop the load, leave nothing on the server, and serve the next run. Hosts are
// network namespaces; each row has three of its own, and an account, on one database.
//
// Rows mostly wait, so they run side by side: the environment starts those that are chosen, and
// each test asks for its row's outcome.
#include <cstddef>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/loss_row.h"
#include "tests/support/net_lab.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

constexpr size_t kRowsAtOnce = 12;
constexpr char kSuite[] = "EveryWay/LossMatrixTest";
constexpr char kTest[] = "Row/";

std::vector<LossCase> AllCases() {
  std::vector<LossCase> cases;
  for (const LossVictim victim : {LossVictim::kAgent, LossVictim::kController}) {
    for (const LossState state : {LossState::kOpening, LossState::kPreparing, LossState::kReady,
                                  LossState::kRunning, LossState::kTearingDown}) {
      for (const LossFault fault : {LossFault::kKill, LossFault::kStop, LossFault::kCut,
                                    LossFault::kReset, LossFault::kReboot}) {
        cases.push_back({state, fault, victim});
      }
    }
  }
  return cases;
}

using Problems = std::vector<std::string>;

class MatrixEnvironment final : public ::testing::Environment {
 public:
  void SetUp() override {
    if (!NetLab::WhyNot().empty()) return;
    lab_ = std::make_unique<NetLab>();
    NetHost& host = lab_->AddHost("database");
    auto started = SandboxDatabase::Start({absl::StrCat("--bind-address=", host.address()),
                                           "--option=--innodb-lock-wait-timeout=3600"},
                                          host.network_fd());
    ASSERT_TRUE(started.ok()) << started.status();
    database_ = *std::move(started);
    int number = 0;
    for (const LossCase& one : AllCases()) {
      ++number;
      if (!Chosen(one.name())) continue;
      std::packaged_task<Problems()> row(
          [this, one, number] { return LossRow(one, number, lab_.get(), database_.get()).Run(); });
      outcomes_[one.name()] = row.get_future();
      rows_.push_back(std::move(row));
    }
    for (size_t first = 0; first < kRowsAtOnce; ++first) {
      threads_.emplace_back([this, first] {
        for (size_t i = first; i < rows_.size(); i += kRowsAtOnce) rows_[i]();
      });
    }
  }

  void TearDown() override {
    threads_.clear();
    database_.reset();
    lab_.reset();
  }

  Problems Await(const std::string& name) { return outcomes_[name].get(); }

 private:
  static bool Chosen(const std::string& name) {
    const auto& all = *::testing::UnitTest::GetInstance();
    for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
      const auto& tests = *all.GetTestSuite(suite);
      if (tests.name() != std::string(kSuite)) continue;
      for (int i = 0; i < tests.total_test_count(); ++i) {
        const auto& test = *tests.GetTestInfo(i);
        if (test.should_run() && test.name() == kTest + name) return true;
      }
    }
    return false;
  }

  std::unique_ptr<NetLab> lab_;
  std::unique_ptr<SandboxDatabase> database_;
  std::vector<std::packaged_task<Problems()>> rows_;
  std::map<std::string, std::future<Problems>> outcomes_;
  std::vector<std::jthread> threads_;  // last: they use the rest
};

auto* const kMatrix = new MatrixEnvironment;
const auto* const kMatrixEnvironment = ::testing::AddGlobalTestEnvironment(kMatrix);

class LossMatrixTest : public ::testing::TestWithParam<LossCase> {};

TEST_P(LossMatrixTest, Row) {
  if (const std::string why = NetLab::WhyNot(); !why.empty()) GTEST_SKIP() << why;
  EXPECT_EQ(absl::StrJoin(kMatrix->Await(GetParam().name()), "\n"), "");
}

INSTANTIATE_TEST_SUITE_P(EveryWay, LossMatrixTest, ::testing::ValuesIn(AllCases()),
                         [](const auto& row) { return row.param.name(); });

}  // namespace
}  // namespace dslap
