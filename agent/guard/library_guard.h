// Lets runs name only those directories of libraries that the agent's owner allows
// (--allow-library-dir): what is loaded from them runs in the agent. Pure.
//
//   LibraryGuard guard({"/usr/lib/mysql/plugin"}, "--allow-library-dir=/usr/lib/mysql/plugin");
//   RETURN_IF_ERROR(guard.Admit(target));
#ifndef DSLAP_AGENT_GUARD_LIBRARY_GUARD_H_
#define DSLAP_AGENT_GUARD_LIBRARY_GUARD_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "agent/sql/sql_target.h"

namespace dslap {

// Immutable.
class LibraryGuard {
 public:
  // `directories`: what CheckLibraryDirectory() takes; none: no directory is allowed.
  // `shown`: how a refusal calls the rule.
  LibraryGuard(std::vector<std::string> directories, std::string shown)
      : directories_(std::move(directories)), shown_(std::move(shown)) {}

  // PERMISSION_DENIED naming option, directory and rule. A directory counts as text: where a link
  // or a ".." leads may change between this look and the library's.
  absl::Status Admit(const SqlTarget& target) const;

 private:
  absl::Status AdmitDirectory(absl::string_view option, const std::string& directory) const;

  const std::vector<std::string> directories_;
  const std::string shown_;
};

// INVALID_ARGUMENT saying how to mend it.
absl::Status CheckLibraryDirectory(absl::string_view directory);

}  // namespace dslap

#endif  // DSLAP_AGENT_GUARD_LIBRARY_GUARD_H_
