// Divides the clients and statements of a case over the agents, exactly: the shares add up to what
// was asked for, whatever the numbers. Can be repeated with other weights, as when an agent is
// missing or lost. Pure.
//
// Clients are numbered from 0 and agents get neighbouring ones, as many as their weight says by the
// method of the largest remainder: each the whole part of its due, and those with the largest
// fractions one more, of equals the earlier. Nobody is off its due by a whole client, more weight
// never means fewer clients, and with equal weights the first (clients mod agents) get the one
// more. (A method of divisors would keep an agent's number from falling when the total grows by
// one; but it can be off by several, and a case is not compared with the next by its agents.)
//
//   ShareOut(7, 4, {1, 1, 1});  // statements of each client: 2 2 | 2 | 1
//   ShareOut(8, 4, {3, 0, 1});  // 2 2 2 | | 2: the second agent is not there
#ifndef DSLAP_CONTROLLER_PLAN_SHARES_H_
#define DSLAP_CONTROLLER_PLAN_SHARES_H_

#include <cstdint>
#include <vector>

#include "controller/plan/plan.h"

namespace dslap {

// `total` over agents of these weights, in their order. Weight 0 gets nothing, as when the agent is
// not there; when no weight is left, nobody gets anything.
std::vector<uint64_t> Apportion(uint64_t total, const std::vector<uint64_t>& weights);

// `statements` in all: the first (statements mod clients) clients execute one more than the others.
// With more clients than statements the last clients connect and execute none.
std::vector<AgentShare> ShareOut(uint64_t statements, uint64_t clients,
                                 const std::vector<uint64_t>& weights);

std::vector<AgentShare> ShareOut(const CasePlan& case_plan, const std::vector<uint64_t>& weights);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_SHARES_H_
