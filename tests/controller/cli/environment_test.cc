#include "controller/cli/environment.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "gtest/gtest.h"

namespace dslap {
namespace {

class ProcessEnvironmentTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "environment.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(folder_ + "/file") << "select 1\r\n";
  }
  void TearDown() override {
    unlink((folder_ + "/file").c_str());
    rmdir(folder_.c_str());
  }

  std::string folder_;
  const Environment environment_ = ProcessEnvironment();
};

TEST_F(ProcessEnvironmentTest, KnowsTheLoginName) {
  EXPECT_EQ(environment_.login_name, getpwuid(geteuid())->pw_name);
}

TEST_F(ProcessEnvironmentTest, InspectsFiles) {
  EXPECT_TRUE(environment_.inspect_file(folder_)->directory);
  ASSERT_EQ(chmod((folder_ + "/file").c_str(), 0604), 0);
  EXPECT_TRUE(environment_.inspect_file(folder_ + "/file")->readable_by_all);
  ASSERT_EQ(chmod((folder_ + "/file").c_str(), 0640), 0);
  EXPECT_FALSE(environment_.inspect_file(folder_ + "/file")->readable_by_all);
  EXPECT_FALSE(environment_.inspect_file(folder_ + "/file")->directory);
  EXPECT_EQ(environment_.inspect_file(folder_ + "/none").status(),
            absl::NotFoundError(folder_ + "/none: No such file or directory"));
  // SQL text is longer than a file's name may be.
  EXPECT_FALSE(environment_.inspect_file(std::string(100'000, 'x')).ok());
}

TEST_F(ProcessEnvironmentTest, ReadsFilesUnchanged) {
  ASSERT_EQ(chmod((folder_ + "/file").c_str(), 0400), 0);
  EXPECT_EQ(environment_.read_file(folder_ + "/file").value(), "select 1\r\n");
  EXPECT_EQ(environment_.read_file(folder_ + "/none").status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace dslap
