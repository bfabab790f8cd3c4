// The way to option files and to the environment variables that name them: the seam that keeps
// tests away from the files of the machine they run on.
#ifndef DSLAP_CONTROLLER_CLI_OPTION_FILE_ACCESS_H_
#define DSLAP_CONTROLLER_CLI_OPTION_FILE_ACCESS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace dslap {

struct OptionFileInfo {
  bool directory = false;
  bool regular = false;
  bool writable_by_all = false;
};

// Links are followed. Codes of failures as ErrnoToStatus() (common/status_util.h) gives them.
struct OptionFileAccess {
  std::function<absl::StatusOr<OptionFileInfo>(const std::string& path)> inspect;
  std::function<absl::StatusOr<std::string>(const std::string& path)> read;
  // Names only, in any order, without "." and "..".
  std::function<absl::StatusOr<std::vector<std::string>>(const std::string& directory)> list;
  std::function<std::optional<std::string>(const std::string& name)> variable;
};

// The real one.
OptionFileAccess ProcessOptionFileAccess();

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_OPTION_FILE_ACCESS_H_
