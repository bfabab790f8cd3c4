// A thread for each client: the cheapest for few clients, and good for a few thousand. Threads live
// for one round.
//
//   ClientEngine engine(factory, std::make_unique<ThreadCarrier>(factory, 64, clock), 0, clock);
#ifndef DSLAP_AGENT_ENGINE_THREAD_CARRIER_H_
#define DSLAP_AGENT_ENGINE_THREAD_CARRIER_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "agent/engine/client_carrier.h"
#include "agent/sql/sql_connection.h"
#include "common/clock.h"

namespace dslap {

// Thread-safety: see ClientCarrier.
class ThreadCarrier final : public ClientCarrier {
 public:
  // `clock` outlives the carrier. At most `connect_parallelism` clients connect at a time.
  ThreadCarrier(std::shared_ptr<SqlConnectionFactory> factory, size_t connect_parallelism,
                Clock* clock)
      : factory_(std::move(factory)), connect_parallelism_(connect_parallelism), clock_(clock) {}

  std::unique_ptr<SqlConnection> MakeConnection(size_t seat) override;
  std::unique_ptr<CarriedRound> BeginRound(RoundControl* control) override;

 private:
  const std::shared_ptr<SqlConnectionFactory> factory_;
  const size_t connect_parallelism_;
  Clock* const clock_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_THREAD_CARRIER_H_
