#include "controller/agents_command.h"

#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "controller/agent_links.h"
#include "controller/coordination/preflight.h"
#include "controller/find_agents.h"
#include "controller/report/agents_table.h"
#include "controller/system_resolver.h"

namespace dslap {
namespace {

constexpr absl::Duration kTimeout = absl::Seconds(5);

}  // namespace

ExitCode ShowAgents(const Options& options) {
  SystemResolver resolver;
  const absl::StatusOr<std::vector<AgentSpec>> agents = FindAgents(options, &resolver);
  if (!agents.ok()) {
    std::cerr << "dslap: " << agents.status().message() << std::endl;
    return FindAgentsExitCode(agents.status());
  }
  const absl::StatusOr<LinkSecurity> security = MakeLinkSecurity(options);
  if (!security.ok()) {
    std::cerr << "dslap: " << security.status().message() << std::endl;
    return ExitCode::kUsage;
  }
  const std::vector<std::unique_ptr<AgentLink>> links = MakeAgentLinks(*agents, *security);
  std::vector<AgentLink*> asked;
  asked.reserve(links.size());
  for (const std::unique_ptr<AgentLink>& link : links) asked.push_back(link.get());
  // The first call pays for the connection; the second shows the network.
  AskAll(asked, kTimeout, SteadyClock::Get());
  std::vector<AgentStatus> table;
  for (AgentAnswer& answer : AskAll(asked, kTimeout, SteadyClock::Get())) {
    table.push_back({answer.name, std::move(answer.info), answer.round_trip_ns});
  }
  std::cout << FormatAgentsTable(table, absl::ToUnixSeconds(absl::Now())) << std::flush;
  return AgentsExitCode(table);
}

}  // namespace dslap
