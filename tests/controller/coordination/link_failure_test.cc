// The texts are those of gRPC 1.51.
#include "controller/coordination/link_failure.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

absl::Status NotConnected(const std::string& last) {
  return absl::UnavailableError(
      absl::StrCat("failed to connect to all addresses; last error: ", last));
}

constexpr char kClosed[] = "UNAVAILABLE: ipv4:127.0.0.1:7527: Socket closed";

TEST(LinkFailureTest, WhatTheSystemSaidIsKept) {
  const absl::Status refused = NotConnected(
      "UNKNOWN: ipv4:127.0.0.1:1: Failed to connect to remote host: Connection refused");
  for (const bool tls : {false, true}) {
    EXPECT_EQ(
        ExplainLinkFailure(refused, tls),
        absl::UnavailableError("connect: Connection refused (is dslap-agent running there?)"));
  }
}

TEST(LinkFailureTest, NameThatCannotBeResolved) {
  EXPECT_EQ(ExplainLinkFailure(
                absl::UnavailableError("DNS resolution failed for x: C-ares status ..."), false),
            absl::UnavailableError("the host name cannot be resolved"));
}

TEST(LinkFailureTest, PlainTextToTls) {
  EXPECT_EQ(
      ExplainLinkFailure(NotConnected(kClosed), false),
      absl::UnavailableError("it closed the connection at once: does it want TLS? Give --tls-ca"));
}

TEST(LinkFailureTest, CertificateOfThisSideIsNotAccepted) {
  EXPECT_EQ(ExplainLinkFailure(NotConnected(kClosed), true),
            absl::UnavailableError("TLS: it did not accept the certificate of this side: give "
                                   "--tls-cert and --tls-key, of an authority that it trusts"));
}

TEST(LinkFailureTest, CertificateOfTheAgentIsNotAccepted) {
  EXPECT_EQ(
      ExplainLinkFailure(NotConnected("UNKNOWN: ipv4:127.0.0.1:7527: Tls handshake failed: "
                                      "SSL_ERROR_SSL: error:0A000086:SSL routines::certificate "
                                      "verify failed"),
                         true),
      absl::UnavailableError(
          "TLS: its certificate is not of the authority in --tls-ca, or is not valid now"));
  EXPECT_EQ(ExplainLinkFailure(
                NotConnected("UNKNOWN: ipv4:127.0.0.1:7527: Custom verification check failed with "
                             "error: UNAUTHENTICATED: Hostname Verification Check failed."),
                true),
            absl::UnavailableError(
                "TLS: its certificate does not bear the name or address that is called: write it "
                "in --agents as in the certificate, or make one with it"));
}

TEST(LinkFailureTest, TlsToPlainText) {
  EXPECT_EQ(ExplainLinkFailure(NotConnected("UNKNOWN: ipv4:127.0.0.1:7528: Tls handshake failed: "
                                            "SSL_ERROR_SSL: error:0A00010B:SSL routines::wrong "
                                            "version number"),
                               true),
            absl::UnavailableError(
                "TLS: it does not speak TLS: start it with --tls-cert, or leave --tls-ca out"));
}

TEST(LinkFailureTest, LinkThatBreaksInARun) {
  for (const bool tls : {false, true}) {
    EXPECT_EQ(ExplainLinkFailure(absl::UnavailableError("Socket closed"), tls),
              absl::UnavailableError("the connection was closed by the agent's host"));
  }
}

TEST(LinkFailureTest, OtherCodesStay) {
  const absl::Status denied = absl::PermissionDeniedError("Socket closed");
  EXPECT_EQ(ExplainLinkFailure(denied, true), denied);
  EXPECT_EQ(ExplainLinkFailure(absl::OkStatus(), true), absl::OkStatus());
}

}  // namespace
}  // namespace dslap
