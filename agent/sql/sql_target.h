// Where, as whom and how to connect to the database: what every connection of a run is made with,
// those of clients, of scripts and of the one that kills statements alike.
//
//   auto target = std::make_shared<SqlTarget>();
//   target->host = "10.0.0.5";
//   target->tls.mode = SqlTlsMode::kVerifyIdentity;
//   target->tls.ca = "/etc/dslap/ca.pem";
#ifndef DSLAP_AGENT_SQL_SQL_TARGET_H_
#define DSLAP_AGENT_SQL_SQL_TARGET_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/secret.h"

namespace dslap {

// Of a server whose port is not given.
inline constexpr uint32_t kDefaultPort = 3306;

enum class SqlTransport { kDefault, kTcp, kSocket };

enum class SqlTlsMode {
  kOff,
  kPreferred,       // over TCP, when the server offers it
  kRequired,        // nothing is sent to a server that does not offer it
  kVerifyCa,        // and its certificate must come from a CA that is trusted
  kVerifyIdentity,  // and bear the host's name
};

// Paths are of the agent's host. Empty: not given.
struct SqlTls {
  SqlTlsMode mode = SqlTlsMode::kOff;
  std::string ca;
  std::string ca_path;
  std::string certificate;
  std::string key;
  std::string crl;
  std::string crl_path;
  std::string cipher;         // up to TLS 1.2
  std::string cipher_suites;  // from TLS 1.3 on
  std::string versions;       // "TLSv1.2,TLSv1.3"
};

// A connection that must compress and cannot is an error.
struct SqlCompression {
  bool zlib = false;
  bool zstd = false;
  bool optional = false;    // no compression will do as well
  uint32_t zstd_level = 0;  // 0: the client library's default

  bool asked() const { return zlib || zstd; }
};

// Empty and 0 mean the client library's default.
struct SqlTarget {
  std::string host;
  // Numeric ones of the host, which are connected to, in this order until one answers; the host is
  // then only the name that a certificate must bear. Empty: the client library looks the host up.
  std::vector<std::string> addresses;
  uint32_t port = 0;
  std::string socket;
  std::string user;
  Secret password;
  SqlTransport transport = SqlTransport::kDefault;
  int64_t connect_timeout_ns = 10'000'000'000;

  SqlTls tls;
  SqlCompression compression;
  std::string default_auth;
  std::string plugin_dir;
  std::string character_sets_dir;
  std::string server_public_key;  // path
  bool cleartext_password = false;
  std::optional<std::string> sql_mode;  // set in every session

  // Whether the client library goes over the Unix socket: so told, or for no host and for the
  // literal name "localhost" unless told otherwise.
  bool GoesOverSocket() const;
  // "10.0.0.5:3306", "socket /run/x.sock" or "localhost": for messages.
  std::string Describe() const;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_SQL_TARGET_H_
