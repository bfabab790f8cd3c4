// What a run asks the server: its limits before anything is touched, its counters around every
// round.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "controller/coordination/coordinator.h"
#include "controller/coordination/server_counters.h"
#include "controller/coordination/server_limits.h"
#include "controller/report/aggregate.h"
#include "controller/report/count_check.h"
#include "tests/fakes/fake_agent_link.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_launcher.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NoProgress final : public ProgressSink {
 public:
  void Update(const RunProgress&, int64_t) override {}
  void Clear() override {}
};

class NoCases final : public CaseSink {
 public:
  void CaseFinished(const RunRecord&) override {}
};

class SqlNarrator final : public Narrator {
 public:
  void Stage(absl::string_view) override {}
  void Detail(absl::string_view) override {}
  void Statement(absl::string_view text) override { told.emplace_back(text); }
  void Warning(absl::string_view) override {}
  std::vector<std::string> told;
};

// One agent, one case of 4 clients and 7 statements in one round, no schema. Beside them its server
// counts the reading, and whatever `others` says.
class ServerChecksTest : public testing::Test {
 protected:
  ServerChecksTest() {
    auto link = std::make_unique<FakeAgentLink>("a", &clock_);
    agent_ = link.get();
    links_.push_back(std::move(link));
    agent_->sql = [this](const std::string& sql) { return Answer(sql); };
    plan_.schema.name = "shop";
    plan_.queries = {{"SELECT 1", false}};
    plan_.cases.resize(1);
    plan_.cases[0].clients = 4;
    plan_.cases[0].statements = 7;
    config_.identity = {"run-1", "me"};
    config_.target.host = "db";
    config_.checks_server = true;
    config_.compares_counts = true;
  }

  FakeSqlAnswer Answer(const std::string& sql) {
    FakeSqlAnswer answer;
    if (sql == kReadServerCounters) {
      ++readings_;
      if (readings_ == fails_at_) return {.error = reading_error_};
      const uint64_t round = readings_ > 1 ? executed_ + others_ + 1 : 0;
      answer.more_rows = {
          {"Questions", absl::StrCat(100 + round)},
          {"Connections", "7"},
          {"Aborted_clients", "0"},
          {"Aborted_connects", "0"},
          {"Threads_connected", "5"},
          {"Uptime", absl::StrCat(1000 + clock_.NowNs() / 1'000'000'000)},
          {"Uptime_since_flush_status", absl::StrCat(1000 + clock_.NowNs() / 1'000'000'000)}};
    } else if (sql == kReadVariables) {
      answer.more_rows = {{max_connections_, "0", "", "10.11.6-MariaDB"}};
    } else if (sql == kReadAccount || sql == kReadGrants) {
      answer.error = {1142, "42000", "command denied"};
    } else if (sql == kReadConnected) {
      answer.more_rows = {{"Threads_connected", "2"}};
    }
    return answer;
  }

  // The links live on, for the tests to ask.
  RunRecord Run() {
    coordinator_ = std::make_unique<Coordinator>(
        std::move(links_),
        CoordinatorEnvironment{&clock_, &progress_, &launcher_, &cases_, &narrator_}, config_);
    return coordinator_->Run(plan_);
  }

  std::string CountLine(const RunRecord& record) {
    return DescribeCountCheck(CompareCounts(record.cases.at(0).rounds.at(0), record.inexact));
  }

  FakeClock clock_{FakeClock::kAutoAdvance};
  FakeAgentLink* agent_ = nullptr;
  std::vector<std::unique_ptr<AgentLink>> links_;
  CoordinatorConfig config_;
  NoProgress progress_;
  FakeLauncher launcher_{&clock_};
  NoCases cases_;
  SqlNarrator narrator_;
  Plan plan_;
  std::string max_connections_ = "151";
  uint64_t executed_ = 7;
  uint64_t others_ = 0;
  int readings_ = 0;
  int fails_at_ = 0;
  SqlError reading_error_;
  std::unique_ptr<Coordinator> coordinator_;
};

TEST_F(ServerChecksTest, LimitsComeFirstAndCountersSurroundTheRound) {
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_THAT(record.notes, IsEmpty());
  EXPECT_THAT(agent_->sql_seen(),
              ElementsAre(kReadVariables, kReadAccount, kReadGrants, kReadConnected,
                          HasSubstr("INFORMATION_SCHEMA.SCHEMATA"), kReadServerCounters,
                          kReadServerCounters));
  std::vector<std::string> around;
  for (const std::string& kind : agent_->kinds()) {
    if (kind != "Open" && kind != "StatementsChunk") around.push_back(kind);
  }
  EXPECT_THAT(around, ElementsAre("RunScript", "RunScript", "RunScript", "RunScript", "RunScript",
                                  "RunScript", "PrepareRound", "StartRound", "RunScript", "Close"));
  EXPECT_EQ(CountLine(record), "agrees (7 statements, 0 others, 0 connects)");
}

// -vvv shows set-up and tear-down, which these are not.
TEST_F(ServerChecksTest, AreNotTold) {
  Run();
  EXPECT_THAT(narrator_.told, ElementsAre(HasSubstr("INFORMATION_SCHEMA"), "SELECT 1"));
}

TEST_F(ServerChecksTest, ReadingsAreOnTheKeptConnectionAndBounded) {
  Run();
  int readings = 0;
  for (const v1::RunRequest& request : agent_->requests()) {
    if (!request.has_run_script()) continue;
    const v1::RunScript& script = request.run_script();
    if (script.statements(0).text() != kReadServerCounters) continue;
    ++readings;
    EXPECT_TRUE(script.on_kept_connection());
    EXPECT_EQ(script.statement_timeout_ns(), 5'000'000'000u);
  }
  EXPECT_EQ(readings, 2);
}

TEST_F(ServerChecksTest, AgentThatClaimsMoreThanTheServerSawMakesTheRunInvalid) {
  executed_ = 5;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  const RunReport report = Aggregate(record, RunContext());
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
  EXPECT_EQ(report.exit_code, ExitCode::kInternal);
  EXPECT_THAT(report.reasons,
              ElementsAre("the server's count: 2 commands fewer than dslap counted (5 of 7)"));
}

TEST_F(ServerChecksTest, TextOfSeveralStatementsIsNotComparedExactly) {
  plan_.queries = {{"SELECT 1; SELECT 2", false}};
  others_ = 7;
  EXPECT_EQ(
      CountLine(Run()),
      "no fewer than dslap's 7 statements (not compared exactly: a text with a ';' inside may "
      "be several statements)");
}

TEST_F(ServerChecksTest, ReadingThatFailsFailsNothing) {
  for (const int fails_at : {1, 2}) {
    SCOPED_TRACE(fails_at);
    if (links_.empty()) {
      auto link = std::make_unique<FakeAgentLink>("a", &clock_);
      link->sql = [this](const std::string& sql) { return Answer(sql); };
      links_.push_back(std::move(link));
    }
    readings_ = 0;
    fails_at_ = fails_at;
    reading_error_ = {1227, "42000", "Access denied"};
    const RunRecord record = Run();
    EXPECT_EQ(record.failure, absl::OkStatus());
    EXPECT_EQ(record.failure_code, ExitCode::kValid);
    EXPECT_EQ(CountLine(record),
              "not compared: the server's counters could not be read: Access denied (1227/42000)");
  }
}

TEST_F(ServerChecksTest, ConnectionThatGaveWayToAClientIsNotForced) {
  fails_at_ = 2;
  reading_error_ = {2000, "HY000", "the scripts have no connection now"};
  EXPECT_EQ(CountLine(Run()),
            "not compared: no connection was left to read the server's counters over (the account "
            "holds too few for one beside the clients, or the agent that had it was lost)");
  EXPECT_EQ(readings_, 2);
}

TEST_F(ServerChecksTest, TooSmallALimitIsRefusedBeforeAnythingIsTouched) {
  max_connections_ = "3";
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_EQ(record.failure.message(),
            "the server takes 3 connections, 4 clients and 1 connection for set-up need 5: set "
            "global max_connections = 5 or ask for fewer clients");
  EXPECT_THAT(agent_->sql_seen(),
              ElementsAre(kReadVariables, kReadAccount, kReadGrants, kReadConnected));
}

TEST_F(ServerChecksTest, WithWarnItIsANote) {
  max_connections_ = "3";
  config_.preflight = PreflightPolicy::kWarn;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_THAT(record.notes, ElementsAre(HasSubstr("the server takes 3 connections, 4 clients")));
}

TEST_F(ServerChecksTest, ServerThatCannotBeReachedIsSaidAsBefore) {
  agent_->script_connect_error = SqlError{2002, "HY000", "Can't connect"};
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kSetUpFailed);
  EXPECT_EQ(record.failure.message(), "agent a: connect to db:3306: Can't connect (2002/HY000)");
}

TEST_F(ServerChecksTest, AgentThatLacksDescriptorsIsRefusedBeforeTheRunIsOpened) {
  agent_->info->set_max_open_files(20);
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentUnavailable);
  EXPECT_EQ(record.failure.message(),
            "agent a: needs 22 descriptors for 4 clients, has 20: raise LimitNOFILE= of its unit "
            "(or `ulimit -n`)");
  EXPECT_THAT(agent_->kinds(), IsEmpty());
}

TEST_F(ServerChecksTest, LimitsOfAnAgentAreANoteWithWarn) {
  agent_->info->set_max_open_files(20);
  config_.preflight = PreflightPolicy::kWarn;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure, absl::OkStatus());
  EXPECT_THAT(record.notes, ElementsAre(HasSubstr("agent a: needs 22 descriptors")));
}

// Those that stay get the clients of those that do not, and may be too small for that.
TEST_F(ServerChecksTest, SharesGrowWithEachAgentThatIsLeftOut) {
  auto link = std::make_unique<FakeAgentLink>("b", &clock_);
  link->info->set_max_open_files(19);
  FakeAgentLink* const b = link.get();
  links_.push_back(std::move(link));
  agent_->info->set_max_open_files(20);  // enough for two clients, not for four
  config_.min_agents = 1;
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentUnavailable);
  EXPECT_THAT(std::string(record.failure.message()),
              HasSubstr("agent a: needs 22 descriptors for 4 clients, has 20"));
  EXPECT_THAT(b->kinds(), IsEmpty());
}

}  // namespace
}  // namespace dslap
