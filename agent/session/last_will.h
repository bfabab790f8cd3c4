// Carries out what a controller has left an agent to do for when it is gone: see LastWill in the
// proto and docs/adr/0009.
//
//   LogInfo(CarryOut(will, &scripts, clock, delay, cut));      // blocks
#ifndef DSLAP_AGENT_SESSION_LAST_WILL_H_
#define DSLAP_AGENT_SESSION_LAST_WILL_H_

#include <cstdint>
#include <functional>
#include <string>

#include "agent/session/session_scripts.h"
#include "common/clock.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// An answer older than this says nothing any more: the agent may have been frozen since it asked.
inline constexpr int64_t kFreshAnswerNs = 1'000'000'000;

// Each statement within the will's bound; what is to be done only on the connection that has just
// answered that it is. `scripts` have begun nothing yet; cancelling them ends this early. `delay`
// waits for as long as the will says, if there is something to do. `cut` says why the whole is to
// end early; empty: it is not. What became of it, for the log: "last will: drop schema `x`: done".
std::string CarryOut(const v1::LastWill& will, SessionScripts* scripts, Clock* clock,
                     const std::function<void()>& delay, const std::function<std::string()>& cut);

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_LAST_WILL_H_
