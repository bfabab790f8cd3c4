#include "controller/agent_links.h"

#include "absl/strings/str_cat.h"
#include "controller/coordination/agent_names.h"
#include "controller/coordination/grpc_agent_link.h"

namespace dslap {

absl::Status CheckTransportSecurity(const std::vector<std::string>& agents, bool insecure) {
  if (insecure) return absl::OkStatus();
  for (const std::string& agent : agents) {
    if (IsLoopbackAddress(agent)) continue;
    return absl::PermissionDeniedError(absl::StrCat(
        "agent ", agent,
        " is not on the loopback interface, and the connection to it, the database password "
        "included, would not be encrypted: give --insecure to accept that on a network you trust"));
  }
  return absl::OkStatus();
}

std::vector<std::unique_ptr<AgentLink>> MakeAgentLinks(const std::vector<std::string>& agents) {
  std::vector<std::unique_ptr<AgentLink>> links;
  links.reserve(agents.size());
  for (const std::string& agent : agents) {
    links.push_back(std::make_unique<GrpcAgentLink>(agent, MakeInsecureChannel(agent)));
  }
  return links;
}

}  // namespace dslap
