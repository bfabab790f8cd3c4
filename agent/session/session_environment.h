// What a session needs from the world, as seams: tests put fakes in their place.
//
//   SessionEnvironment environment;            // production:
//   agent/service/production_environment.h environment.make_engine = [](SqlConnectionFactory*,
//   Clock*) { return ...; };
#ifndef DSLAP_AGENT_SESSION_SESSION_ENVIRONMENT_H_
#define DSLAP_AGENT_SESSION_SESSION_ENVIRONMENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "agent/engine/load_engine.h"
#include "agent/sql/sql_connection.h"
#include "common/clock.h"

namespace dslap {

// Totals since some origin; the difference of two readings is what was used between them.
struct CpuReading {
  uint64_t process_ns = 0;    // this process, user and system
  uint64_t host_busy_ns = 0;  // all cores of the host together
  uint32_t cores = 0;
};

// Plain data, copied freely. The functions are called by any thread; what they return outlives
// nothing but the session that asked. `clock` outlives all sessions.
struct SessionEnvironment {
  Clock* clock = SteadyClock::Get();
  std::string hostname;
  uint32_t cores = 0;
  std::function<std::unique_ptr<SqlConnectionFactory>(const SqlTarget&)> make_connections;
  // The engine uses the connections and the clock for as long as it lives.
  std::function<std::unique_ptr<LoadEngine>(SqlConnectionFactory*, Clock*)> make_engine;
  std::function<CpuReading()> read_cpu;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_SESSION_ENVIRONMENT_H_
