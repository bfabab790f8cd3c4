// What became of the connections that a lost agent left on the server; and the SQL that finds them
// there. Pure.
#ifndef DSLAP_CONTROLLER_COORDINATION_LEFT_CONNECTIONS_H_
#define DSLAP_CONTROLLER_COORDINATION_LEFT_CONNECTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/server_connections.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// All zero: the agent had told of none.
struct LeftConnections {
  uint64_t told = 0;                 // by the agent, before it was lost
  uint64_t found = 0;                // of these still on the server, and surely the agent's
  uint64_t killed = 0;               // of these
  std::vector<uint64_t> not_killed;  // ids; or, when nobody could look, all that were told of
  std::string problem;               // why some could not be killed, or looked for; empty: none

  // For the user, e.g. "agent b:7527 left 4 connections on the server, which were killed"; empty
  // when there is nothing to say.
  std::string Describe(const std::string& agent) const;
};

// Which of `ids` the server still shows for the account that asks: columns ID and HOST.
std::string FindConnectionsSql(const std::vector<uint64_t>& ids);

struct FoundConnections {
  std::vector<uint64_t> surely;   // the agent's
  std::vector<uint64_t> perhaps;  // the id is; whose they are, nobody knows
};

// Adds the rows of FindConnectionsSql(): those whose port on the client's side is as in `told` are
// surely the agent's. Another port is somebody else's, or the agent's behind address translation.
void SortFound(const v1::ScriptResult& rows, const ConnectionMap& told, FoundConnections* found);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_LEFT_CONNECTIONS_H_
