#include "common/link_security.h"

#include <fcntl.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/certificate.h"
#include "common/status_util.h"

namespace dslap {
namespace {

using grpc::experimental::FileWatcherCertificateProvider;

constexpr size_t kShortestToken = 16;
constexpr size_t kLongestToken = 4096;

std::string Day(int64_t unix_seconds) {
  return absl::FormatTime("%Y-%m-%d %H:%M UTC", absl::FromUnixSeconds(unix_seconds),
                          absl::UTCTimeZone());
}

absl::Status CheckValidity(const std::string& path, int64_t now_unix) {
  ASSIGN_OR_RETURN(const CertificateInfo info, ReadCertificate(path));
  if (now_unix > info.valid_until_unix) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": the certificate expired on ",
                                                   Day(info.valid_until_unix), ": make a new one"));
  }
  if (now_unix < info.valid_from_unix) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": the certificate is valid from ",
                                                   Day(info.valid_from_unix),
                                                   " on: look at this host's clock"));
  }
  return absl::OkStatus();
}

std::shared_ptr<FileWatcherCertificateProvider> Watch(const LinkTls& tls) {
  if (tls.certificate.empty()) {
    return std::make_shared<FileWatcherCertificateProvider>(tls.ca, kReloadSeconds);
  }
  return std::make_shared<FileWatcherCertificateProvider>(tls.key, tls.certificate, tls.ca,
                                                          kReloadSeconds);
}

}  // namespace

absl::Status CheckLinkTls(const LinkTls& tls, int64_t now_unix) {
  if (!tls.ca.empty()) RETURN_IF_ERROR(CheckValidity(tls.ca, now_unix));
  if (tls.certificate.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(CheckValidity(tls.certificate, now_unix));
  return CheckKeyPair(tls.certificate, tls.key);
}

std::shared_ptr<grpc::ServerCredentials> MakeServerCredentials(const LinkTls& tls) {
  grpc::experimental::TlsServerCredentialsOptions options(Watch(tls));
  options.watch_identity_key_cert_pairs();
  if (tls.ca.empty()) {
    options.set_cert_request_type(GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  } else {
    options.watch_root_certs();
    options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  return grpc::experimental::TlsServerCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> MakeChannelCredentials(const LinkTls& tls) {
  grpc::experimental::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(Watch(tls));
  options.watch_root_certs();
  if (!tls.certificate.empty()) options.watch_identity_key_cert_pairs();
  return grpc::experimental::TlsCredentials(options);
}

absl::StatusOr<Secret> ReadTokenFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ErrnoToStatus(errno, absl::StrCat("read ", path));
  const absl::Cleanup close_it = [fd] { close(fd); };
  struct stat about {};
  if (fstat(fd, &about) != 0) return ErrnoToStatus(errno, absl::StrCat("read ", path));
  if ((about.st_mode & S_IROTH) != 0) {
    return absl::PermissionDeniedError(
        absl::StrCat(path, ": everybody on this host may read the token: chmod 600 ", path));
  }
  // One byte more than the longest, for its newline, and one to see that there is more.
  std::string text(kLongestToken + 2, '\0');
  const ssize_t size = read(fd, text.data(), text.size());
  const absl::Cleanup wipe = [&text] { WipeString(&text); };
  if (size < 0) return ErrnoToStatus(errno, absl::StrCat("read ", path));
  text.resize(static_cast<size_t>(size));
  if (!text.empty() && text.back() == '\n') text.pop_back();
  if (!text.empty() && text.back() == '\r') text.pop_back();
  const bool printable =
      std::all_of(text.begin(), text.end(), [](char c) { return absl::ascii_isgraph(c); });
  if (!printable || text.size() < kShortestToken || text.size() > kLongestToken) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": a token is one line of ", kShortestToken, " to ", kLongestToken,
                     " printable characters without blanks: openssl rand -hex 32 makes one"));
  }
  return Secret(std::move(text));
}

}  // namespace dslap
