#include "agent/guard/library_guard.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_util.h"

namespace dslap {
namespace {

// The library makes a path of it, in which a slash would lead out of its directory.
bool IsPluginName(absl::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  });
}

}  // namespace

absl::Status LibraryGuard::Admit(const SqlTarget& target) const {
  if (!IsPluginName(target.default_auth)) {
    return absl::PermissionDeniedError(
        absl::StrCat("refuses --default-auth=", absl::Utf8SafeCEscape(target.default_auth),
                     ": give the name of a plugin, of letters, digits, _ and -"));
  }
  RETURN_IF_ERROR(AdmitDirectory("--plugin-dir", target.plugin_dir));
  return AdmitDirectory("--character-sets-dir", target.character_sets_dir);
}

absl::Status LibraryGuard::AdmitDirectory(absl::string_view option,
                                          const std::string& directory) const {
  if (directory.empty() ||
      std::find(directories_.begin(), directories_.end(), directory) != directories_.end()) {
    return absl::OkStatus();
  }
  return absl::PermissionDeniedError(absl::StrCat(
      "refuses ", option, "=", absl::Utf8SafeCEscape(directory), ": ",
      directories_.empty() ? "it is read by the agent itself, whose owner allows such directories "
                             "with --allow-library-dir=DIR"
                           : absl::StrCat(shown_, " does not name it, letter by letter")));
}

absl::Status CheckLibraryDirectory(absl::string_view directory) {
  if (absl::StartsWith(directory, "/")) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("'", absl::Utf8SafeCEscape(directory),
                                                 "': give the directory's path from / on"));
}

}  // namespace dslap
