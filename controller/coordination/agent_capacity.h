// Whether an agent can carry its share of a run, by what it said of its limits. Pure.
//
//   absl::Status status = CheckCapacity("db-a:7527", *answer.info, LoadOf(plan, 0, engine,
//   target));
//   // agent db-a:7527: needs 4038 descriptors for 4000 clients, has 1024: raise LimitNOFILE= ...
#ifndef DSLAP_CONTROLLER_COORDINATION_AGENT_CAPACITY_H_
#define DSLAP_CONTROLLER_COORDINATION_AGENT_CAPACITY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "controller/options.h"
#include "controller/plan/plan.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// What a run asks of one agent.
struct AgentLoad {
  std::vector<uint64_t> shares;  // its clients in each case
  LoadEngineOptions engine;
  bool over_tcp = false;  // the way to the database
  bool over_tls = false;  // for certain: not when it is only preferred
};

// Of each agent, for these weights (0: the agent is not there).
std::vector<AgentLoad> LoadsOf(const Plan& plan, const std::vector<uint64_t>& weights,
                               const LoadEngineOptions& engine, const TargetOptions& target);

// RESOURCE_EXHAUSTED when it certainly cannot: each figure that is missing, and how to raise it. A
// limit that the agent did not tell is none.
absl::Status CheckCapacity(const std::string& agent, const v1::GetInfoResponse& info,
                           const AgentLoad& load);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_AGENT_CAPACITY_H_
