#include "controller/cli/defaults_files.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_util.h"
#include "controller/cli/option_file_loader.h"

namespace dslap {
namespace {

// A variable that is set counts even when it is empty: then MariaDB's programs do not look for
// MySQL's either.
std::string MariaDbOrMySql(absl::string_view name, Compat compat, const OptionFileAccess& access) {
  if (compat == Compat::kMariaDb) {
    const std::optional<std::string> value = access.variable(absl::StrCat("MARIADB_", name));
    if (value.has_value()) return *value;
  }
  return access.variable(absl::StrCat("MYSQL_", name)).value_or("");
}

// mysqlslap reads accounts out of it, even with --no-defaults.
void WarnOfLoginFile(const OptionFileAccess& access, const std::string& home,
                     std::vector<std::string>* warnings) {
  const std::optional<std::string> elsewhere = access.variable("MYSQL_TEST_LOGIN_FILE");
  if (!elsewhere.has_value() && home.empty()) return;
  const std::string path = elsewhere.value_or(absl::StrCat(home, "/.mylogin.cnf"));
  if (access.inspect(path).ok()) {
    warnings->push_back(absl::StrCat("login file ", path,
                                     " is passed over: dslap does not read the files of "
                                     "mysql_config_editor; put the account into ~/.my.cnf, "
                                     "readable by you alone"));
  }
}

bool IsGroup(absl::string_view group, absl::string_view name, absl::string_view suffix) {
  return absl::EqualsIgnoreCase(group, name) ||
         absl::EqualsIgnoreCase(group, absl::StrCat(name, suffix));
}

}  // namespace

std::vector<std::string> DefaultsFiles(Compat compat, const OptionFileAccess& access) {
  std::vector<std::string> files = {"/etc/my.cnf", "/etc/mysql/my.cnf"};
  const std::string program_home = MariaDbOrMySql("HOME", compat, access);
  if (!program_home.empty()) {
    const std::string file =
        (std::filesystem::path(program_home) / "my.cnf").lexically_normal().string();
    // A directory of the list is not read twice, it moves to the end.
    files.erase(std::remove(files.begin(), files.end(), file), files.end());
    files.push_back(file);
  }
  files.emplace_back("~/.my.cnf");
  return files;
}

absl::StatusOr<std::vector<OptionFileEntry>> ReadDefaultsFiles(const DefaultsRequest& request,
                                                               Compat compat,
                                                               const OptionFileAccess& access,
                                                               std::vector<std::string>* warnings) {
  if (request.none) return std::vector<OptionFileEntry>();
  const std::string home = access.variable("HOME").value_or("");
  OptionFileLoader loader(access, home, warnings);
  if (request.only_file.has_value()) {
    if (request.extra_file.has_value()) {
      warnings->push_back(absl::StrCat("--defaults-extra-file=", *request.extra_file,
                                       " is not read: --defaults-file stands for all files"));
    }
    RETURN_IF_ERROR(loader.LoadRequired(*request.only_file, "--defaults-file"));
  } else {
    for (const std::string& file : DefaultsFiles(compat, access)) {
      const bool in_home = absl::StartsWith(file, "~/");
      if (in_home && request.extra_file.has_value()) {
        RETURN_IF_ERROR(loader.LoadRequired(*request.extra_file, "--defaults-extra-file"));
      }
      if (!in_home || !home.empty()) RETURN_IF_ERROR(loader.LoadIfThere(file));
    }
  }
  if (compat == Compat::kMySql && !request.no_login_file) WarnOfLoginFile(access, home, warnings);
  return loader.TakeEntries();
}

std::string GroupSuffix(const DefaultsRequest& request, Compat compat,
                        const OptionFileAccess& access) {
  if (request.group_suffix.has_value()) return *request.group_suffix;
  return MariaDbOrMySql("GROUP_SUFFIX", compat, access);
}

std::vector<std::string> DefaultsGroups(Compat compat) {
  const std::string own(kDslapGroup);
  if (compat == Compat::kMySql) return {"mysqlslap", "client", own};
  return {"mysqlslap", "mariadb-slap", "client", "client-server", "client-mariadb", own};
}

std::vector<OptionFileEntry> SelectGroups(std::vector<OptionFileEntry> entries, Compat compat,
                                          absl::string_view suffix) {
  const std::vector<std::string> groups = DefaultsGroups(compat);
  const auto counts = [&](const OptionFileEntry& entry) {
    return std::any_of(groups.begin(), groups.end(), [&](const std::string& group) {
      return IsGroup(entry.group, group, suffix);
    });
  };
  const auto own = [&](const OptionFileEntry& entry) {
    return IsGroup(entry.group, kDslapGroup, suffix);
  };
  entries.erase(std::remove_if(entries.begin(), entries.end(), std::not_fn(counts)), entries.end());
  std::stable_partition(entries.begin(), entries.end(), std::not_fn(own));
  return entries;
}

}  // namespace dslap
