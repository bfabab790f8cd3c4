// What a session needs from the world, as seams: tests put fakes in their place.
//
//   SessionEnvironment environment;      // production: agent/service/production_environment.h
//   environment.make_connections = [](SqlTarget target) { return ...; };
#ifndef DSLAP_AGENT_SESSION_SESSION_ENVIRONMENT_H_
#define DSLAP_AGENT_SESSION_SESSION_ENVIRONMENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "agent/engine/cpu_meter.h"
#include "agent/engine/engine_options.h"
#include "agent/engine/load_engine.h"
#include "agent/session/guard_rails.h"
#include "agent/session/run_observer.h"
#include "agent/sql/sql_connection.h"
#include "common/clock.h"

namespace dslap {

// Plain data, copied freely. The functions are called by any thread. `clock` outlives all sessions.
struct SessionEnvironment {
  Clock* clock = SteadyClock::Get();
  std::string hostname;
  uint32_t cores = 0;
  uint64_t loops_from_clients = 0;  // as GetInfoResponse has it
  std::function<std::shared_ptr<SqlConnectionFactory>(SqlTarget)> make_connections;
  std::function<absl::StatusOr<std::unique_ptr<LoadEngine>>(
      const EngineOptions&, std::shared_ptr<SqlConnectionFactory>, Clock*)>
      make_engine;
  // Totals since some origin: the difference of two readings is what was used between them.
  std::function<CpuUse()> read_cpu;
  RunObserver* observer = RunObserver::None();  // outlives all sessions
  GuardRails guard_rails;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_SESSION_ENVIRONMENT_H_
