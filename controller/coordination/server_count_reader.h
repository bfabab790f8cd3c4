// Reads the server's counters before a round's clients connect and after its last response, on the
// connection of the scripts, for the comparison with what the agents counted. Nothing that goes
// wrong here is a failure of the run: the round is not compared, and the record says why.
//
//   ServerCountReader reader(&scripts, &group);
//   if (Step step = reader.Before(&round.server); !step.ok()) return step;
#ifndef DSLAP_CONTROLLER_COORDINATION_SERVER_COUNT_READER_H_
#define DSLAP_CONTROLLER_COORDINATION_SERVER_COUNT_READER_H_

#include <optional>
#include <string>

#include "common/clock.h"
#include "controller/coordination/run_record.h"
#include "controller/coordination/script_runner.h"
#include "controller/coordination/server_counters.h"
#include "controller/coordination/step.h"

namespace dslap {

// Used by the coordinator's thread.
class ServerCountReader {
 public:
  // A server that does not answer by then is not asked again.
  static constexpr int64_t kTimeoutNs = 5'000'000'000;

  ServerCountReader(ScriptRunner* scripts, Clock* clock) : scripts_(scripts), clock_(clock) {}

  // Not OK: interrupted, or an agent was lost.
  Step Before(ServerReadings* readings);
  // No-op when the reading before failed.
  Step After(ServerReadings* readings);

 private:
  Step Read(bool on_kept_connection, std::optional<ServerCounters>* counters,
            v1::SqlError* error) const;

  ScriptRunner* scripts_;
  Clock* clock_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_SERVER_COUNT_READER_H_
