// How a round is getting on, for the person who waits. Filled by the Coordinator, shown by
// ProgressDisplay (report/progress_display.h).
#ifndef DSLAP_CONTROLLER_COORDINATION_RUN_PROGRESS_H_
#define DSLAP_CONTROLLER_COORDINATION_RUN_PROGRESS_H_

#include <cstdint>
#include <string>

namespace dslap {

struct RunProgress {
  enum class Phase { kSetUp, kPreSystem, kConnecting, kRunning, kPostSystem, kTearDown };
  Phase phase = Phase::kSetUp;
  std::string engine;                     // may be empty
  uint64_t clients = 0;                   // asked for
  uint64_t case_number = 0, cases = 0;    // from 1
  uint64_t round_number = 0, rounds = 0;  // from 1, within the case
  int64_t elapsed_ns = 0;                 // since the gate opened
  uint64_t connected = 0;
  uint64_t statements = 0;  // succeeded so far in this round
  uint64_t planned = 0;     // in this round
  uint64_t errors = 0;
};

class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  // Called on the coordinator's thread on each change of phase and about once a second between.
  virtual void Update(const RunProgress& progress, int64_t now_ns) = 0;
  // Removes what is on the screen; before a report or an error is printed.
  virtual void Clear() = 0;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_RUN_PROGRESS_H_
