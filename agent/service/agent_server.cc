#include "agent/service/agent_server.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/support/channel_arguments.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "agent/service/agent_service.h"
#include "agent/service/connection_gate.h"
#include "agent/service/grpc_log.h"
#include "agent/service/health_service.h"
#include "agent/service/host_info.h"
#include "agent/service/listen_address.h"
#include "agent/service/production_environment.h"
#include "agent/service/reflection_option.h"
#include "agent/service/refusal_log.h"
#include "agent/service/ticker.h"
#include "common/clock.h"
#include "common/status_util.h"

namespace dslap {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(100);

constexpr absl::Duration kLastWords = absl::Seconds(1);

// A stream whose peer is gone without a word ends by the lease; keepalive only clears away what is
// left of its connection.
constexpr int kKeepaliveTimeMs = 60'000;
constexpr int kKeepaliveTimeoutMs = 20'000;

// TLS and the first words of HTTP/2. A caller that is slow with all else is ended by the gate.
constexpr int kHandshakeTimeoutMs = 10'000;

// Connections without a run take two descriptors each, which are missing for clients.
constexpr uint64_t kDescriptorsPerUnused = 16;

void Configure(grpc::ServerBuilder* builder) {
  builder->SetMaxReceiveMessageSize(AgentServer::kMaxMessageBytes);
  builder->SetMaxSendMessageSize(AgentServer::kMaxMessageBytes);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder->AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeTimeoutMs);
  builder->AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, AgentServer::kMaxCallsPerConnection);
  grpc::ResourceQuota quota("dslap-agent");
  quota.Resize(AgentServer::kMaxBufferedBytes);
  builder->SetResourceQuota(quota);
}

using Acceptor = grpc::experimental::ExternalConnectionAcceptor;

// `acceptor` as what a gate hands connections to.
std::function<void(int)> HandOver(std::shared_ptr<Acceptor> acceptor, int listening_fd) {
  return [acceptor = std::move(acceptor), listening_fd](int fd) {
    Acceptor::NewConnectionParameters connection;
    connection.listener_fd = listening_fd;
    connection.fd = fd;
    acceptor->HandleNewConnection(&connection);
  };
}

}  // namespace

ConnectionLimits AgentServer::DefaultConnectionLimits() {
  ConnectionLimits limits;
  limits.most_unused = static_cast<size_t>(
      std::min<uint64_t>(limits.most_unused, OpenFilesLimit() / kDescriptorsPerUnused));
  return limits;
}

AgentServer::AgentServer() = default;

AgentServer::~AgentServer() {
  if (server_ == nullptr) return;
  Drain(absl::InfiniteDuration());
  // A stream may have come after the last look at them.
  gate_->Close();
  server_.reset();
  service_->AwaitStreamsEnd(absl::InfiniteDuration());
}

std::shared_ptr<grpc::Channel> AgentServer::InProcessChannel() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  return server_->InProcessChannel(arguments);
}

size_t AgentServer::Connections() const { return gate_->connections(); }

bool AgentServer::Drain(absl::Duration patience) {
  health_->StopServing();
  service_->Shut();
  if (!service_->AwaitRunEnd(patience)) return false;
  // The shutdown cuts streams: they get time to say why they end, if somebody listens.
  service_->AwaitStreamsEnd(kLastWords);
  health_->AwaitTold(kLastWords);
  // Before the server: gRPC would leave open what it is handed afterwards.
  gate_->Close();
  server_->Shutdown(std::chrono::system_clock::now());
  return true;
}

std::string AgentServer::Activity() const { return service_->Activity(); }

absl::Status AgentServer::CheckAlive(absl::Duration patience) {
  if (SteadyClock::Get()->Since(ticked_at_ns_) > patience) {
    return absl::DeadlineExceededError("the thread that sees to leases is stuck");
  }
  if (!gate_->Attended(patience)) {
    return absl::DeadlineExceededError("the thread that takes connections is stuck");
  }
  // Through gRPC's threads and the locks that every call takes.
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + patience));
  context.AddMetadata(kTokenMetadata, service_->own_authorization());
  v1::GetInfoResponse response;
  const grpc::Status answer =
      v1::Agent::NewStub(InProcessChannel())->GetInfo(&context, v1::GetInfoRequest(), &response);
  if (answer.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    return absl::DeadlineExceededError("a call is not answered");
  }
  // Too many calls at a time are a sign of life, too.
  if (answer.ok() || answer.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      absl::StrCat("this agent's own call fails: ", answer.error_message()));
}

absl::StatusOr<std::unique_ptr<AgentServer>> StartAgentServer(AgentServer::Options options) {
  FillInProduction(&options.environment);

  ListeningSocket listening{options.listening_fd, PortOf(options.listening_fd)};
  if (listening.fd < 0 && !options.listen_address.empty()) {
    ASSIGN_OR_RETURN(listening, ListenOn(options.listen_address));
  }
  std::unique_ptr<AgentServer> made(new AgentServer());
  made->refusals_ = std::make_unique<RefusalLog>(options.environment.clock);
  made->gate_ = std::make_unique<ConnectionGate>(
      options.connection_limits, SteadyClock::Get(), made->refusals_.get(),
      options.tls.used() ? GrpcLog::TakeTlsError : ConnectionGate::TakeTlsError());
  made->service_ = std::make_unique<AgentService>(
      std::move(options.environment),
      AgentService::Access{options.tls.certificate, options.token_file}, made->gate_.get(),
      made->refusals_.get());
  if (made->service_->own_authorization().empty()) {
    if (listening.fd >= 0) close(listening.fd);
    return absl::InternalError("OpenSSL has no random numbers for the agent's own calls");
  }
  made->health_ = std::make_unique<HealthService>(made->gate_.get());
  grpc::ServerBuilder builder;
  Configure(&builder);
  builder.SetOption(std::make_unique<ReflectionOption>(options.reflection));
  builder.RegisterService(made->service_.get());
  builder.RegisterService(made->health_.get());
  std::shared_ptr<Acceptor> acceptor;
  if (listening.fd >= 0) {
    acceptor = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
        options.tls.used() ? MakeServerCredentials(options.tls)
                           : grpc::InsecureServerCredentials());
  }
  made->server_ = builder.BuildAndStart();
  if (made->server_ == nullptr) {
    if (listening.fd >= 0) close(listening.fd);
    return absl::InternalError("gRPC does not start: GRPC_VERBOSITY=ERROR shows why");
  }
  if (acceptor != nullptr) {
    made->port_ = listening.port;
    made->address_ = AddressOf(listening.fd);
    made->gate_->Open(listening.fd, HandOver(std::move(acceptor), listening.fd));
  }
  made->ticked_at_ns_ = SteadyClock::Get()->NowNs();
  made->ticker_ = std::make_unique<Ticker>("leases", kTick, [server = made.get()] {
    server->service_->Tick();
    server->ticked_at_ns_ = SteadyClock::Get()->NowNs();
  });
  return made;
}

}  // namespace dslap
