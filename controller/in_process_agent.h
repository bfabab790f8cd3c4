// The agent that dslap starts inside its own process when no --agents are given: the same service,
// session and load engine as dslap-agent, reached through a channel without a socket. The one place
// where controller/ uses agent/.
//
//   ASSIGN_OR_RETURN(std::unique_ptr<InProcessAgent> agent, InProcessAgent::Start());
//   GrpcAgentLink link(kInProcessAgentName, agent->Channel());
#ifndef DSLAP_CONTROLLER_IN_PROCESS_AGENT_H_
#define DSLAP_CONTROLLER_IN_PROCESS_AGENT_H_

#include <memory>

#include "absl/status/statusor.h"

namespace grpc {
class Channel;
}  // namespace grpc

namespace dslap {

class AgentServer;

// Thread-safe. Must outlive every link on its channel; the destructor ends a run that is going on.
class InProcessAgent {
 public:
  static absl::StatusOr<std::unique_ptr<InProcessAgent>> Start();
  ~InProcessAgent();

  std::shared_ptr<grpc::Channel> Channel();

 private:
  explicit InProcessAgent(std::unique_ptr<AgentServer> server);

  std::unique_ptr<AgentServer> server_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_IN_PROCESS_AGENT_H_
