#include "controller/report/aggregate.h"

#include <utility>

#include "controller/report/aggregate_case.h"
#include "controller/report/verdict.h"

namespace dslap {
namespace {

AgentReport AboutAgent(const AgentRecord& record, const std::string& fault) {
  AgentReport report;
  report.name = record.name;
  report.hostname = record.info.hostname();
  report.build = record.info.build();
  report.cores = record.info.cores();
  report.memory_bytes = record.info.memory_bytes();
  report.max_open_files = record.info.max_open_files();
  report.lost = record.lost || !fault.empty();
  report.loss_reason = record.lost ? record.loss_reason : fault;
  return report;
}

}  // namespace

RunReport Aggregate(const RunRecord& record, const RunContext& context) {
  RunReport report;
  report.run_id = record.run_id;
  report.build = context.build;
  report.command_line = context.command_line;
  report.started_at = context.started_at;
  report.load_type = context.load_type;
  report.insecure = context.insecure;
  report.distributed = context.distributed;
  report.cases_planned = record.planned_cases;
  report.rounds_planned = record.planned_cases * record.planned_iterations;
  report.interrupted = record.interrupted;
  report.stopped_by_error = record.stopped_by_error;
  report.failure = record.failure;
  report.failure_code = record.failure_code;
  report.tear_down = record.tear_down;
  report.notes = record.notes;

  std::vector<std::string> faults(record.agents.size());
  for (const CaseRecord& case_record : record.cases) {
    report.cases.push_back(AggregateCase(case_record, record, context, &faults));
  }
  for (size_t i = 0; i < record.agents.size(); ++i) {
    report.agents.push_back(AboutAgent(record.agents[i], faults[i]));
  }

  Judgement judgement = Judge(report);
  report.verdict = judgement.verdict;
  report.reasons = std::move(judgement.reasons);
  report.exit_code = judgement.exit_code;
  return report;
}

}  // namespace dslap
