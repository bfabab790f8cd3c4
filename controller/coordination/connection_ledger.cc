#include "controller/coordination/connection_ledger.h"

#include <cstdint>

namespace dslap {

void ConnectionLedger::Take(const v1::RunResponse& response) {
  switch (response.message_case()) {
    case v1::RunResponse::kScriptDone:
      scripts_ = DecodeConnections(response.script_done().connection());
      break;
    case v1::RunResponse::kRoundReady:
      clients_ = DecodeConnections(response.round_ready().connections());
      break;
    case v1::RunResponse::kProgress:
      for (const uint64_t id : DecodeIds(response.progress().closed_id_gap())) clients_.erase(id);
      for (const auto& [id, port] : DecodeConnections(response.progress().opened())) {
        if (clients_.size() < kMost) clients_[id] = port;
      }
      break;
    default:
      break;
  }
}

ConnectionMap ConnectionLedger::open() const {
  ConnectionMap all = clients_;
  all.insert(scripts_.begin(), scripts_.end());
  return all;
}

}  // namespace dslap
