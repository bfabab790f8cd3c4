// Who wants to know what runs do on this agent, apart from their controllers: metrics. A seam, so
// that sessions know nothing of what is made of it.
//
//   environment.observer = &figures;
#ifndef DSLAP_AGENT_SESSION_RUN_OBSERVER_H_
#define DSLAP_AGENT_SESSION_RUN_OBSERVER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "agent/engine/load_engine.h"

namespace dslap {

// Called by any thread, a few times a second at most and never for a statement. Must be quick.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  // A run has got the agent, and has given it back; OK: its controller closed it.
  virtual void RunBegan() {}
  virtual void RunEnded(const absl::Status& /*status*/) {}

  virtual void Connecting(uint64_t /*clients_connected*/) {}
  virtual void RoundPrepared(const PrepareOutcome& /*outcome*/) {}
  // Of the round that runs, until now.
  virtual void RoundRunning(const LiveCounters& /*counters*/) {}
  // One whose gate never opened has an outcome, too.
  virtual void RoundEnded(const RoundOutcome& /*outcome*/) {}

  // Nobody.
  static RunObserver* None() {
    static RunObserver none;
    return &none;
  }
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_RUN_OBSERVER_H_
