#include "controller/find_agents.h"

#include <arpa/inet.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_util.h"
#include "controller/cli/agent_list.h"
#include "controller/cli/link_rules.h"

namespace dslap {
namespace {

// Orders addresses by their numbers; the text behind decides between zones.
std::string SortKey(const std::string& address) {
  std::string bytes(sizeof(in6_addr), '\0');
  const std::string number = address.substr(0, address.find('%'));
  const bool ipv6 = absl::StrContains(address, ':');
  if (inet_pton(ipv6 ? AF_INET6 : AF_INET, number.c_str(), bytes.data()) != 1) bytes.clear();
  return absl::StrCat(ipv6 ? "6" : "4", bytes, address);
}

absl::Status AddAddresses(const AgentSpec& name, AddressResolver* resolver,
                          std::vector<AgentSpec>* agents) {
  const size_t colon = name.address.rfind(':');
  const std::string entry = absl::StrCat("dns:", name.address.substr(0, colon));
  absl::StatusOr<std::vector<std::string>> addresses =
      resolver->Resolve(name.address.substr(0, colon));
  if (!addresses.ok()) {
    return Annotate(addresses.status(),
                    absl::StrCat(name.where, ": ", entry, ": no address was found"));
  }
  std::sort(addresses->begin(), addresses->end(),
            [](const auto& a, const auto& b) { return SortKey(a) < SortKey(b); });
  addresses->erase(std::unique(addresses->begin(), addresses->end()), addresses->end());
  for (const std::string& address : *addresses) {
    AgentSpec agent = name;
    agent.look_up = false;
    agent.server_name = name.address.substr(0, colon);
    agent.address = absl::StrContains(address, ':') ? absl::StrCat("[", address, "]") : address;
    agent.address += name.address.substr(colon);
    agent.where = absl::StrCat(name.where, ", ", entry);
    agents->push_back(std::move(agent));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<AgentSpec>> FindAgents(const Options& options,
                                                  AddressResolver* resolver) {
  std::vector<AgentSpec> agents;
  for (const AgentSpec& agent : options.agents) {
    if (agent.look_up) {
      RETURN_IF_ERROR(AddAddresses(agent, resolver, &agents));
    } else {
      agents.push_back(agent);
    }
  }
  RETURN_IF_ERROR(Annotate(CheckNamedOnce(agents), "--agents"));
  RETURN_IF_ERROR(CheckLinks(options, agents));
  if (options.min_agents > agents.size()) {
    return absl::InvalidArgumentError(absl::StrCat("--min-agents=", options.min_agents,
                                                   ": --agents names only ", agents.size(),
                                                   "; ask for at most that many"));
  }
  return agents;
}

ExitCode FindAgentsExitCode(const absl::Status& status) {
  if (status.ok()) return ExitCode::kValid;
  return status.code() == absl::StatusCode::kInvalidArgument ? ExitCode::kUsage
                                                             : ExitCode::kAgentUnavailable;
}

}  // namespace dslap
