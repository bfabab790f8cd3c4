// What happens in one round of the soak: the load, and the fault that strikes it. Pure: the same
// seed gives the same rounds.
//
//   SoakPlan plan(seed);
//   const SoakRound round = plan.Next();
#ifndef DSLAP_TESTS_SOAK_SOAK_PLAN_H_
#define DSLAP_TESTS_SOAK_SOAK_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace dslap {

enum class SoakFault {
  kNone,
  kKillAgent,        // SIGKILL; started again after the round
  kTerminateAgent,   // SIGTERM; started again
  kPauseAgent,       // stopped for less than its lease
  kFreezeAgent,      // stopped until dslap has ended
  kKillConnections,  // all of the load, by the server
  kInterrupt,        // Ctrl-C
  kInterruptTwice,
  kTerminate,       // SIGTERM to dslap
  kKillController,  // SIGKILL
};
inline constexpr int kSoakFaults = 10;

std::string SoakFaultName(SoakFault fault);
// What dslap may say after it; the fault may come before the run began and after its end.
std::vector<int> SoakExitCodes(SoakFault fault);
// The controller ends without tearing down, which is left to an agent.
bool EndsController(SoakFault fault);

struct SoakRound {
  SoakFault fault = SoakFault::kNone;
  absl::Duration when;  // after the start of dslap
  size_t agent = 0;     // the one that is struck
  int clients = 0;
  int statements = 60;  // of each client, in each of two rounds of the run
  bool event_loops = false;
  bool reconnect = false;
};

class SoakPlan {
 public:
  SoakPlan(uint64_t seed, size_t agents) : random_(seed), agents_(agents) {}
  SoakRound Next();

 private:
  int Below(int bound);

  std::mt19937_64 random_;
  size_t agents_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_SOAK_SOAK_PLAN_H_
