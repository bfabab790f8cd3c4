#include "controller/plan/shares.h"

#include <algorithm>

namespace dslap {
namespace {

// The first `longer` of `clients` clients execute `base` + 1 statements, the others `base`.
std::vector<AgentShare> Share(uint64_t clients, uint64_t base, uint64_t longer, size_t agents) {
  std::vector<AgentShare> shares(agents);
  uint64_t next_client = 0;
  for (size_t agent = 0; agent < agents; ++agent) {
    AgentShare& share = shares[agent];
    share.first_client = next_client;
    const uint64_t count = clients / agents + (agent < clients % agents ? 1 : 0);
    const uint64_t count_longer =
        next_client < longer ? std::min(count, longer - next_client) : uint64_t{0};
    if (count_longer > 0) share.groups.push_back({count_longer, base + 1});
    if (count > count_longer) share.groups.push_back({count - count_longer, base});
    next_client += count;
  }
  return shares;
}

}  // namespace

std::vector<AgentShare> ShareStatements(uint64_t statements, uint64_t clients, size_t agents) {
  if (clients == 0) return Share(0, 0, 0, agents);
  return Share(clients, statements / clients, statements % clients, agents);
}

std::vector<AgentShare> ShareClients(uint64_t clients, uint64_t statements_each, size_t agents) {
  return Share(clients, statements_each, 0, agents);
}

}  // namespace dslap
