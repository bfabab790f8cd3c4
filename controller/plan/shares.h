// Divides clients and statements over the agents, exactly: the shares add up to what was asked for,
// whatever the numbers. Pure.
//
// Clients are numbered from 0. Agents get neighbouring clients, the first (clients mod agents)
// agents one more than the others. With more agents than clients the last agents get none.
//
//   ShareStatements(7, 4, 3);  // client shares 2 2 | 2 | 1
#ifndef DSLAP_CONTROLLER_PLAN_SHARES_H_
#define DSLAP_CONTROLLER_PLAN_SHARES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "controller/plan/plan.h"

namespace dslap {

// `statements` in all: the first (statements mod clients) clients execute one more than the others.
// With more clients than statements the last clients connect and execute none.
std::vector<AgentShare> ShareStatements(uint64_t statements, uint64_t clients, size_t agents);

// `statements_each` for every client. The product clients x statements_each must fit in 64 bits.
std::vector<AgentShare> ShareClients(uint64_t clients, uint64_t statements_each, size_t agents);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_SHARES_H_
