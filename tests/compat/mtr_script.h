// A test file of MariaDB's test suite (mysql-test-run, "mtr"), as far as the ones for mysqlslap use
// its language: read where Debian's package mariadb-test-data has put it, never copied.
//
//   ASSIGN_OR_RETURN(const std::vector<MtrCommand> script, ParseMtrScript(text));
//
// What is not understood is an error that names the line: nothing of a test is passed over
// silently.
#ifndef DSLAP_TESTS_COMPAT_MTR_SCRIPT_H_
#define DSLAP_TESTS_COMPAT_MTR_SCRIPT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dslap {

struct MtrCommand {
  enum class Kind {
    kExec,  // `text` is for a shell, $MYSQL_SLAP in it
    kSql,   // a statement, without the semicolon
    kEcho,  // a line of output
  };
  Kind kind = Kind::kEcho;
  size_t line = 0;  // where it begins, from 1
  std::string text;
  bool may_fail = false;  // after --error
  // From --replace_regex: each pattern in the output gives way to its replacement.
  std::vector<std::pair<std::string, std::string>> replacements;
};

// INVALID_ARGUMENT naming the line of what is not understood.
absl::StatusOr<std::vector<MtrCommand>> ParseMtrScript(absl::string_view text);

}  // namespace dslap

#endif  // DSLAP_TESTS_COMPAT_MTR_SCRIPT_H_
