// gRPC messages to a real agent that no controller sends: too large, too many at a time, and real
// ones with bytes changed at random.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/grpc_status.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/e2e/hostile_target.h"
#include "tests/fakes/run_requests.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

std::chrono::system_clock::time_point In(int seconds) {
  return std::chrono::system_clock::now() + std::chrono::seconds(seconds);
}

std::shared_ptr<grpc::Channel> ChannelTo(const HostileTarget& target) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxSendMessageSize(-1);
  return grpc::CreateCustomChannel(target.address(), grpc::InsecureChannelCredentials(), arguments);
}

class OneStream {
 public:
  explicit OneStream(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(v1::Agent::NewStub(channel)) {
    context_.set_deadline(In(30));
    stream_ = stub_->Run(&context_);
  }
  void Send(const v1::RunRequest& request) { stream_->Write(request); }
  bool Opened() {
    v1::RunResponse response;
    return stream_->Read(&response) && response.has_opened();
  }
  absl::Status End() {
    v1::RunResponse response;
    while (stream_->Read(&response)) {
    }
    return FromGrpcStatus(stream_->Finish());
  }
  void Close() {
    v1::RunRequest request;
    request.mutable_close();
    Send(request);
  }

 private:
  std::unique_ptr<v1::Agent::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::RunRequest, v1::RunResponse>> stream_;
};

TEST(HostileMessagesTest, LargerThan64MiB) {
  HostileTarget target;
  ASSERT_TRUE(target.Start());
  for (int i = 0; i < 3; ++i) {
    OneStream stream(ChannelTo(target));
    v1::RunRequest request = OpenRequest("r1");
    request.mutable_open()->set_build(std::string(65 << 20, 'x'));
    stream.Send(request);
    const absl::Status status = stream.End();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_LE(target.Figures().rss_bytes, int64_t{256} << 20);
  }
  target.ExpectUnharmed(2);
}

TEST(HostileMessagesTest, ManyOpensAtOnce) {
  HostileTarget target;
  ASSERT_TRUE(target.Start());
  std::vector<std::unique_ptr<OneStream>> streams;
  for (int i = 0; i < 10; ++i) {
    const std::shared_ptr<grpc::Channel> channel = ChannelTo(target);
    for (int j = 0; j < 30; ++j) {
      streams.push_back(std::make_unique<OneStream>(channel));
      streams.back()->Send(OpenRequest(absl::StrCat("r", i, "-", j)));
    }
  }
  int opened = 0;
  int busy = 0;
  for (const auto& stream : streams) {
    if (stream->Opened()) {
      ++opened;
      stream->Close();
      EXPECT_EQ(stream->End(), absl::OkStatus());
    } else {
      const absl::Status status = stream->End();
      EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
      EXPECT_TRUE(absl::StrContains(status.message(), "agent is busy with run r")) << status;
      ++busy;
    }
  }
  EXPECT_GE(opened, 1);
  EXPECT_TRUE(target.AwaitRefused("run", busy));
  streams.clear();
  target.ExpectUnharmed(2);
}

// Streams of raw messages, one after another.
class RawStreams {
 public:
  explicit RawStreams(const std::shared_ptr<grpc::Channel>& channel) : stub_(channel) {}

  // Sends all and hangs up; the stream's status.
  absl::Status Send(const std::vector<std::string>& messages) {
    grpc::ClientContext context;
    context.set_deadline(In(15));
    const auto call = stub_.PrepareCall(&context, "/dslap.v1.Agent/Run", &queue_);
    call->StartCall(&queue_);
    bool ok = Next();
    for (const std::string& message : messages) {
      if (!ok) break;
      const grpc::Slice slice(message);
      call->Write(grpc::ByteBuffer(&slice, 1), &queue_);
      ok = Next();
    }
    call->WritesDone(&queue_);
    Next();
    do {
      grpc::ByteBuffer answer;
      call->Read(&answer, &queue_);
      ok = Next();
    } while (ok);
    grpc::Status status;
    call->Finish(&status, &queue_);
    Next();
    return FromGrpcStatus(status);
  }

 private:
  bool Next() {
    void* tag = nullptr;
    bool ok = false;
    queue_.Next(&tag, &ok);
    return ok;
  }

  grpc::GenericStub stub_;
  grpc::CompletionQueue queue_;
};

std::vector<std::string> MessagesOfARun() {
  v1::RunRequest open = OpenRequest("fuzz");
  // There is no database: connecting fails at once.
  open.mutable_open()->mutable_target()->set_host("");
  open.mutable_open()->mutable_target()->set_socket("/no/such/socket");
  open.mutable_open()->mutable_target()->set_connect_timeout_ns(1'000'000'000);
  std::vector<std::string> messages;
  for (const v1::RunRequest& request :
       {open, ChunkRequest({"select 1", "select 2"}), ScriptRequestOf(1, {"select 3"}),
        PrepareRequest(1), StartRequest(1)}) {
    messages.push_back(request.SerializeAsString());
  }
  return messages;
}

// Changes, removes, repeats and adds a few bytes, in one of the messages.
void Mutate(std::mt19937* random, std::vector<std::string>* messages) {
  std::string& message = (*messages)[(*random)() % messages->size()];
  for (uint32_t changes = 1 + (*random)() % 4; changes > 0 && !message.empty(); --changes) {
    const size_t at = (*random)() % message.size();
    switch ((*random)() % 4) {
      case 0:
        message[at] = static_cast<char>((*random)());
        break;
      case 1:
        message.erase(at, 1 + (*random)() % 8);
        break;
      case 2:
        message.insert(at, message.substr(at, 1 + (*random)() % 16));
        break;
      default:
        message[at] = static_cast<char>(message[at] ^ (1 << (*random)() % 8));
    }
  }
}

TEST(HostileMessagesTest, RunsWithBytesChangedAtRandom) {
  HostileTarget target;
  ASSERT_TRUE(target.Start());
  auto streams = std::make_unique<RawStreams>(ChannelTo(target));
  const uint32_t seed = 20261201;
  std::mt19937 random(seed);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::string> messages = MessagesOfARun();
    Mutate(&random, &messages);
    const absl::Time begun = absl::Now();
    const absl::Status status = streams->Send(messages);
    // It ends soon, by a word of the agent, whatever that is.
    ASSERT_NE(status.code(), absl::StatusCode::kUnavailable) << "mutation " << i << ": " << status;
    ASSERT_LT(absl::Now() - begun, absl::Seconds(14)) << "mutation " << i << ": " << status;
    ASSERT_FALSE(target.agent().process().exit_code().has_value()) << "mutation " << i;
  }
  streams.reset();
  target.ExpectUnharmed(4);
}

}  // namespace
}  // namespace dslap
