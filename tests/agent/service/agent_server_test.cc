// The agent over real gRPC, in-process and by a socket, with fakes for database and engine.
#include "agent/service/agent_server.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "agent/service/run_reactor.h"
#include "common/grpc_status.h"
#include "common/log.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_database.h"
#include "tests/fakes/fake_load_engine.h"
#include "tests/fakes/run_requests.h"

namespace dslap {
namespace {

using testing::HasSubstr;

// One Run stream, seen from the controller's side. Every wait ends after 30 s at the latest.
class Stream {
 public:
  explicit Stream(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(v1::Agent::NewStub(channel)) {
    context_.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    stream_ = stub_->Run(&context_);
  }
  ~Stream() {
    if (stream_ == nullptr) return;
    context_.TryCancel();
    (void)End();
  }

  bool Send(const v1::RunRequest& request) { return stream_->Write(request); }

  // Empty when the stream ended.
  v1::RunResponse Next() {
    v1::RunResponse response;
    if (!stream_->Read(&response)) response.Clear();
    return response;
  }

  v1::RunResponse Call(const v1::RunRequest& request) {
    Send(request);
    return Next();
  }

  // Passes over what was still sent.
  absl::Status End() {
    v1::RunResponse response;
    while (stream_->Read(&response)) {
    }
    absl::Status status = FromGrpcStatus(stream_->Finish());
    stream_.reset();
    return status;
  }

  void HalfClose() { stream_->WritesDone(); }
  void Cancel() { context_.TryCancel(); }

 private:
  std::unique_ptr<v1::Agent::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::RunRequest, v1::RunResponse>> stream_;
};

class AgentServerTest : public testing::Test {
 protected:
  AgentServerTest() {
    SetLogLevel(LogLevel::kOff);
    server_ = Start("");
    channel_ = server_->InProcessChannel();
  }

  ~AgentServerTest() override { server_.reset(); }

  std::unique_ptr<AgentServer> Start(const std::string& address) {
    AgentServer::Options options;
    options.listen_address = address;
    options.environment.clock = &clock_;
    options.environment.make_connections = [this](const SqlTarget&) {
      return database_.MakeFactory();
    };
    options.environment.make_engine =
        [this](const EngineOptions&, const std::shared_ptr<SqlConnectionFactory>&,
               Clock*) -> absl::StatusOr<std::unique_ptr<LoadEngine>> {
      return std::make_unique<FakeLoadEngine>(&engine_, &clock_);
    };
    options.environment.read_cpu = [] { return CpuUse{}; };
    absl::StatusOr<std::unique_ptr<AgentServer>> server = StartAgentServer(std::move(options));
    EXPECT_TRUE(server.ok()) << server.status();
    return *std::move(server);
  }

  // In-process streams are cut by the server's shutdown when they have not been read to their end.
  void ListenOnASocket() {
    server_ = Start("127.0.0.1:0");
    channel_ = grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
  }

  v1::GetInfoResponse Info() {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    v1::GetInfoResponse response;
    const grpc::Status status =
        v1::Agent::NewStub(channel_)->GetInfo(&context, v1::GetInfoRequest(), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  // A stream with an open run and a list of one statement.
  std::unique_ptr<Stream> OpenRun(const std::string& run_id) {
    auto stream = std::make_unique<Stream>(channel_);
    EXPECT_TRUE(stream->Call(OpenRequest(run_id)).has_opened());
    EXPECT_TRUE(stream->Call(ChunkRequest({"SELECT 1"})).has_statements_accepted());
    return stream;
  }

  std::unique_ptr<Stream> OpenRunningRun(const std::string& run_id) {
    engine_.HoldRun();
    std::unique_ptr<Stream> stream = OpenRun(run_id);
    EXPECT_TRUE(stream->Call(PrepareRequest(1)).has_round_ready());
    EXPECT_TRUE(stream->Call(StartRequest(1)).has_round_started());
    return stream;
  }

  // Lets 10 s pass again and again: it cannot be seen from here when the agent's session begins.
  absl::Status EndAsTimePasses(Stream* stream) {
    std::atomic<bool> ended = false;
    std::thread time([&] {
      while (!ended) {
        clock_.Advance(absl::Seconds(10));
        absl::SleepFor(absl::Milliseconds(20));
      }
    });
    absl::Status status = stream->End();
    ended = true;
    time.join();
    return status;
  }

  FakeClock clock_;
  FakeDatabase database_;
  FakeLoadEngineControl engine_;
  std::unique_ptr<AgentServer> server_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(AgentServerTest, EveryMessageOfARun) {
  engine_.set_counters({5, 1, 2});
  engine_.HoldRun();
  database_.Answer("SELECT VERSION()", {{"10.11"}});
  Stream stream(channel_);
  EXPECT_EQ(stream.Call(OpenRequest("r1")).opened().build(), BuildVersion());
  EXPECT_EQ(stream.Call(HeartbeatRequest(7)).heartbeat_ack().sequence(), 7u);
  EXPECT_EQ(stream.Call(ChunkRequest({"a", "b"})).statements_accepted().statements(), 2u);
  EXPECT_EQ(stream.Call(ScriptRequestOf(3, {"SELECT VERSION()"})).script_done().script(), 3u);
  EXPECT_EQ(stream.Call(PrepareRequest(1)).round_ready().round(), 1u);
  EXPECT_EQ(stream.Call(StartRequest(1)).round_started().round(), 1u);
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(stream.Next().progress().statements(), 5u);
  EXPECT_EQ(stream.Call(StopRequest(1)).round_done().stop_cause(), v1::STOP_CAUSE_CONTROLLER);
  EXPECT_TRUE(stream.Call(CloseRequest()).has_closed());
  EXPECT_EQ(stream.End(), absl::OkStatus());
}

TEST_F(AgentServerTest, InfoOfAnIdleAgent) {
  const v1::GetInfoResponse info = Info();
  EXPECT_EQ(info.protocol().major(), kProtocolMajor);
  EXPECT_EQ(info.protocol().minor(), kProtocolMinor);
  EXPECT_EQ(info.build(), BuildVersion());
  EXPECT_FALSE(info.hostname().empty());
  EXPECT_GE(info.cores(), 1u);
  EXPECT_GE(info.memory_bytes(), uint64_t{1} << 20);
  EXPECT_GE(info.max_open_files(), 1u);
  EXPECT_FALSE(info.has_active_run());
}

TEST_F(AgentServerTest, InfoDuringARunNamesItsHolder) {
  const std::unique_ptr<Stream> stream = OpenRunningRun("r1");
  clock_.Advance(absl::Seconds(3));
  const v1::GetInfoResponse info = Info();
  EXPECT_EQ(info.active_run().run_id(), "r1");
  EXPECT_EQ(info.active_run().controller(), "ann@db-a pid 17");
  EXPECT_EQ(info.active_run().age_ns(), 3'000'000'000u);
}

TEST_F(AgentServerTest, SecondRunIsRefusedAndTheFirstGoesOn) {
  const std::unique_ptr<Stream> first = OpenRunningRun("r1");
  clock_.Advance(absl::Seconds(3));
  Stream second(channel_);
  second.Send(OpenRequest("r2"));
  EXPECT_EQ(second.End(),
            absl::ResourceExhaustedError("agent is busy with run r1 of ann@db-a pid 17 since 3 s"));
  v1::RunResponse response = first->Call(HeartbeatRequest(1));
  while (response.has_progress()) response = first->Next();
  EXPECT_EQ(response.heartbeat_ack().sequence(), 1u);
}

TEST_F(AgentServerTest, AgentIsFreeAsSoonAsTheStreamHasEnded) {
  for (int i = 0; i < 50; ++i) {
    const std::unique_ptr<Stream> stream = OpenRun(absl::StrCat("r", i));
    EXPECT_TRUE(stream->Call(CloseRequest()).has_closed());
    EXPECT_EQ(stream->End(), absl::OkStatus());
    EXPECT_FALSE(Info().has_active_run());
  }
}

TEST_F(AgentServerTest, AgentIsFreeAsSoonAsARefusedStreamHasEnded) {
  for (int i = 0; i < 50; ++i) {
    const std::unique_ptr<Stream> stream = OpenRun(absl::StrCat("r", i));
    stream->Send(StartRequest(1));
    EXPECT_EQ(stream->End().code(), absl::StatusCode::kFailedPrecondition);
  }
}

// A controller that is interrupted and started again must not be told "busy" by its own clean-up.
TEST_F(AgentServerTest, RunRightAfterACancelledOneWaitsForItsCleanUp) {
  const std::unique_ptr<Stream> first = OpenRunningRun("r1");
  engine_.HoldClose();
  first->Cancel();
  ASSERT_TRUE(engine_.AwaitCall("close all"));
  EXPECT_FALSE(Info().has_active_run());
  Stream second(channel_);
  second.Send(OpenRequest("r2"));
  EXPECT_EQ(second.Call(HeartbeatRequest(1)).heartbeat_ack().sequence(), 1u) << "it waits";
  engine_.ReleaseClose();
  EXPECT_TRUE(second.Next().has_opened());
}

TEST_F(AgentServerTest, CancelledRunStopsTheLoadAndFreesTheAgent) {
  const std::unique_ptr<Stream> stream = OpenRunningRun("r1");
  stream->Cancel();
  EXPECT_EQ(stream->End().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(engine_.AwaitCall("close all"));
  EXPECT_TRUE(engine_.AwaitCall("destroyed"));
  ASSERT_GE(engine_.stops().size(), 1u);
  EXPECT_EQ(engine_.stops()[0].cause, RoundStopCause::kController);
}

TEST_F(AgentServerTest, HalfClosedStreamWithoutCloseIsCancelled) {
  const std::unique_ptr<Stream> stream = OpenRunningRun("r1");
  stream->HalfClose();
  EXPECT_EQ(stream->End(), absl::CancelledError("the controller went away without Close"));
}

TEST_F(AgentServerTest, SilenceEndsTheRunAndFreesTheAgent) {
  const std::unique_ptr<Stream> stream = OpenRunningRun("r1");
  clock_.Advance(absl::Seconds(10));
  EXPECT_EQ(stream->End(), absl::DeadlineExceededError("no message from the controller for 10 s"));
  EXPECT_FALSE(Info().has_active_run());
}

TEST_F(AgentServerTest, StreamWithoutOpenEnds) {
  Stream stream(channel_);
  EXPECT_EQ(EndAsTimePasses(&stream),
            absl::DeadlineExceededError("no message from the controller for 10 s"));
}

TEST_F(AgentServerTest, OtherMajorVersionIsRefusedNamingBoth) {
  v1::RunRequest open = OpenRequest("r1");
  open.mutable_open()->mutable_protocol()->set_major(2);
  Stream stream(channel_);
  stream.Send(open);
  const absl::Status status = stream.End();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(absl::StrCat(status.message()), HasSubstr("the controller speaks protocol 2.1"));
  EXPECT_THAT(absl::StrCat(status.message()), HasSubstr("this side 1.1"));
  EXPECT_TRUE(database_.log().empty());
}

TEST_F(AgentServerTest, EmptyMessageIsInvalid) {
  Stream stream(channel_);
  stream.Send(v1::RunRequest());
  EXPECT_EQ(stream.End().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(AgentServerTest, IllegalMessageEndsTheStreamNamingMessageAndState) {
  const std::unique_ptr<Stream> stream = OpenRun("r1");
  stream->Send(StartRequest(1));
  EXPECT_EQ(stream->End(),
            absl::FailedPreconditionError(
                "StartRound is not allowed while the session is idle; send PrepareRound first"));
}

TEST_F(AgentServerTest, MessagesUpTo64MiBAreTaken) {
  const std::unique_ptr<Stream> stream = OpenRun("r1");
  const v1::RunRequest fits = ChunkRequest({std::string((64 << 20) - 64, 'x')});
  ASSERT_LE(fits.ByteSizeLong(), static_cast<size_t>(AgentServer::kMaxMessageBytes));
  EXPECT_EQ(stream->Call(fits).statements_accepted().statements(), 1u);
  stream->Send(ChunkRequest({std::string(64 << 20, 'x')}));
  const absl::Status status = stream->End();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(absl::StrCat(status.message()), HasSubstr("larger than max"));
  ASSERT_TRUE(engine_.AwaitCall("destroyed"));
  EXPECT_TRUE(OpenRun("r2")->Call(CloseRequest()).has_closed()) << "the agent serves on";
}

TEST_F(AgentServerTest, ControllerThatDoesNotReadIsNotQueuedForWithoutBound) {
  const std::unique_ptr<Stream> stream = OpenRun("r1");
  std::atomic<uint64_t> sent = 0;
  std::atomic<bool> ended = false;
  std::thread flood([&] {
    while (stream->Send(HeartbeatRequest(sent + 1))) ++sent;
  });
  // The lease can only run out when messages are not taken any more.
  std::thread time([&] {
    while (!ended) {
      if (sent >= RunReactor::kMaxQueued) clock_.Advance(absl::Seconds(10));
      absl::SleepFor(absl::Milliseconds(20));
    }
  });
  EXPECT_TRUE(engine_.AwaitCall("destroyed"));
  ended = true;
  time.join();
  EXPECT_GE(sent, RunReactor::kMaxQueued);
  EXPECT_LE(sent, RunReactor::kMaxQueued + 10);
  EXPECT_EQ(stream->End(), absl::DeadlineExceededError("no message from the controller for 10 s"));
  flood.join();
}

TEST_F(AgentServerTest, DrainEndsARunCleanlyAndRefusesTheNext) {
  ListenOnASocket();
  const std::unique_ptr<Stream> stream = OpenRunningRun("r1");
  EXPECT_TRUE(server_->Drain(absl::Seconds(20)));
  EXPECT_EQ(engine_.calls().back(), "destroyed") << "the load had ended when Drain() returned";
  v1::RunResponse response = stream->Next();
  while (response.has_progress()) response = stream->Next();
  EXPECT_TRUE(response.has_round_done()) << "what was measured is not lost";
  EXPECT_EQ(stream->End(), absl::UnavailableError("agent is shutting down"));
  Stream next(channel_);
  next.Send(OpenRequest("r2"));
  EXPECT_EQ(next.End().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(server_->Drain(absl::ZeroDuration())) << "again";
}

TEST_F(AgentServerTest, StreamsThatComeDuringADrainAreTurnedAway) {
  ListenOnASocket();
  const std::unique_ptr<Stream> stream = OpenRunningRun("r1");
  engine_.IgnoreStops(true);
  std::thread drain([this] { EXPECT_TRUE(server_->Drain(absl::Seconds(20))); });
  ASSERT_TRUE(engine_.AwaitStop());
  Stream silent(channel_);
  EXPECT_EQ(silent.End(), absl::UnavailableError("agent is shutting down"));
  engine_.ReleaseRun();
  drain.join();
  EXPECT_EQ(stream->End(), absl::UnavailableError("agent is shutting down"));
}

TEST_F(AgentServerTest, DrainIsBounded) {
  const std::unique_ptr<Stream> stream = OpenRunningRun("r1");
  engine_.IgnoreStops(true);
  EXPECT_FALSE(server_->Drain(absl::Milliseconds(50)));
  engine_.ReleaseRun();
  EXPECT_TRUE(server_->Drain(absl::Seconds(20))) << "although nobody reads the stream to its end";
}

TEST_F(AgentServerTest, DestructorAbortsARun) {
  ListenOnASocket();
  const std::unique_ptr<Stream> stream = OpenRunningRun("r1");
  server_.reset();
  const absl::Status status = stream->End();
  EXPECT_NE(status, absl::OkStatus());
  EXPECT_EQ(engine_.calls().back(), "destroyed");
}

TEST_F(AgentServerTest, ListensOnAFreePortOfTheAddressGiven) {
  for (const std::string host : {"127.0.0.1", "[::1]"}) {
    const std::unique_ptr<AgentServer> server = Start(absl::StrCat(host, ":0"));
    EXPECT_GT(server->port(), 0);
    EXPECT_EQ(server->address(), absl::StrCat(host, ":", server->port()));
    const auto channel = grpc::CreateChannel(server->address(), grpc::InsecureChannelCredentials());
    Stream stream(channel);
    EXPECT_TRUE(stream.Call(OpenRequest("r1")).has_opened());
    EXPECT_TRUE(stream.Call(CloseRequest()).has_closed());
    EXPECT_EQ(stream.End(), absl::OkStatus());
  }
  EXPECT_EQ(server_->port(), 0);
  EXPECT_EQ(server_->address(), "");
}

TEST_F(AgentServerTest, PortInUseIsNamed) {
  const std::unique_ptr<AgentServer> first = Start("127.0.0.1:0");
  AgentServer::Options options;
  options.listen_address = first->address();
  const absl::Status status = StartAgentServer(std::move(options)).status();
  EXPECT_EQ(status.message(),
            absl::StrCat("listen on ", first->address(), ": Address already in use"));
}

}  // namespace
}  // namespace dslap
