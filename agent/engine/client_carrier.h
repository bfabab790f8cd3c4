// What carries the clients of an engine: a thread for each (ThreadCarrier), or a few event loops
// that share them out (LoopCarrier). The engine decides what happens in a round; the carrier only
// where.
//
//   std::unique_ptr<CarriedRound> carried = carrier->BeginRound(&control);
//   carried->Start(context, seats);    // every client is on its way
//   ...                                // control->AwaitDone()
//   carried->Join();
#ifndef DSLAP_AGENT_ENGINE_CLIENT_CARRIER_H_
#define DSLAP_AGENT_ENGINE_CLIENT_CARRIER_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "agent/engine/client.h"
#include "agent/engine/round_control.h"
#include "agent/sql/sql_connection.h"
#include "common/histogram.h"

namespace dslap {

// The clients of one round at work. Used by the engine's thread, but for Wake().
class CarriedRound {
 public:
  virtual ~CarriedRound() = default;

  // Starts a client for each seat; seat i has the connection made for seat i. The carrier fills in
  // `host` and `latency`. When the client is done, or could not be started (then with a
  // connect_error in its record), its gauges say so and the control was told.
  virtual void Start(const RoundContext& context, std::vector<ClientSeat> seats) = 0;

  // Has the clients look again at what they wait for. Thread-safe, at any time.
  virtual void Wake() = 0;

  // Returns when every client is done: soon, if the control says so. Idempotent.
  virtual void Join() = 0;

  // Of all clients, after Join().
  virtual void MergeLatency(LatencyHistogram* into) const = 0;
};

// Used by the engine's thread; outlives its rounds and connections. One round at a time.
class ClientCarrier {
 public:
  virtual ~ClientCarrier() = default;

  // For the client of this seat, in every round. Between rounds the connection may be used, closed
  // and destroyed by the engine's thread.
  virtual std::unique_ptr<SqlConnection> MakeConnection(size_t seat) = 0;

  virtual std::unique_ptr<CarriedRound> BeginRound(RoundControl* control) = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CLIENT_CARRIER_H_
