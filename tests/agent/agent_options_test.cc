#include "agent/agent_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace dslap {
namespace {

TEST(AgentOptionsTest, Defaults) {
  const absl::StatusOr<AgentOptions> options = ParseAgentOptions({});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->listen, "127.0.0.1:7527");
  EXPECT_FALSE(options->insecure);
  EXPECT_FALSE(options->help);
  EXPECT_FALSE(options->version);
}

TEST(AgentOptionsTest, EveryOption) {
  const absl::StatusOr<AgentOptions> options =
      ParseAgentOptions({"--listen=[::1]:0", "--insecure", "--help", "--version"});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->listen, "[::1]:0");
  EXPECT_TRUE(options->insecure);
  EXPECT_TRUE(options->help);
  EXPECT_TRUE(options->version);
}

TEST(AgentOptionsTest, LastListenCounts) {
  EXPECT_EQ(ParseAgentOptions({"--listen=a:1", "--listen=b:2"})->listen, "b:2");
}

TEST(AgentOptionsTest, WhatIsNotUnderstoodIsNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--port=1", "unknown option '--port=1': see dslap-agent --help"},
      {"--listening=1", "unknown option '--listening=1': see dslap-agent --help"},
      {"-h", "unknown option '-h': see dslap-agent --help"},
      {"", "unexpected argument '': see dslap-agent --help"},
      {"7527", "unexpected argument '7527': see dslap-agent --help"},
      {"--listen", "--listen needs a value: --listen=HOST:PORT"},
      {"--tls-ca=", "--tls-ca needs a value: --tls-ca=FILE"},
      {"--insecure=no", "'--insecure=no': --insecure takes no value"},
      {"--help=x", "'--help=x': --help takes no value"},
      {"--version=", "'--version=': --version takes no value"},
  };
  for (const auto& [argument, message] : cases) {
    EXPECT_EQ(ParseAgentOptions({argument}).status(), absl::InvalidArgumentError(message));
  }
}

TEST(AgentOptionsTest, LoopbackNeedsNoPermission) {
  AgentOptions options;
  EXPECT_EQ(AddressToListenOn(options).value(), "127.0.0.1:7527");
  options.listen = "127.8.9.10:1";
  EXPECT_EQ(AddressToListenOn(options).value(), "127.8.9.10:1");
  options.listen = "localhost:0";
  EXPECT_EQ(AddressToListenOn(options).value(), "127.0.0.1:0");
  options.listen = "[::1]:7527";
  EXPECT_EQ(AddressToListenOn(options).value(), "[::1]:7527");
}

TEST(AgentOptionsTest, OtherAddressesNeedInsecure) {
  for (const std::string address : {"0.0.0.0:7527", "10.1.2.3:7527", "[::]:7527", "[fd00::1]:1"}) {
    AgentOptions options;
    options.listen = address;
    EXPECT_EQ(AddressToListenOn(options).status(),
              absl::PermissionDeniedError(
                  "--listen: " + address +
                  " can be reached by other hosts, and whoever reaches an agent can make it load "
                  "any database: give --tls-cert, --tls-key and --tls-ca (deploy/make-certs.sh "
                  "makes them), listen on loopback (127.0.0.1), or say --insecure in a network "
                  "you trust"));
    options.insecure = true;
    EXPECT_EQ(AddressToListenOn(options).value(), address);
  }
}

TEST(AgentOptionsTest, OtherAddressesAreFineWithTlsAndACheckOfWhoCalls) {
  AgentOptions options;
  options.listen = "10.1.2.3:7527";
  options.tls = {.certificate = "agent.pem", .key = "agent.key"};
  EXPECT_EQ(AddressToListenOn(options).status(),
            absl::PermissionDeniedError(
                "--listen: 10.1.2.3:7527 can be reached by other hosts, and TLS alone does not "
                "check who calls: give --tls-ca, or --token-file, or say --insecure in a network "
                "you trust"));
  options.token_file = "token";
  EXPECT_EQ(AddressToListenOn(options).value(), "10.1.2.3:7527");
  options.token_file = "";
  options.tls.ca = "ca.pem";
  EXPECT_EQ(AddressToListenOn(options).value(), "10.1.2.3:7527");
}

TEST(AgentOptionsTest, TokenDoesNotTravelInPlainText) {
  AgentOptions options;
  options.token_file = "token";
  EXPECT_EQ(AddressToListenOn(options).value(), "127.0.0.1:7527");
  options.listen = "10.1.2.3:7527";
  options.insecure = true;
  EXPECT_EQ(AddressToListenOn(options).status(),
            absl::PermissionDeniedError(
                "--token-file: without TLS the token is readable on its way to 10.1.2.3:7527: give "
                "--tls-cert and --tls-key"));
}

TEST(AgentOptionsTest, HalfAPairOfFilesIsRefused) {
  const auto check = [](const std::vector<std::string>& arguments) {
    return CheckLinkSecurity(ParseAgentOptions(arguments).value(), 0);
  };
  EXPECT_EQ(check({"--tls-cert=a"}),
            absl::InvalidArgumentError("--tls-cert without --tls-key: give both"));
  EXPECT_EQ(check({"--tls-key=a"}),
            absl::InvalidArgumentError("--tls-key without --tls-cert: give both"));
  EXPECT_EQ(check({"--tls-ca=a"}),
            absl::InvalidArgumentError("--tls-ca without --tls-cert: give both"));
  EXPECT_EQ(check({"--tls-cert=/no/a", "--tls-key=/no/b"}),
            absl::NotFoundError("TLS: read /no/a: No such file or directory"));
  EXPECT_EQ(check({"--token-file=/no/t"}),
            absl::NotFoundError("--token-file: read /no/t: No such file or directory"));
  EXPECT_EQ(check({}), absl::OkStatus());
}

TEST(AgentOptionsTest, LogSaysHowTheLinkIsSecured) {
  AgentOptions options;
  EXPECT_EQ(DescribeLinkSecurity(options), "");
  options.token_file = "token";
  EXPECT_EQ(DescribeLinkSecurity(options), " (token)");
  options.tls = {.certificate = "agent.pem", .key = "agent.key"};
  EXPECT_EQ(DescribeLinkSecurity(options), " (TLS, token)");
  options.tls.ca = "ca.pem";
  EXPECT_EQ(DescribeLinkSecurity(options), " (TLS with client certificates, token)");
}

TEST(AgentOptionsTest, MalformedAddressNamesTheOption) {
  AgentOptions options;
  options.listen = "localhost";
  EXPECT_EQ(AddressToListenOn(options).status(),
            absl::InvalidArgumentError(
                "--listen: 'localhost' is no address to listen on: give HOST:PORT with a port from "
                "0 to 65535, such as 127.0.0.1:7527 or [::1]:7527"));
}

TEST(AgentOptionsTest, HelpNamesEveryOption) {
  for (const std::string option :
       {"--listen=HOST:PORT", "--tls-ca=FILE", "--tls-cert=FILE", "--tls-key=FILE",
        "--token-file=FILE", "--insecure", "--help", "--version"}) {
    EXPECT_THAT(AgentHelpText(), testing::HasSubstr("\n  " + option));
  }
}

}  // namespace
}  // namespace dslap
