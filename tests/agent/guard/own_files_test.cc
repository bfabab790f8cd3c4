#include "agent/guard/own_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

class OwnFilesTest : public ::testing::Test {
 protected:
  OwnFilesTest() {
    char name[] = "/tmp/dslap-own-files.XXXXXX";
    directory_ = mkdtemp(name);
  }
  ~OwnFilesTest() override { std::filesystem::remove_all(directory_); }

  std::string Write(const std::string& name) const {
    const std::string path = absl::StrCat(directory_, "/", name);
    std::ofstream(path) << "x";
    return path;
  }

  std::string directory_;
};

TEST_F(OwnFilesTest, EveryFileOfATargetIsLookedAt) {
  const std::string key = Write("agent.key");
  SqlTarget target;
  for (const auto& [path, option] :
       {std::pair(&target.tls.ca, "--ssl-ca"), std::pair(&target.tls.certificate, "--ssl-cert"),
        std::pair(&target.tls.key, "--ssl-key"), std::pair(&target.tls.crl, "--ssl-crl"),
        std::pair(&target.server_public_key, "--server-public-key-path")}) {
    *path = key;
    EXPECT_EQ(RefuseOwnFiles(target, {{"--tls-cert", ""}, {"--tls-key", key}}),
              absl::PermissionDeniedError(
                  absl::StrCat("refuses ", option, "=", key,
                               ": it is the agent's own (--tls-key), which no run may use: give "
                               "runs a file of their own")));
    path->clear();
  }
}

TEST_F(OwnFilesTest, LinksAndOtherPathsMakeNoDifference) {
  const std::string key = Write("agent.key");
  std::filesystem::create_symlink(key, directory_ + "/soft");
  std::filesystem::create_hard_link(key, directory_ + "/hard");
  for (const std::string name : {"soft", "hard", "./agent.key"}) {
    SqlTarget target;
    target.tls.key = absl::StrCat(directory_, "/", name);
    EXPECT_EQ(RefuseOwnFiles(target, {{"--tls-key", key}}).code(),
              absl::StatusCode::kPermissionDenied)
        << name;
  }
}

TEST_F(OwnFilesTest, OtherFilesAreNoneOfItsBusiness) {
  const std::string key = Write("agent.key");
  SqlTarget target;
  EXPECT_EQ(RefuseOwnFiles(target, {{"--tls-key", key}, {"--token-file", ""}}), absl::OkStatus());
  target.tls.key = Write("client.key");
  target.tls.ca = "/nonexistent";
  EXPECT_EQ(RefuseOwnFiles(target, {{"--tls-key", key}, {"--token-file", "/nonexistent"}}),
            absl::OkStatus());
}

}  // namespace
}  // namespace dslap
