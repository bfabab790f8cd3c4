// What reading the command line needs to know of the process's surroundings: the seam that lets
// tests do without files and accounts.
#ifndef DSLAP_CONTROLLER_CLI_ENVIRONMENT_H_
#define DSLAP_CONTROLLER_CLI_ENVIRONMENT_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "controller/cli/option_file_access.h"

namespace dslap {

struct FileInfo {
  bool directory = false;
  bool readable_by_all = false;
};

struct Environment {
  std::string login_name;
  // NOT_FOUND when there is no such file; other codes when that cannot be known.
  std::function<absl::StatusOr<FileInfo>(const std::string& path)> inspect_file;
  std::function<absl::StatusOr<std::string>(const std::string& path)> read_file;
  OptionFileAccess option_files;
};

// The real one: account of the effective user, files opened for reading only.
Environment ProcessEnvironment();

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_ENVIRONMENT_H_
