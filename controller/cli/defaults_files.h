// Which option files are read, in which order, and which of their groups count.
//
// In order, the last one wins: /etc/my.cnf, /etc/mysql/my.cnf, my.cnf in $MYSQL_HOME (with
// --compat=mariadb in $MARIADB_HOME if that is set), --defaults-extra-file, ~/.my.cnf. Or only
// --defaults-file, or none. The groups are those of the chosen program, each also with the suffix
// of --defaults-group-suffix ($MYSQL_GROUP_SUFFIX), in the order in which they stand in the files;
// then, whatever file it stands in, [dslap].
#ifndef DSLAP_CONTROLLER_CLI_DEFAULTS_FILES_H_
#define DSLAP_CONTROLLER_CLI_DEFAULTS_FILES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "controller/cli/option_file.h"
#include "controller/cli/option_file_access.h"
#include "controller/options.h"

namespace dslap {

// The group of dslap's own.
inline constexpr absl::string_view kDslapGroup = "dslap";

// What the first options on the command line say.
struct DefaultsRequest {
  bool none = false;                        // --no-defaults
  bool no_login_file = false;               // --no-login-paths
  std::optional<std::string> only_file;     // --defaults-file
  std::optional<std::string> extra_file;    // --defaults-extra-file
  std::optional<std::string> group_suffix;  // --defaults-group-suffix; empty: none
};

// The files that are read without being named, "~/" where the home directory comes in.
std::vector<std::string> DefaultsFiles(Compat compat, const OptionFileAccess& access);

// The entries of all groups. A failure is INVALID_ARGUMENT with the complete message.
absl::StatusOr<std::vector<OptionFileEntry>> ReadDefaultsFiles(const DefaultsRequest& request,
                                                               Compat compat,
                                                               const OptionFileAccess& access,
                                                               std::vector<std::string>* warnings);

// The suffix that `request` or, in its place, the environment asks for; empty when neither does.
std::string GroupSuffix(const DefaultsRequest& request, Compat compat,
                        const OptionFileAccess& access);

// "mysqlslap", "client", ...: without suffix, [dslap] last.
std::vector<std::string> DefaultsGroups(Compat compat);

// Those `entries` that count, in the order in which they count. The case of a group's name does
// not matter.
std::vector<OptionFileEntry> SelectGroups(std::vector<OptionFileEntry> entries, Compat compat,
                                          absl::string_view suffix);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_DEFAULTS_FILES_H_
