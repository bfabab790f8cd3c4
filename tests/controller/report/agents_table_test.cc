#include "controller/report/agents_table.h"

#include <string>

#include "absl/strings/str_split.h"
#include "common/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/report/golden.h"

namespace dslap {
namespace {

constexpr int64_t kNowUnix = 1'800'000'000;  // 2027-01-15
constexpr int64_t kDay = 24 * 3600;

AgentStatus Idle() {
  v1::GetInfoResponse info;
  info.mutable_protocol()->set_major(kProtocolMajor);
  info.mutable_protocol()->set_minor(0);
  info.set_build("0.1.0");
  info.set_hostname("load-a");
  info.set_cores(2);
  info.set_memory_bytes(8'375'186'227);
  info.set_max_open_files(20000);
  info.set_load_average(0.42);
  info.set_certificate_expires_at(kNowUnix + 200 * kDay);
  return {"192.168.100.12:7527", info, 210'000};
}

AgentStatus Busy() {
  AgentStatus agent = Idle();
  agent.name = "db-b:7527";
  agent.round_trip_ns = 1'350'000;
  agent.info->clear_certificate_expires_at();
  agent.info->set_hostname("load-b");
  agent.info->set_cores(64);
  agent.info->set_load_average(17.5);
  v1::ActiveRun* run = agent.info->mutable_active_run();
  run->set_run_id("20240501-7f3a");
  run->set_controller("alice@ctl pid 4711");
  run->set_age_ns(12'300'000'000);
  return agent;
}

AgentStatus Incompatible() {
  AgentStatus agent = Idle();
  agent.name = "db-c:7527";
  agent.info->mutable_protocol()->set_major(kProtocolMajor + 1);
  agent.info->set_build("9.0.0\x1b[1m");
  return agent;
}

AgentStatus Unreachable(absl::Status status) { return {"db-d:7527", std::move(status), 0}; }

std::string StateOf(const AgentStatus& agent) {
  const std::string table = FormatAgentsTable({agent}, kNowUnix);
  const std::vector<std::string> lines = absl::StrSplit(table, '\n');
  const std::vector<std::string> cells = absl::StrSplit(lines[1], "  ", absl::SkipEmpty());
  return cells[1];
}

// It said "idle", and refused the next run for being busy.
TEST(AgentsTableTest, AnAgentThatStillCleansUpIsNotIdle) {
  AgentStatus agent = Idle();
  agent.info->mutable_ending_run()->set_run_id("r7");
  agent.info->mutable_ending_run()->set_controller("ann@db-a pid 17");
  EXPECT_EQ(StateOf(agent), "ending");
  EXPECT_THAT(FormatAgentsTable({agent}, kNowUnix),
              ::testing::HasSubstr("\n  cleaning up after run r7 of ann@db-a pid 17\n"));
}

TEST(AgentsTableTest, EveryKindOfAgent) {
  EXPECT_TRUE(MatchesGolden(
      FormatAgentsTable({Idle(), Busy(), Incompatible(),
                         Unreachable(absl::UnavailableError("connect: Connection refused"))},
                        kNowUnix),
      "agents.txt"));
}

TEST(AgentsTableTest, RowsOfReachableAgentsFitHundredColumns) {
  const std::string table = FormatAgentsTable({Idle(), Busy()}, kNowUnix);
  for (const absl::string_view line : absl::StrSplit(table, '\n')) EXPECT_LE(line.size(), 100U);
}

TEST(AgentsTableTest, States) {
  EXPECT_EQ(StateOf(Idle()), "idle");
  EXPECT_EQ(StateOf(Busy()), "busy");
  EXPECT_EQ(StateOf(Incompatible()), "incompatible");
  EXPECT_EQ(StateOf(Unreachable(absl::UnavailableError("x"))), "unreachable");
  EXPECT_EQ(StateOf(Unreachable(absl::DeadlineExceededError("x"))), "no answer");
  EXPECT_EQ(StateOf(Unreachable(absl::UnimplementedError("x"))), "no agent");
  EXPECT_EQ(StateOf(Unreachable(absl::UnauthenticatedError("x"))), "refused");
  EXPECT_EQ(StateOf(Unreachable(absl::InternalError("x"))), "failed");
}

TEST(AgentsTableTest, CertificateIsToBeRenewedAMonthBefore) {
  const auto line = [](int64_t seconds_left) {
    AgentStatus agent = Idle();
    agent.info->set_certificate_expires_at(kNowUnix + seconds_left);
    const std::string table = FormatAgentsTable({agent}, kNowUnix);
    return std::vector<std::string>(absl::StrSplit(table, '\n'))[2];
  };
  EXPECT_EQ(line(30 * kDay), "  TLS, its certificate is valid until 2027-02-14");
  EXPECT_EQ(line(30 * kDay - 1), "  TLS, its certificate is valid until 2027-02-14: renew it");
  EXPECT_EQ(line(-kDay), "  TLS, its certificate expired on 2027-01-14: renew it");
}

TEST(AgentsTableTest, GuardRailsAreShown) {
  AgentStatus agent = Idle();
  agent.info->clear_certificate_expires_at();
  v1::GuardRails& rails = *agent.info->mutable_guard_rails();
  rails.set_target_rule("--allow-target=10.0.0.0/8:3306 (/a.conf:7)");
  rails.set_max_clients(100);
  rails.set_max_clients_rule("--max-clients=100 (/a.conf:8)");
  rails.set_max_run_time_ns(1);
  rails.set_max_run_time_rule("--max-run-time=8h\x1b[2J");
  EXPECT_THAT(FormatAgentsTable({agent}, kNowUnix),
              testing::HasSubstr("\n  --allow-target=10.0.0.0/8:3306 (/a.conf:7)\n"
                                 "  --max-clients=100 (/a.conf:8)\n"
                                 "  --max-run-time=8h"));
  EXPECT_THAT(FormatAgentsTable({agent}, kNowUnix), testing::Not(testing::HasSubstr("\x1b")));
}

TEST(AgentsTableTest, ExitCode) {
  EXPECT_EQ(AgentsExitCode({}), ExitCode::kValid);
  EXPECT_EQ(AgentsExitCode({Idle(), Busy()}), ExitCode::kValid);
  EXPECT_EQ(AgentsExitCode({Idle(), Incompatible()}), ExitCode::kAgentUnavailable);
  EXPECT_EQ(AgentsExitCode({Idle(), Unreachable(absl::UnavailableError("x"))}),
            ExitCode::kAgentUnavailable);
}

}  // namespace
}  // namespace dslap
