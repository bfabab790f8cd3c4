// Turns running totals into the Progress messages of a round: one a second, each with what happened
// since the one before. Pure.
//
//   meter.Begin(round, opened_at_ns);
//   if (meter.Due(now_ns)) sink->Send(meter.Take(now_ns, engine->Counters()));
//   meter.End();
#ifndef DSLAP_AGENT_SESSION_PROGRESS_METER_H_
#define DSLAP_AGENT_SESSION_PROGRESS_METER_H_

#include <cstdint>

#include "agent/engine/load_engine.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Not thread-safe.
class ProgressMeter {
 public:
  static constexpr int64_t kIntervalNs = 1'000'000'000;
  // While clients connect, before the gate opens.
  static constexpr int64_t kConnectingIntervalNs = 250'000'000;

  void Begin(uint64_t round, int64_t begin_ns, int64_t interval_ns = kIntervalNs);
  bool connecting() const { return interval_ns_ == kConnectingIntervalNs; }
  void End() { active_ = false; }

  bool Due(int64_t now_ns) const { return active_ && now_ns >= next_at_ns_; }
  v1::Progress Take(int64_t now_ns, const LiveCounters& totals);

 private:
  bool active_ = false;
  uint64_t round_ = 0;
  int64_t interval_ns_ = kIntervalNs;
  int64_t next_at_ns_ = 0;
  LiveCounters reported_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_PROGRESS_METER_H_
