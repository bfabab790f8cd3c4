#include "common/server_connections.h"

#include <cstddef>
#include <limits>

namespace dslap {

void EncodeIds(const std::vector<uint64_t>& sorted_ids,
               google::protobuf::RepeatedField<uint64_t>* gaps) {
  uint64_t before = 0;
  for (const uint64_t id : sorted_ids) {
    gaps->Add(id - before);
    before = id;
  }
}

std::vector<uint64_t> DecodeIds(const google::protobuf::RepeatedField<uint64_t>& gaps) {
  std::vector<uint64_t> ids;
  uint64_t id = 0;
  for (const uint64_t gap : gaps) {
    if (gap > std::numeric_limits<uint64_t>::max() - id) break;
    id += gap;
    ids.push_back(id);
  }
  return ids;
}

v1::ServerConnections EncodeConnections(const ConnectionMap& connections) {
  v1::ServerConnections message;
  std::vector<uint64_t> ids;
  ids.reserve(connections.size());
  for (const auto& [id, port] : connections) {
    ids.push_back(id);
    message.add_client_port(port);
  }
  EncodeIds(ids, message.mutable_id_gap());
  return message;
}

ConnectionMap DecodeConnections(const v1::ServerConnections& message) {
  ConnectionMap connections;
  const std::vector<uint64_t> ids = DecodeIds(message.id_gap());
  const auto ports = static_cast<size_t>(message.client_port_size());
  for (size_t i = 0; i < ids.size() && i < ports; ++i) {
    const uint32_t port = message.client_port(static_cast<int>(i));
    if (ids[i] == 0 || port > std::numeric_limits<uint16_t>::max()) continue;
    connections[ids[i]] = static_cast<uint16_t>(port);
  }
  return connections;
}

}  // namespace dslap
