// Small helpers around absl::Status that Debian 12's Abseil does not have.
//
//   RETURN_IF_ERROR(Open(path));
//   ASSIGN_OR_RETURN(std::string text, ReadFile(path));
//   return Annotate(status, "agent db-a:7527");        // "agent db-a:7527: <message>", same code
#ifndef DSLAP_COMMON_STATUS_UTIL_H_
#define DSLAP_COMMON_STATUS_UTIL_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dslap {

// Prepends context to the message of a failed status and keeps its code. OK stays OK.
absl::Status Annotate(const absl::Status& status, absl::string_view context);

// "read /a/b: No such file or directory", with the code that fits `error_number` (errno). The one
// place where an errno becomes a Status.
absl::Status ErrnoToStatus(int error_number, absl::string_view context);

// Whole content of a file, opened for reading only.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// No more than its first `most_bytes`.
absl::StatusOr<std::string> ReadBeginning(const std::string& path, size_t most_bytes);

}  // namespace dslap

#define DSLAP_STATUS_CONCAT_INNER(a, b) a##b
#define DSLAP_STATUS_CONCAT(a, b) DSLAP_STATUS_CONCAT_INNER(a, b)

#define RETURN_IF_ERROR(expression)                                         \
  do {                                                                      \
    if (absl::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

#define ASSIGN_OR_RETURN(target, expression) \
  ASSIGN_OR_RETURN_IMPL(DSLAP_STATUS_CONCAT(status_or_, __LINE__), target, expression)

// `temporary` and `target` are declared here: parentheses around them would not be C++.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define ASSIGN_OR_RETURN_IMPL(temporary, target, expression) \
  auto temporary = (expression);                             \
  if (!temporary.ok()) return temporary.status();            \
  target = std::move(temporary).value()
// NOLINTEND(bugprone-macro-parentheses)

#endif  // DSLAP_COMMON_STATUS_UTIL_H_
