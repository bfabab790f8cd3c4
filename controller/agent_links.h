// The agents that the options name, as links; without any, the agent in this process.
#ifndef DSLAP_CONTROLLER_AGENT_LINKS_H_
#define DSLAP_CONTROLLER_AGENT_LINKS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "controller/coordination/agent_link.h"
#include "controller/options.h"

namespace dslap {

// PERMISSION_DENIED unless every agent is on loopback or the user said --insecure: the streams
// carry the database password, and this version does not encrypt them.
absl::Status CheckTransportSecurity(const std::vector<std::string>& agents, bool insecure);

// A link for each "host:port"; nothing is connected yet.
std::vector<std::unique_ptr<AgentLink>> MakeAgentLinks(const std::vector<std::string>& agents);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_AGENT_LINKS_H_
