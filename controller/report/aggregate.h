// What the agents sent -> the finished report. Stands between the Coordinator and the reporters.
//
//   const RunReport report = Aggregate(record, MakeRunContext(options, started_at));
//
// Pure. Rules:
//  - Histograms are merged by adding integers over all agents and measured rounds; a percentile is
//    computed once, after the last merge.
//  - A round lasts from the first gate's opening to the last response, over all agents that had a
//    connected client, on the controller's clock; start skew is the last opening minus the first.
//  - Counts are what happened. What a lost agent did in a round it never reported is not known and
//    not guessed.
//  - A record cut short anywhere (agent lost, interrupted, stopped by an error) still gives a
//    report of what was measured; rounds say whether they are complete.
//  - A message whose histogram cannot be decoded is that agent's failure: it counts as lost, and
//    the message as not received.
#ifndef DSLAP_CONTROLLER_REPORT_AGGREGATE_H_
#define DSLAP_CONTROLLER_REPORT_AGGREGATE_H_

#include "controller/coordination/run_record.h"
#include "controller/report/run_context.h"
#include "controller/report/run_report.h"

namespace dslap {

RunReport Aggregate(const RunRecord& record, const RunContext& context);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_AGGREGATE_H_
