// Round after round over several real agents, each struck by a fault at a random moment: after
// each, nothing is left on the server, the agents are as idle as before, and serve the next run.
//
// DSLAP_SOAK_SECONDS says for how long (default: 10 s, as a smoke test), DSLAP_SOAK_SEED repeats
// the rounds of an earlier one. `tests/run.sh --soak` runs it for ten minutes.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/soak/soak_plan.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/process_figures.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::AnyOfArray;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

constexpr int kAgents = 3;
// Until then dslap has ended, and the server and the agents have noticed.
constexpr absl::Duration kBound = absl::Seconds(30);
constexpr absl::Duration kLease = absl::Seconds(1);
constexpr absl::Duration kPause = absl::Milliseconds(300);
// gRPC and the allocator settle in them. Without faults, so that they take no time.
constexpr int kWarmUpRounds = 2;  // one with each engine
// An agent's figures have settled when they stay the same for so long.
constexpr absl::Duration kSettled = absl::Milliseconds(500);
constexpr int kThreadsBeyondIdle = 3;  // gRPC's own come and go
constexpr int64_t kMemoryBeyondIdle = 16 << 20;

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* const text = std::getenv(name);
  int64_t value = 0;
  return text != nullptr && absl::SimpleAtoi(text, &value) ? value : otherwise;
}

class SoakTest : public ::testing::Test {
 protected:
  void SetUp() override {
    agents_ = StartAgents(kAgents);
    ASSERT_EQ(agents_.size(), static_cast<size_t>(kAgents));
  }

  static std::vector<std::string> Load(const SoakRound& round) {
    std::vector<std::string> load = {
        "--create=create table t (a int); insert into t values (1)",
        "--create-schema=soak",
        "--query=do sleep(0.01); select * from t; update t set a = a + 1",
        "--delimiter=;",
        absl::StrCat("--concurrency=", round.clients),
        absl::StrCat("--number-of-queries=", round.clients * round.statements),
        "--iterations=2",
        absl::StrCat("--lease=", absl::ToInt64Milliseconds(kLease), "ms"),
        "--heartbeat-interval=200ms",
        absl::StrCat("--load-engine=", round.event_loops ? "epoll" : "threads")};
    if (round.reconnect) load.emplace_back("--detach=20");
    return load;
  }

  void RunRound(const SoakRound& round) {
    std::vector<std::string> arguments = Load(round);
    arguments.push_back(AgentsArgument(agents_));
    Subprocess dslap(DslapSpec(arguments));
    if (!dslap.WaitForExit(round.when)) Strike(round, dslap);
    ASSERT_TRUE(dslap.WaitForExit(kBound)) << "dslap does not end: " << dslap.err();
    ++exit_codes_[{round.fault, *dslap.exit_code()}];
    EXPECT_THAT(*dslap.exit_code(), AnyOfArray(SoakExitCodes(round.fault)))
        << dslap.out() << dslap.err();
    Mend(round);
    ExpectNothingLeft(round.fault);
  }

  void Strike(const SoakRound& round, Subprocess& dslap) {
    Subprocess& agent = agents_[round.agent]->process();
    switch (round.fault) {
      case SoakFault::kNone:
        break;
      case SoakFault::kKillAgent:
        agent.Signal(SIGKILL);
        break;
      case SoakFault::kTerminateAgent:
        agent.Signal(SIGTERM);
        break;
      case SoakFault::kPauseAgent:
        agent.Signal(SIGSTOP);
        (void)dslap.WaitForExit(kPause);
        agent.Signal(SIGCONT);
        break;
      case SoakFault::kFreezeAgent:
        agent.Signal(SIGSTOP);
        break;
      case SoakFault::kKillConnections:
        Sandbox().Execute(absl::StrCat("KILL CONNECTION USER ", Sandbox().user()));
        break;
      case SoakFault::kInterrupt:
        dslap.Signal(SIGINT);
        break;
      case SoakFault::kInterruptTwice:
        dslap.Signal(SIGINT);
        (void)dslap.WaitForError("interrupted", kBound);
        dslap.Signal(SIGINT);
        break;
      case SoakFault::kTerminate:
        dslap.Signal(SIGTERM);
        break;
      case SoakFault::kKillController:
        dslap.Signal(SIGKILL);
        break;
    }
  }

  void Mend(const SoakRound& round) {
    std::unique_ptr<AgentProcess>& agent = agents_[round.agent];
    switch (round.fault) {
      case SoakFault::kFreezeAgent:
        agent->process().Signal(SIGCONT);
        break;
      case SoakFault::kKillAgent:
      case SoakFault::kTerminateAgent: {
        // It may have been spared: then dslap had ended already.
        agent->process().Signal(SIGKILL);
        ASSERT_TRUE(agent->process().WaitForExit(kBound));
        const std::string address = agent->address();
        agent = std::make_unique<AgentProcess>(
            std::vector<std::string>{absl::StrCat("--listen=", address)});
        ASSERT_TRUE(agent->WaitUntilListening());
        break;
      }
      default:
        break;
    }
  }

  void ExpectNothingLeft(SoakFault fault) {
    EXPECT_TRUE(Sandbox().WaitForConnections(0, kBound))
        << Sandbox().Connections() << " connections are left";
    if (EndsController(fault)) AwaitLastWill();
    EXPECT_EQ(Sandbox().Schemata(), std::vector<std::string>{});
  }

  // An agent drops the schema, unless the controller was struck between making and marking it: one
  // without a mark, which is its first table, stays, as it could be anybody's.
  void AwaitLastWill() {
    const bool gone = Sandbox().WaitForValue(
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'soak'", "0", kBound);
    EXPECT_TRUE(gone) << "no agent has carried out the last will: " << AgentLogs();
    EXPECT_TRUE(Sandbox().WaitForConnections(0, kBound))
        << Sandbox().Connections() << " connections are left";
    if (Sandbox().Schemata().empty()) return;
    Sandbox().Execute("DROP DATABASE soak");
    ++unmarked_schemata_;
  }

  std::string AgentLogs() const {
    std::string logs;
    for (const auto& agent : agents_) absl::StrAppend(&logs, agent->process().err());
    return logs;
  }

  // Threads and descriptors of every agent come down to what they were when it was idle.
  void ExpectIdle() {
    for (const auto& agent : agents_) {
      const absl::Time deadline = absl::Now() + kBound;
      ProcessFigures now = ReadProcessFigures(agent->process().pid());
      while ((now.threads > idle_.threads + kThreadsBeyondIdle ||
              now.descriptors > idle_.descriptors) &&
             absl::Now() < deadline) {
        absl::SleepFor(absl::Milliseconds(5));
        now = ReadProcessFigures(agent->process().pid());
      }
      EXPECT_LE(now.threads, idle_.threads + kThreadsBeyondIdle) << agent->address();
      EXPECT_LE(now.descriptors, idle_.descriptors) << agent->address();
    }
  }

  // What an agent has when it has nothing to do: the most of all agents, as one that was just
  // started has fewer threads.
  void NoteIdle() {
    for (const auto& agent : agents_) {
      const ProcessFigures now = SettledFigures(agent->process().pid());
      idle_.threads = std::max(idle_.threads, now.threads);
      idle_.descriptors = std::max(idle_.descriptors, now.descriptors);
    }
  }

  static ProcessFigures SettledFigures(pid_t pid) {
    const absl::Time deadline = absl::Now() + kBound;
    ProcessFigures settled = ReadProcessFigures(pid);
    absl::Time since = absl::Now();
    while (absl::Now() < since + kSettled && absl::Now() < deadline) {
      absl::SleepFor(absl::Milliseconds(5));
      const ProcessFigures now = ReadProcessFigures(pid);
      if (now.threads == settled.threads && now.descriptors == settled.descriptors) continue;
      settled = now;
      since = absl::Now();
    }
    EXPECT_LT(absl::Now(), deadline) << "threads and descriptors of an idle agent do not settle";
    return settled;
  }

  void WarmUp() {
    for (int i = 0; i < kWarmUpRounds && !HasFailure(); ++i) {
      SCOPED_TRACE(absl::StrCat("warm-up round ", i + 1));
      SoakRound round;
      round.clients = 60;
      round.statements = 6;
      round.event_loops = i % 2 == 0;
      RunRound(round);
    }
    NoteIdle();
    rss_begin_ = FirstAgentRss();
  }

  int64_t FirstAgentRss() const {
    return ReadProcessFigures(agents_[0]->process().pid()).rss_bytes;
  }

  void PrintSummary(int rounds) {
    std::vector<std::string> parts;
    for (const auto& [what, times] : exit_codes_) {
      parts.push_back(
          absl::StrCat("  ", SoakFaultName(what.first), ": exit ", what.second, " x ", times));
    }
    const ProcessFigures first = ReadProcessFigures(agents_[0]->process().pid());
    std::cout << absl::StrFormat(
        "%d rounds; %d schemata left unmarked by killed controllers; idle agent: %d threads "
        "(first: %d), %d "
        "descriptors (%d); memory of the first agent %.1f MB after the warm-up, %.1f MB at the "
        "end\n"
        "%s\n",
        rounds, unmarked_schemata_, first.threads, idle_.threads, first.descriptors,
        idle_.descriptors, static_cast<double>(rss_begin_) / 1e6,
        static_cast<double>(first.rss_bytes) / 1e6, absl::StrJoin(parts, "\n"));
  }

  AgentFleet agents_;
  ProcessFigures idle_;
  std::map<std::pair<SoakFault, int>, int> exit_codes_;
  int unmarked_schemata_ = 0;
  int64_t rss_begin_ = 0;
};

TEST_F(SoakTest, NothingIsLeftAfterAnyFault) {
  const auto seed = static_cast<uint64_t>(
      FromEnvironment("DSLAP_SOAK_SEED", static_cast<int64_t>(std::random_device()())));
  std::cout << "DSLAP_SOAK_SEED=" << seed << "\n";
  SoakPlan plan(seed, kAgents);
  int rounds = 0;
  WarmUp();
  const absl::Time end = absl::Now() + absl::Seconds(FromEnvironment("DSLAP_SOAK_SECONDS", 10));
  while (absl::Now() < end && !HasFailure()) {
    const SoakRound round = plan.Next();
    SCOPED_TRACE(absl::StrCat("seed ", seed, ", round ", ++rounds, ": ", SoakFaultName(round.fault),
                              " after ", absl::FormatDuration(round.when), ", agent ", round.agent,
                              ", ", round.clients, " clients"));
    RunRound(round);
    if (HasFatalFailure()) return;
    ExpectIdle();
  }
  PrintSummary(rounds);
  EXPECT_LE(FirstAgentRss(), rss_begin_ + kMemoryBeyondIdle);
}

}  // namespace
}  // namespace dslap
