#include "controller/report/text_reporter.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "controller/report/channels.h"
#include "controller/report/count_check.h"
#include "controller/report/listed_agents.h"
#include "controller/report/terminal_text.h"
#include "controller/report/text_table.h"
#include "controller/report/units.h"
#include "controller/report/verdict.h"

namespace dslap {
namespace {

std::string Duration(uint64_t ns) { return FormatDuration(static_cast<double>(ns)); }

// mysqlslap's own lines.
std::string Times(const CaseReport& report) {
  std::string out;
  const auto line = [&out](const char* which, double seconds) {
    absl::StrAppendFormat(&out, "\t%s number of seconds to run all queries: %.3f seconds\n", which,
                          seconds);
  };
  line("Average", report.average_seconds);
  line("Minimum", report.minimum_seconds);
  line("Maximum", report.maximum_seconds);
  return out;
}

std::string Heading(const CaseReport& report) {
  return report.engine.empty()
             ? "Benchmark\n"
             : absl::StrCat("Benchmark\n\tRunning for engine ", ForTerminal(report.engine), "\n");
}

std::string ClassicLines(const CaseReport& report) {
  return absl::StrCat(Heading(report), Times(report),
                      "\tNumber of clients running queries: ", report.clients_connected,
                      "\n\tAverage number of queries per client: ", report.queries_per_client,
                      "\n");
}

std::string StatementsLine(const CaseReport& report) {
  std::vector<std::string> apart;
  if (report.failed > 0) apart.push_back(absl::StrCat(report.failed, " of them failed"));
  if (report.interrupted > 0) {
    apart.push_back(absl::StrCat(report.interrupted, " more interrupted"));
  }
  return absl::StrCat(
      "\tStatements executed: ", report.executed(), " of ", report.statements_planned,
      apart.empty() ? "" : absl::StrCat(" (", absl::StrJoin(apart, ", "), ")"), "\n");
}

std::string ClientsLine(const CaseReport& report) {
  return absl::StrCat(
      "\tClients: connected ", report.clients_connected, " of ", report.clients_asked,
      report.clients_not_tried > 0 ? absl::StrCat(" (", report.clients_not_tried, " not tried)")
                                   : "",
      "\n");
}

std::string ConnectionsLine(const CaseReport& report) {
  if (report.channels.empty()) return "";
  return absl::StrCat("\tConnections: ", DescribeChannels(report.channels), "\n");
}

// Only when some round is missing: says what the times above are of.
std::string RoundsLine(const CaseReport& report) {
  if (report.rounds_complete == report.rounds_planned) return "";
  const uint64_t cut_short = report.rounds_measured - report.rounds_complete;
  std::string line = absl::StrCat("\tRounds: ", report.rounds_complete, " of ",
                                  report.rounds_planned, " ran to the end");
  if (cut_short > 0) {
    absl::StrAppend(
        &line, ", ", cut_short, " cut short (",
        report.rounds_complete > 0 ? "not in the seconds above" : "the seconds above are theirs",
        ")");
  }
  if (report.rounds_left_out > 0) {
    absl::StrAppend(&line, ", ", report.rounds_left_out,
                    " with an agent lost in it (not in these figures)");
  }
  return absl::StrCat(line, "\n");
}

std::vector<std::string> LatencyRow(const std::string& label, const LatencySummary& summary) {
  return {absl::StrCat("  ", label), FormatDuration(summary.mean_ns), Duration(summary.p50_ns),
          Duration(summary.p95_ns),  Duration(summary.p99_ns),        Duration(summary.p999_ns),
          Duration(summary.max_ns)};
}

std::string LatencyTable(const CaseReport& report) {
  if (report.latency.count == 0 && report.connect.count == 0) return "";
  std::vector<TextTable::Alignment> columns(7, TextTable::kRight);
  columns[0] = TextTable::kLeft;
  TextTable table(columns);
  // As wide as the widest duration, so that the blocks of a report line up.
  table.AddRow({"Time of each", "   mean", "    p50", "    p95", "    p99", "  p99.9", "    max"});
  if (report.latency.count > 0) table.AddRow(LatencyRow("statement", report.latency));
  if (report.connect.count > 0) table.AddRow(LatencyRow("connect", report.connect));
  return table.Format("\t");
}

void AddErrors(const ErrorTally& errors, const char* suffix, TextTable* table) {
  for (const ErrorTally::Entry& entry : errors.entries()) {
    table->AddRow({absl::StrCat("  ", entry.count, " x"),
                   absl::StrCat(entry.first.code, "/", ForTerminal(entry.first.sqlstate), suffix,
                                ": ", ForTerminal(entry.first.message))});
  }
}

std::string Errors(const CaseReport& report) {
  const uint64_t total =
      report.connect_errors.total() + report.errors.total() + report.ignored_errors.total();
  if (total == 0) return "";
  TextTable table({TextTable::kRight, TextTable::kLeft});
  AddErrors(report.connect_errors, " on connect", &table);
  AddErrors(report.errors, "", &table);
  AddErrors(report.ignored_errors, " (ignored)", &table);
  return absl::StrCat("\tErrors: ", total, "\n", table.Format("\t"));
}

std::string CountsLine(const CaseReport& report) {
  const CountCheck& counts = report.counts;
  if (counts.finding == CountFinding::kNotAsked) return "";
  std::vector<std::string> aborted;
  if (counts.aborted_clients > 0) {
    aborted.push_back(Count(counts.aborted_clients, "connection"));
  }
  if (counts.aborted_connects > 0) {
    aborted.push_back(Count(counts.aborted_connects, "connect"));
  }
  return absl::StrCat(
      "\tServer's count: ", ForTerminal(DescribeCountCheck(counts)),
      aborted.empty() ? "" : absl::StrCat("; aborted: ", absl::StrJoin(aborted, ", ")), "\n");
}

std::string Reconnects(const CaseReport& report) {
  if (report.reconnects == 0 && report.reconnects_failed == 0) return "";
  return absl::StrCat("\tReconnects: ", report.reconnects,
                      report.reconnects_failed > 0
                          ? absl::StrCat(" (", report.reconnects_failed, " more failed)")
                          : "",
                      "\n");
}

std::string CpuOfCores(const AgentCaseReport& agent) {
  return absl::StrCat(FormatPercent(agent.process_cpu), " of ", agent.cores);
}

std::string AgentTable(const CaseReport& report) {
  std::vector<TextTable::Alignment> columns(6, TextTable::kRight);
  columns[0] = TextTable::kLeft;
  TextTable table(columns);
  table.AddRow({"Agent", "clients", "statements", "queries/s", "p99", "CPU of cores"});
  const std::vector<ListedAgent> listed = ListAgents(report.agents);
  for (const auto& [one, remark] : listed) {
    const AgentCaseReport& agent = *one;
    if (agent.missing) {
      table.AddRow(
          {absl::StrCat("  ", ForTerminal(agent.name), " MISSING"), "-", "-", "-", "-", "-"});
      continue;
    }
    const bool all = agent.clients_connected == agent.clients_asked;
    table.AddRow(
        {absl::StrCat("  ", ForTerminal(agent.name), agent.lost ? " LOST" : "",
                      remark.empty() ? "" : absl::StrCat(" (", remark, ")")),
         all ? absl::StrCat(agent.clients_connected)
             : absl::StrCat(agent.clients_connected, " of ", agent.clients_asked),
         absl::StrCat(agent.statements + agent.failed), FormatRate(agent.queries_per_second),
         agent.latency.count > 0 ? Duration(agent.latency.p99_ns) : "-", CpuOfCores(agent)});
  }
  if (listed.size() < report.agents.size()) {
    table.AddLine(
        absl::StrCat("  and ", report.agents.size() - listed.size(), " more: --json has them all"));
  }
  return table.Format("\t");
}

std::string ClientSide(const CaseReport& report, bool distributed) {
  if (!distributed && report.agents.size() == 1) {
    const AgentCaseReport& agent = report.agents.front();
    return absl::StrCat("\tCPU of the clients: ", FormatPercent(agent.process_cpu), " of ",
                        Count(agent.cores, "core"), ", the whole host ",
                        FormatPercent(agent.host_cpu), "\n");
  }
  std::string out = AgentTable(report);
  const auto running =
      std::count_if(report.agents.begin(), report.agents.end(),
                    [](const AgentCaseReport& agent) { return agent.clients_connected > 0; });
  if (running > 1) {
    absl::StrAppend(&out,
                    "\tStart skew: ", FormatDuration(static_cast<double>(report.start_skew_ns)),
                    " +/- ", FormatDuration(static_cast<double>(report.start_skew_error_ns)), "\n");
  }
  return out;
}

std::string FullBlock(const CaseReport& report, bool distributed) {
  if (!report.measured()) {
    return absl::StrCat(Heading(report), "\tNothing was measured\n", ClientsLine(report),
                        Errors(report));
  }
  return absl::StrCat(ClassicLines(report),
                      "\tQueries per second: ", FormatRate(report.queries_per_second), "\n",
                      StatementsLine(report), ClientsLine(report), ConnectionsLine(report),
                      RoundsLine(report), LatencyTable(report), Reconnects(report), Errors(report),
                      CountsLine(report), ClientSide(report, distributed));
}

}  // namespace

bool TextReporter::Shows(const CaseReport& one) const {
  return style_ == Style::kClassic ? one.rounds_complete > 0 : one.has_news();
}

void TextReporter::WriteCase(const RunReport& run, const CaseReport& one, std::ostream& out) {
  if (!Shows(one)) return;
  out << (style_ == Style::kClassic ? ClassicLines(one) : FullBlock(one, run.distributed)) << "\n";
}

void TextReporter::WriteEnd(const RunReport& run, std::ostream& out) {
  const bool any = std::any_of(run.cases.begin(), run.cases.end(),
                               [this](const CaseReport& one) { return Shows(one); });
  if (!any || style_ == Style::kClassic) return;
  if (run.insecure) out << "Note: --insecure: the links to the agents are not encrypted\n";
  for (const std::string& note : run.notes) out << "Note: " << ForTerminal(note) << "\n";
  out << VerdictLine(run) << "\n";
}

}  // namespace dslap
