#include "common/status_util.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace dslap {

absl::Status Annotate(const absl::Status& status, absl::string_view context) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(context, ": ", status.message()));
}

absl::Status ErrnoToStatus(int error_number, absl::string_view context) {
  return absl::Status(absl::ErrnoToStatusCode(error_number),
                      absl::StrCat(context, ": ", std::generic_category().message(error_number)));
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  return ReadBeginning(path, SIZE_MAX);
}

absl::StatusOr<std::string> ReadBeginning(const std::string& path, size_t most_bytes) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ErrnoToStatus(errno, path);
  std::string content;
  // NOLINTNEXTLINE(modernize-avoid-c-arrays): a plain read buffer.
  char buffer[1 << 16];
  while (content.size() < most_bytes) {
    const ssize_t got = read(fd, buffer, std::min(sizeof(buffer), most_bytes - content.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const absl::Status failed = ErrnoToStatus(errno, path);
      close(fd);
      return failed;
    }
    if (got == 0) break;
    content.append(buffer, static_cast<size_t>(got));
  }
  close(fd);
  return content;
}

}  // namespace dslap
