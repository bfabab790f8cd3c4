// GrpcAgentLink against a small service of the test's own, over real sockets on loopback.
#include "controller/coordination/grpc_agent_link.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/version.h"
#include "dslap/v1/agent.grpc.pb.h"

namespace dslap {
namespace {

constexpr absl::Duration kBound = absl::Seconds(30);

// Opened for Open; a heartbeat's ack; at Close the stream ends; run_id "break" ends with DATA_LOSS.
class EchoService final : public v1::Agent::Service {
 public:
  grpc::Status GetInfo(grpc::ServerContext* context, const v1::GetInfoRequest* request,
                       v1::GetInfoResponse* response) override {
    if (silent) {
      while (!context->IsCancelled()) std::this_thread::yield();
    }
    response->set_hostname("echo");
    *response->mutable_protocol() = request->protocol();
    response->set_build(request->build());
    return grpc::Status::OK;
  }

  grpc::Status Run(grpc::ServerContext* context,
                   grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>* stream) override {
    v1::RunRequest request;
    while (stream->Read(&request)) {
      v1::RunResponse response;
      if (request.open().run_id() == "break") {
        return grpc::Status(grpc::StatusCode::DATA_LOSS, "broken on purpose");
      }
      if (request.has_open()) response.mutable_opened()->set_hostname(request.open().run_id());
      if (request.has_heartbeat()) {
        response.mutable_heartbeat_ack()->set_sequence(request.heartbeat().sequence());
      }
      if (request.has_close()) return grpc::Status::OK;
      stream->Write(response);
    }
    cancelled = context->IsCancelled();
    ended.Notify();
    return grpc::Status::OK;
  }

  std::atomic<bool> silent = false;
  bool cancelled = false;
  absl::Notification ended;
};

class Recorder final : public AgentLink::Listener {
 public:
  void OnResponse(v1::RunResponse response, int64_t received_at_ns) override {
    absl::MutexLock lock(&mu_);
    responses_.push_back(std::move(response));
    EXPECT_GT(received_at_ns, 0);
  }
  void OnClosed(absl::Status status) override {
    absl::MutexLock lock(&mu_);
    EXPECT_FALSE(closed_) << "closed twice";
    closed_ = true;
    status_ = std::move(status);
  }
  std::vector<v1::RunResponse> AwaitResponses(size_t count) {
    absl::MutexLock lock(&mu_);
    const auto enough = [&] { return responses_.size() >= count; };
    EXPECT_TRUE(mu_.AwaitWithTimeout(absl::Condition(&enough), kBound));
    return responses_;
  }
  absl::Status AwaitClosed() {
    absl::MutexLock lock(&mu_);
    EXPECT_TRUE(mu_.AwaitWithTimeout(absl::Condition(&closed_), kBound));
    return status_;
  }

 private:
  absl::Mutex mu_;
  std::vector<v1::RunResponse> responses_;
  bool closed_ = false;
  absl::Status status_;
};

v1::RunRequest OpenRequest(const std::string& run_id) {
  v1::RunRequest request;
  request.mutable_open()->set_run_id(run_id);
  return request;
}

class GrpcAgentLinkTest : public testing::Test {
 protected:
  GrpcAgentLinkTest() {
    grpc::ServerBuilder builder;
    builder.SetMaxReceiveMessageSize(64 << 20);
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    address_ = absl::StrCat("127.0.0.1:", port_);
    link_ = std::make_unique<GrpcAgentLink>(address_, MakeAgentChannel(address_, {}));
  }
  ~GrpcAgentLinkTest() override {
    link_.reset();
    server_->Shutdown(std::chrono::system_clock::now());
  }

  absl::StatusOr<v1::GetInfoResponse> AskInfo(AgentLink& link, absl::Duration timeout) {
    absl::StatusOr<v1::GetInfoResponse> answer;
    absl::Notification done;
    link.GetInfo(timeout, [&](absl::StatusOr<v1::GetInfoResponse> info) {
      answer = std::move(info);
      done.Notify();
    });
    EXPECT_TRUE(done.WaitForNotificationWithTimeout(kBound));
    return answer;
  }

  EchoService service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
  Recorder recorder_;  // outlives the link
  std::unique_ptr<GrpcAgentLink> link_;
};

TEST_F(GrpcAgentLinkTest, GetInfoCarriesOurVersionAndBringsTheAnswer) {
  const absl::StatusOr<v1::GetInfoResponse> info = AskInfo(*link_, absl::Seconds(10));
  ASSERT_EQ(info.status(), absl::OkStatus());
  EXPECT_EQ(info->hostname(), "echo");
  EXPECT_EQ(info->protocol().major(), kProtocolMajor);
  EXPECT_EQ(info->build(), BuildVersion());
}

TEST_F(GrpcAgentLinkTest, RefusedPortIsSaidInWordsOfTheSystem) {
  link_.reset();
  server_->Shutdown(std::chrono::system_clock::now());
  GrpcAgentLink link(address_, MakeAgentChannel(address_, {}));
  const absl::Status status = AskInfo(link, absl::Seconds(10)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), "connect: Connection refused (is dslap-agent running there?)");
}

TEST_F(GrpcAgentLinkTest, SilentAgentIsADeadline) {
  service_.silent = true;
  const absl::Time asked = absl::Now();
  const absl::Status status = AskInfo(*link_, absl::Milliseconds(200)).status();
  // Bounds below a second were no wait at all.
  EXPECT_GE(absl::Now() - asked, absl::Milliseconds(150));
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(status.message(), "no answer within 200ms");
}

// The last reference to the channel, dropped on a thread of gRPC's own, brought the process down.
TEST_F(GrpcAgentLinkTest, DestructionWaitsForTheCallbackOfGetInfo) {
  absl::Notification answered;
  absl::Notification destroyed;
  bool destroyed_meanwhile = false;
  link_->GetInfo(absl::Seconds(10), [&](const absl::StatusOr<v1::GetInfoResponse>&) {
    answered.Notify();
    destroyed_meanwhile = destroyed.WaitForNotificationWithTimeout(absl::Milliseconds(100));
  });
  ASSERT_TRUE(answered.WaitForNotificationWithTimeout(kBound));
  link_.reset();
  destroyed.Notify();
  EXPECT_FALSE(destroyed_meanwhile);
}

TEST_F(GrpcAgentLinkTest, UnknownHostIsSaidSo) {
  GrpcAgentLink link("no-such-host.invalid:1", MakeAgentChannel("no-such-host.invalid:1", {}));
  const absl::Status status = AskInfo(link, absl::Seconds(10)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), "the host name cannot be resolved");
}

TEST_F(GrpcAgentLinkTest, MessagesGoAndComeInOrderAndTheStreamEndsOk) {
  link_->OpenStream(&recorder_);
  link_->Send(OpenRequest("run-7"));
  for (uint64_t i = 1; i <= 200; ++i) {
    v1::RunRequest request;
    request.mutable_heartbeat()->set_sequence(i);
    link_->Send(std::move(request));
  }
  const std::vector<v1::RunResponse> responses = recorder_.AwaitResponses(201);
  EXPECT_EQ(responses[0].opened().hostname(), "run-7");
  for (uint64_t i = 1; i <= 200; ++i) EXPECT_EQ(responses[i].heartbeat_ack().sequence(), i);
  v1::RunRequest close;
  close.mutable_close();
  link_->Send(std::move(close));
  EXPECT_EQ(recorder_.AwaitClosed(), absl::OkStatus());
  link_->Send(OpenRequest("too late"));  // dropped, no crash
}

TEST_F(GrpcAgentLinkTest, CodeAndMessageOfTheAgentAreKept) {
  link_->OpenStream(&recorder_);
  link_->Send(OpenRequest("break"));
  EXPECT_EQ(recorder_.AwaitClosed(), absl::DataLossError("broken on purpose"));
}

TEST_F(GrpcAgentLinkTest, CancelEndsBothSides) {
  link_->OpenStream(&recorder_);
  link_->Send(OpenRequest("run-8"));
  recorder_.AwaitResponses(1);
  link_->Cancel();
  EXPECT_EQ(recorder_.AwaitClosed().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(service_.ended.WaitForNotificationWithTimeout(kBound));
  EXPECT_TRUE(service_.cancelled);
}

TEST_F(GrpcAgentLinkTest, DestructionInTheMiddleOfAStreamWaitsForItsEnd) {
  link_->OpenStream(&recorder_);
  link_->Send(OpenRequest("run-9"));
  link_.reset();
  EXPECT_EQ(recorder_.AwaitClosed().code(), absl::StatusCode::kCancelled);
}

TEST_F(GrpcAgentLinkTest, LargeMessagePasses) {
  link_->OpenStream(&recorder_);
  link_->Send(OpenRequest(std::string(size_t{20} << 20, 'x')));
  EXPECT_EQ(recorder_.AwaitResponses(1)[0].opened().hostname().size(), size_t{20} << 20);
}

}  // namespace
}  // namespace dslap
