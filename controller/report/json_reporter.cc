#include "controller/report/json_reporter.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "controller/report/verdict.h"

namespace dslap {
namespace {

using Json = nlohmann::ordered_json;

std::string Compact(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Indents objects, and puts an array of plain values on one line: a histogram has hundreds.
void Print(const Json& value, size_t depth, std::ostream& out) {
  const bool nested =
      value.is_object() ||
      (value.is_array() && std::any_of(value.begin(), value.end(), [](const Json& element) {
         return element.is_structured();
       }));
  if (!nested || value.empty()) {
    out << Compact(value);
    return;
  }
  const std::string indent(2 * (depth + 1), ' ');
  out << (value.is_object() ? "{" : "[");
  const char* separator = "\n";
  for (const auto& [key, element] : value.items()) {
    out << separator << indent;
    if (value.is_object()) out << Compact(key) << ": ";
    Print(element, depth + 1, out);
    separator = ",\n";
  }
  out << "\n" << std::string(2 * depth, ' ') << (value.is_object() ? "}" : "]");
}

Json Latency(const LatencySummary& summary) {
  return {{"count", summary.count},     {"mean_ns", summary.mean_ns}, {"min_ns", summary.min_ns},
          {"p50_ns", summary.p50_ns},   {"p95_ns", summary.p95_ns},   {"p99_ns", summary.p99_ns},
          {"p999_ns", summary.p999_ns}, {"max_ns", summary.max_ns}};
}

Json Histogram(const LatencyHistogram& histogram) {
  Json lowest = Json::array();
  Json count = Json::array();
  for (size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    if (histogram.bucket_count(bucket) == 0) continue;
    lowest.push_back(LatencyHistogram::LowestOf(bucket));
    count.push_back(histogram.bucket_count(bucket));
  }
  return {{"sum_ns", histogram.sum_ns()},
          {"bucket_lowest_ns", std::move(lowest)},
          {"bucket_count", std::move(count)}};
}

void AppendErrors(const ErrorTally& tally, const char* kind, Json* errors) {
  for (const ErrorTally::Entry& entry : tally.entries()) {
    errors->push_back({{"kind", kind},
                       {"code", entry.first.code},
                       {"sqlstate", entry.first.sqlstate},
                       {"count", entry.count},
                       {"first_message", entry.first.message}});
  }
}

Json Errors(const CaseReport& report) {
  Json errors = Json::array();
  AppendErrors(report.connect_errors, "connect", &errors);
  AppendErrors(report.errors, "statement", &errors);
  AppendErrors(report.ignored_errors, "ignored", &errors);
  return errors;
}

Json Rounds(const CaseReport& report) {
  Json rounds = Json::array();
  for (const RoundReport& round : report.rounds) {
    rounds.push_back({{"measured", round.measured},
                      {"complete", round.complete},
                      {"agent_lost", round.agent_lost},
                      {"seconds", round.seconds},
                      {"clients_connected", round.clients_connected},
                      {"statements_planned", round.statements_planned},
                      {"statements_succeeded", round.statements},
                      {"statements_failed", round.failed},
                      {"statements_interrupted", round.interrupted},
                      {"start_skew_ns", round.start_skew_ns},
                      {"start_skew_error_ns", round.start_skew_error_ns}});
  }
  return rounds;
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json Connections(const std::vector<ChannelReport>& channels) {
  Json connections = Json::array();
  for (const ChannelReport& channel : channels) {
    connections.push_back({{"clients", channel.clients},
                           {"unix_socket", channel.unix_socket},
                           {"tls_version", TextOrNull(channel.tls_version)},
                           {"tls_cipher", TextOrNull(channel.tls_cipher)}});
  }
  return connections;
}

Json CaseAgents(const CaseReport& report) {
  Json agents = Json::array();
  for (const AgentCaseReport& agent : report.agents) {
    agents.push_back({{"name", agent.name},
                      {"missing", agent.missing},
                      {"lost", agent.lost},
                      {"clients_asked", agent.clients_asked},
                      {"clients_connected", agent.clients_connected},
                      {"statements_succeeded", agent.statements},
                      {"statements_failed", agent.failed},
                      {"statements_interrupted", agent.interrupted},
                      {"queries_per_second", agent.queries_per_second},
                      {"latency", Latency(agent.latency)},
                      {"cores", agent.cores},
                      {"process_cpu", agent.process_cpu},
                      {"host_cpu", agent.host_cpu},
                      {"connections", Connections(agent.channels)}});
  }
  return agents;
}

const char* FindingName(CountFinding finding) {
  switch (finding) {
    case CountFinding::kNotAsked:
      break;
    case CountFinding::kAgrees:
      return "agrees";
    case CountFinding::kOtherTraffic:
      return "other_traffic";
    case CountFinding::kNotFewer:
      return "not_fewer";
    case CountFinding::kNotCompared:
      return "not_compared";
    case CountFinding::kUnexplained:
      return "unexplained";
    case CountFinding::kRestarted:
      return "restarted";
    case CountFinding::kElsewhere:
      return "elsewhere";
    case CountFinding::kFewer:
      return "fewer";
  }
  return "not_asked";
}

Json Counts(const CountCheck& counts) {
  if (counts.finding == CountFinding::kNotAsked) return nullptr;
  return {{"finding", FindingName(counts.finding)},
          {"reason", TextOrNull(counts.why)},
          {"rounds_compared", counts.rounds},
          {"statements", counts.statements},
          {"other_commands", counts.other_commands},
          {"unclear_commands", counts.unclear_commands},
          {"connections", counts.connections},
          {"unclear_connections", counts.unclear_connections},
          {"server_commands", counts.server_commands},
          {"server_connections", counts.server_connections},
          {"server_aborted_clients", counts.aborted_clients},
          {"server_aborted_connects", counts.aborted_connects}};
}

Json Case(const CaseReport& report) {
  return {{"engine", TextOrNull(report.engine)},
          {"clients_asked", report.clients_asked},
          {"clients_connected", report.clients_connected},
          {"clients_not_tried", report.clients_not_tried},
          {"rounds_planned", report.rounds_planned},
          {"rounds_measured", report.rounds_measured},
          {"rounds_complete", report.rounds_complete},
          {"rounds_left_out", report.rounds_left_out},
          {"average_seconds", report.average_seconds},
          {"minimum_seconds", report.minimum_seconds},
          {"maximum_seconds", report.maximum_seconds},
          {"measured_seconds", report.measured_seconds},
          {"statements_planned", report.statements_planned},
          {"statements_succeeded", report.statements},
          {"statements_failed", report.failed},
          {"statements_interrupted", report.interrupted},
          {"queries_per_client", report.queries_per_client},
          {"queries_per_second", report.queries_per_second},
          {"latency", Latency(report.latency)},
          {"latency_histogram", Histogram(report.latency_histogram)},
          {"connect", Latency(report.connect)},
          {"connections", Connections(report.channels)},
          {"reconnects", report.reconnects},
          {"reconnects_failed", report.reconnects_failed},
          {"errors", Errors(report)},
          {"server_count", Counts(report.counts)},
          {"start_skew_ns", report.start_skew_ns},
          {"start_skew_error_ns", report.start_skew_error_ns},
          {"start_skew_limit_ns", SkewLimitNs(report)},
          {"rounds", Rounds(report)},
          {"agents", CaseAgents(report)}};
}

Json Agents(const RunReport& report) {
  Json agents = Json::array();
  for (const AgentReport& agent : report.agents) {
    agents.push_back({{"name", agent.name},
                      {"hostname", agent.hostname},
                      {"build", agent.build},
                      {"cores", agent.cores},
                      {"memory_bytes", agent.memory_bytes},
                      {"max_open_files", agent.max_open_files},
                      {"missing", agent.missing},
                      {"missing_reason", TextOrNull(agent.missing_reason)},
                      {"lost", agent.lost},
                      {"connections_found", agent.connections_found},
                      {"connections_killed", agent.connections_killed},
                      {"loss_reason", agent.lost ? Json(agent.loss_reason) : Json(nullptr)},
                      {"lost_case", agent.lost_case},
                      {"lost_round", agent.lost_round}});
  }
  return agents;
}

Json MessageOrNull(const absl::Status& status) {
  if (status.ok()) return nullptr;
  return std::string{status.message()};
}

}  // namespace

void JsonReporter::WriteEnd(const RunReport& report, std::ostream& out) {
  Json cases = Json::array();
  for (const CaseReport& one : report.cases) cases.push_back(Case(one));
  const Json document = {{"schema_version", kJsonSchemaVersion},
                         {"build", report.build},
                         {"run_id", report.run_id},
                         {"started_at", report.started_at},
                         {"command_line", report.command_line},
                         {"load_type", report.load_type},
                         {"distributed", report.distributed},
                         {"insecure", report.insecure},
                         {"verdict", absl::AsciiStrToLower(VerdictName(report.verdict))},
                         {"reasons", report.reasons},
                         {"exit_code", static_cast<int>(report.exit_code)},
                         {"interrupted", report.interrupted},
                         {"ended_by_deadline", !report.ended_by.empty()},
                         {"stopped_by_error", report.stopped_by_error},
                         {"failure", MessageOrNull(report.failure)},
                         {"tear_down_failure", MessageOrNull(report.tear_down)},
                         {"notes", report.notes},
                         {"left_behind", report.left_behind},
                         {"cases_planned", report.cases_planned},
                         {"rounds_planned", report.rounds_planned},
                         {"agents", Agents(report)},
                         {"cases", std::move(cases)}};
  Print(document, 0, out);
  out << "\n";
}

}  // namespace dslap
