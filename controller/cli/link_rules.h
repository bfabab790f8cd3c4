// What may go over the links to the agents, and how they must be secured for it. Pure.
#ifndef DSLAP_CONTROLLER_CLI_LINK_RULES_H_
#define DSLAP_CONTROLLER_CLI_LINK_RULES_H_

#include <vector>

#include "absl/status/status.h"
#include "controller/options.h"

namespace dslap {

// INVALID_ARGUMENT when a file that another one needs is missing.
absl::Status CheckLinkFiles(const Options& options);

// INVALID_ARGUMENT, naming the first agent and its place, when an agent may be on another host and
// the links use neither TLS nor --insecure; or when a password or a token would go there in plain
// text, which --insecure does not allow. Names that are still to be looked up are passed over.
absl::Status CheckLinks(const Options& options, const std::vector<AgentSpec>& agents);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_LINK_RULES_H_
