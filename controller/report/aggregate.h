// What the agents sent -> the finished report. Stands between the Coordinator and the reporters.
//
//   const RunReport report = Aggregate(record, MakeRunContext(options, started_at));
//
// or case by case, while the run goes on:
//
//   ReportBuilder builder(MakeRunContext(options, started_at));
//   const RunReport& so_far = builder.AddCases(record);   // when a case has finished
//   const RunReport report = builder.Finish(record);      // when the run has
//
// Pure. Rules:
//  - Histograms are merged by adding integers over all agents and measured rounds; a percentile is
//    computed once, after the last merge.
//  - A round lasts from the first gate's opening to the last response, over all agents that had a
//    connected client, on the controller's clock; start skew is the last opening minus the first.
//  - Counts are what happened. What a lost agent did in a round it never reported is not known and
//    not guessed.
//  - A round in which an agent was lost while the others went on is not summed where there are
//    complete rounds; its errors count all the same.
//  - A record cut short anywhere (agent lost, interrupted, stopped by an error) still gives a
//    report of what was measured; rounds say whether they are complete.
//  - A message whose histogram cannot be decoded is that agent's failure: it counts as lost, and
//    the message as not received.
#ifndef DSLAP_CONTROLLER_REPORT_AGGREGATE_H_
#define DSLAP_CONTROLLER_REPORT_AGGREGATE_H_

#include <string>
#include <vector>

#include "controller/coordination/run_record.h"
#include "controller/report/run_context.h"
#include "controller/report/run_report.h"

namespace dslap {

RunReport Aggregate(const RunRecord& record, const RunContext& context);

// Computes each case once: what was told of it while the run went on is what the report says at the
// end. Not thread-safe.
class ReportBuilder {
 public:
  explicit ReportBuilder(RunContext context);

  // All cases in `record` are finished. The head of the result, and its cases, are final; what is
  // only known at the end (agents, failure, verdict) is not in it.
  const RunReport& AddCases(const RunRecord& record);

  // Once, as the last call.
  RunReport Finish(const RunRecord& record);

 private:
  const RunContext context_;
  RunReport report_;
  std::vector<std::string> faults_;  // of each agent
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_AGGREGATE_H_
