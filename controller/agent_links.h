// The agents that the options name, as links.
#ifndef DSLAP_CONTROLLER_AGENT_LINKS_H_
#define DSLAP_CONTROLLER_AGENT_LINKS_H_

#include <memory>
#include <string>
#include <vector>

#include "controller/coordination/agent_link.h"

namespace dslap {

// A link for each "host:port"; nothing is connected yet.
std::vector<std::unique_ptr<AgentLink>> MakeAgentLinks(const std::vector<std::string>& agents);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_AGENT_LINKS_H_
