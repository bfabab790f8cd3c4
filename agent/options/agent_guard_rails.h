// The owner's options into the guard rails of runs.
//
//   environment.guard_rails = MakeGuardRails(options);
#ifndef DSLAP_AGENT_OPTIONS_AGENT_GUARD_RAILS_H_
#define DSLAP_AGENT_OPTIONS_AGENT_GUARD_RAILS_H_

#include "agent/options/agent_options.h"
#include "agent/session/guard_rails.h"

namespace dslap {

// The rules in the options are well-formed: ParseAgentOptions() took them. Whatever they are, no
// target may name a library's directory that is not allowed, nor the agent's own files.
GuardRails MakeGuardRails(const AgentOptions& options);

}  // namespace dslap

#endif  // DSLAP_AGENT_OPTIONS_AGENT_GUARD_RAILS_H_
