// The finished report: every derived number, computed once by Aggregate(). Reporters only format.
// Durations are seconds in double where a person reads seconds, nanoseconds where named `_ns`.
//
// A round is *begun* when its clients were told to connect, *measured* when its gate opened for at
// least one connected client and that client's agent reported, and *complete* when every agent
// reported and none was stopped early. A round in which an agent was lost while the others went on
// to its end is of another load: where there are complete ones, it is in none of a case's sums.
#ifndef DSLAP_CONTROLLER_REPORT_RUN_REPORT_H_
#define DSLAP_CONTROLLER_REPORT_RUN_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/error_tally.h"
#include "common/histogram.h"
#include "controller/exit_code.h"

namespace dslap {

// Of the statements that succeeded, or of connects. All zero when count is 0. Percentiles are
// rounded to whole nanoseconds; minimum and maximum are exact.
struct LatencySummary {
  uint64_t count = 0;
  double mean_ns = 0;
  uint64_t min_ns = 0, p50_ns = 0, p95_ns = 0, p99_ns = 0, p999_ns = 0, max_ns = 0;
};

LatencySummary Summarize(const LatencyHistogram& histogram);

// Clients whose connections to the database went the same way.
struct ChannelReport {
  bool unix_socket = false;  // else TCP
  std::string tls_cipher;    // as OpenSSL names it; empty: not encrypted
  std::string tls_version;   // "TLSv1.3"; empty: not encrypted, or the agent cannot say
  uint64_t clients = 0;
};

// What came of comparing the agents' counts with the server's own, the gravest last.
enum class CountFinding {
  kNotAsked,
  kAgrees,        // up to what had no answer
  kOtherTraffic,  // the server counted more, and others may have been there
  kNotFewer,      // the server counted no less; there is no exact comparison
  kNotCompared,
  kUnexplained,  // the server counted more, and nobody else was there
  kRestarted,    // the server was, in the middle of a round
  kElsewhere,    // the counters are of another server than the clients are at
  kFewer,        // the server counted less than the agents say they sent
};

// Commands are what the server counts as Questions (controller/coordination/server_counters.h).
// Sums are over the rounds that were compared.
struct CountCheck {
  CountFinding finding = CountFinding::kNotAsked;
  std::string why;          // of kNotCompared and kNotFewer
  uint64_t rounds = 0;      // compared
  uint64_t statements = 0;  // of the clients, as the agents counted them
  uint64_t other_commands = 0;
  uint64_t unclear_commands = 0;  // of both, without an answer
  uint64_t connections = 0;       // begun
  uint64_t unclear_connections = 0;
  uint64_t connections_kept = 0;  // after the round of the finding
  uint64_t server_threads = 0;    // connections the server had then
  uint64_t server_commands = 0;
  uint64_t server_connections = 0;
  uint64_t aborted_clients = 0;  // by the server's count, whosever they were
  uint64_t aborted_connects = 0;
};

// One agent's part of a case, all its measured rounds together.
struct AgentCaseReport {
  std::string name;
  bool missing = false;  // from the start (--min-agents)
  bool lost = false;     // during this case or before it
  // Of the round that lacked the most clients; of the last, if none did.
  uint64_t clients_asked = 0;
  uint64_t clients_connected = 0;
  uint64_t statements = 0;  // succeeded
  uint64_t failed = 0;
  uint64_t interrupted = 0;
  double queries_per_second = 0;  // of the whole case's seconds: the agents add up to the case
  LatencySummary latency;
  uint32_t cores = 0;
  double process_cpu = 0;               // share of the host's cores the agent process used, 0 to 1
  double host_cpu = 0;                  // share of the host's cores that were busy, 0 to 1
  std::vector<ChannelReport> channels;  // of the clients connected, in its last round
};

struct RoundReport {
  bool measured = false;
  bool complete = false;
  bool agent_lost = false;          // the others went on to its end
  double seconds = 0;               // first gate opened to last response, over all agents
  uint64_t statements_planned = 0;  // of all clients asked for
  uint64_t statements = 0;          // succeeded
  uint64_t failed = 0;
  uint64_t interrupted = 0;
  uint64_t clients_connected = 0;
  int64_t start_skew_ns = 0;        // last gate opened minus first
  int64_t start_skew_error_ns = 0;  // how far off that figure can be
};

// One Benchmark block. Sums are over the rounds that were measured, but for those left out.
struct CaseReport {
  std::string engine;
  uint64_t clients_asked = 0;
  uint64_t clients_connected = 0;   // fewest of any round
  uint64_t clients_not_tried = 0;   // of those asked for, most of any round
  std::vector<RoundReport> rounds;  // all that were begun
  uint64_t rounds_planned = 0;
  uint64_t rounds_measured = 0;
  uint64_t rounds_complete = 0;
  uint64_t rounds_left_out = 0;  // of the sums, because an agent was lost in them
  // Over the complete rounds; over those cut short only when none is complete.
  double average_seconds = 0, minimum_seconds = 0, maximum_seconds = 0;
  double measured_seconds = 0;      // all measured rounds together
  uint64_t statements_planned = 0;  // all measured rounds
  uint64_t statements = 0;          // succeeded
  uint64_t failed = 0;              // answered with an error, or the connection broke
  uint64_t interrupted = 0;         // killed by us when a round was stopped
  // Executed (succeeded and failed) for each connected client and round, rounded down as mysqlslap
  // prints it.
  uint64_t queries_per_client = 0;
  double queries_per_second = 0;  // succeeded
  LatencySummary latency;
  LatencyHistogram latency_histogram;  // merged over agents and rounds
  LatencySummary connect;
  uint64_t reconnects = 0;
  uint64_t reconnects_failed = 0;
  ErrorTally errors;          // failing statements, sessions and reconnects
  ErrorTally ignored_errors;  // the same, of codes the user asked to pass over
  ErrorTally connect_errors;  // clients that never connected
  int64_t start_skew_ns = 0;  // largest of any round
  int64_t start_skew_error_ns = 0;
  std::vector<AgentCaseReport> agents;
  std::vector<ChannelReport> channels;  // of all agents, most clients first
  CountCheck counts;

  uint64_t executed() const { return statements + failed; }
  bool measured() const { return rounds_measured > 0; }
  // False for a case whose set-up failed: there is nothing to tell of it.
  bool has_news() const { return measured() || !connect_errors.empty(); }
};

// One agent, over the whole run.
struct AgentReport {
  std::string name;
  std::string hostname;
  std::string build;
  uint32_t cores = 0;
  uint64_t memory_bytes = 0;
  uint64_t max_open_files = 0;
  bool missing = false;  // left out before the first statement (--min-agents)
  std::string missing_reason;
  bool lost = false;  // also: what it sent could not be read
  std::string loss_reason;
  uint64_t lost_case = 0, lost_round = 0;  // from 1; 0: before the first, or not known
  // Connections to the database that it left when it was lost: found on the server, and killed.
  uint64_t connections_found = 0;
  uint64_t connections_killed = 0;
};

enum class Verdict { kValid, kDegraded, kInvalid };

struct RunReport {
  std::string run_id;
  std::string build;
  std::string command_line;
  std::string started_at;  // RFC 3339, wall clock, for people
  std::string load_type;   // mysqlslap's name of the auto-generated load, its CSV's second field
  bool insecure = false;
  bool distributed = false;         // --agents was given
  bool goes_on_after_loss = false;  // --on-agent-loss=continue

  uint64_t cases_planned = 0;
  uint64_t rounds_planned = 0;    // all cases together
  std::vector<CaseReport> cases;  // those that were begun
  std::vector<AgentReport> agents;

  bool interrupted = false;
  std::string ended_by;           // "ended by --deadline=30s"; empty: it was not
  bool stopped_by_error = false;  // a statement failed and the policy says stop
  absl::Status failure;           // why the run ended early, if it did
  ExitCode failure_code = ExitCode::kValid;
  absl::Status tear_down;                // names what was left behind
  std::vector<std::string> left_behind;  // by lost agents, for a person to end
  std::vector<std::string> notes;

  Verdict verdict = Verdict::kValid;
  std::vector<std::string> reasons;  // empty when valid
  ExitCode exit_code = ExitCode::kValid;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_RUN_REPORT_H_
