// Option files as a user of mysqlslap has them, read by the real program.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

class OptionFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = ::testing::TempDir() + "/dslap-option-files-XXXXXX";
    ASSERT_NE(mkdtemp(directory_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  // The path of a new file.
  std::string Write(const std::string& name, const std::string& content, mode_t mode = 0600) const {
    const std::string path = absl::StrCat(directory_, "/", name);
    std::ofstream(path) << content;
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  }

  // The [client] of somebody who may use the sandbox.
  static std::string Account() {
    return absl::StrCat("[client]\nsocket = ", Sandbox().socket(), "\nuser = ", Sandbox().user(),
                        "\npassword = ", Sandbox().password(), "\n");
  }

  // Only with files of the test: --defaults-file comes first.
  static ProcessResult Run(const std::string& file, const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {absl::StrCat("--defaults-file=", file)};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return RunProcess(BareDslapSpec(all), absl::Seconds(60));
  }

  std::string directory_;
};

TEST_F(OptionFilesTest, AFileWithAccountAndLoadIsAllThatARunNeeds) {
  const std::string file = Write(
      "my.cnf",
      absl::StrCat(Account(), "[mysqlslap]\nconcurrency=3\niterations=2\nquery=\"select 1\"\n"));
  const uint64_t before = Sandbox().StatusCounter("Com_select");
  const ProcessResult result = Run(file, {});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const uint64_t between = Sandbox().StatusCounter("Com_select");
  ASSERT_EQ(Run(file, {"--iterations=1"}).exit_code, 0);
  // Beside the six, and the three of the second run, dslap has selects of its own.
  EXPECT_EQ((between - before) - (Sandbox().StatusCounter("Com_select") - between), 3U);
  EXPECT_THAT(result.out, HasSubstr("Number of clients running queries: 3\n"));
  EXPECT_EQ(result.out.find(Sandbox().password()), std::string::npos);
  EXPECT_EQ(result.err.find(Sandbox().password()), std::string::npos);
  ExpectNothingLeft();
}

TEST_F(OptionFilesTest, TheCommandLineWins) {
  const std::string file = Write("my.cnf", "[mysqlslap]\nonly-print\nquery=\"select 1\"\n");
  EXPECT_EQ(Run(file, {}).out, "select 1;\n");
  EXPECT_EQ(Run(file, {"-q", "select 2", "-c2"}).out, "select 2;\nselect 2;\n");
}

TEST_F(OptionFilesTest, IncludesAreRead) {
  std::filesystem::create_directory(directory_ + "/d");
  Write("d/a.cnf", "[mysqlslap]\nonly-print\n");
  Write("d/b.txt", "[mysqlslap]\nquery=no\n");
  Write("query.inc", "[client]\nquery=select 3 # c\n");
  const std::string file = Write("my.cnf", absl::StrCat("!includedir ", directory_, "/d\n!include ",
                                                        directory_, "/query.inc\n"));
  const ProcessResult result = Run(file, {});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "select 3;\n");
}

TEST_F(OptionFilesTest, AMissingFileIsAnErrorThatNamesIt) {
  const ProcessResult result = Run("/none/my.cnf", {"-a"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "dslap: --defaults-file: cannot read the option file /none/my.cnf: No such file or "
            "directory\n");
}

TEST_F(OptionFilesTest, AnUnknownOptionIsAnErrorThatNamesFileAndLine) {
  const std::string file = Write("my.cnf", "[dslap]\n\nconcurency=5\n");
  const ProcessResult result = Run(file, {"-a"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            absl::StrCat("dslap: ", file,
                         ":3: unknown option '--concurency'; did you mean '--concurrency'? If it "
                         "is for other programs, write loose-concurency or put it into a group of "
                         "theirs\n"));
}

TEST_F(OptionFilesTest, AFileThatEverybodyMayWriteIsPassedOver) {
  const std::string file = Write("my.cnf", "[mysqlslap]\nquery=\"select 1\"\n", 0666);
  const ProcessResult result = Run(file, {"--only-print", "-q", "select 2"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "select 2;\n");
  EXPECT_EQ(result.err, absl::StrCat("dslap: warning: option file ", file,
                                     " is passed over: everybody may write to it (chmod o-w)\n"));
}

TEST_F(OptionFilesTest, PrintsWhatWouldCount) {
  const std::string file = Write("my.cnf", absl::StrCat(Account(), "[mysqld]\nport=1\n"));
  const ProcessResult result = Run(file, {"--print-defaults", "-a", "-psecret"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out,
            absl::StrCat("dslap would have been started with the following arguments:\n--socket=",
                         Sandbox().socket(), " --user=", Sandbox().user(),
                         " --password=***** -a -p***** \n"));
}

}  // namespace
}  // namespace dslap
