// What a run brought back, unprocessed: the agents' own messages, in the order of the plan. Written
// by the Coordinator, read by Aggregate() (report/aggregate.h). Also complete enough after a
// failure to report what was measured until then.
#ifndef DSLAP_CONTROLLER_COORDINATION_RUN_RECORD_H_
#define DSLAP_CONTROLLER_COORDINATION_RUN_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "controller/coordination/left_connections.h"
#include "controller/coordination/server_counters.h"
#include "controller/exit_code.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// One agent in one round. Absent parts: the agent was lost, or the round ended, before they came.
struct AgentRoundRecord {
  std::optional<v1::RoundReady> ready;
  std::optional<v1::RoundDone> done;
  // The gate's opening and the last response on the controller's clock, mapped from the agent's.
  int64_t opened_at_ns = 0;
  int64_t closed_at_ns = 0;
  // Half the smallest round trip seen: how far off the mapped instants can be.
  int64_t mapping_error_ns = 0;
};

// The server's counters around a round. Not asked for: nothing is set.
struct ServerReadings {
  std::optional<ServerCounters> before;
  std::optional<ServerCounters> after;
  uint64_t own_connections = 0;  // that the run held at `before`; 0: nothing was asked
  bool reconnected = false;      // for `after`: the connection broke in between
  std::string missing;           // why they are not to be compared; empty: they are
};

struct RoundRecord {
  std::vector<AgentRoundRecord> agents;  // in the order of RunRecord::agents
  bool started = false;                  // the gate was told to open
  ServerReadings server;
  bool complete = false;    // every agent's RoundDone came and none was stopped early
  bool agent_lost = false;  // the others went on to the end of it, so the load was another one
};

struct CaseRecord {
  std::string engine;
  uint64_t clients = 0;     // asked for
  uint64_t statements = 0;  // planned for each round
  std::vector<RoundRecord> rounds;
};

struct AgentRecord {
  std::string name;
  v1::GetInfoResponse info;
  bool missing = false;  // left out before the first statement (--min-agents)
  std::string missing_reason;
  bool lost = false;
  std::string loss_reason;
  // When it was lost, both from 1; 0: before the first round.
  uint64_t lost_case = 0;
  uint64_t lost_round = 0;
  LeftConnections left_connections;  // when lost
};

struct RunRecord {
  std::string run_id;
  std::vector<AgentRecord> agents;
  std::vector<CaseRecord> cases;  // only those that were begun
  uint64_t planned_cases = 0;
  uint64_t planned_iterations = 0;
  bool interrupted = false;
  std::string ended_by;           // "ended by --deadline=30s"; empty: it was not
  bool stopped_by_error = false;  // a statement failed and the policy says stop
  // Why the run ended early, if it did: message for the user, and its exit code.
  absl::Status failure;
  ExitCode failure_code = ExitCode::kValid;
  std::string inexact;  // why no comparison with the server's counters can be exact; empty: it can
  // Tear-down that could not be done: names what was left behind.
  absl::Status tear_down;
  std::vector<std::string> notes;  // e.g. a left-over schema was reused
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_RUN_RECORD_H_
