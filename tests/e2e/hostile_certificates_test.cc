// Callers whose certificates are not good, by clients that do not look at them first, as dslap
// does.
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "dslap/v1/agent.grpc.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/e2e/hostile_target.h"
#include "tests/support/link_certificates.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// GetInfo by a caller that shows `certificate` (none, if empty) and trusts `ca`.
grpc::StatusCode Call(const HostileTarget& target, const std::string& ca,
                      const std::string& certificate, const std::string& key) {
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = ReadFile(ca);
  if (!certificate.empty()) {
    options.pem_cert_chain = ReadFile(certificate);
    options.pem_private_key = ReadFile(key);
  }
  // Connections are not shared with the calls before.
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const auto channel =
      grpc::CreateCustomChannel(target.address(), grpc::SslCredentials(options), arguments);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  v1::GetInfoResponse info;
  return v1::Agent::NewStub(channel)->GetInfo(&context, {}, &info).error_code();
}

class HostileCertificatesTest : public testing::Test {
 protected:
  HostileCertificatesTest() : target_(ours_.AgentArguments(), ours_.ControllerArguments()) {}
  void SetUp() override { ASSERT_TRUE(target_.Start()); }

  void ExpectRefused(const std::string& certificate, const std::string& key,
                     const std::string& why) {
    const int before = target_.Refused("handshake");
    EXPECT_EQ(Call(target_, ours_.ca(), certificate, key), grpc::StatusCode::UNAVAILABLE);
    EXPECT_TRUE(target_.AwaitRefused("handshake", before + 1));
    EXPECT_EQ(target_.AwaitLinesWith(": TLS: "), 1);
    EXPECT_THAT(target_.agent().process().err(),
                ContainsRegex(" warning refused ipv4:127\\.0\\.0\\.1:[0-9]+: TLS: " + why + "\n"));
    target_.ExpectUnharmed(1);
    EXPECT_EQ(Call(target_, ours_.ca(), ours_.controller(), ours_.controller_key()),
              grpc::StatusCode::OK);
  }

  const LinkCertificates ours_;
  HostileTarget target_;
};

TEST_F(HostileCertificatesTest, None) {
  ExpectRefused("", "", "peer did not return a certificate");
}

TEST_F(HostileCertificatesTest, OfAnotherAuthority) {
  const LinkCertificates theirs;
  ExpectRefused(theirs.controller(), theirs.controller_key(), "certificate verify failed");
}

TEST_F(HostileCertificatesTest, Expired) {
  ExpectRefused(ours_.ExpiredController(), ours_.controller_key(), "certificate verify failed");
}

TEST_F(HostileCertificatesTest, ForServersOnly) {
  ExpectRefused(ours_.agent(), ours_.agent_key(), "certificate verify failed");
}

TEST_F(HostileCertificatesTest, CallerThatDoesNotTrustTheAgentLeavesALine) {
  const LinkCertificates theirs;
  EXPECT_EQ(Call(target_, theirs.ca(), ours_.controller(), ours_.controller_key()),
            grpc::StatusCode::UNAVAILABLE);
  // In TLS 1.3 the agent's side of the handshake is over by then.
  EXPECT_TRUE(target_.AwaitRefused("no_call", 1));
  EXPECT_EQ(target_.AwaitLinesWith(": no call came over TLS: it may not trust this agent's"), 1);
  target_.ExpectUnharmed(1);
}

TEST_F(HostileCertificatesTest, FiftyTimesIsOneLine) {
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(Call(target_, ours_.ca(), "", ""), grpc::StatusCode::UNAVAILABLE);
  }
  EXPECT_TRUE(target_.AwaitRefused("handshake", 50));
  EXPECT_LE(target_.AwaitLinesWith(": TLS: "), 2) << "one in ten seconds";
  target_.ExpectUnharmed(2);
}

}  // namespace
}  // namespace dslap
