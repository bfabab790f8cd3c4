#include "tests/controller/report/sample_report.h"

namespace dslap {
namespace {

constexpr uint64_t kMs = 1'000'000;

LatencyHistogram SampleHistogram() {
  LatencyHistogram histogram;
  for (int i = 0; i < 90; ++i) histogram.Record(4 * kMs);
  for (int i = 0; i < 9; ++i) histogram.Record(9 * kMs);
  histogram.Record(18'200'000);
  return histogram;
}

ChannelReport Encrypted(uint64_t clients) {
  return {false, "TLS_AES_256_GCM_SHA384", "TLSv1.3", clients};
}

LatencySummary ConnectTimes() {
  return {50, 1'210'000, 900'000, 1'100'000, 2'000'000, 3'010'000, 3'400'000, 3'400'000};
}

RoundReport CompleteRound(double seconds, uint64_t statements, uint64_t clients) {
  RoundReport round;
  round.measured = true;
  round.complete = true;
  round.seconds = seconds;
  round.statements_planned = statements;
  round.statements = statements;
  round.clients_connected = clients;
  return round;
}

AgentCaseReport AgentPart(const std::string& name, uint64_t clients, uint64_t statements) {
  AgentCaseReport agent;
  agent.name = name;
  agent.clients_asked = clients;
  agent.clients_connected = clients;
  agent.statements = statements;
  agent.queries_per_second = static_cast<double>(statements) / 0.4;
  agent.latency = Summarize(SampleHistogram());
  agent.cores = 2;
  agent.process_cpu = 0.118;
  agent.host_cpu = 0.34;
  agent.channels = {Encrypted(clients)};
  return agent;
}

// Two rounds of 2000 statements by 50 clients in 0.2 s each.
CaseReport GoodCase(const std::string& engine) {
  CaseReport report;
  report.engine = engine;
  report.clients_asked = 50;
  report.clients_connected = 50;
  report.rounds = {CompleteRound(0.1904, 2000, 50), CompleteRound(0.2096, 2000, 50)};
  report.rounds_planned = 2;
  report.rounds_measured = 2;
  report.rounds_complete = 2;
  report.counts.finding = CountFinding::kAgrees;
  report.counts.rounds = 2;
  report.counts.statements = 4000;
  report.counts.other_commands = 100;
  report.counts.connections = 50;
  report.counts.server_commands = 4100;
  report.counts.server_connections = 50;
  report.average_seconds = 0.2;
  report.minimum_seconds = 0.1904;
  report.maximum_seconds = 0.2096;
  report.measured_seconds = 0.4;
  report.statements_planned = 4000;
  report.statements = 4000;
  report.queries_per_client = 40;
  report.queries_per_second = 10000;
  report.latency_histogram = SampleHistogram();
  report.latency = Summarize(report.latency_histogram);
  report.connect = ConnectTimes();
  report.channels = {Encrypted(50)};
  return report;
}

CaseReport TroubledCase() {
  CaseReport report = GoodCase("innodb");
  report.clients_connected = 48;
  report.clients_not_tried = 1;
  report.rounds = {CompleteRound(0.25, 2000, 48), CompleteRound(0.15, 2000, 48)};
  report.rounds[0].statements = 1900;
  report.rounds[0].failed = 20;
  report.rounds[0].start_skew_ns = 410'000;
  report.rounds[0].start_skew_error_ns = 50'000;
  report.rounds[1].complete = false;
  report.rounds[1].statements = 700;
  report.rounds[1].interrupted = 3;
  report.rounds_planned = 3;
  report.rounds_complete = 1;
  report.average_seconds = report.minimum_seconds = report.maximum_seconds = 0.25;
  report.statements = 2600;
  report.failed = 20;
  report.interrupted = 3;
  report.queries_per_client = 27;
  report.queries_per_second = 6500;
  report.reconnects = 4;
  report.reconnects_failed = 1;
  report.errors.Add({1146, "42S02", "Table 'mysqlslap.t9' doesn't exist"}, 8);
  report.ignored_errors.Add({1213, "40001", "Deadlock found when trying to get lock"}, 13);
  // A message with an escape sequence and a byte that is not UTF-8.
  report.connect_errors.Add({1226, "42000", "User '\x1b[31mb\xfc' has exceeded its limit"}, 1);
  report.start_skew_ns = 410'000;
  report.start_skew_error_ns = 50'000;
  report.agents = {AgentPart("db-a:7527", 25, 1500), AgentPart("192.168.100.12:7527", 25, 1100)};
  report.agents[1].failed = 20;
  report.agents[1].clients_connected = 23;
  report.agents[1].lost = true;
  // The agents' hosts have different client libraries, and one agent is told less.
  report.agents[1].channels = {{false, "", "", 23}};
  report.channels = {Encrypted(25), {false, "", "", 23}};
  return report;
}

CaseReport RefusedCase() {
  CaseReport report;
  report.engine = "memory";
  report.clients_asked = 10;
  report.rounds_planned = 3;
  report.rounds.emplace_back();
  report.rounds[0].statements_planned = 100;
  report.connect_errors.Add({1040, "08004", "Too many connections"}, 10);
  report.agents = {AgentPart("db-a:7527", 5, 0), AgentPart("192.168.100.12:7527", 5, 0)};
  for (AgentCaseReport& agent : report.agents) {
    agent.clients_connected = 0;
    agent.latency = {};
    agent.process_cpu = 0;
    agent.channels.clear();
  }
  return report;
}

AgentReport AboutAgent(const std::string& name, const std::string& hostname) {
  AgentReport agent;
  agent.name = name;
  agent.hostname = hostname;
  agent.build = "0.1.0";
  agent.cores = 2;
  agent.memory_bytes = uint64_t{8} << 30;
  agent.max_open_files = 20000;
  return agent;
}

}  // namespace

RunReport LocalReport() {
  RunReport report;
  report.run_id = "20240501-7f3a";
  report.build = "0.1.0";
  report.command_line = "dslap -a --concurrency=50 --iterations=2 --number-of-queries=2000";
  report.started_at = "2024-05-01T12:00:00Z";
  report.load_type = "mixed";
  report.cases_planned = 1;
  report.rounds_planned = 2;
  report.cases = {GoodCase("")};
  report.cases[0].agents = {AgentPart("in-process", 50, 4000)};
  report.agents = {AboutAgent("in-process", "load-a")};
  return report;
}

RunReport DistributedReport() {
  RunReport report = LocalReport();
  report.command_line = "dslap -a --engine=myisam,innodb,memory --password=*** --agents=...";
  report.distributed = true;
  report.insecure = true;
  report.cases_planned = 3;
  report.rounds_planned = 9;
  report.cases = {GoodCase("myisam"), TroubledCase(), RefusedCase()};
  report.cases[0].agents = {AgentPart("db-a:7527", 25, 2000),
                            AgentPart("192.168.100.12:7527", 25, 2000)};
  report.agents = {AboutAgent("db-a:7527", "load-a"), AboutAgent("192.168.100.12:7527", "load-b")};
  report.agents[1].lost = true;
  report.agents[1].loss_reason = "no sign of life for 10 s";
  report.failure = absl::UnavailableError("agent 192.168.100.12:7527: no sign of life for 10 s");
  report.failure_code = ExitCode::kAgentLost;
  report.notes = {"the schema `mysqlslap` was left over from an earlier run and was reused"};
  report.verdict = Verdict::kInvalid;
  report.reasons = {"agent 192.168.100.12:7527 was lost (no sign of life for 10 s)",
                    "3 of 9 rounds ran to the end"};
  report.exit_code = ExitCode::kAgentLost;
  return report;
}

}  // namespace dslap
