// `dslap agents`: asks all agents at once and prints the table.
#ifndef DSLAP_CONTROLLER_AGENTS_COMMAND_H_
#define DSLAP_CONTROLLER_AGENTS_COMMAND_H_

#include "controller/exit_code.h"
#include "controller/options.h"

namespace dslap {

ExitCode ShowAgents(const Options& options);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_AGENTS_COMMAND_H_
