// The agents that the options name, as links.
#ifndef DSLAP_CONTROLLER_AGENT_LINKS_H_
#define DSLAP_CONTROLLER_AGENT_LINKS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "controller/coordination/agent_link.h"
#include "controller/coordination/grpc_agent_link.h"
#include "controller/options.h"

namespace dslap {

// What the links have in common, as the options say. What is wrong with a file for TLS or the token
// is an error that names the option and the file.
absl::StatusOr<LinkSecurity> MakeLinkSecurity(const Options& options);

// A link for each, in their order; nothing is connected yet. Names are looked up already.
std::vector<std::unique_ptr<AgentLink>> MakeAgentLinks(const std::vector<AgentSpec>& agents,
                                                       const LinkSecurity& security);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_AGENT_LINKS_H_
