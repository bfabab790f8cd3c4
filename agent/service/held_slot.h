// The agent's slot as one stream has it: while the stream's run holds the agent, its connection is
// held, too (ConnectionGate); a run that does not get the agent is logged with who asked for it.
#ifndef DSLAP_AGENT_SERVICE_HELD_SLOT_H_
#define DSLAP_AGENT_SERVICE_HELD_SLOT_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "agent/service/connection_gate.h"
#include "agent/service/refusal_log.h"
#include "agent/service/session_slot.h"
#include "agent/session/session_host.h"

namespace dslap {

// Thread-safe. What it is given must outlive it.
class HeldSlot final : public SessionHost {
 public:
  HeldSlot(SessionSlot* slot, ConnectionGate* gate, RefusalLog* refusals, std::string peer)
      : slot_(slot), gate_(gate), refusals_(refusals), peer_(std::move(peer)) {}

  absl::Status Claim(const std::string& run_id, const std::string& controller) override {
    // First: the gate ends a connection that nobody holds at any moment.
    gate_->Hold(peer_);
    absl::Status claimed = slot_->Claim(run_id, controller);
    if (!claimed.ok()) gate_->Release(peer_);
    return claimed;
  }
  void AnnounceEnd() override { slot_->AnnounceEnd(); }
  void Release() override {
    gate_->Release(peer_);
    slot_->Release();
  }
  void TurnedAway(const std::string& line) override {
    refusals_->Refused(Refusal::kRun, peer_, line);
  }

 private:
  SessionSlot* const slot_;
  ConnectionGate* const gate_;
  RefusalLog* const refusals_;
  const std::string peer_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_HELD_SLOT_H_
