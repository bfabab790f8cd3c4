// grpc.health.v1 of a real server: by stubs, and by gRPC's own client that asks before it calls.
#include "agent/service/health_service.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "agent/service/agent_server.h"
#include "common/link_security.h"
#include "common/log.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "gmock/gmock.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "gtest/gtest.h"
#include "tests/support/link_certificates.h"

namespace dslap {
namespace {

using grpc::health::v1::Health;
using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

std::chrono::system_clock::time_point InTenSeconds() {
  return std::chrono::system_clock::now() + std::chrono::seconds(10);
}

HealthCheckRequest Of(const std::string& service) {
  HealthCheckRequest request;
  request.set_service(service);
  return request;
}

class HealthServiceTest : public testing::Test {
 protected:
  void Start(const std::string& token_file = "", ConnectionLimits limits = {}) {
    SetLogLevel(LogLevel::kOff);
    AgentServer::Options options;
    options.connection_limits = limits;
    options.listen_address = "127.0.0.1:0";
    options.token_file = token_file;
    absl::StatusOr<std::unique_ptr<AgentServer>> server = StartAgentServer(std::move(options));
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    channel_ = grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
  }

  // With a connection of its own.
  std::shared_ptr<grpc::Channel> NewChannel() const {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(server_->address(), grpc::InsecureChannelCredentials(),
                                     arguments);
  }

  grpc::Status GetInfo(const std::shared_ptr<grpc::Channel>& channel,
                       const std::string& token = "") {
    grpc::ClientContext context;
    context.set_deadline(InTenSeconds());
    if (!token.empty()) context.AddMetadata(kTokenMetadata, absl::StrCat(kTokenScheme, token));
    v1::GetInfoResponse info;
    return v1::Agent::NewStub(channel)->GetInfo(&context, {}, &info);
  }

  grpc::Status Check(const std::string& service, HealthCheckResponse* response) {
    grpc::ClientContext context;
    context.set_deadline(InTenSeconds());
    return Health::NewStub(channel_)->Check(&context, Of(service), response);
  }

  std::unique_ptr<AgentServer> server_;
  std::shared_ptr<grpc::Channel> channel_;
};

// One Watch, seen from outside.
class Watcher {
 public:
  Watcher(const std::shared_ptr<grpc::Channel>& channel, const std::string& service)
      : stub_(Health::NewStub(channel)) {
    context_.set_deadline(InTenSeconds());
    reader_ = stub_->Watch(&context_, Of(service));
  }
  // UNKNOWN: the stream ended.
  HealthCheckResponse::ServingStatus Next() {
    HealthCheckResponse response;
    return reader_->Read(&response) ? response.status() : HealthCheckResponse::UNKNOWN;
  }

 private:
  std::unique_ptr<Health::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<HealthCheckResponse>> reader_;
};

TEST_F(HealthServiceTest, AgentAndServerServe) {
  Start();
  for (const std::string service : {"", "dslap.v1.Agent"}) {
    HealthCheckResponse response;
    ASSERT_TRUE(Check(service, &response).ok());
    EXPECT_EQ(response.status(), HealthCheckResponse::SERVING) << service;
  }
  HealthCheckResponse response;
  EXPECT_EQ(Check("dslap.v1.Other", &response).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(HealthServiceTest, WatchersAreToldOfADrain) {
  Start();
  Watcher agent(channel_, "dslap.v1.Agent");
  Watcher whole(channel_, "");
  Watcher unknown(channel_, "dslap.v1.Other");
  EXPECT_EQ(agent.Next(), HealthCheckResponse::SERVING);
  EXPECT_EQ(whole.Next(), HealthCheckResponse::SERVING);
  EXPECT_EQ(unknown.Next(), HealthCheckResponse::SERVICE_UNKNOWN);
  EXPECT_TRUE(server_->Drain(absl::Seconds(10)));
  EXPECT_EQ(agent.Next(), HealthCheckResponse::NOT_SERVING);
  EXPECT_EQ(whole.Next(), HealthCheckResponse::NOT_SERVING);
  EXPECT_EQ(unknown.Next(), HealthCheckResponse::UNKNOWN) << "its stream ends without news";
}

TEST_F(HealthServiceTest, AskingTakesNoTokenAndLetsNobodyIn) {
  const LinkCertificates files;
  Start(files.File("token", "0123456789abcdef\n"));
  HealthCheckResponse response;
  EXPECT_TRUE(Check("", &response).ok());
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVING);
  grpc::ClientContext context;
  context.set_deadline(InTenSeconds());
  v1::GetInfoResponse info;
  EXPECT_EQ(v1::Agent::NewStub(channel_)->GetInfo(&context, {}, &info).error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

// Who asks all the time would have a connection for ever.
TEST_F(HealthServiceTest, WhoOnlyAsksIsEndedAsIfItHadNot) {
  Start("", {.longest_unused_ns = 1'000'000'000});
  HealthCheckResponse response;
  const absl::Time until = absl::Now() + absl::Seconds(30);
  while (server_->Refused(Refusal::kUnused) == 0 && absl::Now() < until) {
    (void)Check("", &response);
  }
  EXPECT_GE(server_->Refused(Refusal::kUnused), 1U);
}

// They count as connections without a run, and the newest of these was let go first.
TEST_F(HealthServiceTest, WatchersKeepNobodyOut) {
  const LinkCertificates files;
  Start(files.File("token", "0123456789abcdef\n"), {.most_unused = 16});
  std::vector<std::unique_ptr<Watcher>> strangers;
  for (int i = 0; i < 16; ++i) {
    strangers.push_back(std::make_unique<Watcher>(NewChannel(), i % 2 == 0 ? "" : "none such"));
    EXPECT_EQ(strangers.back()->Next(),
              i % 2 == 0 ? HealthCheckResponse::SERVING : HealthCheckResponse::SERVICE_UNKNOWN);
    const grpc::Status status = GetInfo(NewChannel(), "0123456789abcdef");
    EXPECT_TRUE(status.ok()) << i << ": " << status.error_message();
  }
  EXPECT_EQ(strangers.front()->Next(), HealthCheckResponse::UNKNOWN) << "the oldest had to go";
}

// A connection that watches is let in for that, and for nothing else.
TEST_F(HealthServiceTest, WatchersCallsTakeTheTokenAllTheSame) {
  const LinkCertificates files;
  Start(files.File("token", "0123456789abcdef\n"));
  Watcher watcher(channel_, "dslap.v1.Agent");
  EXPECT_EQ(watcher.Next(), HealthCheckResponse::SERVING);
  EXPECT_EQ(GetInfo(channel_).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  grpc::ClientContext context;
  context.set_deadline(InTenSeconds());
  const auto stub = v1::Agent::NewStub(channel_);
  const auto run = stub->Run(&context);
  v1::RunResponse response;
  EXPECT_FALSE(run->Read(&response));
  EXPECT_EQ(run->Finish().error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(server_->Refused(Refusal::kToken), 2U) << "health asks for none";
}

// A client of somebody else's: gRPC's own calls only servers that say SERVING.
TEST_F(HealthServiceTest, ClientThatChecksFirstGetsThrough) {
  Start();
  for (const auto& [service, gets_through] :
       std::vector<std::pair<std::string, bool>>{{"dslap.v1.Agent", true}, {"other", false}}) {
    grpc::ChannelArguments arguments;
    arguments.SetServiceConfigJSON(
        R"({"loadBalancingConfig":[{"round_robin":{}}],"healthCheckConfig":{"serviceName":")" +
        service + "\"}}");
    const std::shared_ptr<grpc::Channel> channel = grpc::CreateCustomChannel(
        server_->address(), grpc::InsecureChannelCredentials(), arguments);
    grpc::ClientContext context;
    context.set_deadline(InTenSeconds());
    v1::GetInfoResponse info;
    const grpc::Status status = v1::Agent::NewStub(channel)->GetInfo(&context, {}, &info);
    EXPECT_EQ(status.error_code(),
              gets_through ? grpc::StatusCode::OK : grpc::StatusCode::UNAVAILABLE)
        << service << ": " << status.error_message();
  }
}

}  // namespace
}  // namespace dslap
