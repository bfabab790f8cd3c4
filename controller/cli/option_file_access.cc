#include "controller/cli/option_file_access.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "common/status_util.h"

namespace dslap {
namespace {

absl::StatusOr<OptionFileInfo> Inspect(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return ErrnoToStatus(errno, path);
  OptionFileInfo info;
  info.directory = S_ISDIR(status.st_mode);
  info.regular = S_ISREG(status.st_mode);
  info.writable_by_all = (status.st_mode & S_IWOTH) != 0;
  return info;
}

absl::StatusOr<std::vector<std::string>> List(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) return ErrnoToStatus(error.value(), directory);
  return names;
}

std::optional<std::string> Variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

}  // namespace

OptionFileAccess ProcessOptionFileAccess() { return {Inspect, ReadFile, List, Variable}; }

}  // namespace dslap
