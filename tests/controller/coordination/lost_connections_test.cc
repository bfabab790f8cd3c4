#include "controller/coordination/lost_connections.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "controller/coordination/narrator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_agent_link.h"
#include "tests/fakes/fake_clock.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SilentNarrator final : public Narrator {
 public:
  void Stage(absl::string_view /*text*/) override {}
  void Detail(absl::string_view /*text*/) override {}
  void Statement(absl::string_view /*text*/) override {}
  void Warning(absl::string_view /*text*/) override {}
};

class LostConnectionsTest : public ::testing::Test {
 protected:
  // Three agents; the last has told of connections 7 to 9.
  LostConnectionsTest() {
    std::vector<std::unique_ptr<AgentLink>> links;
    for (const char* const name : {"a", "b", "c"}) {
      auto link = std::make_unique<FakeAgentLink>(name, &clock_);
      link->sql = [this](const std::string& sql) { return Answer(sql); };
      agents_.push_back(link.get());
      links.push_back(std::move(link));
    }
    agents_[2]->connections = {{7, 4007}, {8, 4008}, {9, 4009}};
    group_ = std::make_unique<AgentGroup>(std::move(links), &clock_, LeaseTimes());
    scripts_ = std::make_unique<ScriptRunner>(group_.get(), "db:3306", &narrator_);
    killer_ = std::make_unique<LostConnectionKiller>(group_.get(), scripts_.get());
    v1::Open open;
    group_->OpenAll(open);
    group_->BeginRound(1);
    group_->SendToAll([](size_t) {
      v1::RunRequest request;
      request.mutable_prepare_round()->set_round(1);
      return request;
    });
    EXPECT_EQ(group_->Await([this] {
      return group_->AllAlive([](const AgentState& agent) { return agent.ready.has_value(); });
    }),
              WaitEnd::kDone);
  }

  FakeSqlAnswer Answer(const std::string& sql) {
    if (absl::StartsWith(sql, "SELECT ID, HOST")) return {{}, 0, processlist_};
    const auto error = kill_errors_.find(sql);
    return error == kill_errors_.end() ? FakeSqlAnswer{} : FakeSqlAnswer{error->second, 0, {}};
  }

  void Lose(size_t agent) {
    agents_[agent]->Break(absl::UnavailableError("gone"));
    EXPECT_EQ(group_->Await([] { return false; }), WaitEnd::kAgentLost);
    group_->AcknowledgeLosses();
  }

  std::vector<std::string> Kills(size_t agent) const {
    std::vector<std::string> kills;
    for (const std::string& sql : agents_[agent]->sql_seen()) {
      if (absl::StartsWith(sql, "KILL ")) kills.push_back(sql);
    }
    return kills;
  }

  FakeClock clock_{FakeClock::kAutoAdvance};
  SilentNarrator narrator_;
  std::vector<FakeAgentLink*> agents_;
  std::unique_ptr<AgentGroup> group_;
  std::unique_ptr<ScriptRunner> scripts_;
  std::unique_ptr<LostConnectionKiller> killer_;
  std::vector<std::vector<std::string>> processlist_ = {{"7", "c:4007"}, {"9", "c:4009"}};
  std::map<std::string, SqlError> kill_errors_;
};

TEST_F(LostConnectionsTest, NobodyLostNothingAsked) {
  EXPECT_TRUE(killer_->KillOfLost().ok());
  EXPECT_THAT(agents_[0]->sql_seen(), IsEmpty());
}

TEST_F(LostConnectionsTest, ASurvivorKillsWhatTheServerStillShows) {
  Lose(2);
  EXPECT_TRUE(killer_->KillOfLost().ok());
  EXPECT_THAT(agents_[0]->sql_seen(), ElementsAre(HasSubstr("AND ID IN (7,8,9)"),
                                                  "KILL CONNECTION 7", "KILL CONNECTION 9"));
  EXPECT_EQ(killer_->left(2).told, 3u);
  EXPECT_EQ(killer_->left(2).found, 2u);
  EXPECT_EQ(killer_->left(2).killed, 2u);
  EXPECT_THAT(killer_->left(2).not_killed, IsEmpty());

  EXPECT_TRUE(killer_->KillOfLost().ok());
  EXPECT_EQ(agents_[0]->sql_seen().size(), 3u) << "once is enough";
}

TEST_F(LostConnectionsTest, AConnectionOfSomebodyElseWithTheSameIdIsLeftAlone) {
  processlist_ = {{"7", "elsewhere:5123"}, {"8", "c:4008"}};
  Lose(2);
  EXPECT_TRUE(killer_->KillOfLost().ok());
  EXPECT_THAT(Kills(0), ElementsAre("KILL CONNECTION 8"));
  // Behind address translation it may have been the agent's after all.
  EXPECT_THAT(killer_->left(2).not_killed, ElementsAre(7));
  EXPECT_EQ(killer_->left(2).problem,
            "their ports are not those that the agent knew, so they may be another's");
}

TEST_F(LostConnectionsTest, OneThatIsGoneAlreadyIsNoFailure) {
  kill_errors_["KILL CONNECTION 7"] = {1094, "HY000", "Unknown thread id: 7"};
  Lose(2);
  EXPECT_TRUE(killer_->KillOfLost().ok());
  EXPECT_THAT(Kills(0), ElementsAre("KILL CONNECTION 7", "KILL CONNECTION 9", "KILL CONNECTION 9"));
  EXPECT_EQ(killer_->left(2).found, 1u);
  EXPECT_EQ(killer_->left(2).killed, 1u);
  EXPECT_EQ(killer_->left(2).problem, "");
}

TEST_F(LostConnectionsTest, WhatMayNotBeKilledIsNamed) {
  kill_errors_["KILL CONNECTION 9"] = {1095, "HY000", "You are not owner of thread 9"};
  Lose(2);
  EXPECT_TRUE(killer_->KillOfLost().ok());
  EXPECT_EQ(killer_->left(2).killed, 1u);
  EXPECT_THAT(killer_->left(2).not_killed, ElementsAre(9));
  EXPECT_THAT(killer_->left(2).problem, HasSubstr("You are not owner of thread 9 (1095/HY000)"));
}

TEST_F(LostConnectionsTest, ASurvivorThatIsLostOverItIsReplaced) {
  agents_[0]->break_on.insert(v1::RunRequest::kRunScript);
  Lose(2);
  EXPECT_TRUE(killer_->KillOfLost().ok());
  EXPECT_THAT(Kills(1), ElementsAre("KILL CONNECTION 7", "KILL CONNECTION 9"));
  EXPECT_EQ(killer_->left(2).killed, 2u);
}

TEST_F(LostConnectionsTest, WithoutASurvivorAllAreNamed) {
  Lose(0);
  Lose(1);
  Lose(2);
  EXPECT_EQ(killer_->KillOfLost().code, ExitCode::kAgentLost);
  EXPECT_THAT(killer_->left(2).not_killed, ElementsAre(7, 8, 9));
  EXPECT_EQ(killer_->left(2).problem, "no agent is left to do it");
  EXPECT_THAT(killer_->left(0).not_killed, IsEmpty());
}

}  // namespace
}  // namespace dslap
