// Callers that are slow after the handshake, of which gRPC itself would never get rid: a server
// with short bounds ends them, and lets others through meanwhile.
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
#include "common/log.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "gmock/gmock.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "gtest/gtest.h"
#include "tests/support/http2_bytes.h"
#include "tests/support/raw_socket.h"

namespace dslap {
namespace {

constexpr absl::Duration kBound = absl::Seconds(1);

class SlowCallersTest : public testing::Test {
 protected:
  SlowCallersTest() {
    SetLogLevel(LogLevel::kOff);
    AgentServer::Options options;
    options.listen_address = "127.0.0.1:0";
    options.connection_limits.longest_unused_ns = absl::ToInt64Nanoseconds(kBound);
    server_ = StartAgentServer(std::move(options)).value();
    channel_ = grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
  }

  std::string Begin() const {
    return absl::StrCat(kHttp2Preface, Http2Frame(kHttp2Settings, 0, 0, ""));
  }

  // Says `at_once`, then a byte of `slowly` each twentieth of a second, over and over.
  void ExpectEnded(const std::string& at_once, const std::string& slowly) const {
    const uint64_t ended_before = server_->Refused(Refusal::kUnused);
    RawSocket socket(server_->address());
    socket.Send(at_once);
    const absl::Time begun = absl::Now();
    size_t said = 0;
    while (!socket.AwaitEnd(absl::Milliseconds(50))) {
      ASSERT_LT(absl::Now() - begun, kBound + absl::Seconds(10));
      if (!slowly.empty()) socket.Send(slowly.substr(said++ % slowly.size(), 1));
    }
    EXPECT_GE(absl::Now() - begun, kBound - absl::Milliseconds(100));
    EXPECT_GE(server_->Refused(Refusal::kUnused), ended_before + 1) << "gRPC ended it";
  }

  grpc::Status GetInfo() const {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    v1::GetInfoResponse info;
    return v1::Agent::NewStub(channel_)->GetInfo(&context, {}, &info);
  }

  std::unique_ptr<AgentServer> server_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(SlowCallersTest, NothingAfterTheSettings) { ExpectEnded(Begin(), ""); }

// Each of them a whole frame, so that gRPC sees a connection that lives.
TEST_F(SlowCallersTest, PingsAndNothingElse) {
  ExpectEnded(Begin(), Http2Frame(kHttp2Ping, 0, 0, "12345678"));
}

TEST_F(SlowCallersTest, HeadersThatDoNotEnd) {
  const std::string headers = GrpcHeaders("/dslap.v1.Agent/GetInfo");
  const std::string frame = Http2Frame(kHttp2Headers, kHttp2EndHeaders, 1,
                                       absl::StrCat(headers, std::string(1000, '\0')));
  ExpectEnded(absl::StrCat(Begin(), frame.substr(0, 9)), headers);
}

TEST_F(SlowCallersTest, MessageThatDoesNotEnd) {
  ExpectEnded(absl::StrCat(Begin(), Http2Frame(kHttp2Headers, kHttp2EndHeaders, 1,
                                               GrpcHeaders("/dslap.v1.Agent/GetInfo"))),
              Http2Frame(kHttp2Data, 0, 1, "x"));
}

TEST_F(SlowCallersTest, RunWhoseOpenDoesNotEnd) {
  ExpectEnded(absl::StrCat(Begin(), Http2Frame(kHttp2Headers, kHttp2EndHeaders, 1,
                                               GrpcHeaders("/dslap.v1.Agent/Run"))),
              Http2Frame(kHttp2Data, 0, 1, "x"));
}

TEST_F(SlowCallersTest, OthersGetThroughAndWatchersStay) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
  const auto health = grpc::health::v1::Health::NewStub(channel_);
  const auto watch = health->Watch(&context, {});
  grpc::health::v1::HealthCheckResponse response;
  ASSERT_TRUE(watch->Read(&response));
  ExpectEnded(Begin(), "");
  EXPECT_TRUE(GetInfo().ok());
  ExpectEnded(Begin(), "");
  EXPECT_TRUE(server_->Drain(absl::Seconds(5)));
  EXPECT_TRUE(watch->Read(&response)) << "it was still there";
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::NOT_SERVING);
}

TEST_F(SlowCallersTest, ConnectionThatWasEndedComesBackWithTheNextCall) {
  EXPECT_TRUE(GetInfo().ok());
  // Until this side has noticed: a call that is on its way just then would fail.
  EXPECT_TRUE(channel_->WaitForStateChange(
      GRPC_CHANNEL_READY, std::chrono::system_clock::now() + std::chrono::seconds(10)));
  EXPECT_TRUE(GetInfo().ok());
}

}  // namespace
}  // namespace dslap
