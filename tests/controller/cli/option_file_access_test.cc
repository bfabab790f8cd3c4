#include "controller/cli/option_file_access.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

class OptionFileAccessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "option_file_access_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    file_ = directory_ + "/a.cnf";
    std::ofstream(file_) << "[g]\n";
    ASSERT_EQ(chmod(file_.c_str(), 0644), 0);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
  std::string file_;
  OptionFileAccess access_ = ProcessOptionFileAccess();
};

TEST_F(OptionFileAccessTest, TellsFilesDirectoriesAndTheirMode) {
  auto info = access_.inspect(file_);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_TRUE(info->regular);
  EXPECT_FALSE(info->directory);
  EXPECT_FALSE(info->writable_by_all);
  ASSERT_EQ(chmod(file_.c_str(), 0602), 0);
  EXPECT_TRUE(access_.inspect(file_)->writable_by_all);
  info = access_.inspect(directory_);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_TRUE(info->directory);
  EXPECT_FALSE(info->regular);
}

TEST_F(OptionFileAccessTest, FollowsLinks) {
  ASSERT_EQ(chmod(file_.c_str(), 0666), 0);
  const std::string link = directory_ + "/link";
  std::filesystem::create_symlink(file_, link);
  const auto info = access_.inspect(link);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_TRUE(info->regular);
  EXPECT_TRUE(info->writable_by_all);
}

TEST_F(OptionFileAccessTest, SaysWhatIsMissing) {
  const std::string missing = directory_ + "/none";
  EXPECT_EQ(access_.inspect(missing).status(),
            absl::NotFoundError(missing + ": No such file or directory"));
  EXPECT_EQ(access_.list(missing).status(),
            absl::NotFoundError(missing + ": No such file or directory"));
  EXPECT_EQ(access_.read(missing).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(OptionFileAccessTest, ListsNamesAndReadsContent) {
  std::ofstream(directory_ + "/.b") << "";
  auto names = access_.list(directory_);
  ASSERT_TRUE(names.ok()) << names.status();
  std::sort(names->begin(), names->end());
  EXPECT_THAT(*names, ElementsAre(".b", "a.cnf"));
  EXPECT_EQ(*access_.read(file_), "[g]\n");
}

TEST_F(OptionFileAccessTest, AVariableThatIsNotSetIsNotAnEmptyOne) {
  ASSERT_EQ(setenv("DSLAP_TEST_VARIABLE", "", 1), 0);
  EXPECT_EQ(access_.variable("DSLAP_TEST_VARIABLE"), "");
  ASSERT_EQ(unsetenv("DSLAP_TEST_VARIABLE"), 0);
  EXPECT_EQ(access_.variable("DSLAP_TEST_VARIABLE"), std::nullopt);
}

}  // namespace
}  // namespace dslap
