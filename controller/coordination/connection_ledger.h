// The connections to the database that an agent has, as it told: what it would leave behind if it
// were lost now. Pure.
//
//   ledger.Take(response);          // every message of the agent
//   ledger.open()                   // id -> client's port
#ifndef DSLAP_CONTROLLER_COORDINATION_CONNECTION_LEDGER_H_
#define DSLAP_CONTROLLER_COORDINATION_CONNECTION_LEDGER_H_

#include <cstddef>

#include "common/server_connections.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Of one agent. Not thread-safe.
class ConnectionLedger {
 public:
  // An agent that tells of more is not believed.
  static constexpr size_t kMost = 1'000'000;

  void Take(const v1::RunResponse& response);

  // Of the clients and of the scripts.
  ConnectionMap open() const;

 private:
  ConnectionMap clients_;
  ConnectionMap scripts_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_CONNECTION_LEDGER_H_
