#include "common/status_util.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace dslap {
namespace {

TEST(AnnotateTest, PrependsAndKeepsTheCode) {
  EXPECT_EQ(Annotate(absl::NotFoundError("no such table"), "agent db-a:7527"),
            absl::NotFoundError("agent db-a:7527: no such table"));
  EXPECT_EQ(Annotate(absl::OkStatus(), "agent db-a:7527"), absl::OkStatus());
}

TEST(ErrnoToStatusTest, CodesThatFit) {
  EXPECT_EQ(ErrnoToStatus(ENOENT, "/a/b"), absl::NotFoundError("/a/b: No such file or directory"));
  EXPECT_EQ(ErrnoToStatus(EACCES, "/a/b"), absl::PermissionDeniedError("/a/b: Permission denied"));
  EXPECT_EQ(ErrnoToStatus(EEXIST, "/a/b"), absl::AlreadyExistsError("/a/b: File exists"));
}

class ReadFileTest : public testing::Test {
 protected:
  ReadFileTest() {
    std::string pattern = testing::TempDir() + "/status_util_test.XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~ReadFileTest() override {
    unlink((folder_ + "/file").c_str());
    rmdir(folder_.c_str());
  }

  std::string Write(const std::string& content) {
    std::string path = folder_ + "/file";
    std::FILE* file = std::fopen(path.c_str(), "wb");
    EXPECT_NE(file, nullptr);
    EXPECT_EQ(std::fwrite(content.data(), 1, content.size(), file), content.size());
    std::fclose(file);
    return path;
  }

  std::string folder_;
};

TEST_F(ReadFileTest, WholeContentWhateverTheBytes) {
  std::string content("a\0b\r\n\xff", 6);
  EXPECT_EQ(ReadFile(Write(content)).value(), content);
  EXPECT_EQ(ReadFile(Write("")).value(), "");
  // Several times the size of the read buffer.
  content.clear();
  for (int i = 0; i < 60'000; ++i) content += std::to_string(i);
  EXPECT_EQ(ReadFile(Write(content)).value(), content);
}

TEST_F(ReadFileTest, MissingFileIsNamed) {
  const std::string path = folder_ + "/nowhere";
  EXPECT_EQ(ReadFile(path).status(), absl::NotFoundError(path + ": No such file or directory"));
}

TEST_F(ReadFileTest, FolderIsNamed) {
  const absl::Status status = ReadFile(folder_).status();
  EXPECT_EQ(status, ErrnoToStatus(EISDIR, folder_));
  EXPECT_EQ(status.message(), folder_ + ": Is a directory");
}

TEST_F(ReadFileTest, FileWithoutPermissionIsNamed) {
  const std::string path = Write("x");
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  // Root may read everything.
  constexpr uid_t kNobody = 65534;
  const bool is_root = geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const absl::Status status = ReadFile(path).status();
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_EQ(status, absl::PermissionDeniedError(path + ": Permission denied"));
}

absl::Status FirstFailure(const absl::Status& first, const absl::Status& second, int* reached) {
  RETURN_IF_ERROR(first);
  ++*reached;
  RETURN_IF_ERROR(second);
  ++*reached;
  return absl::OkStatus();
}

TEST(StatusMacrosTest, ReturnIfError) {
  int reached = 0;
  EXPECT_EQ(FirstFailure(absl::AbortedError("a"), absl::OkStatus(), &reached),
            absl::AbortedError("a"));
  EXPECT_EQ(reached, 0);
  EXPECT_EQ(FirstFailure(absl::OkStatus(), absl::AbortedError("b"), &reached),
            absl::AbortedError("b"));
  EXPECT_EQ(reached, 1);
  EXPECT_EQ(FirstFailure(absl::OkStatus(), absl::OkStatus(), &reached), absl::OkStatus());
  EXPECT_EQ(reached, 3);
}

absl::StatusOr<int> Sum(absl::StatusOr<std::unique_ptr<int>> a, absl::StatusOr<int> b) {
  ASSIGN_OR_RETURN(const std::unique_ptr<int> first, std::move(a));
  int second = 0;
  ASSIGN_OR_RETURN(second, b);
  return *first + second;
}

TEST(StatusMacrosTest, AssignOrReturn) {
  EXPECT_EQ(Sum(std::make_unique<int>(1), 2).value(), 3);
  EXPECT_EQ(Sum(absl::NotFoundError("a"), 2).status(), absl::NotFoundError("a"));
  EXPECT_EQ(Sum(std::make_unique<int>(1), absl::NotFoundError("b")).status(),
            absl::NotFoundError("b"));
}

}  // namespace
}  // namespace dslap
