// A few event loops, a thread each, that share the clients out among them: for many clients, which
// as threads would cost the host more than the statements do.
//
//   absl::StatusOr<std::unique_ptr<LoopCarrier>> carrier =
//       LoopCarrier::Create(factory, /*loops=*/2, /*connect_parallelism=*/64, clock);
//   ClientEngine engine(factory, *std::move(carrier), 0, clock);
//
// The client of seat i belongs to loop i modulo the number of loops, in every round. Threads live
// for one round, loops and connections for the engine.
#ifndef DSLAP_AGENT_ENGINE_LOOP_CARRIER_H_
#define DSLAP_AGENT_ENGINE_LOOP_CARRIER_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "agent/async/event_loop.h"
#include "agent/engine/client_carrier.h"
#include "agent/sql/sql_connection.h"
#include "common/clock.h"

namespace dslap {

// Thread-safety: see ClientCarrier.
class LoopCarrier final : public ClientCarrier {
 public:
  // `clock` outlives the carrier; `loops`, at most, and `connect_parallelism`, over all loops, are
  // not 0.
  // UNIMPLEMENTED: the factory's connections block. RESOURCE_EXHAUSTED: no descriptors left.
  static absl::StatusOr<std::unique_ptr<LoopCarrier>> Create(
      std::shared_ptr<SqlConnectionFactory> factory, size_t loops, size_t connect_parallelism,
      Clock* clock);

  std::unique_ptr<SqlConnection> MakeConnection(size_t seat) override;
  std::unique_ptr<CarriedRound> BeginRound(RoundControl* control) override;

 private:
  LoopCarrier(std::shared_ptr<SqlConnectionFactory> factory,
              std::vector<std::unique_ptr<EventLoop>> loops, size_t connect_parallelism)
      : factory_(std::move(factory)),
        loops_(std::move(loops)),
        connect_parallelism_(connect_parallelism) {}

  const std::shared_ptr<SqlConnectionFactory> factory_;
  const std::vector<std::unique_ptr<EventLoop>> loops_;
  const size_t connect_parallelism_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_LOOP_CARRIER_H_
