#include "controller/agent_links.h"

#include "controller/coordination/grpc_agent_link.h"

namespace dslap {

std::vector<std::unique_ptr<AgentLink>> MakeAgentLinks(const std::vector<AgentSpec>& agents) {
  std::vector<std::unique_ptr<AgentLink>> links;
  links.reserve(agents.size());
  for (const AgentSpec& agent : agents) {
    links.push_back(
        std::make_unique<GrpcAgentLink>(agent.address, MakeInsecureChannel(agent.address)));
  }
  return links;
}

}  // namespace dslap
