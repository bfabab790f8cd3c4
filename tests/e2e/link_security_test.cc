// TLS and tokens between the real dslap and real agents: who is let in, who is not and how it is
// said, and that certificates and tokens change without a restart.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "controller/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/link_certificates.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

using Arguments = std::vector<std::string>;

Arguments Joined(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class LinkSecurityE2eTest : public testing::Test {
 protected:
  void StartAgent(const Arguments& arguments) {
    agent_ = std::make_unique<AgentProcess>(arguments);
    ASSERT_TRUE(agent_->WaitUntilListening());
  }

  ProcessResult Run(const Arguments& arguments) const {
    return RunDslap(Joined({"-a", absl::StrCat("--agents=", agent_->address())}, arguments));
  }

  void ExpectServed(const Arguments& arguments) const {
    const ProcessResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("\nVerdict: VALID"));
  }

  // One line that says `why`, exit code 4, and the agent goes on serving those it knows.
  void ExpectRefused(const Arguments& arguments, const std::string& why) const {
    const ProcessResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kAgentUnavailable));
    ExpectOneErrorLine(result, {absl::StrCat("agent ", agent_->address(), ": "), why});
    EXPECT_EQ(result.out, "");
  }

  LinkCertificates ours_;
  std::unique_ptr<AgentProcess> agent_;
};

TEST_F(LinkSecurityE2eTest, CertificatesAtBothEnds) {
  StartAgent(ours_.AgentArguments());
  EXPECT_THAT(agent_->process().err(), HasSubstr(" (TLS with client certificates)\n"));
  ExpectServed(ours_.ControllerArguments());
  const ProcessResult table =
      RunProcess(BareDslapSpec(Joined(
                     {"agents", "--no-defaults", absl::StrCat("--agents=", agent_->address())},
                     ours_.ControllerArguments())),
                 kFewSeconds);
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, ContainsRegex("\n  TLS, its certificate is valid until 20[0-9-]+\n"));
}

TEST_F(LinkSecurityE2eTest, CertificatesThatAreNotGood) {
  const LinkCertificates theirs;
  StartAgent(ours_.AgentArguments());
  const std::string ca = absl::StrCat("--tls-ca=", ours_.ca());
  const char kNotLetIn[] = "TLS: it did not accept the certificate of this side";
  // None at all; one of an authority of somebody else's; the agent's own, which is for servers; an
  // expired one (that this side would not even send: the file is refused).
  ExpectRefused({ca}, kNotLetIn);
  ExpectRefused({ca, absl::StrCat("--tls-cert=", theirs.controller()),
                 absl::StrCat("--tls-key=", theirs.controller_key())},
                kNotLetIn);
  ExpectRefused({ca, absl::StrCat("--tls-cert=", ours_.agent()),
                 absl::StrCat("--tls-key=", ours_.agent_key())},
                kNotLetIn);
  ExpectRefused(theirs.ControllerArguments(),
                "TLS: its certificate is not of the authority in --tls-ca");
  const ProcessResult expired = Run({ca, absl::StrCat("--tls-cert=", ours_.ExpiredController()),
                                     absl::StrCat("--tls-key=", ours_.controller_key())});
  EXPECT_EQ(expired.exit_code, static_cast<int>(ExitCode::kUsage));
  ExpectOneErrorLine(expired, {"expired.pem: the certificate expired on "});
  ExpectServed(ours_.ControllerArguments());
}

TEST_F(LinkSecurityE2eTest, CertificateOfAnotherHost) {
  ours_.RenewAgent("load-b,127.0.0.9");
  const std::string other = ours_.ca().substr(0, ours_.ca().rfind('/')) + "/load-b/agent";
  StartAgent({absl::StrCat("--tls-ca=", ours_.ca()), absl::StrCat("--tls-cert=", other, ".pem"),
              absl::StrCat("--tls-key=", other, ".key")});
  ExpectRefused(ours_.ControllerArguments(),
                "TLS: its certificate does not bear the name or address");
}

TEST_F(LinkSecurityE2eTest, PlainTextAndTlsDoNotMeet) {
  StartAgent(ours_.AgentArguments());
  ExpectRefused({}, "does it want TLS");
  ExpectServed(ours_.ControllerArguments());
  StartAgent({});
  ExpectRefused(ours_.ControllerArguments(), "TLS: it does not speak TLS");
  ExpectServed({});
}

TEST_F(LinkSecurityE2eTest, TokenOverTls) {
  const std::string token = ours_.File("token", "0123456789abcdef-ours\n");
  const std::string wrong = ours_.File("wrong", "0123456789abcdef-theirs\n");
  StartAgent({absl::StrCat("--tls-cert=", ours_.agent()),
              absl::StrCat("--tls-key=", ours_.agent_key()), absl::StrCat("--token-file=", token)});
  const Arguments tls = {absl::StrCat("--tls-ca=", ours_.ca())};
  ExpectServed(Joined(tls, {absl::StrCat("--token-file=", token)}));
  ExpectRefused(tls, "this agent wants a token: give --token-file");
  ExpectRefused(Joined(tls, {absl::StrCat("--token-file=", wrong)}),
                "this agent does not know the token");
  EXPECT_THAT(agent_->process().err(), ContainsRegex(" warning refused ipv4:127.0.0.1:[0-9]+: "));
  EXPECT_THAT(agent_->process().err(), Not(HasSubstr("0123456789abcdef")));
  // Another token, and no restart.
  ours_.File("token", "fedcba9876543210-new\n");
  ExpectServed(Joined(tls, {absl::StrCat("--token-file=", token)}));
  ExpectRefused(Joined(tls, {absl::StrCat("--token-file=", wrong)}),
                "this agent does not know the token");
}

TEST_F(LinkSecurityE2eTest, RenewedCertificateIsShownWithoutARestart) {
  StartAgent(ours_.AgentArguments());
  ExpectServed(ours_.ControllerArguments());
  ours_.RenewAgent();
  const absl::Time until = absl::Now() + kFewSeconds;
  const std::string serials_of =
      absl::StrCat("openssl s_client -connect ", agent_->address(),
                   " -alpn h2 </dev/null 2>/dev/null | openssl "
                   "x509 -noout -serial; openssl x509 -noout -serial -in ",
                   ours_.agent());
  std::string shown;
  for (;;) {
    shown = RunProcess({.argv = {"/bin/sh", "-c", serials_of}}, kFewSeconds).out;
    const std::vector<std::string> serials = Lines(shown);
    if (serials.size() == 2 && serials[0] == serials[1]) break;
    ASSERT_LT(absl::Now(), until) << shown;
  }
  ExpectServed(ours_.ControllerArguments());
}

TEST_F(LinkSecurityE2eTest, OtherProtocolsAtTheAgentsPort) {
  StartAgent(ours_.AgentArguments());
  const ProcessResult http = RunProcess(
      {.argv = {"/bin/bash", "-c",
                absl::StrCat("exec 3<>/dev/tcp/127.0.0.1/",
                             agent_->address().substr(agent_->address().rfind(':') + 1),
                             "; printf 'GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' >&3; cat <&3")}},
      kFewSeconds);
  EXPECT_NE(http.exit_code, -1) << "the agent kept the connection";
  ExpectServed(ours_.ControllerArguments());
}

}  // namespace
}  // namespace dslap
