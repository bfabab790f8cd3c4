// Option files that are only a map, and an environment of their own, so that tests never see those
// of the machine they run on.
#ifndef DSLAP_TESTS_CONTROLLER_CLI_FAKE_OPTION_FILES_H_
#define DSLAP_TESTS_CONTROLLER_CLI_FAKE_OPTION_FILES_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "controller/cli/option_file_access.h"

namespace dslap {

// Must outlive the accesses it makes.
class FakeOptionFiles {
 public:
  std::map<std::string, std::string> files;
  std::set<std::string> directories;  // their content is what `files` has below them
  std::set<std::string> unreadable;
  std::set<std::string> writable_by_all;
  std::set<std::string> pipes;
  std::map<std::string, std::string> variables;

  OptionFileAccess MakeAccess() {
    return {[this](const std::string& path) { return Inspect(path); },
            [this](const std::string& path) { return Read(path); },
            [this](const std::string& directory) { return List(directory); },
            [this](const std::string& name) { return Variable(name); }};
  }

  // Paths in the order in which they were read.
  const std::vector<std::string>& read() const { return read_; }

 private:
  static absl::Status Missing(const std::string& path) {
    return absl::NotFoundError(absl::StrCat(path, ": No such file or directory"));
  }

  absl::StatusOr<OptionFileInfo> Inspect(const std::string& path) const {
    OptionFileInfo info;
    info.directory = directories.count(path) > 0;
    info.regular = !info.directory && pipes.count(path) == 0;
    info.writable_by_all = writable_by_all.count(path) > 0;
    if (info.directory || files.count(path) > 0) return info;
    return Missing(path);
  }

  absl::StatusOr<std::string> Read(const std::string& path) {
    if (unreadable.count(path) > 0) {
      return absl::PermissionDeniedError(absl::StrCat(path, ": Permission denied"));
    }
    const auto found = files.find(path);
    if (found == files.end()) return Missing(path);
    read_.push_back(path);
    return found->second;
  }

  // Last name first, to show who relies on an order.
  absl::StatusOr<std::vector<std::string>> List(const std::string& directory) const {
    const std::string inside = absl::EndsWith(directory, "/") ? directory : directory + "/";
    if (directories.count(inside.substr(0, inside.size() - 1)) == 0) return Missing(directory);
    std::vector<std::string> names;
    const auto add = [&](const std::string& path) {
      const bool below = path.size() > inside.size() && absl::StartsWith(path, inside);
      if (below && path.find('/', inside.size()) == std::string::npos) {
        names.insert(names.begin(), path.substr(inside.size()));
      }
    };
    for (const auto& [path, content] : files) add(path);
    for (const std::string& path : directories) add(path);
    return names;
  }

  std::optional<std::string> Variable(const std::string& name) const {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  }

  std::vector<std::string> read_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_CONTROLLER_CLI_FAKE_OPTION_FILES_H_
