#include "agent/session/connection_report.h"

#include <cstdint>
#include <vector>

namespace dslap {

v1::ServerConnections ConnectionReport::TellAll(const ConnectionMap& open) {
  told_ = open;
  return EncodeConnections(open);
}

bool ConnectionReport::Tell(const ConnectionMap& open, v1::Progress* progress) {
  ConnectionMap opened;
  std::vector<uint64_t> closed;
  for (const auto& [id, port] : open) {
    const auto told = told_.find(id);
    if (told == told_.end() || told->second != port) opened[id] = port;
  }
  for (const auto& [id, port] : told_) {
    if (open.count(id) == 0) closed.push_back(id);
  }
  if (opened.empty() && closed.empty()) return false;
  told_ = open;
  if (!opened.empty()) *progress->mutable_opened() = EncodeConnections(opened);
  EncodeIds(closed, progress->mutable_closed_id_gap());
  return true;
}

}  // namespace dslap
