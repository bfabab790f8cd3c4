// AgentLink over gRPC. One channel for each agent, not shared, so that one agent's reconnect
// back-off is nobody else's.
#ifndef DSLAP_CONTROLLER_COORDINATION_GRPC_AGENT_LINK_H_
#define DSLAP_CONTROLLER_COORDINATION_GRPC_AGENT_LINK_H_

#include <memory>
#include <string>
#include <vector>

#include "controller/coordination/agent_link.h"

namespace grpc {
class Channel;
}  // namespace grpc

namespace dslap {

// Plain-text channel to "host:port".
std::shared_ptr<grpc::Channel> MakeInsecureChannel(const std::string& address);

class GrpcAgentLink final : public AgentLink {
 public:
  GrpcAgentLink(std::string name, std::shared_ptr<grpc::Channel> channel);
  ~GrpcAgentLink() override;

  const std::string& name() const override { return name_; }
  void GetInfo(absl::Duration timeout,
               std::function<void(absl::StatusOr<v1::GetInfoResponse>)> done) override;
  void OpenStream(Listener* listener) override;
  void Send(v1::RunRequest request) override;
  void Cancel() override;

 private:
  class InfoCall;
  class RunStream;
  struct Rpc;  // the stub; keeps gRPC's headers out of this one

  std::string name_;
  std::unique_ptr<Rpc> rpc_;
  std::vector<std::unique_ptr<InfoCall>> info_calls_;
  std::unique_ptr<RunStream> stream_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_GRPC_AGENT_LINK_H_
