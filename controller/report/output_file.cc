#include "controller/report/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_util.h"

namespace dslap {

absl::StatusOr<OutputFile> OutputFile::Open(const std::string& path, Mode mode) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (mode == Mode::kAppend ? O_APPEND : 0);
  const int fd = open(path.c_str(), flags, 0666);
  if (fd < 0) return ErrnoToStatus(errno, absl::StrCat("cannot open ", path, " for the report"));
  return OutputFile(fd, path, mode);
}

OutputFile::OutputFile(int fd, std::string path, Mode mode)
    : fd_(fd), path_(std::move(path)), mode_(mode) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      mode_(other.mode_),
      written_(other.written_) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(mode_, other.mode_);
  std::swap(written_, other.written_);
  return *this;
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) close(fd_);
}

absl::Status OutputFile::Write(absl::string_view text) {
  struct stat about = {};
  if (fstat(fd_, &about) != 0) return Failure(errno);
  // A pipe or a device has no old content to replace.
  const bool replaces = mode_ == Mode::kReplace && !written_ && S_ISREG(about.st_mode);
  if (replaces && ftruncate(fd_, 0) != 0) return Failure(errno);
  written_ = true;
  while (!text.empty()) {
    const ssize_t written = write(fd_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failure(errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status OutputFile::Close() {
  // Network file systems report a full disk here. The descriptor is gone whatever close() says.
  if (close(std::exchange(fd_, -1)) != 0) return Failure(errno);
  return absl::OkStatus();
}

absl::Status OutputFile::Failure(int error_number) const {
  return ErrnoToStatus(error_number, absl::StrCat("cannot write the report to ", path_));
}

}  // namespace dslap
