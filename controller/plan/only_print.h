// --only-print: what a run would send, without connecting to anything. With one client the output
// equals that of mysqlslap --only-print, byte for byte, but for the faults that are not repeated
// (docs/cli.md). Pure.
//
// With several clients mysqlslap's threads print as they get their turn, so no order is right; here
// client 0 prints all its statements, then client 1, and so on over all agents. The key of a keyed
// statement, known only at run time, is printed as mysqlslap's stand-in for it.
#ifndef DSLAP_CONTROLLER_PLAN_ONLY_PRINT_H_
#define DSLAP_CONTROLLER_PLAN_ONLY_PRINT_H_

#include <ostream>

#include "controller/plan/plan.h"

namespace dslap {

// Each statement on its own line with ";" after it, and with a `verbosity` of 2 or more the stages
// (plan/stages.h) between them. Check `out` for success.
void PrintPlan(const Plan& plan, int verbosity, std::ostream& out);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_ONLY_PRINT_H_
