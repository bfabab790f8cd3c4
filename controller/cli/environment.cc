#include "controller/cli/environment.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "common/status_util.h"

namespace dslap {
namespace {

std::string LoginName() {
  std::array<char, 1 << 14> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 ||
      found == nullptr) {
    return "";
  }
  return found->pw_name;
}

absl::StatusOr<FileInfo> InspectFile(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return ErrnoToStatus(errno, path);
  FileInfo info;
  info.directory = S_ISDIR(status.st_mode);
  info.readable_by_all = (status.st_mode & S_IROTH) != 0;
  return info;
}

}  // namespace

Environment ProcessEnvironment() {
  return {LoginName(), InspectFile, ReadFile, ProcessOptionFileAccess()};
}

}  // namespace dslap
