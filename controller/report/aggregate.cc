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
  report.missing = record.missing;
  report.missing_reason = record.missing_reason;
  report.lost_case = record.lost_case;
  report.lost_round = record.lost_round;
  report.lost = record.lost || !fault.empty();
  report.loss_reason = record.lost ? record.loss_reason : fault;
  report.connections_found = record.left_connections.found;
  report.connections_killed = record.left_connections.killed;
  return report;
}

}  // namespace

RunReport Aggregate(const RunRecord& record, const RunContext& context) {
  return ReportBuilder(context).Finish(record);
}

ReportBuilder::ReportBuilder(RunContext context) : context_(std::move(context)) {
  report_.build = context_.build;
  report_.command_line = context_.command_line;
  report_.started_at = context_.started_at;
  report_.load_type = context_.load_type;
  report_.insecure = context_.insecure;
  report_.distributed = context_.distributed;
  report_.goes_on_after_loss = context_.goes_on_after_loss;
}

const RunReport& ReportBuilder::AddCases(const RunRecord& record) {
  report_.run_id = record.run_id;
  report_.cases_planned = record.planned_cases;
  report_.rounds_planned = record.planned_cases * record.planned_iterations;
  faults_.resize(record.agents.size());
  for (size_t i = report_.cases.size(); i < record.cases.size(); ++i) {
    report_.cases.push_back(AggregateCase(record.cases[i], record, context_, &faults_));
  }
  return report_;
}

RunReport ReportBuilder::Finish(const RunRecord& record) {
  AddCases(record);
  report_.interrupted = record.interrupted;
  report_.ended_by = record.ended_by;
  report_.stopped_by_error = record.stopped_by_error;
  report_.failure = record.failure;
  report_.failure_code = record.failure_code;
  report_.tear_down = record.tear_down;
  report_.notes = record.notes;
  for (size_t i = 0; i < record.agents.size(); ++i) {
    report_.agents.push_back(AboutAgent(record.agents[i], faults_[i]));
  }
  for (const AgentRecord& agent : record.agents) {
    const std::string told = agent.left_connections.Describe(agent.name);
    if (told.empty()) continue;
    (agent.left_connections.not_killed.empty() ? report_.notes : report_.left_behind)
        .push_back(told);
  }
  Judgement judgement = Judge(report_);
  report_.verdict = judgement.verdict;
  report_.reasons = std::move(judgement.reasons);
  report_.exit_code = judgement.exit_code;
  return std::move(report_);
}

}  // namespace dslap
