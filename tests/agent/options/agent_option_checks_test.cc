#include "agent/options/agent_option_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dslap {
namespace {

TEST(AgentOptionChecksTest, LoopbackNeedsNoPermission) {
  AgentOptions options;
  EXPECT_EQ(AddressToListenOn(options).value(), "127.0.0.1:7527");
  options.listen = "127.8.9.10:1";
  EXPECT_EQ(AddressToListenOn(options).value(), "127.8.9.10:1");
  options.listen = "localhost:0";
  EXPECT_EQ(AddressToListenOn(options).value(), "127.0.0.1:0");
  options.listen = "[::1]:7527";
  EXPECT_EQ(AddressToListenOn(options).value(), "[::1]:7527");
}

TEST(AgentOptionChecksTest, OtherAddressesNeedInsecure) {
  for (const std::string address : {"0.0.0.0:7527", "10.1.2.3:7527", "[::]:7527", "[fd00::1]:1"}) {
    AgentOptions options;
    options.listen = address;
    EXPECT_EQ(AddressToListenOn(options).status(),
              absl::PermissionDeniedError(
                  "--listen: " + address +
                  " can be reached by other hosts, and whoever reaches an agent can make it load "
                  "any database: give --tls-cert, --tls-key and --tls-ca (dslap-make-certs "
                  "makes them), listen on loopback (127.0.0.1), or say --insecure in a network "
                  "you trust"));
    options.insecure = true;
    EXPECT_EQ(AddressToListenOn(options).value(), address);
  }
}

TEST(AgentOptionChecksTest, OtherAddressesAreFineWithTlsAndACheckOfWhoCalls) {
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

TEST(AgentOptionChecksTest, TokenDoesNotTravelInPlainText) {
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

TEST(AgentOptionChecksTest, HalfAPairOfFilesIsRefused) {
  const auto check = [](const LinkTls& tls, const std::string& token_file = "") {
    AgentOptions options;
    options.tls = tls;
    options.token_file = token_file;
    return CheckLinkSecurity(options, 0);
  };
  EXPECT_EQ(check({.certificate = "a"}),
            absl::InvalidArgumentError("--tls-cert without --tls-key: give both"));
  EXPECT_EQ(check({.key = "a"}),
            absl::InvalidArgumentError("--tls-key without --tls-cert: give both"));
  EXPECT_EQ(check({.ca = "a"}),
            absl::InvalidArgumentError("--tls-ca without --tls-cert: give both"));
  EXPECT_EQ(check({.certificate = "/no/a", .key = "/no/b"}),
            absl::NotFoundError("TLS: read /no/a: No such file or directory"));
  EXPECT_EQ(check({}, "/no/t"),
            absl::NotFoundError("--token-file: read /no/t: No such file or directory"));
  EXPECT_EQ(check({}), absl::OkStatus());
}

TEST(AgentOptionChecksTest, LogSaysHowTheLinkIsSecured) {
  AgentOptions options;
  EXPECT_EQ(DescribeLinkSecurity(options), "");
  options.token_file = "token";
  EXPECT_EQ(DescribeLinkSecurity(options), " (token)");
  options.tls = {.certificate = "agent.pem", .key = "agent.key"};
  EXPECT_EQ(DescribeLinkSecurity(options), " (TLS, token)");
  options.tls.ca = "ca.pem";
  EXPECT_EQ(DescribeLinkSecurity(options), " (TLS with client certificates, token)");
}

TEST(AgentOptionChecksTest, MetricsAreForLoopbackOnlyWhateverElseIsAllowed) {
  AgentOptions options;
  EXPECT_EQ(AddressOfMetrics(options).value(), "") << "none";
  options.metrics = "localhost:9527";
  EXPECT_EQ(AddressOfMetrics(options).value(), "127.0.0.1:9527");
  options.metrics = "10.1.2.3:9527";
  options.insecure = true;
  const absl::Status refused = absl::PermissionDeniedError(
      "--metrics: 10.1.2.3:9527 can be reached by other hosts, and metrics are plain HTTP for "
      "whoever asks: give an address of loopback (127.0.0.1:9527), and have a proxy of this host "
      "serve others");
  EXPECT_EQ(AddressOfMetrics(options).status(), refused);
  EXPECT_THAT(FindConfigErrors(options, 0), testing::ElementsAre(refused));
}

TEST(AgentOptionChecksTest, MalformedAddressNamesTheOption) {
  AgentOptions options;
  options.listen = "localhost";
  EXPECT_EQ(AddressToListenOn(options).status(),
            absl::InvalidArgumentError(
                "--listen: 'localhost' is no address to listen on: give HOST:PORT with a port from "
                "0 to 65535, such as 127.0.0.1:7527 or [::1]:7527"));
}

TEST(AgentOptionChecksTest, WhatTheFileSaysIsNamedWithItsLine) {
  AgentOptions options;
  options.listen = "10.1.2.3:7527";
  options.tls.key = "agent.key";
  options.token_file = "/no/token";
  options.places = {{"listen", "/etc/dslap/agent.conf:2"},
                    {"tls-key", "/etc/dslap/agent.conf:3"},
                    {"token-file", std::string(kCommandLinePlace)}};
  EXPECT_THAT(FindConfigErrors(options, 0),
              testing::ElementsAre(
                  absl::InvalidArgumentError(
                      "--tls-key (/etc/dslap/agent.conf:3) without --tls-cert: give both"),
                  absl::NotFoundError("--token-file: read /no/token: No such file or directory")));
  options.token_file = "";
  options.listen = "localhost";
  EXPECT_THAT(
      FindConfigErrors(options, 0),
      testing::Contains(absl::InvalidArgumentError(
          "--listen (/etc/dslap/agent.conf:2): 'localhost' is no address to listen on: give "
          "HOST:PORT with a port from 0 to 65535, such as 127.0.0.1:7527 or [::1]:7527")));
  EXPECT_THAT(FindConfigErrors(AgentOptions(), 0), testing::IsEmpty());
}

}  // namespace
}  // namespace dslap
