// Runs the clients of one agent through a round. Production: ClientEngine (MakeEngine() in
// make_engine.h); tests of the session use a fake.
//
// Connections are kept from one round to the next and reset, unless the round asks for new ones.
#ifndef DSLAP_AGENT_ENGINE_LOAD_ENGINE_H_
#define DSLAP_AGENT_ENGINE_LOAD_ENGINE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/engine/server_traffic.h"
#include "agent/sql/sql_channel.h"
#include "common/error_tally.h"
#include "common/histogram.h"
#include "common/server_connections.h"

namespace dslap {

struct LoadStatement {
  std::string text;
  bool takes_key = false;  // sent as text + " '" + key + "'"
};

// Shared by all clients, immutable during a round.
struct StatementList {
  std::vector<LoadStatement> statements;
};

struct LoadClientGroup {
  uint64_t clients = 0;
  uint64_t statements = 0;  // each
};

struct ErrorPolicy {
  std::vector<uint32_t> ignored_codes;
  bool ignore_all = false;
  bool Ignores(uint32_t code) const;
};

struct RoundSpec {
  uint64_t round = 0;
  uint64_t first_client = 0;
  std::vector<LoadClientGroup> groups;
  std::string default_schema;
  uint64_t commit_every = 0;
  uint64_t detach_every = 0;
  std::string key_query;
  ErrorPolicy error_policy;
  bool reconnect = false;
  std::string init_command;  // run by each client after every connect and reset; empty: none
  // What the clients send is given up after this, and killed on the server; 0: never.
  int64_t query_timeout_ns = 0;
  int64_t key_query_timeout_ns = 0;
  std::shared_ptr<const StatementList> statements;
  // Asked by Run() shortly before the gate opens, and again if it is late by far: false, and the
  // round is stopped instead. Empty: it may.
  std::function<bool()> may_open;

  uint64_t clients() const;
};

struct PrepareOutcome {
  uint64_t clients_asked = 0;
  uint64_t clients_connected = 0;
  uint64_t clients_not_tried = 0;
  LatencyHistogram connect_time;
  ErrorTally connect_errors;
  std::optional<SqlError> key_error;
  std::map<SqlChannel, uint64_t> channels;  // how many of the clients connected go that way
};

enum class RoundStopCause { kNone, kController, kError };

struct RoundOutcome {
  int64_t opened_at_ns = 0;
  int64_t closed_at_ns = 0;
  uint64_t statements_succeeded = 0;
  uint64_t statements_failed = 0;
  uint64_t statements_interrupted = 0;
  uint64_t clients_finished = 0;
  LatencyHistogram latency;
  ErrorTally errors;
  uint64_t reconnects = 0;
  uint64_t reconnects_failed = 0;
  uint64_t session_errors = 0;  // of the clients, and statements given up that could not be killed
  RoundStopCause stop_cause = RoundStopCause::kNone;
  ServerTraffic traffic;  // of the round, its preparation included
  uint64_t connections_kept = 0;
};

// Running totals of the current round.
struct LiveCounters {
  uint64_t statements = 0;  // succeeded
  uint64_t errors = 0;
  uint64_t clients_connected = 0;
};

// Prepare(), Run() and CloseAll() are called by one thread, again and again; Stop() and
// Counters() by any thread at any time.
class LoadEngine {
 public:
  virtual ~LoadEngine() = default;

  // Connects (or resets) every client and has it wait at the gate. Returns when each has connected
  // or given up, or soon after Stop().
  virtual PrepareOutcome Prepare(const RoundSpec& spec) = 0;

  // Opens the gate at `open_at_ns` of the monotonic clock, calls `on_open(opened_at_ns)`, and
  // returns after the last client's last response. After Stop() the gate stays shut.
  virtual RoundOutcome Run(int64_t open_at_ns, const std::function<void(int64_t)>& on_open) = 0;

  // Ends the current Prepare() or Run() early: no client begins another statement; one that runs
  // gets `grace_ns`, then its query is killed on the server, then its connection is cut.
  // Idempotent; a shorter grace wins. Forgotten by the next Prepare().
  virtual void Stop(RoundStopCause cause, int64_t grace_ns) = 0;

  // Closes all connections that are kept.
  virtual void CloseAll() = 0;

  virtual LiveCounters Counters() const = 0;

  // The clients' connections, as last opened: some may have broken since. By any thread.
  virtual ConnectionMap Connections() const { return {}; }
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_LOAD_ENGINE_H_
