// The finished report: every derived number, computed once by Aggregate(). Reporters only format.
// Durations are seconds in double where a person reads seconds, nanoseconds where named `_ns`.
#ifndef DSLAP_CONTROLLER_REPORT_RUN_REPORT_H_
#define DSLAP_CONTROLLER_REPORT_RUN_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/error_tally.h"
#include "common/histogram.h"
#include "controller/exit_code.h"

namespace dslap {

// Of the statements that succeeded, or of connects. All zero when count is 0.
struct LatencySummary {
  uint64_t count = 0;
  double mean_ns = 0, min_ns = 0, p50_ns = 0, p95_ns = 0, p99_ns = 0, p999_ns = 0, max_ns = 0;
};

LatencySummary Summarize(const LatencyHistogram& histogram);

// One agent's part of a case, all its measured rounds together.
struct AgentCaseReport {
  std::string name;
  bool lost = false;
  uint64_t clients_asked = 0;
  uint64_t clients_connected = 0;  // fewest of any round
  uint64_t statements = 0;         // succeeded
  uint64_t failed = 0;
  double queries_per_second = 0;
  LatencySummary latency;
  uint32_t cores = 0;
  double process_cpu = 0;  // share of the host's cores the agent process used, 0 to 1
  double host_cpu = 0;     // share of the host's cores that were busy, 0 to 1
};

struct RoundReport {
  double seconds = 0;  // first gate opened to last response, over all agents
  uint64_t statements = 0;
  uint64_t failed = 0;
  uint64_t interrupted = 0;
  uint64_t clients_connected = 0;
  int64_t start_skew_ns = 0;        // last gate opened minus first
  int64_t start_skew_error_ns = 0;  // how far off that figure can be
  bool complete = false;
};

// One Benchmark block. Averages and sums are over the rounds that were measured.
struct CaseReport {
  std::string engine;
  uint64_t clients_asked = 0;
  uint64_t clients_connected = 0;  // fewest of any round
  uint64_t clients_not_tried = 0;  // of those asked for, most of any round
  std::vector<RoundReport> rounds;
  uint64_t rounds_planned = 0;
  double average_seconds = 0, minimum_seconds = 0, maximum_seconds = 0;
  uint64_t statements_planned = 0;  // all measured rounds
  uint64_t statements = 0;          // succeeded
  uint64_t failed = 0;
  uint64_t interrupted = 0;
  // Executed (succeeded and failed) for each connected client and round, rounded down as mysqlslap
  // prints it.
  uint64_t queries_per_client = 0;
  double queries_per_second = 0;  // succeeded
  LatencySummary latency;
  LatencyHistogram latency_histogram;  // merged over agents and rounds
  LatencySummary connect;
  uint64_t reconnects = 0;
  ErrorTally errors;          // failing statements and sessions
  ErrorTally connect_errors;  // clients that never connected
  int64_t start_skew_ns = 0;  // largest of any round
  int64_t start_skew_error_ns = 0;
  std::vector<AgentCaseReport> agents;
};

enum class Verdict { kValid, kDegraded, kInvalid };

struct RunReport {
  std::string run_id;
  std::string build;
  std::string command_line;
  std::string started_at;  // RFC 3339, wall clock, for people
  std::vector<CaseReport> cases;
  Verdict verdict = Verdict::kValid;
  std::vector<std::string> reasons;  // empty when valid
  std::vector<std::string> notes;
  ExitCode exit_code = ExitCode::kValid;
  bool insecure = false;
  bool distributed = false;  // --agents was given
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_RUN_REPORT_H_
