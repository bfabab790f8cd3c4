// Callers that take their time with the real agent, and its own bounds. Those of 30 s are tested
// with shorter ones in tests/agent/service/slow_callers_test.cc.
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/grpc_status.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/e2e/hostile_target.h"
#include "tests/support/link_certificates.h"
#include "tests/support/raw_socket.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// Ten seconds, and what a busy machine adds.
constexpr absl::Duration kBound = absl::Seconds(18);

struct Dripping {
  RawSocket socket;
  std::string text;  // a byte of it now and then, and nothing any more when it is at its end
  bool ended = false;
};

// False: not all of them were ended within the bound.
bool DripUntilEnded(std::vector<Dripping>* all) {
  const absl::Time until = absl::Now() + kBound;
  for (size_t step = 0; absl::Now() < until; ++step) {
    size_t ended = 0;
    for (Dripping& each : *all) {
      if (!each.ended && step < each.text.size()) each.socket.Send(each.text.substr(step, 1));
      each.ended = each.ended || each.socket.AwaitEnd(absl::Milliseconds(500 / all->size()));
      if (each.ended) ++ended;
    }
    if (ended == all->size()) return true;
  }
  return false;
}

class UnusedStream {
 public:
  explicit UnusedStream(v1::Agent::Stub* stub) {
    context_.set_deadline(std::chrono::system_clock::now() + absl::ToChronoSeconds(kBound));
    stream_ = stub->Run(&context_);
  }
  absl::Status End() {
    v1::RunResponse response;
    EXPECT_FALSE(stream_->Read(&response));
    return FromGrpcStatus(stream_->Finish());
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::RunRequest, v1::RunResponse>> stream_;
};

TEST(HostileSlowTest, AllThatIsEndedAfterTenSeconds) {
  const LinkCertificates ours;
  HostileTarget plain;
  HostileTarget tls(ours.AgentArguments(), ours.ControllerArguments());
  ASSERT_TRUE(plain.Start());
  ASSERT_TRUE(tls.Start());
  auto stub =
      v1::Agent::NewStub(grpc::CreateChannel(plain.address(), grpc::InsecureChannelCredentials()));
  std::vector<std::unique_ptr<UnusedStream>> streams;
  for (int i = 0; i < 30; ++i) streams.push_back(std::make_unique<UnusedStream>(stub.get()));
  const std::string hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 and a random number", 35);
  std::vector<Dripping> sockets;
  for (int i = 0; i < 20; ++i) {
    sockets.push_back({RawSocket(plain.address()), kHttp2Preface});
    sockets.push_back({RawSocket(tls.address()), hello});
  }

  EXPECT_TRUE(DripUntilEnded(&sockets));
  for (const auto& stream : streams) {
    EXPECT_EQ(stream->End(),
              absl::DeadlineExceededError("no message from the controller for 10 s"));
  }

  EXPECT_TRUE(plain.AwaitRefused("run", 30));
  EXPECT_EQ(plain.AwaitLinesWith("outcome=lost-controller code=DEADLINE_EXCEEDED"), 1);
  streams.clear();
  stub.reset();
  plain.ExpectUnharmed(2);
  tls.ExpectUnharmed(2);
}

}  // namespace
}  // namespace dslap
