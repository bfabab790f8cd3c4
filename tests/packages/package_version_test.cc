// deploy/package.sh --print-version: which version a commit is packaged as.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using testing::MatchesRegex;

namespace fs = std::filesystem;

// A repository with the script and one commit.
class PackageVersionTest : public testing::Test {
 protected:
  PackageVersionTest() {
    fs::create_directories(root_ + "/deploy");
    fs::copy(absl::StrCat(DSLAP_SOURCE_DIR, "/deploy/package.sh"), root_ + "/deploy");
    std::ofstream(root_ + "/CMakeLists.txt") << "project(dslap VERSION 1.2.3 LANGUAGES CXX)\n";
  }
  ~PackageVersionTest() override { fs::remove_all(root_); }

  void Git(const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv = {"git", "-c", "user.name=a", "-c", "user.email=a@b"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    const ProcessResult result = RunProcess({.argv = argv,
                                             .env = {{"GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"},
                                                     {"GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z"},
                                                     {"GIT_CONFIG_GLOBAL", "/dev/null"}},
                                             .directory = root_},
                                            absl::Seconds(30));
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  void Commit() const {
    Git({"init", "-q"});
    Git({"add", "-A"});
    Git({"commit", "-q", "-m", "one"});
  }

  std::string Version(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> argv = {root_ + "/deploy/package.sh", "--print-version"};
    argv.insert(argv.end(), options.begin(), options.end());
    const ProcessResult result = RunProcess({.argv = argv}, absl::Seconds(30));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  const std::string root_ = fs::temp_directory_path() / absl::StrCat("dslap-version-", getpid());
};

TEST_F(PackageVersionTest, IsTheProjectsForItsTag) {
  Commit();
  Git({"tag", "v1.2.3"});
  EXPECT_EQ(Version(), "1.2.3\n");
}

TEST_F(PackageVersionTest, TellsTimeAndCommitBeforeThat) {
  Commit();
  Git({"tag", "v1.2.2"});
  EXPECT_THAT(Version(), MatchesRegex("1\\.2\\.3~git20260102030405\\.[0-9a-f]{7,}\n"));
}

TEST_F(PackageVersionTest, OfChangedFilesIsNoRelease) {
  Commit();
  Git({"tag", "v1.2.3"});
  std::ofstream(root_ + "/CMakeLists.txt", std::ios::app) << "# changed\n";
  EXPECT_THAT(Version(), MatchesRegex("1\\.2\\.3~git20260102030405\\.[0-9a-f]{7,}\\.changed\n"));
}

TEST_F(PackageVersionTest, IsTheProjectsWithoutARepository) { EXPECT_EQ(Version(), "1.2.3\n"); }

TEST_F(PackageVersionTest, IsWhatIsAskedFor) {
  EXPECT_EQ(Version({"--version=2.0~rc1"}), "2.0~rc1\n");
  const ProcessResult refused =
      RunProcess({.argv = {root_ + "/deploy/package.sh", "--version=2.0-1"}}, absl::Seconds(30));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err,
            "package.sh: --version: begin with a digit and use letters, digits, '.', '+' and '~' "
            "only, not '2.0-1'\n");
}

}  // namespace
}  // namespace dslap
