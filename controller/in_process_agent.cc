#include "controller/in_process_agent.h"

#include <utility>

#include "agent/service/agent_server.h"
#include "agent/service/host_info.h"
#include "common/status_util.h"

namespace dslap {

absl::StatusOr<std::unique_ptr<InProcessAgent>> InProcessAgent::Start() {
  RaiseOpenFilesLimit();
  ASSIGN_OR_RETURN(std::unique_ptr<AgentServer> server, StartAgentServer(AgentServer::Options{}));
  return std::unique_ptr<InProcessAgent>(new InProcessAgent(std::move(server)));
}

InProcessAgent::InProcessAgent(std::unique_ptr<AgentServer> server) : server_(std::move(server)) {}

InProcessAgent::~InProcessAgent() = default;

std::shared_ptr<grpc::Channel> InProcessAgent::Channel() { return server_->InProcessChannel(); }

}  // namespace dslap
