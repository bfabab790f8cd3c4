#include "tests/soak/soak_plan.h"

#include <csignal>

#include "controller/exit_code.h"

namespace dslap {
namespace {

// By a signal that comes before dslap has begun to look for it, or that nobody can look for.
constexpr int kKilled = 128 + SIGKILL;
constexpr int kTerminated = 128 + SIGTERM;

int Code(ExitCode code) { return static_cast<int>(code); }

}  // namespace

std::string SoakFaultName(SoakFault fault) {
  switch (fault) {
    case SoakFault::kNone:
      return "none";
    case SoakFault::kKillAgent:
      return "kill -9 of an agent";
    case SoakFault::kTerminateAgent:
      return "SIGTERM of an agent";
    case SoakFault::kPauseAgent:
      return "pause of an agent";
    case SoakFault::kFreezeAgent:
      return "freeze of an agent";
    case SoakFault::kKillConnections:
      return "KILL of connections";
    case SoakFault::kInterrupt:
      return "Ctrl-C";
    case SoakFault::kInterruptTwice:
      return "Ctrl-C twice";
    case SoakFault::kTerminate:
      return "SIGTERM of dslap";
    case SoakFault::kKillController:
      return "kill -9 of dslap";
  }
  return "";
}

std::vector<int> SoakExitCodes(SoakFault fault) {
  const int valid = Code(ExitCode::kValid);
  switch (fault) {
    case SoakFault::kNone:
    case SoakFault::kPauseAgent:
      return {valid};
    case SoakFault::kKillAgent:
    case SoakFault::kTerminateAgent:
    case SoakFault::kFreezeAgent:
      return {valid, Code(ExitCode::kAgentUnavailable), Code(ExitCode::kAgentLost)};
    case SoakFault::kKillConnections:
      return {valid, Code(ExitCode::kFailures), Code(ExitCode::kSetUpFailed)};
    case SoakFault::kInterrupt:
    case SoakFault::kInterruptTwice:
      return {valid, Code(ExitCode::kInterrupted)};
    case SoakFault::kTerminate:
      return {valid, Code(ExitCode::kInterrupted), kTerminated};
    case SoakFault::kKillController:
      return {valid, kKilled};
  }
  return {};
}

bool EndsController(SoakFault fault) {
  return fault == SoakFault::kKillController || fault == SoakFault::kInterruptTwice;
}

SoakRound SoakPlan::Next() {
  SoakRound round;
  round.fault = static_cast<SoakFault>(Below(kSoakFaults));
  round.when = absl::Milliseconds(Below(900));
  const bool ends_agent =
      round.fault == SoakFault::kKillAgent || round.fault == SoakFault::kTerminateAgent;
  // The first agent lives through all rounds, so that its memory can be watched.
  const int first = ends_agent ? 1 : 0;
  round.agent = static_cast<size_t>(first + Below(static_cast<int>(agents_) - first));
  round.clients = 1 + Below(60);
  round.event_loops = Below(2) == 1;
  round.reconnect = Below(4) == 0;
  return round;
}

// Not uniform_int_distribution, whose values are each library's own.
int SoakPlan::Below(int bound) {
  return static_cast<int>(random_() % static_cast<uint64_t>(bound));
}

}  // namespace dslap
