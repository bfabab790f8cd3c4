// One case of a RunRecord -> its CaseReport. The part of Aggregate() (aggregate.h) that adds up.
//
// Pure: integers are added first, over all agents and rounds; averages and percentiles are computed
// once, at the end.
#ifndef DSLAP_CONTROLLER_REPORT_AGGREGATE_CASE_H_
#define DSLAP_CONTROLLER_REPORT_AGGREGATE_CASE_H_

#include <string>
#include <vector>

#include "controller/coordination/run_record.h"
#include "controller/report/run_context.h"
#include "controller/report/run_report.h"

namespace dslap {

// `faults` has a text for each agent of the run. An agent whose histogram cannot be decoded is left
// out of that round, and its fault is written there unless one is there already.
CaseReport AggregateCase(const CaseRecord& record, const RunRecord& run, const RunContext& context,
                         std::vector<std::string>* faults);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_AGGREGATE_CASE_H_
