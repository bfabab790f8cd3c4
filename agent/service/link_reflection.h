// Gets gRPC's library for server reflection linked. A program that does can let its servers tell
// what they serve: AgentServer::Options::reflection.
#ifndef DSLAP_AGENT_SERVICE_LINK_REFLECTION_H_
#define DSLAP_AGENT_SERVICE_LINK_REFLECTION_H_

namespace dslap {

// Before the first server is started.
void LinkReflection();

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_LINK_REFLECTION_H_
