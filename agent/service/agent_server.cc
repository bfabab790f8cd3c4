#include "agent/service/agent_server.h"

#include <grpcpp/channel.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/support/channel_arguments.h>

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/service/agent_service.h"
#include "agent/service/listen_address.h"
#include "agent/service/production_environment.h"
#include "agent/service/ticker.h"

namespace dslap {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(100);

constexpr absl::Duration kLastWords = absl::Seconds(1);

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
  Drain(absl::InfiniteDuration());
  // A stream may have come after the last look at them.
  server_.reset();
  service_->AwaitStreamsEnd(absl::InfiniteDuration());
}

std::shared_ptr<grpc::Channel> AgentServer::InProcessChannel() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  return server_->InProcessChannel(arguments);
}

bool AgentServer::Drain(absl::Duration patience) {
  service_->Shut();
  if (!service_->AwaitRunEnd(patience)) return false;
  // The shutdown cuts streams: they get time to say why they end, if somebody listens.
  service_->AwaitStreamsEnd(kLastWords);
  server_->Shutdown(std::chrono::system_clock::now());
  return true;
}

absl::StatusOr<std::unique_ptr<AgentServer>> StartAgentServer(AgentServer::Options options) {
  FillInProduction(&options.environment);

  std::unique_ptr<AgentServer> made(new AgentServer());
  made->service_ = std::make_unique<AgentService>(
      std::move(options.environment),
      AgentService::Access{options.tls.certificate, options.token_file});
  grpc::ServerBuilder builder;
  Configure(&builder);
  builder.RegisterService(made->service_.get());
  if (!options.listen_address.empty()) {
    builder.AddListeningPort(
        options.listen_address,
        options.tls.used() ? MakeServerCredentials(options.tls) : grpc::InsecureServerCredentials(),
        &made->port_);
  }
  made->server_ = builder.BuildAndStart();
  if (made->server_ == nullptr) {
    return ExplainListenFailure(options.listen_address);
  }
  if (made->port_ != 0) {
    const size_t colon = options.listen_address.rfind(':');
    made->address_ = absl::StrCat(options.listen_address.substr(0, colon), ":", made->port_);
  }
  made->ticker_ =
      std::make_unique<Ticker>(kTick, [service = made->service_.get()] { service->Tick(); });
  return made;
}

}  // namespace dslap
