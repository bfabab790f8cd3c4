// The text of an option file, as MySQL's and MariaDB's programs read it, into a list. Pure: what
// an include names is read by option_file_loader.h, which groups count is for defaults_files.h.
//
//   [client]
//   user = bench              # a comment
//   password = "p # w"        -> p # w
//   delimiter = \n            -> a newline; also \t \r \b \s \\ \" \'
//   [mysqlslap]
//   auto-generate-sql
//   !include /etc/bench.cnf
//
// A '#' outside quotes begins a comment, ';' only at the beginning of a line. A value's quotes are
// taken away when they stand at both of its ends. A line has no greatest length. Where the programs
// differ from each other or would damage a value, docs/option-files.md says what is done here.
#ifndef DSLAP_CONTROLLER_CLI_OPTION_FILE_H_
#define DSLAP_CONTROLLER_CLI_OPTION_FILE_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/secret.h"

namespace dslap {

// "[group] name = value". The name stands as it was written; it may be empty or mean nothing.
struct OptionFileEntry {
  std::string group;
  std::string name;
  std::optional<Secret> value;  // absent: no equals sign. Any value may be a password.
  std::string file;
  int line = 0;
};

// "!include path" or "!includedir path", with the place that it holds among the entries.
struct OptionFileInclude {
  std::string path;
  bool directory = false;
  int line = 0;
};

using OptionFileItem = std::variant<OptionFileEntry, OptionFileInclude>;

// A failure is INVALID_ARGUMENT: "FILE:LINE: what, and how to mend it". `file` serves the messages.
// Nothing of a value is ever repeated in one.
absl::StatusOr<std::vector<OptionFileItem>> ParseOptionFile(absl::string_view text,
                                                            const std::string& file,
                                                            std::vector<std::string>* warnings);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_OPTION_FILE_H_
