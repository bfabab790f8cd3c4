// Server reflection of the real dslap-agent: off unless asked for. Whoever wants to see it by hand:
// grpcurl -plaintext 127.0.0.1:7527 list
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/agent_process.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;

// The raw answer to "which services are there?"; its status when there is none.
std::string ListServices(const std::string& address) {
  grpc::GenericStub stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  grpc::CompletionQueue queue;
  void* tag = nullptr;
  bool ok = false;
  const auto call = stub.PrepareCall(
      &context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  call->StartCall(&queue);
  queue.Next(&tag, &ok);
  // ServerReflectionRequest{list_services: "*"}, by hand: field 7 is a string.
  const grpc::Slice request(std::string("\x3a\x01*"));
  call->Write(grpc::ByteBuffer(&request, 1), &queue);
  queue.Next(&tag, &ok);
  grpc::ByteBuffer answer;
  call->Read(&answer, &queue);
  queue.Next(&tag, &ok);
  if (ok) {
    std::vector<grpc::Slice> slices;
    EXPECT_TRUE(answer.Dump(&slices).ok());
    std::string text;
    for (const grpc::Slice& slice : slices) {
      text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    }
    context.TryCancel();
    return text;
  }
  grpc::Status status;
  call->Finish(&status, &queue);
  queue.Next(&tag, &ok);
  return "status " + std::to_string(status.error_code());
}

TEST(ReflectionTest, NamesTheServicesWhenAskedFor) {
  AgentProcess agent({"--reflection"});
  ASSERT_TRUE(agent.WaitUntilListening());
  const std::string services = ListServices(agent.address());
  EXPECT_THAT(services, HasSubstr("dslap.v1.Agent"));
  EXPECT_THAT(services, HasSubstr("grpc.health.v1.Health"));
}

TEST(ReflectionTest, IsOffOtherwise) {
  AgentProcess agent;
  ASSERT_TRUE(agent.WaitUntilListening());
  EXPECT_EQ(ListServices(agent.address()), "status 12") << "UNIMPLEMENTED";
}

}  // namespace
}  // namespace dslap
