// Names of agents that mean something.
#ifndef DSLAP_CONTROLLER_COORDINATION_AGENT_NAMES_H_
#define DSLAP_CONTROLLER_COORDINATION_AGENT_NAMES_H_

namespace dslap {

// The agent inside this process (controller/in_process_agent.h), which has no address.
inline constexpr char kInProcessAgentName[] = "in-process";

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_AGENT_NAMES_H_
