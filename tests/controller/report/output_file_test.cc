#include "controller/report/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "common/status_util.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "dslap_output.XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~OutputFileTest() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  static void Put(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string Get(const std::string& path) { return ReadFile(path).value(); }

  std::filesystem::path directory_;
};

TEST_F(OutputFileTest, AppendKeepsWhatIsThere) {
  Put(Path("a.csv"), "old\n");
  absl::StatusOr<OutputFile> file = OutputFile::Open(Path("a.csv"), OutputFile::Mode::kAppend);
  ASSERT_TRUE(file.ok()) << file.status();
  // Another program appends meanwhile.
  std::ofstream(Path("a.csv"), std::ios::app) << "other\n";
  EXPECT_TRUE(file->Write("new\n").ok());
  EXPECT_EQ(Get(Path("a.csv")), "old\nother\nnew\n");
  std::ofstream(Path("a.csv"), std::ios::app) << "other\n";
  EXPECT_TRUE(file->Write("newer\n").ok());
  EXPECT_TRUE(file->Close().ok());
  EXPECT_EQ(Get(Path("a.csv")), "old\nother\nnew\nother\nnewer\n");
}

TEST_F(OutputFileTest, ReplaceKeepsTheOldContentUntilTheWrite) {
  Put(Path("a.json"), "a long old content\n");
  {
    absl::StatusOr<OutputFile> file = OutputFile::Open(Path("a.json"), OutputFile::Mode::kReplace);
    ASSERT_TRUE(file.ok()) << file.status();
  }
  EXPECT_EQ(Get(Path("a.json")), "a long old content\n");
  absl::StatusOr<OutputFile> file = OutputFile::Open(Path("a.json"), OutputFile::Mode::kReplace);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(file->Write("new").ok());
  EXPECT_TRUE(file->Write(" and whole\n").ok());
  EXPECT_TRUE(file->Close().ok());
  EXPECT_EQ(Get(Path("a.json")), "new and whole\n");
}

TEST_F(OutputFileTest, CreatesTheFile) {
  absl::StatusOr<OutputFile> file = OutputFile::Open(Path("b"), OutputFile::Mode::kReplace);
  ASSERT_TRUE(file.ok()) << file.status();
  const OutputFile moved = *std::move(file);
  EXPECT_TRUE(std::filesystem::exists(Path("b")));
}

TEST_F(OutputFileTest, MissingFolderIsFoundAtOnceAndNamed) {
  const absl::StatusOr<OutputFile> file =
      OutputFile::Open(Path("no/such/a.csv"), OutputFile::Mode::kAppend);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(file.status().message(),
            "cannot open " + Path("no/such/a.csv") + " for the report: No such file or directory");
}

TEST_F(OutputFileTest, FolderIsRefused) {
  const absl::StatusOr<OutputFile> file =
      OutputFile::Open(directory_.string(), OutputFile::Mode::kReplace);
  EXPECT_EQ(file.status().message(),
            "cannot open " + directory_.string() + " for the report: Is a directory");
}

TEST_F(OutputFileTest, FullDiskIsReported) {
  absl::StatusOr<OutputFile> file = OutputFile::Open("/dev/full", OutputFile::Mode::kAppend);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->Write("text").message(),
            "cannot write the report to /dev/full: No space left on device");
}

TEST_F(OutputFileTest, PipesAndDevicesCanBeReplaced) {
  absl::StatusOr<OutputFile> file = OutputFile::Open("/dev/null", OutputFile::Mode::kReplace);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->Write("text"), absl::OkStatus());
  EXPECT_EQ(file->Close(), absl::OkStatus());
}

}  // namespace
}  // namespace dslap
