#include "controller/report/listed_agents.h"

#include <algorithm>
#include <functional>
#include <map>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

using Agents = std::vector<AgentCaseReport>;
using Figure = std::function<double(const AgentCaseReport&)>;

// Of the agents that ran clients to the end; the first of equals. agents.size(): there is none.
size_t Largest(const Agents& agents, const Figure& figure) {
  size_t largest = agents.size();
  for (size_t i = 0; i < agents.size(); ++i) {
    if (agents[i].missing || agents[i].lost || agents[i].clients_connected == 0) continue;
    if (largest == agents.size() || figure(agents[i]) > figure(agents[largest])) largest = i;
  }
  return largest;
}

bool InTrouble(const AgentCaseReport& agent) {
  return agent.missing || agent.lost || agent.clients_connected < agent.clients_asked;
}

}  // namespace

std::vector<ListedAgent> ListAgents(const Agents& agents) {
  std::vector<ListedAgent> listed;
  if (agents.size() <= kMaxListedAgents) {
    for (const AgentCaseReport& agent : agents) listed.push_back({&agent, ""});
    return listed;
  }
  std::map<size_t, std::string> remarks;
  for (size_t i = 0; i < agents.size() && remarks.size() < kMaxListedAgents; ++i) {
    if (InTrouble(agents[i])) remarks[i] = "";
  }
  const auto add_extreme = [&](const char* what, const Figure& figure) {
    const size_t i = Largest(agents, figure);
    if (i == agents.size()) return;
    std::string& remark = remarks[i];
    absl::StrAppend(&remark, remark.empty() ? "" : ", ", what);
  };
  add_extreme("fewest queries/s", [](const auto& agent) { return -agent.queries_per_second; });
  add_extreme("most queries/s", [](const auto& agent) { return agent.queries_per_second; });
  add_extreme("highest p99",
              [](const auto& agent) { return static_cast<double>(agent.latency.p99_ns); });
  add_extreme("most CPU", [](const auto& agent) { return agent.process_cpu; });
  for (const auto& [i, remark] : remarks) listed.push_back({&agents[i], remark});
  return listed;
}

}  // namespace dslap
