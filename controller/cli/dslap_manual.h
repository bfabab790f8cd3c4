// The command line of dslap as its manual page and its completion show it.
#ifndef DSLAP_CONTROLLER_CLI_DSLAP_MANUAL_H_
#define DSLAP_CONTROLLER_CLI_DSLAP_MANUAL_H_

#include "common/manual/option_entry.h"

namespace dslap {

ProgramManual DslapManual();

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_DSLAP_MANUAL_H_
