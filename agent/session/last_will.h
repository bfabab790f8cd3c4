// Carries out what a controller has left an agent to do for when it is gone: see LastWill in the
// proto and docs/adr/0009.
//
//   LogInfo(CarryOut(will, connections, [&] { ... will.delay_ns() ... }));      // blocks
#ifndef DSLAP_AGENT_SESSION_LAST_WILL_H_
#define DSLAP_AGENT_SESSION_LAST_WILL_H_

#include <functional>
#include <string>

#include "agent/sql/sql_connection.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Over a connection of its own, each statement within the will's bound. `delay` waits for as long
// as the will says, if there is something to do. What became of it, for the log: "last will: drop
// schema `x`: done".
std::string CarryOut(const v1::LastWill& will, SqlConnectionFactory* connections,
                     const std::function<void()>& delay);

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_LAST_WILL_H_
