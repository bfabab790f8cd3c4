// An Environment with files that are only a map, so that tests of the command line touch no disk.
#ifndef DSLAP_TESTS_CONTROLLER_CLI_FAKE_ENVIRONMENT_H_
#define DSLAP_TESTS_CONTROLLER_CLI_FAKE_ENVIRONMENT_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "controller/cli/environment.h"
#include "tests/controller/cli/fake_option_files.h"

namespace dslap {

// Must outlive the environments it makes.
class FakeFiles {
 public:
  std::map<std::string, std::string> files;
  std::set<std::string> directories;
  std::set<std::string> unreadable;
  std::set<std::string> readable_by_all;
  FakeOptionFiles option_files;

  Environment MakeEnvironment() {
    Environment environment;
    environment.login_name = "alice";
    environment.inspect_file = [this](const std::string& path) { return Inspect(path); };
    environment.read_file = [this](const std::string& path) { return Read(path); };
    environment.option_files = option_files.MakeAccess();
    return environment;
  }

 private:
  absl::StatusOr<FileInfo> Inspect(const std::string& path) const {
    FileInfo info;
    info.directory = directories.count(path) > 0;
    info.readable_by_all = readable_by_all.count(path) > 0;
    if (info.directory || files.count(path) > 0) return info;
    return absl::NotFoundError(absl::StrCat(path, ": No such file or directory"));
  }

  absl::StatusOr<std::string> Read(const std::string& path) const {
    if (unreadable.count(path) > 0) {
      return absl::PermissionDeniedError(absl::StrCat(path, ": Permission denied"));
    }
    const auto found = files.find(path);
    if (found != files.end()) return found->second;
    return absl::NotFoundError(absl::StrCat(path, ": No such file or directory"));
  }
};

}  // namespace dslap

#endif  // DSLAP_TESTS_CONTROLLER_CLI_FAKE_ENVIRONMENT_H_
