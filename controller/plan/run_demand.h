// What a run will certainly ask of the server, for comparison with the server's limits. Pure.
//
//   const RunDemand demand = DemandOf(plan, agents);
#ifndef DSLAP_CONTROLLER_PLAN_RUN_DEMAND_H_
#define DSLAP_CONTROLLER_PLAN_RUN_DEMAND_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "controller/plan/plan.h"

namespace dslap {

// Lower bounds, but for the first two.
struct RunDemand {
  uint64_t clients = 0;      // of the largest case, connected at a time
  bool scripts_stay = true;  // the connection of the scripts stays beside them, see PrepareRound
  uint64_t statements = 0;   // of the whole run
  uint64_t updates = 0;      // of them, those that change data or schemata
  uint64_t connections = 0;  // made in the whole run
};

// `agents`: how many have clients of the largest case.
RunDemand DemandOf(const Plan& plan, size_t agents);

// Whether a statement is one of those that MAX_UPDATES_PER_HOUR counts, by its first word.
bool IsUpdate(absl::string_view statement);

// Whether a text is several statements to the server: something follows a ';'. True also for a ';'
// in a literal or in the body of a procedure.
bool MayHoldSeveral(absl::string_view text);

// Of what the clients of a plan send.
bool MayHoldSeveral(const Plan& plan);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_RUN_DEMAND_H_
