// How the link between a controller and an agent is secured: with TLS, and who may use it by a
// certificate, by a token, or both. What the two programs have in common; the rules of when
// something may go without are each program's own.
//
//   const LinkTls tls = {.ca = "ca.pem", .certificate = "agent.pem", .key = "agent.key"};
//   RETURN_IF_ERROR(CheckLinkTls(tls, now_unix));
//   builder.AddListeningPort(address, MakeServerCredentials(tls), &port);
#ifndef DSLAP_COMMON_LINK_SECURITY_H_
#define DSLAP_COMMON_LINK_SECURITY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/secret.h"

namespace grpc {
class ChannelCredentials;
class ServerCredentials;
}  // namespace grpc

namespace dslap {

// Paths of PEM files. All empty: no TLS.
struct LinkTls {
  std::string ca = {};  // whose certificates are trusted; an agent without one asks for none
  std::string certificate = {};  // what this side shows; a controller without one shows none
  std::string key = {};          // of `certificate`, without a pass phrase

  bool used() const { return !ca.empty() || !certificate.empty() || !key.empty(); }
};

// Changed files are noticed within this time; links that are up are not touched.
inline constexpr unsigned int kReloadSeconds = 2;

// The metadata key that a token travels under, with "Bearer " before it (RFC 6750, section 2.1).
inline constexpr char kTokenMetadata[] = "authorization";
inline constexpr char kTokenScheme[] = "Bearer ";

// Whether the files can be used now: each readable and what it should be, key and certificate a
// pair, the certificates valid at `now_unix` (seconds since 1970). The error names the file.
absl::Status CheckLinkTls(const LinkTls& tls, int64_t now_unix);

// For files that CheckLinkTls() liked. With a CA a caller must show a certificate of it that is for
// TLS clients (its extended key usage, if it has one).
std::shared_ptr<grpc::ServerCredentials> MakeServerCredentials(const LinkTls& tls);

// For files that CheckLinkTls() liked, `ca` among them. The agent's certificate must be of that CA
// and bear the name or address that is called.
std::shared_ptr<grpc::ChannelCredentials> MakeChannelCredentials(const LinkTls& tls);

// The token in a file: its only line, 16 to 4096 printable characters without blanks.
// INVALID_ARGUMENT for another content, PERMISSION_DENIED for a file that everybody may read.
absl::StatusOr<Secret> ReadTokenFile(const std::string& path);

}  // namespace dslap

#endif  // DSLAP_COMMON_LINK_SECURITY_H_
