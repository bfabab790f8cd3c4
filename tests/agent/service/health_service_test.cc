// grpc.health.v1 of a real server: by stubs, and by gRPC's own client that asks before it calls.
#include "agent/service/health_service.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agent/service/agent_server.h"
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
  void Start(const std::string& token_file = "") {
    SetLogLevel(LogLevel::kOff);
    AgentServer::Options options;
    options.listen_address = "127.0.0.1:0";
    options.token_file = token_file;
    absl::StatusOr<std::unique_ptr<AgentServer>> server = StartAgentServer(std::move(options));
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    channel_ = grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
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
