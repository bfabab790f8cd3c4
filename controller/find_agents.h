// The agents that a command works with: those that the options name, with the names of dns: looked
// up. Between the command line, which looks nothing up, and the links to the agents.
//
//   SystemResolver resolver;
//   ASSIGN_OR_RETURN(const std::vector<AgentSpec> agents, FindAgents(options, &resolver));
#ifndef DSLAP_CONTROLLER_FIND_AGENTS_H_
#define DSLAP_CONTROLLER_FIND_AGENTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "controller/address_resolver.h"
#include "controller/exit_code.h"
#include "controller/options.h"

namespace dslap {

// In the order of --agents; the addresses of a name by their numbers, IPv4 first, so that the order
// is the same each time. INVALID_ARGUMENT, a usage error: an agent twice, one on
// another host that CheckLinks() refuses, fewer agents than --min-agents. NOT_FOUND and
// UNAVAILABLE: a name that has no address, or cannot be looked up; --min-agents does not help
// there, as nobody knows for how many agents it stands.
absl::StatusOr<std::vector<AgentSpec>> FindAgents(const Options& options,
                                                  AddressResolver* resolver);

// kUsage for a usage error, kAgentUnavailable for the others.
ExitCode FindAgentsExitCode(const absl::Status& status);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_FIND_AGENTS_H_
