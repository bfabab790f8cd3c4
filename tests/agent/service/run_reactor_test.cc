#include "agent/service/run_reactor.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "agent/service/session_slot.h"
#include "common/grpc_status.h"
#include "common/log.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "tests/fakes/fake_clock.h"

namespace dslap {
namespace {

// Every session of it was ended by somebody else before its reactor could look at it.
class EndedAtOnceService final : public v1::Agent::CallbackService {
 public:
  grpc::ServerBidiReactor<v1::RunRequest, v1::RunResponse>* Run(
      grpc::CallbackServerContext* /*context*/) override {
    return new RunReactor(
        [this](ResponseSink* sink) {
          SessionEnvironment environment;
          environment.clock = &clock_;
          auto session = std::make_shared<Session>(environment, &slot_, sink);
          session->Abort(absl::UnavailableError("agent is shutting down"));
          return session;
        },
        [this] { done.Notify(); });
  }

  absl::Notification done;

 private:
  FakeClock clock_;
  SessionSlot slot_{&clock_};
};

// A session is known to the ticker before its reactor is complete: what the ticker had it say then
// went into members that did not exist yet.
TEST(RunReactorTest, SessionThatEndsBeforeItsReactorIsCompleteEndsTheStream) {
  SetLogLevel(LogLevel::kOff);
  EndedAtOnceService service;
  grpc::ServerBuilder builder;
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  const auto stub = v1::Agent::NewStub(server->InProcessChannel({}));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  const auto stream = stub->Run(&context);
  v1::RunResponse response;
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(FromGrpcStatus(stream->Finish()), absl::UnavailableError("agent is shutting down"));
  EXPECT_TRUE(service.done.WaitForNotificationWithTimeout(absl::Seconds(10)));
  server->Shutdown(std::chrono::system_clock::now());
}

}  // namespace
}  // namespace dslap
