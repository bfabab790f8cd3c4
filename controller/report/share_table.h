// --print-plan: who would run what. For each case the clients and statements of every agent, then
// what is done around the load of a round, by whom, and what becomes of the schema.
//
//   Case 1 of 2: innodb, 5 clients, 20 statements in each round
//     Agent       weight  clients  numbers  statements  of each
//     big:7527         3        4    1 - 4          16        4
//     small:7527       1        1        5           4        4
//     total                     5                   20
//
// Pure.
#ifndef DSLAP_CONTROLLER_REPORT_SHARE_TABLE_H_
#define DSLAP_CONTROLLER_REPORT_SHARE_TABLE_H_

#include <string>
#include <vector>

#include "controller/options.h"
#include "controller/plan/plan.h"

namespace dslap {

// `agents` as the run would have them, looked up; empty: the one inside dslap.
std::string FormatShares(const Plan& plan, const std::vector<AgentSpec>& agents);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_SHARE_TABLE_H_
