// A coordinator with all it works with as fakes: three agents, one case of two rounds.
#ifndef DSLAP_TESTS_CONTROLLER_COORDINATION_COORDINATOR_FIXTURE_H_
#define DSLAP_TESTS_CONTROLLER_COORDINATION_COORDINATOR_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "controller/coordination/coordinator.h"
#include "tests/fakes/fake_agent_link.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_launcher.h"

namespace dslap {

class NoProgress final : public ProgressSink {
 public:
  void Update(const RunProgress& progress, int64_t) override {
    updates.push_back(progress);
    if (events != nullptr) events->emplace_back("update");
  }
  void Clear() override {
    ++cleared;
    if (events != nullptr) events->emplace_back("clear");
  }
  std::vector<std::string>* events = nullptr;
  std::vector<RunProgress> updates;
  int cleared = 0;
};

// Remembers what was known when each case had finished.
class RecordingCases final : public CaseSink {
 public:
  explicit RecordingCases(std::vector<std::string>* events) : events_(events) {}
  void CaseFinished(const RunRecord& so_far) override {
    events_->emplace_back("case finished");
    records.push_back(so_far);
  }
  std::vector<RunRecord> records;

 private:
  std::vector<std::string>* events_;
};

// Remembers what it is told, of statements the beginning.
class RecordingNarrator final : public Narrator {
 public:
  void Stage(absl::string_view text) override { told.push_back(absl::StrCat("stage: ", text)); }
  void Detail(absl::string_view text) override { told.push_back(absl::StrCat("detail: ", text)); }
  void Statement(absl::string_view text) override {
    told.push_back(absl::StrCat("sql: ", text.substr(0, 34)));
  }
  void Warning(absl::string_view text) override { warnings.emplace_back(text); }
  std::vector<std::string> told;
  std::vector<std::string> warnings;
};

// One case of 4 clients in a schema of its own, "shop".
inline Plan ShopPlan(uint64_t iterations, uint64_t statements) {
  Plan plan;
  plan.schema.name = "shop";
  plan.schema.create = true;
  plan.schema.drop = true;
  plan.iterations = iterations;
  plan.queries = {{"SELECT 1", false}};
  plan.create = {"CREATE TABLE t1 (a INT)"};
  CasePlan case_plan;
  case_plan.clients = 4;
  case_plan.statements = statements;
  case_plan.last_of_engine = true;
  plan.cases = {case_plan};
  return plan;
}

// Three agents, one case, two rounds, 4 clients and 7 statements, a schema of its own.
class CoordinatorTest : public testing::Test {
 protected:
  CoordinatorTest() {
    for (const char* name : {"a", "b", "c"}) {
      auto link = std::make_unique<FakeAgentLink>(name, &clock_);
      agents_.push_back(link.get());
      links_.push_back(std::move(link));
    }
  }

  RunRecord Run() {
    config_.identity = {"run-1", "me"};
    config_.target.host = "db";
    coordinator_ = std::make_unique<Coordinator>(
        std::move(links_),
        CoordinatorEnvironment{&clock_, &progress_, &launcher_, &cases_, &narrator_}, config_);
    return coordinator_->Run(plan_);
  }

  FakeClock clock_{FakeClock::kAutoAdvance};
  std::vector<FakeAgentLink*> agents_;
  std::vector<std::unique_ptr<AgentLink>> links_;
  CoordinatorConfig config_;
  NoProgress progress_;
  FakeLauncher launcher_{&clock_};
  std::vector<std::string> events_;
  RecordingCases cases_{&events_};
  RecordingNarrator narrator_;
  Plan plan_ = ShopPlan(/*iterations=*/2, /*statements=*/7);
  std::unique_ptr<Coordinator> coordinator_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_CONTROLLER_COORDINATION_COORDINATOR_FIXTURE_H_
