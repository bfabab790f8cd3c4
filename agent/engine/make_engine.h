// Makes the load engine that a run asks for.
//
//   absl::StatusOr<std::unique_ptr<LoadEngine>> engine =
//       MakeEngine({.kind = EngineKind::kLoops}, factory, SteadyClock::Get());
#ifndef DSLAP_AGENT_ENGINE_MAKE_ENGINE_H_
#define DSLAP_AGENT_ENGINE_MAKE_ENGINE_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "agent/engine/engine_options.h"
#include "agent/engine/load_engine.h"
#include "agent/sql/sql_connection.h"
#include "common/clock.h"

namespace dslap {

// With EngineKind::kAuto, rounds of this many clients and more are carried by event loops:
// measured, see docs/performance.md.
inline constexpr uint64_t kLoopsFromClients = 16;

// `clock` outlives the engine. FAILED_PRECONDITION: event loops are asked for, and the client
// library has no calls for them. RESOURCE_EXHAUSTED: no descriptors left.
absl::StatusOr<std::unique_ptr<LoadEngine>> MakeEngine(
    const EngineOptions& options, std::shared_ptr<SqlConnectionFactory> factory, Clock* clock);

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_MAKE_ENGINE_H_
