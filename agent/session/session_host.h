// The agent around a session, as the session sees it: it serves one run at a time. Production:
// SessionSlot (agent/service/session_slot.h).
#ifndef DSLAP_AGENT_SESSION_SESSION_HOST_H_
#define DSLAP_AGENT_SESSION_SESSION_HOST_H_

#include <string>

#include "absl/status/status.h"

namespace dslap {

// Thread-safe.
class SessionHost {
 public:
  virtual ~SessionHost() = default;

  // Takes the agent for a run. May block for a few seconds while the run before is ending.
  // RESOURCE_EXHAUSTED when another run holds it, UNAVAILABLE when the agent is shutting down.
  virtual absl::Status Claim(const std::string& run_id, const std::string& controller) = 0;

  // The claimed run is ending: a newcomer may wait for it.
  virtual void AnnounceEnd() = 0;

  // A run that never got the agent has ended; `line` says whose it was and why, for the log.
  virtual void TurnedAway(const std::string& line) = 0;

  // Gives the agent back. Only after a successful Claim(), once.
  virtual void Release() = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_SESSION_HOST_H_
