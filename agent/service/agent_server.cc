#include "agent/service/agent_server.h"

#include <grpcpp/channel.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/support/channel_arguments.h>

#include <chrono>
#include <utility>

#include "agent/service/agent_service.h"
#include "agent/service/host_info.h"
#include "agent/service/listen_address.h"
#include "agent/service/ticker.h"

namespace dslap {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(100);

// A stream whose peer is gone without a word ends by the lease; keepalive only clears away what is
// left of its connection.
constexpr int kKeepaliveTimeMs = 60'000;
constexpr int kKeepaliveTimeoutMs = 20'000;

void Configure(grpc::ServerBuilder* builder) {
  builder->SetMaxReceiveMessageSize(AgentServer::kMaxMessageBytes);
  builder->SetMaxSendMessageSize(AgentServer::kMaxMessageBytes);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  // gRPC's default lets two agents share a port, each getting some of the connections.
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
}

}  // namespace

AgentServer::AgentServer() = default;

AgentServer::~AgentServer() {
  if (server_ == nullptr) return;
  Drain(absl::ZeroDuration());
  server_.reset();
  // The ticker goes on until then: it cuts what does not end by itself.
  service_->AwaitStreamsEnd();
}

std::shared_ptr<grpc::Channel> AgentServer::InProcessChannel() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  return server_->InProcessChannel(arguments);
}

void AgentServer::Drain(absl::Duration patience) {
  service_->Shut();
  server_->Shutdown(std::chrono::system_clock::now() + absl::ToChronoMilliseconds(patience));
}

absl::StatusOr<std::unique_ptr<AgentServer>> StartAgentServer(AgentServer::Options options) {
  const HostInfo host = ReadHostInfo();
  options.environment.hostname = host.hostname;
  options.environment.cores = host.cores;

  std::unique_ptr<AgentServer> made(new AgentServer());
  made->service_ = std::make_unique<AgentService>(std::move(options.environment));
  grpc::ServerBuilder builder;
  Configure(&builder);
  builder.RegisterService(made->service_.get());
  if (!options.listen_address.empty()) {
    builder.AddListeningPort(options.listen_address, grpc::InsecureServerCredentials(),
                             &made->port_);
  }
  made->server_ = builder.BuildAndStart();
  if (made->server_ == nullptr) {
    return ExplainListenFailure(options.listen_address);
  }
  made->ticker_ =
      std::make_unique<Ticker>(kTick, [service = made->service_.get()] { service->Tick(); });
  return made;
}

}  // namespace dslap
