#include "agent/guard/own_files.h"

#include <sys/stat.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace dslap {
namespace {

bool IsSameFile(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  struct stat first {};
  struct stat second {};
  return stat(one.c_str(), &first) == 0 && stat(other.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

}  // namespace

absl::Status RefuseOwnFiles(const SqlTarget& target, const std::vector<OwnFile>& own_files) {
  struct Named {
    absl::string_view option;
    const std::string& path;
  };
  const Named named[] = {{"--ssl-ca", target.tls.ca},
                         {"--ssl-cert", target.tls.certificate},
                         {"--ssl-key", target.tls.key},
                         {"--ssl-crl", target.tls.crl},
                         {"--server-public-key-path", target.server_public_key}};
  for (const Named& each : named) {
    for (const OwnFile& own : own_files) {
      if (!IsSameFile(each.path, own.path)) continue;
      return absl::PermissionDeniedError(
          absl::StrCat("refuses ", each.option, "=", each.path, ": it is the agent's own (",
                       own.option, "), which no run may use: give runs a file of their own"));
    }
  }
  return absl::OkStatus();
}

}  // namespace dslap
