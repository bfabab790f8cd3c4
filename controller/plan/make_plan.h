// Options -> Plan: decides everything that a run will do before anything is touched. Pure.
//
//   ASSIGN_OR_RETURN(const Plan plan, MakePlan(options));
//
// The actions and their order are those of mysqlslap (docs/cli.md). The engine of a case is chosen
// as the program of --compat chooses it: Oracle's runs set default_storage_engine, and appends the
// entry's option to the generated CREATE TABLE only; MariaDB's appends engine and option to the
// first statement that creates the tables.
#ifndef DSLAP_CONTROLLER_PLAN_MAKE_PLAN_H_
#define DSLAP_CONTROLLER_PLAN_MAKE_PLAN_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "controller/options.h"
#include "controller/plan/plan.h"

namespace dslap {

// What fits into a message to an agent (docs/protocol.md), with room for what goes with it.
inline constexpr size_t kLongestStatementBytes = (size_t{64} << 20) - (size_t{64} << 10);

// INVALID_ARGUMENT, naming the option, when the run would have no statements, when SQL text cannot
// be split into statements, when a statement is longer than kLongestStatementBytes and is to be
// executed, or when a number is out of reach.
absl::StatusOr<Plan> MakePlan(const Options& options);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_MAKE_PLAN_H_
