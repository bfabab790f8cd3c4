#include "agent/sql/mysql_options.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace dslap {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;
// The library holds one row of a result at a time. Its own bound is 1 GiB, which a server that
// means harm could have each of thousands of clients hold.
constexpr size_t kLargestRow = 64 << 20;

// Codes of the client library.
constexpr uint32_t kUnknownClientError = 2000;
constexpr uint32_t kTlsError = 2026;
constexpr uint32_t kNotPossible = 2054;

// A server may ask for any file in reply to any statement. These handlers refuse even if the
// library's own switch should fail.
int RefuseInfile(void** /*handle*/, const char* /*name*/, void* /*data*/) { return 1; }
int ReadNoInfile(void* /*handle*/, char* /*buffer*/, unsigned /*size*/) { return -1; }
void EndNoInfile(void* /*handle*/) {}
int NameInfileError(void* /*handle*/, char* message, unsigned size) {
  constexpr std::string_view kText = kNoLocalFile;
  if (size == 0) return static_cast<int>(kUnknownClientError);
  message[kText.copy(message, size - 1)] = '\0';
  return static_cast<int>(kUnknownClientError);
}

void SetText(MYSQL* mysql, mysql_option option, const std::string& text) {
  if (!text.empty()) mysql_options(mysql, option, text.c_str());
}

template <typename T>
void SetValue(MYSQL* mysql, mysql_option option, T value) {
  mysql_options(mysql, option, &value);
}

void SetTlsFiles(const SqlTls& tls, MYSQL* mysql) {
  SetText(mysql, MYSQL_OPT_SSL_CA, tls.ca);
  SetText(mysql, MYSQL_OPT_SSL_CAPATH, tls.ca_path);
  SetText(mysql, MYSQL_OPT_SSL_CERT, tls.certificate);
  SetText(mysql, MYSQL_OPT_SSL_KEY, tls.key);
  SetText(mysql, MYSQL_OPT_SSL_CRL, tls.crl);
  SetText(mysql, MYSQL_OPT_SSL_CRLPATH, tls.crl_path);
  SetText(mysql, MYSQL_OPT_TLS_VERSION, tls.versions);
}

// "Can't connect to server on 'h' (111)" becomes "...(111): Connection refused".
void NameSystemError(std::string* message) {
  if (message->empty() || message->back() != ')') return;
  const size_t open = message->find_last_of('(');
  int number = 0;
  if (open == std::string::npos ||
      !absl::SimpleAtoi(message->substr(open + 1, message->size() - open - 2), &number)) {
    return;
  }
  absl::StrAppend(message, ": ", std::generic_category().message(number));
}

std::string TlsHint(const SqlTarget& target, const std::string& message) {
  if (target.tls.mode < SqlTlsMode::kVerifyCa) {
    return "; see --tls-version, --ssl-cipher and --tls-ciphersuites";
  }
  if (target.tls.mode == SqlTlsMode::kVerifyIdentity &&
      absl::StrContains(message, "Validation of SSL server certificate failed")) {
    return absl::StrCat(": it does not bear the name '", target.host.empty() ? "localhost" : "",
                        target.host, "'; give --host as it does, or --ssl-mode=VERIFY_CA");
  }
#if !DSLAP_CONNECTOR_C
  if (target.tls.mode == SqlTlsMode::kVerifyIdentity) {
    // Oracle's library does not say which of the two it was.
    return "; the server's certificate is verified: --ssl-ca says whom to trust, and --host must "
           "be "
           "a name in it";
  }
#endif
  return "; the server's certificate is verified, --ssl-ca says whom to trust";
}

#if DSLAP_CONNECTOR_C

constexpr uint32_t kAuthPluginFailed = 2059;
constexpr uint32_t kPluginNotAllowed = 5010;
constexpr uint32_t kHighestZstdLevel = 20;
// MARIADB_CLIENT_COMPRESSION_PLUGIN; the header that has it includes one that is not installed.
constexpr int kCompressionPlugin = 104;

// Connector/C sends the password in clear text to any server that asks for it. All it knows but
// mysql_clear_password, which does that.
constexpr absl::string_view kPlugins =
    "mysql_native_password,mysql_old_password,caching_sha2_password,sha256_password,client_ed25519,"
    "auth_gssapi_client,dialog,parsec";
constexpr std::string_view kCleartextPlugin = "mysql_clear_password";

void SetAuthentication(const SqlTarget& target, MYSQL* mysql) {
  SetText(mysql, MYSQL_SERVER_PUBLIC_KEY, target.server_public_key);
  if (target.cleartext_password) return;
  const bool other = !target.default_auth.empty() && target.default_auth != kCleartextPlugin;
  const std::string allowed =
      absl::StrCat(kPlugins, other ? "," : "", other ? target.default_auth : "");
  mysql_options(mysql, MARIADB_OPT_RESTRICTED_AUTH, allowed.c_str());
}

// A server that has no place for a connection says so before TLS begins. The library then gives an
// error of its own, which tells nobody whether to try again, around the server's.
void UnwrapEarlyRefusal(SqlError* error) {
  constexpr absl::string_view kWrapping =
      "The authenticity of the following error cannot be verified: ";
  const std::vector<absl::string_view> parts =
      absl::StrSplit(error->message, absl::MaxSplits(kWrapping, 1));
  if (parts.size() != 2) return;
  const std::pair<absl::string_view, absl::string_view> wrapped =
      absl::StrSplit(parts[1], absl::MaxSplits(" - ", 1));
  uint32_t code = 0;
  if (!absl::SimpleAtoi(wrapped.first, &code) || code == 0) return;
  error->code = code;
  error->message = absl::StrCat(wrapped.second, " (said before TLS began)");
}

void SetCompression(const SqlCompression& compression, MYSQL* mysql) {
  if (!compression.asked()) return;
  mysql_options(mysql, MYSQL_OPT_COMPRESS, nullptr);
  if (compression.zstd_level != 0) {
    SetValue(mysql, MYSQL_OPT_ZSTD_COMPRESSION_LEVEL,
             static_cast<unsigned char>(compression.zstd_level));
  }
}

absl::Status CheckZstd(const SqlTarget& target) {
  if (target.compression.zstd_level > kHighestZstdLevel) {
    return absl::FailedPreconditionError(absl::StrCat(
        "--zstd-compression-level=", target.compression.zstd_level, ": ",
        MARIADB_CLIENT_VERSION_STR, " of MariaDB Connector/C goes up to ", kHighestZstdLevel));
  }
  MYSQL* const mysql = mysql_init(nullptr);
  SetText(mysql, MYSQL_PLUGIN_DIR, target.plugin_dir);
  const bool found = mysql_client_find_plugin(mysql, "zstd", kCompressionPlugin) != nullptr;
  const std::string why = mysql_error(mysql);
  mysql_close(mysql);
  if (found) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("--compression-algorithms: the client library on this host has no zstd (", why,
                   "): install its plugin, or ask for zlib"));
}

// The algorithm in use: Connector/C chooses among all that it and the server know.
SqlError CheckCompression(const SqlCompression& compression, MYSQL* mysql) {
  if (!compression.asked()) return {};
  const bool compressed = mysql->net.compress != 0;
  const bool zstd = (mysql->client_flag & CLIENT_ZSTD_COMPRESSION) != 0;
  if (!compressed) {
    if (compression.optional) return {};
    return {kNotPossible, "HY000",
            "compression was asked for, but the server offers none: leave --compress out, or add "
            "'uncompressed' to --compression-algorithms"};
  }
  if (zstd ? compression.zstd : compression.zlib) return {};
  return {kNotPossible, "HY000",
          absl::StrCat("client library and server agreed on ", zstd ? "zstd" : "zlib",
                       ", which --compression-algorithms does not allow")};
}

#else

void SetAuthentication(const SqlTarget& target, MYSQL* mysql) {
  SetText(mysql, MYSQL_SERVER_PUBLIC_KEY, target.server_public_key);
  SetValue(mysql, MYSQL_OPT_GET_SERVER_PUBLIC_KEY, target.server_public_key.empty());
  SetValue(mysql, MYSQL_ENABLE_CLEARTEXT_PLUGIN, target.cleartext_password);
}

void SetCompression(const SqlCompression& compression, MYSQL* mysql) {
  if (!compression.asked()) return;
  const std::string algorithms =
      absl::StrCat(compression.zlib ? "zlib," : "", compression.zstd ? "zstd," : "",
                   compression.optional ? "uncompressed," : "");
  SetText(mysql, MYSQL_OPT_COMPRESSION_ALGORITHMS, algorithms.substr(0, algorithms.size() - 1));
  if (compression.zstd_level != 0) {
    SetValue(mysql, MYSQL_OPT_ZSTD_COMPRESSION_LEVEL, compression.zstd_level);
  }
}

#endif

}  // namespace

#if DSLAP_CONNECTOR_C

absl::Status CheckLibrary(const SqlTarget& target) {
  if (!target.tls.cipher.empty() && !target.tls.cipher_suites.empty()) {
    return absl::FailedPreconditionError(
        "--ssl-cipher and --tls-ciphersuites: MariaDB Connector/C, the client library in use, "
        "takes one list only; leave one out");
  }
  // Where zlib will do as well, the library takes that when it has no zstd.
  const bool only_zstd = target.compression.zstd && !target.compression.zlib;
  return only_zstd ? CheckZstd(target) : absl::OkStatus();
}

void SetTlsOptions(const SqlTls& tls, MYSQL* mysql) {
  SetValue<my_bool>(mysql, MYSQL_OPT_SSL_ENFORCE, 1);
  const bool verify_name = tls.mode == SqlTlsMode::kVerifyIdentity;
  SetValue<my_bool>(mysql, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, verify_name ? 1 : 0);
  SetTlsFiles(tls, mysql);
  SetText(mysql, MYSQL_OPT_SSL_CIPHER, tls.cipher);
  SetText(mysql, MYSQL_OPT_SSL_CIPHER, tls.cipher_suites);
}

void SetTlsOff(MYSQL* mysql) {
  // Later versions of the library use TLS, and verify, unless told otherwise.
  SetValue<my_bool>(mysql, MYSQL_OPT_SSL_ENFORCE, 0);
  SetValue<my_bool>(mysql, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, 0);
}

#else

absl::Status CheckLibrary(const SqlTarget& target) {
  const bool numeric = target.addresses.size() == 1 && target.addresses[0] == target.host;
  if (target.tls.mode != SqlTlsMode::kVerifyIdentity || target.addresses.empty() || numeric) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      "--ssl-mode=VERIFY_IDENTITY: Oracle's client library, in use on this host, verifies only a "
      "name that it looks up by itself, and --allow-target leaves it the address only: give the "
      "address as --host, or --ssl-mode=VERIFY_CA");
}

void SetTlsOptions(const SqlTls& tls, MYSQL* mysql) {
  static constexpr mysql_ssl_mode kModes[] = {SSL_MODE_DISABLED, SSL_MODE_PREFERRED,
                                              SSL_MODE_REQUIRED, SSL_MODE_VERIFY_CA,
                                              SSL_MODE_VERIFY_IDENTITY};
  SetValue<unsigned>(mysql, MYSQL_OPT_SSL_MODE, kModes[static_cast<int>(tls.mode)]);
  SetTlsFiles(tls, mysql);
  SetText(mysql, MYSQL_OPT_SSL_CIPHER, tls.cipher);
  SetText(mysql, MYSQL_OPT_TLS_CIPHERSUITES, tls.cipher_suites);
}

void SetTlsOff(MYSQL* mysql) { SetValue<unsigned>(mysql, MYSQL_OPT_SSL_MODE, SSL_MODE_DISABLED); }

#endif

void SetConnectOptions(const SqlTarget& target, MYSQL* mysql) {
  SetValue(mysql, MYSQL_OPT_CONNECT_TIMEOUT,
           static_cast<unsigned>(std::max<int64_t>(
               1, (target.connect_timeout_ns + kNsPerSecond - 1) / kNsPerSecond)));
  SetValue(mysql, MYSQL_OPT_MAX_ALLOWED_PACKET, kLargestRow);
  SetValue(mysql, MYSQL_OPT_LOCAL_INFILE, 0U);
  mysql_set_local_infile_handler(mysql, RefuseInfile, ReadNoInfile, EndNoInfile, NameInfileError,
                                 nullptr);
  SetText(mysql, MYSQL_SET_CHARSET_DIR, target.character_sets_dir);
  mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  if (target.transport != SqlTransport::kDefault) {
    SetValue<unsigned>(
        mysql, MYSQL_OPT_PROTOCOL,
        target.transport == SqlTransport::kTcp ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET);
  }
  SetText(mysql, MYSQL_PLUGIN_DIR, target.plugin_dir);
  SetText(mysql, MYSQL_DEFAULT_AUTH, target.default_auth);
  SetAuthentication(target, mysql);
  SetCompression(target.compression, mysql);
}

void ExplainConnectError(const SqlTarget& target, SqlError* error) {
  if (error->code != kUnknownClientError) NameSystemError(&error->message);
  if (absl::StrContains(error->message, "SSL is required but the server doesn't support it")) {
    error->message = kNoTlsMessage;  // Oracle's library looks by itself
  } else if (error->code == kTlsError) {
    absl::StrAppend(&error->message, TlsHint(target, error->message));
  }
#if DSLAP_CONNECTOR_C
  UnwrapEarlyRefusal(error);
  if (error->code == kPluginNotAllowed) {
    // The library names another plugin than the one that was asked for.
    error->code = kAuthPluginFailed;
    error->message =
        "the server asks for an authentication plugin that is not allowed: mysql_clear_password, "
        "which sends the password as it is, needs --enable-cleartext-plugin; another is allowed by "
        "--default-auth=NAME";
  }
#else
  if (absl::StrContains(error->message, "plugin not enabled")) {
    absl::StrAppend(&error->message,
                    "; it sends the password as it is, and needs --enable-cleartext-plugin");
  }
#endif
}

SqlChannel ReadChannel(const SqlTarget& target, MYSQL* mysql) {
  SqlChannel channel;
  channel.unix_socket = target.GoesOverSocket();
  const char* const cipher = mysql_get_ssl_cipher(mysql);
  if (cipher == nullptr) return channel;
  channel.tls_cipher = cipher;
#if DSLAP_CONNECTOR_C
  const char* version = nullptr;
  if (mariadb_get_infov(mysql, MARIADB_CONNECTION_TLS_VERSION, &version) == 0 &&
      version != nullptr) {
    channel.tls_version = version;
  }
#else
  // Oracle's library does not say; only this version has ciphers with such names.
  if (absl::StartsWith(channel.tls_cipher, "TLS_")) channel.tls_version = "TLSv1.3";
#endif
  return channel;
}

SqlError CheckConnected(const SqlTarget& target, MYSQL* mysql) {
  if (target.tls.mode >= SqlTlsMode::kRequired && mysql_get_ssl_cipher(mysql) == nullptr) {
    return {kTlsError, "HY000", kNoTlsMessage};
  }
#if DSLAP_CONNECTOR_C
  return CheckCompression(target.compression, mysql);
#else
  return {};
#endif
}

}  // namespace dslap
