// Hears of each case of a run when its rounds are over, while the run goes on: so that it can be
// reported at once.
#ifndef DSLAP_CONTROLLER_COORDINATION_CASE_SINK_H_
#define DSLAP_CONTROLLER_COORDINATION_CASE_SINK_H_

#include "controller/coordination/run_record.h"

namespace dslap {

class CaseSink {
 public:
  virtual ~CaseSink() = default;
  // The last case of `so_far` has finished: all its rounds have run. A case in which the run ends
  // early is not told of; it is in the record that Coordinator::Run() returns. Called on the
  // coordinator's thread, which keeps the leases alive: must not wait.
  virtual void CaseFinished(const RunRecord& so_far) = 0;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_CASE_SINK_H_
