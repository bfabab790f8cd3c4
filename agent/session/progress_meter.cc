#include "agent/session/progress_meter.h"

namespace dslap {

void ProgressMeter::Begin(uint64_t round, int64_t begin_ns, int64_t interval_ns) {
  active_ = true;
  round_ = round;
  interval_ns_ = interval_ns;
  next_at_ns_ = begin_ns + interval_ns;
  reported_ = LiveCounters();
}

v1::Progress ProgressMeter::Take(int64_t now_ns, const LiveCounters& totals) {
  // On the round's own grid, so that late calls do not drift; what was missed is not made up for.
  while (next_at_ns_ <= now_ns) next_at_ns_ += interval_ns_;
  v1::Progress progress;
  progress.set_round(round_);
  progress.set_statements(totals.statements - reported_.statements);
  progress.set_errors(totals.errors - reported_.errors);
  progress.set_clients_connected(totals.clients_connected);
  reported_ = totals;
  return progress;
}

}  // namespace dslap
