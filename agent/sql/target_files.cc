#include "agent/sql/target_files.h"

#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/secret.h"
#include "common/status_util.h"

namespace dslap {
namespace {

constexpr absl::string_view kWhere =
    "; it is looked for on the host that the clients run on: put it there, or correct the path";

absl::Status Unusable(absl::string_view option, absl::string_view why) {
  return absl::FailedPreconditionError(absl::StrCat(option, ": ", why, kWhere));
}

absl::Status CheckKind(absl::string_view option, const std::string& path, bool directory) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    return Unusable(option, ErrnoToStatus(errno, absl::StrCat("read ", path)).message());
  }
  if (S_ISDIR(info.st_mode) == directory) return absl::OkStatus();
  return Unusable(option, absl::StrCat(path, directory ? " is no directory" : " is a directory"));
}

absl::Status CheckDirectory(absl::string_view option, const std::string& path) {
  if (path.empty()) return absl::OkStatus();
  return CheckKind(option, path, /*directory=*/true);
}

// Reading it is the only way to know that it may be read.
absl::StatusOr<std::string> ReadIfGiven(absl::string_view option, const std::string& path) {
  if (path.empty()) return std::string();
  RETURN_IF_ERROR(CheckKind(option, path, /*directory=*/false));
  absl::StatusOr<std::string> content = ReadFile(path);
  if (!content.ok()) return Unusable(option, content.status().message());
  return content;
}

absl::Status CheckFile(absl::string_view option, const std::string& path) {
  return ReadIfGiven(option, path).status();
}

// The client library goes on without a key that it cannot use, and then says nothing of it.
absl::Status CheckPublicKey(absl::string_view option, const std::string& path) {
  ASSIGN_OR_RETURN(const std::string content, ReadIfGiven(option, path));
  if (path.empty() || absl::StrContains(content, "-----BEGIN PUBLIC KEY-----")) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      option, ": ", path, " is no public key in PEM form: give the server's public_key.pem"));
}

// The client library would ask for a pass phrase on the terminal, once for each connection.
absl::Status CheckKey(absl::string_view option, const std::string& path) {
  ASSIGN_OR_RETURN(std::string content, ReadIfGiven(option, path));
  const bool encrypted = absl::StrContains(content, "ENCRYPTED");
  WipeString(&content);
  if (!encrypted) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(option, ": ", path,
                   " is encrypted, and clients have nobody to ask for its pass phrase: give a key "
                   "without one, readable by the agent only"));
}

}  // namespace

absl::Status CheckTargetFiles(const SqlTarget& target) {
  const SqlTls& tls = target.tls;
  RETURN_IF_ERROR(CheckFile("--ssl-ca", tls.ca));
  RETURN_IF_ERROR(CheckDirectory("--ssl-capath", tls.ca_path));
  RETURN_IF_ERROR(CheckFile("--ssl-cert", tls.certificate));
  RETURN_IF_ERROR(CheckKey("--ssl-key", tls.key));
  RETURN_IF_ERROR(CheckFile("--ssl-crl", tls.crl));
  RETURN_IF_ERROR(CheckDirectory("--ssl-crlpath", tls.crl_path));
  RETURN_IF_ERROR(CheckPublicKey("--server-public-key-path", target.server_public_key));
  return CheckDirectory("--plugin-dir", target.plugin_dir);
}

}  // namespace dslap
