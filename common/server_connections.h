// Connections to the database as the server knows them: named so that another host can end them
// there. What an agent tells the controller, in memory and as on the wire (ServerConnections).
// Pure.
//
//   *ready.mutable_connections() = EncodeConnections({{17, 40112}, {18, 40113}});
//   ConnectionMap open = DecodeConnections(ready.connections());
#ifndef DSLAP_COMMON_SERVER_CONNECTIONS_H_
#define DSLAP_COMMON_SERVER_CONNECTIONS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "dslap/v1/agent.pb.h"
#include "google/protobuf/repeated_field.h"

namespace dslap {

// By id: the TCP port on the client's side, 0 for a Unix socket. The id alone does not say whose a
// connection is: a server that was restarted, or another one behind the same address, counts anew.
using ConnectionMap = std::map<uint64_t, uint16_t>;

v1::ServerConnections EncodeConnections(const ConnectionMap& connections);

// What does not fit together (a port is missing or none, ids overflow) is left out.
ConnectionMap DecodeConnections(const v1::ServerConnections& message);

void EncodeIds(const std::vector<uint64_t>& sorted_ids,
               google::protobuf::RepeatedField<uint64_t>* gaps);
std::vector<uint64_t> DecodeIds(const google::protobuf::RepeatedField<uint64_t>& gaps);

}  // namespace dslap

#endif  // DSLAP_COMMON_SERVER_CONNECTIONS_H_
