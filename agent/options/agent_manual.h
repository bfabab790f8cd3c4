// The command line of dslap-agent as its manual pages and its completion show it. Pure.
#ifndef DSLAP_AGENT_OPTIONS_AGENT_MANUAL_H_
#define DSLAP_AGENT_OPTIONS_AGENT_MANUAL_H_

#include "common/manual/option_entry.h"

namespace dslap {

ProgramManual AgentManual();

}  // namespace dslap

#endif  // DSLAP_AGENT_OPTIONS_AGENT_MANUAL_H_
