#include "agent/sql/target_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/secret.h"
#include "common/status_util.h"

namespace dslap {
namespace {

// More than any key or list of authorities has.
constexpr size_t kMostBytes = 1 << 20;

constexpr absl::string_view kWhere =
    "; it is looked for on the host that the clients run on: put it there, or correct the path";

absl::Status Unusable(absl::string_view option, absl::string_view why) {
  return absl::FailedPreconditionError(absl::StrCat(option, ": ", why, kWhere));
}

absl::Status CannotRead(absl::string_view option, const std::string& path) {
  return Unusable(option, ErrnoToStatus(errno, absl::StrCat("read ", path)).message());
}

absl::Status CheckDirectory(absl::string_view option, const std::string& path) {
  if (path.empty()) return absl::OkStatus();
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return CannotRead(option, path);
  return S_ISDIR(info.st_mode) ? absl::OkStatus()
                               : Unusable(option, absl::StrCat(path, " is no directory"));
}

// Of the file that is open, for which another may stand at its path by now.
absl::StatusOr<std::string> ReadOpened(absl::string_view option, const std::string& path, int fd) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return CannotRead(option, path);
  if (S_ISDIR(info.st_mode)) return Unusable(option, absl::StrCat(path, " is a directory"));
  if (!S_ISREG(info.st_mode)) return Unusable(option, absl::StrCat(path, " is no regular file"));
  std::string content(kMostBytes + 1, '\0');
  size_t size = 0;
  while (size < content.size()) {
    const ssize_t count = read(fd, content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotRead(option, path);
    if (count == 0) break;
    size += static_cast<size_t>(count);
  }
  if (size > kMostBytes) {
    WipeString(&content);
    return Unusable(option, absl::StrCat(path, " has more than 1 MiB: it is no file for TLS"));
  }
  content.resize(size);
  return content;
}

// Reading it is the only way to know that it may be read. Callers name the file: it may be of any
// kind, and of any size.
absl::StatusOr<std::string> ReadIfGiven(absl::string_view option, const std::string& path) {
  if (path.empty()) return std::string();
  // Opening a FIFO would otherwise wait for somebody to write into it.
  const int fd = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return CannotRead(option, path);
  absl::StatusOr<std::string> content = ReadOpened(option, path, fd);
  close(fd);
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
