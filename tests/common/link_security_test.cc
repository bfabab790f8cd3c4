// What is checked of the files for TLS and the token before they are used. Handshakes are tested
// with real agents: tests/e2e/link_security_test.cc.
#include "common/link_security.h"

#include <sys/stat.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/certificate.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/link_certificates.h"

namespace dslap {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr int64_t kDay = 24 * 3600;

int64_t Now() { return absl::ToUnixSeconds(absl::Now()); }

class LinkSecurityTest : public testing::Test {
 protected:
  LinkTls AgentTls() const { return {files_.ca(), files_.agent(), files_.agent_key()}; }

  LinkCertificates files_;
};

TEST_F(LinkSecurityTest, WhatTheScriptMakesIsGood) {
  EXPECT_EQ(CheckLinkTls(AgentTls(), Now()), absl::OkStatus());
  EXPECT_EQ(CheckLinkTls({files_.ca(), files_.controller(), files_.controller_key()}, Now()),
            absl::OkStatus());
  EXPECT_EQ(CheckLinkTls({.ca = files_.ca()}, Now()), absl::OkStatus());
  EXPECT_EQ(CheckLinkTls({}, Now()), absl::OkStatus());
}

TEST_F(LinkSecurityTest, CertificateSaysWhoseItIsAndUntilWhen) {
  const absl::StatusOr<CertificateInfo> info = ReadCertificate(files_.agent());
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->subject, "CN = 127.0.0.1");
  EXPECT_EQ(info->valid_until_unix - info->valid_from_unix, 397 * kDay);
  EXPECT_NEAR(static_cast<double>(info->valid_from_unix), static_cast<double>(Now()), 120);
}

TEST_F(LinkSecurityTest, MissingFileIsNamed) {
  LinkTls tls = AgentTls();
  tls.key = "/no/such.key";
  EXPECT_EQ(CheckLinkTls(tls, Now()),
            absl::NotFoundError("read /no/such.key: No such file or directory"));
}

TEST_F(LinkSecurityTest, FileWithSomethingElseIsNamed) {
  const std::string empty = files_.File("empty.pem", "");
  EXPECT_EQ(CheckLinkTls({.ca = empty}, Now()),
            absl::InvalidArgumentError(empty + ": there is no certificate (PEM) in it"));
  LinkTls tls = AgentTls();
  tls.key = files_.agent();
  EXPECT_EQ(CheckLinkTls(tls, Now()),
            absl::InvalidArgumentError(
                files_.agent() + ": there is no private key (PEM, without a pass phrase) in it"));
}

TEST_F(LinkSecurityTest, KeyOfAnotherCertificateIsNoPair) {
  LinkTls tls = AgentTls();
  tls.key = files_.controller_key();
  EXPECT_EQ(
      CheckLinkTls(tls, Now()),
      absl::InvalidArgumentError(absl::StrCat(
          files_.controller_key(), " is not the key of the certificate in ", files_.agent())));
}

TEST_F(LinkSecurityTest, ValidityIsCheckedAtBothEnds) {
  const absl::StatusOr<CertificateInfo> info = ReadCertificate(files_.agent());
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(CheckLinkTls(AgentTls(), info->valid_until_unix), absl::OkStatus());
  const absl::Status late = CheckLinkTls(AgentTls(), info->valid_until_unix + 1);
  EXPECT_EQ(late.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(late.message()),
              HasSubstr(files_.agent() + ": the certificate expired on 20"));
  EXPECT_THAT(std::string(late.message()), EndsWith(" UTC: make a new one"));
  const absl::Status early = CheckLinkTls({.ca = files_.ca()}, info->valid_from_unix - kDay);
  EXPECT_THAT(std::string(early.message()), HasSubstr(": the certificate is valid from 20"));
  EXPECT_THAT(std::string(early.message()), EndsWith(" on: look at this host's clock"));
}

TEST_F(LinkSecurityTest, TokenIsTheOnlyLine) {
  for (const std::string end : {"", "\n", "\r\n"}) {
    const absl::StatusOr<Secret> token =
        ReadTokenFile(files_.File("token", absl::StrCat("0123456789abcdef", end)));
    ASSERT_TRUE(token.ok()) << token.status();
    EXPECT_EQ(token->Reveal(), "0123456789abcdef");
  }
  const std::string longest(4096, 'x');
  const absl::StatusOr<Secret> token = ReadTokenFile(files_.File("token", longest + "\n"));
  ASSERT_TRUE(token.ok()) << token.status();
  EXPECT_EQ(token->Reveal(), longest);
}

TEST_F(LinkSecurityTest, WhatIsNoTokenIsRefused) {
  for (const std::string& content :
       {std::string(), std::string("0123456789abcde\n"), std::string("0123456789 abcdef\n"),
        std::string("0123456789abcdef\n\n"), std::string("0123456789abcdef\nsecond line\n"),
        std::string("0123456789abcdef\xc3\xa4\n"), std::string(4097, 'x'),
        std::string(5000, 'x')}) {
    const std::string path = files_.File("token", content);
    EXPECT_EQ(ReadTokenFile(path).status(),
              absl::InvalidArgumentError(
                  path + ": a token is one line of 16 to 4096 printable characters without "
                         "blanks: openssl rand -hex 32 makes one"))
        << content.size();
  }
}

TEST_F(LinkSecurityTest, TokenThatEverybodyMayReadIsRefused) {
  const std::string path = files_.File("token", "0123456789abcdef");
  ASSERT_EQ(chmod(path.c_str(), S_IRUSR | S_IRGRP), 0);
  EXPECT_TRUE(ReadTokenFile(path).ok());
  ASSERT_EQ(chmod(path.c_str(), S_IRUSR | S_IRGRP | S_IROTH), 0);
  EXPECT_EQ(ReadTokenFile(path).status(),
            absl::PermissionDeniedError(path +
                                        ": everybody on this host may read the token: chmod "
                                        "600 " +
                                        path));
}

}  // namespace
}  // namespace dslap
