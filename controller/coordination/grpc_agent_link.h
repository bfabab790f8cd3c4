// AgentLink over gRPC. One channel for each agent, not shared, so that one agent's reconnect
// back-off is nobody else's.
#ifndef DSLAP_CONTROLLER_COORDINATION_GRPC_AGENT_LINK_H_
#define DSLAP_CONTROLLER_COORDINATION_GRPC_AGENT_LINK_H_

#include <memory>
#include <string>
#include <vector>

#include "common/secret.h"
#include "controller/coordination/agent_link.h"

namespace grpc {
class Channel;
class ChannelCredentials;
}  // namespace grpc

namespace dslap {

// What the links to all agents have in common.
struct LinkSecurity {
  std::shared_ptr<grpc::ChannelCredentials> credentials;  // null: plain text
  Secret token;                                           // empty: none is sent

  bool tls() const { return credentials != nullptr; }
};

// Channel to "host:port". `server_name`: what the agent's certificate must bear instead of `host`;
// empty: that.
std::shared_ptr<grpc::Channel> MakeAgentChannel(const std::string& address,
                                                const LinkSecurity& security,
                                                const std::string& server_name = "");

class GrpcAgentLink final : public AgentLink {
 public:
  // `security`: what `channel` was made with.
  GrpcAgentLink(std::string name, std::shared_ptr<grpc::Channel> channel,
                LinkSecurity security = {});
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
  LinkSecurity security_;
  std::unique_ptr<Rpc> rpc_;
  std::vector<std::unique_ptr<InfoCall>> info_calls_;
  std::unique_ptr<RunStream> stream_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_GRPC_AGENT_LINK_H_
