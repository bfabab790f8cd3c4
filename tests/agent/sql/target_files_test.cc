#include "agent/sql/target_files.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

constexpr char kWhere[] =
    "; it is looked for on the host that the clients run on: put it there, or correct the path";

class TargetFilesTest : public ::testing::Test {
 protected:
  TargetFilesTest() {
    char name[] = "/tmp/dslap-target-files.XXXXXX";
    directory_ = mkdtemp(name);
  }
  ~TargetFilesTest() override { std::filesystem::remove_all(directory_); }

  std::string Write(const std::string& name, const std::string& content) const {
    const std::string path = absl::StrCat(directory_, "/", name);
    std::ofstream(path) << content;
    return path;
  }

  // The message for the target; empty when there is nothing to say.
  std::string Refusal() const {
    const absl::Status status = CheckTargetFiles(target_);
    if (status.ok()) return "";
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    return std::string(status.message());
  }

  std::string directory_;
  SqlTarget target_;
};

TEST_F(TargetFilesTest, NothingNamedNothingRefused) { EXPECT_EQ(Refusal(), ""); }

TEST_F(TargetFilesTest, WhatIsThereIsAccepted) {
  target_.tls.ca = target_.tls.certificate = target_.tls.crl = Write("a.pem", "A");
  target_.tls.key = Write("key.pem", "-----BEGIN PRIVATE KEY-----\nx\n");
  target_.server_public_key = Write("pub.pem", "-----BEGIN PUBLIC KEY-----\nx\n");
  target_.tls.ca_path = target_.tls.crl_path = target_.plugin_dir = directory_;
  // The client library reads none of them.
  target_.character_sets_dir = "/nonexistent";
  EXPECT_EQ(Refusal(), "");
}

TEST_F(TargetFilesTest, MissingFilesAreNamedWithTheirOption) {
  struct Row {
    std::string* path;
    std::string option;
  };
  const Row rows[] = {{&target_.tls.ca, "--ssl-ca"},
                      {&target_.tls.ca_path, "--ssl-capath"},
                      {&target_.tls.certificate, "--ssl-cert"},
                      {&target_.tls.key, "--ssl-key"},
                      {&target_.tls.crl, "--ssl-crl"},
                      {&target_.tls.crl_path, "--ssl-crlpath"},
                      {&target_.server_public_key, "--server-public-key-path"},
                      {&target_.plugin_dir, "--plugin-dir"}};
  for (const Row& row : rows) {
    *row.path = "/nonexistent/x";
    EXPECT_EQ(Refusal(),
              absl::StrCat(row.option, ": read /nonexistent/x: No such file or directory", kWhere));
    row.path->clear();
  }
}

TEST_F(TargetFilesTest, FilesAndDirectoriesAreToldApart) {
  target_.tls.ca = directory_;
  EXPECT_EQ(Refusal(), absl::StrCat("--ssl-ca: ", directory_, " is a directory", kWhere));
  target_.tls.ca.clear();
  target_.tls.ca_path = Write("file", "");
  EXPECT_EQ(Refusal(),
            absl::StrCat("--ssl-capath: ", target_.tls.ca_path, " is no directory", kWhere));
}

// Whoever calls names them: the one has no end, the other waits for a writer for ever.
TEST_F(TargetFilesTest, DevicesAndFifosAreNotRead) {
  const std::string fifo = directory_ + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& path : {std::string("/dev/zero"), fifo}) {
    for (std::string* const field : {&target_.tls.ca, &target_.tls.key, &target_.tls.crl,
                                     &target_.tls.certificate, &target_.server_public_key}) {
      *field = path;
      EXPECT_THAT(Refusal(),
                  testing::HasSubstr(absl::StrCat(": ", path, " is no regular file", kWhere)));
      field->clear();
    }
  }
}

TEST_F(TargetFilesTest, FilesAreReadUpToOneMebibyte) {
  target_.tls.ca = Write("ca.pem", std::string(1 << 20, 'x'));
  EXPECT_EQ(Refusal(), "");
  std::filesystem::resize_file(target_.tls.ca, (1 << 20) + 1);
  EXPECT_EQ(Refusal(), absl::StrCat("--ssl-ca: ", target_.tls.ca,
                                    " has more than 1 MiB: it is no file for TLS", kWhere));
}

TEST_F(TargetFilesTest, EncryptedKeyIsRefusedAsNobodyCanBeAsked) {
  for (const char* const content :
       {"-----BEGIN ENCRYPTED PRIVATE KEY-----\nx\n",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nx\n"}) {
    target_.tls.key = Write("key.pem", content);
    EXPECT_EQ(Refusal(),
              absl::StrCat("--ssl-key: ", target_.tls.key,
                           " is encrypted, and clients have nobody to ask for its pass phrase: "
                           "give a key without one, readable by the agent only"));
  }
}

TEST_F(TargetFilesTest, PublicKeyThatIsNoneIsRefused) {
  target_.server_public_key = Write("cert.pem", "-----BEGIN CERTIFICATE-----\nx\n");
  EXPECT_EQ(Refusal(),
            absl::StrCat("--server-public-key-path: ", target_.server_public_key,
                         " is no public key in PEM form: give the server's public_key.pem"));
}

}  // namespace
}  // namespace dslap
