#include "controller/agent_links.h"

#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/link_security.h"
#include "common/status_util.h"

namespace dslap {

absl::StatusOr<LinkSecurity> MakeLinkSecurity(const Options& options) {
  LinkSecurity security;
  if (options.link_tls.used()) {
    RETURN_IF_ERROR(
        Annotate(CheckLinkTls(options.link_tls, absl::ToUnixSeconds(absl::Now())), "--tls-..."));
    security.credentials = MakeChannelCredentials(options.link_tls);
  }
  if (!options.token_file.empty()) {
    absl::StatusOr<Secret> token = ReadTokenFile(options.token_file);
    if (!token.ok()) return Annotate(token.status(), "--token-file");
    security.token = *std::move(token);
  }
  return security;
}

std::vector<std::unique_ptr<AgentLink>> MakeAgentLinks(const std::vector<AgentSpec>& agents,
                                                       const LinkSecurity& security) {
  std::vector<std::unique_ptr<AgentLink>> links;
  links.reserve(agents.size());
  for (const AgentSpec& agent : agents) {
    links.push_back(std::make_unique<GrpcAgentLink>(
        agent.address, MakeAgentChannel(agent.address, security, agent.server_name), security));
  }
  return links;
}

}  // namespace dslap
