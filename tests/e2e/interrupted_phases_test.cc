// A signal to the controller, and one to an agent, in every phase of a run: what runs on the server
// is killed, what was started is ended, what was made is dropped.
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "controller/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/stopped_process.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

std::string Running(const std::string& pattern) {
  return absl::StrCat("SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '",
                      pattern, "' AND info NOT LIKE '%processlist%'");
}

// A command that hooks hang in, which no other test has: `number` and this process.
std::string HangingCommand(int number) { return absl::StrCat("sleep ", number, ".", getpid()); }

// The processes that are at `command`, one line each.
std::string ProcessesAt(const std::string& command) {
  return RunProcess({.argv = {"pgrep", "-fx", command}}, kFewSeconds).out;
}

bool WaitForProcessAt(const std::string& command) {
  // Each look starts a program, which takes its time: no pause is needed between them.
  const absl::Time deadline = absl::Now() + kFewSeconds;
  while (ProcessesAt(command).empty()) {
    if (absl::Now() > deadline) return false;
  }
  return true;
}

// How a run is held in a phase: it hangs in statements like this, or in a command.
struct Phase {
  const char* name;
  std::vector<std::string> arguments;
  const char* hangs_in;  // a pattern of the server's process list; empty: a command
  const char* clients;   // how many are in it
  const char* during;
};

const Phase kPhases[] = {
    {"SetUp",
     {"--create=create table t as select sleep(611)", "--query=select 1"},
     "create table t%",
     "1",
     "set-up"},
    {"Hook",
     {absl::StrCat("--pre-system=", HangingCommand(611), "; true"), "--query=select 1"},
     "",
     "",
     "--pre-system"},
    {"PreQuery",
     {"--pre-query=select sleep(611)", "--query=select 1"},
     "select sleep(611)",
     "1",
     "pre-query"},
    {"Preparing",
     {"--init-command=select sleep(611)", "--query=select 1", "--concurrency=4"},
     "select sleep(611)",
     "4",
     "the connecting of the clients"},
    {"Running",
     {"--query=select sleep(611)", "--concurrency=4"},
     "select sleep(611)",
     "4",
     "the load"},
    {"PostQuery",
     {"--post-query=select sleep(611)", "--query=select 1"},
     "select sleep(611)",
     "1",
     "post-query"},
};

bool WaitUntilHeld(const Phase& phase) {
  if (*phase.hangs_in != '\0') {
    return Sandbox().WaitForValue(Running(phase.hangs_in), phase.clients, kFewSeconds);
  }
  return WaitForProcessAt(HangingCommand(611));
}

void ExpectNothingRuns() {
  EXPECT_TRUE(Sandbox().WaitForValue(Running("%sleep(611)%"), "0", absl::ZeroDuration()));
  EXPECT_EQ(ProcessesAt(HangingCommand(611)), "");
  ExpectNothingLeft();
}

std::string NameOfPhase(const Phase& phase) { return phase.name; }

// Phase, and number of agents; 0: in-process.
class SignalledRunTest : public ::testing::TestWithParam<std::tuple<Phase, int>> {
 protected:
  void SetUp() override {
    phase_ = std::get<0>(GetParam());
    agents_ = StartAgents(std::get<1>(GetParam()));
    ASSERT_EQ(agents_.size(), static_cast<size_t>(std::get<1>(GetParam())));
    if (std::string(phase_.name) != "SetUp") {
      phase_.arguments.emplace_back("--create=create table t (a int)");
    }
  }

  Phase phase_;
  AgentFleet agents_;
};

TEST_P(SignalledRunTest, TerminateEndsItCleanly) {
  Subprocess dslap(DslapSpec(WithAgents(agents_, phase_.arguments)));
  ASSERT_TRUE(WaitUntilHeld(phase_)) << dslap.err();
  dslap.Signal(SIGTERM);
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
  EXPECT_THAT(result.err, HasSubstr(absl::StrCat("dslap: interrupted during ", phase_.during)));
  ExpectNothingRuns();
  ExpectAgentsServe(agents_);
}

INSTANTIATE_TEST_SUITE_P(Phases, SignalledRunTest,
                         ::testing::Combine(::testing::ValuesIn(kPhases), ::testing::Values(0, 2)),
                         [](const auto& test) {
                           return NameOfPhase(std::get<0>(test.param)) +
                                  (std::get<1>(test.param) == 0 ? "InProcess" : "OverAgents");
                         });

TEST(InterruptTest, WhileAnAgentDoesNotAnswer) {
  const AgentFleet agents = StartAgents(1);
  ASSERT_EQ(agents.size(), 1u);
  const StoppedProcess stopped(agents[0]->process().pid());
  Subprocess dslap(DslapSpec(WithAgents(agents, {"--query=select 1", "-vv"})));
  ASSERT_TRUE(dslap.WaitForOutput("Parsing", kFewSeconds)) << dslap.err();
  const absl::Time begin = absl::Now();
  dslap.Signal(SIGINT);
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
  EXPECT_THAT(result.err, HasSubstr("dslap: interrupted during the asking of the agents\n"));
  EXPECT_LT(absl::Now() - begin, absl::Seconds(3)) << "the agent has 5 s to answer";
}

TEST(InterruptTest, TwiceAbortsAtOnceWhereverItHangs) {
  const std::string stubborn = HangingCommand(613);
  Subprocess dslap(
      DslapSpec({"--create=create table t (a int)", "--create-schema=e2e_load",
                 absl::StrCat("--post-system=trap '' TERM; ", stubborn), "--query=select 1"}));
  ASSERT_TRUE(WaitForProcessAt(stubborn)) << dslap.err();
  dslap.Signal(SIGHUP);
  ASSERT_TRUE(dslap.WaitForError("once more", kFewSeconds)) << dslap.err();
  dslap.Signal(SIGINT);
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInterrupted)) << result.err;
  for (const std::string& line : Lines(ProcessesAt(stubborn))) {
    int pid = 0;
    if (absl::SimpleAtoi(line, &pid)) kill(pid, SIGKILL);
  }
  EXPECT_EQ(Sandbox().Schemata(), std::vector<std::string>{"e2e_load"});
  Sandbox().Execute("DROP SCHEMA IF EXISTS e2e_load");
  EXPECT_TRUE(Sandbox().WaitForConnections(0, kFewSeconds));
}

// ---------------------------------------------------------------------------- an agent is told to
// stop

class AgentShutdownTest : public ::testing::TestWithParam<Phase> {};

TEST_P(AgentShutdownTest, EndsTheRunCleanlyAtBothEnds) {
  Phase phase = GetParam();
  if (std::string(phase.name) != "SetUp") {
    phase.arguments.emplace_back("--create=create table t (a int)");
  }
  AgentFleet agents = StartAgents(2);
  ASSERT_EQ(agents.size(), 2u);
  Subprocess dslap(DslapSpec(WithAgents(agents, phase.arguments)));
  ASSERT_TRUE(WaitUntilHeld(phase)) << dslap.err();
  Subprocess& agent = agents[0]->process();  // the one that runs the scripts
  agent.Signal(SIGTERM);
  EXPECT_TRUE(agent.WaitForExit(kFewSeconds));
  EXPECT_EQ(agent.exit_code(), 0) << agent.err();
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kAgentLost)) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr(absl::StrCat("dslap: agent ", agents[0]->address(), ": lost during ",
                                     phase.during, ": agent is shutting down")));
  ExpectNothingRuns();
  agents.erase(agents.begin());
  ExpectAgentsServe(agents);
}

INSTANTIATE_TEST_SUITE_P(Phases, AgentShutdownTest, ::testing::ValuesIn(kPhases),
                         [](const auto& test) { return NameOfPhase(test.param); });

TEST(AgentTest, CountsOfAnAgentThatShutsDownAreInTheReport) {
  AgentFleet agents = StartAgents(1);
  ASSERT_EQ(agents.size(), 1u);
  Subprocess dslap(DslapSpec(WithAgents(agents, EndlessLoad())));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  agents[0]->process().Signal(SIGTERM);
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed)) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("\n\tStatements executed: [1-9][0-9]* of 10000000"));
  EXPECT_THAT(result.err, HasSubstr("schema `e2e_load` was left behind on"));
  Sandbox().Execute("DROP SCHEMA IF EXISTS e2e_load");
  EXPECT_TRUE(Sandbox().WaitForConnections(0, kFewSeconds));
}

TEST(AgentTest, IdleOneEndsAtOnce) {
  AgentFleet agents = StartAgents(1);
  ASSERT_EQ(agents.size(), 1u);
  const absl::Time begin = absl::Now();
  agents[0]->process().Signal(SIGTERM);
  EXPECT_TRUE(agents[0]->process().WaitForExit(kFewSeconds));
  EXPECT_EQ(agents[0]->process().exit_code(), 0);
  EXPECT_LT(absl::Now() - begin, absl::Seconds(2));
}

TEST(AgentTest, SecondSignalAbortsAtOnce) {
  AgentFleet agents = StartAgents(1);
  ASSERT_EQ(agents.size(), 1u);
  Subprocess dslap(DslapSpec(WithAgents(agents, {"--query=select sleep(611)"})));
  ASSERT_TRUE(Sandbox().WaitForValue(Running("select sleep(611)"), "1", kFewSeconds));
  {
    const StoppedProcess stopped(Sandbox().pid());  // so that the first is not done quickly
    agents[0]->process().Signal(SIGTERM);
    ASSERT_TRUE(agents[0]->process().WaitForError("shutting down", kFewSeconds));
    agents[0]->process().Signal(SIGTERM);
    EXPECT_TRUE(agents[0]->process().WaitForExit(absl::Seconds(2)));
    EXPECT_EQ(agents[0]->process().exit_code(), 1);
  }
  EXPECT_EQ(WaitForEnd(dslap).exit_code, static_cast<int>(ExitCode::kAgentLost));
  for (const auto& row : Sandbox().Rows(
           "select id from information_schema.processlist where info = 'select sleep(611)'")) {
    Sandbox().Execute("KILL " + row[0]);
  }
}

}  // namespace
}  // namespace dslap
