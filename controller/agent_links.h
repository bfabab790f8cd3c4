// The agents that the options name, as links.
#ifndef DSLAP_CONTROLLER_AGENT_LINKS_H_
#define DSLAP_CONTROLLER_AGENT_LINKS_H_

#include <memory>
#include <string>
#include <vector>

#include "controller/coordination/agent_link.h"
#include "controller/options.h"

namespace dslap {

// A link for each, in their order; nothing is connected yet. Names are looked up already.
std::vector<std::unique_ptr<AgentLink>> MakeAgentLinks(const std::vector<AgentSpec>& agents);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_AGENT_LINKS_H_
