#include "agent/sql/mysql_session.h"

#include <netinet/in.h>
#include <openssl/err.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "agent/sql/mysql_options.h"
#include "agent/sql/server_greeting.h"

namespace dslap {
namespace {

constexpr uint32_t kUnknownClientError = 2000;
constexpr uint32_t kLocalFileRejected = 2068;  // Oracle's library; MariaDB's has words only

// Whether the server's greeting can be looked at before the library answers it. Oracle's library
// gives no occasion, and needs no looking after: it keeps to its TLS mode.
constexpr bool kSeesGreeting = DSLAP_CONNECTOR_C != 0;

// After these no further statement can be sent: the client library has closed the socket (2006,
// 2012, 2013, 2055), does not know where in the stream it is (2000, 2014, 2020, 2027), or the
// server closes its end after saying so (shutdown, KILL, idle time-out, a packet that is too large
// or broken).
constexpr uint32_t kBreakingCodes[] = {2000, 2020, 2006, 2012, 2013, 2014, 2026,
                                       2027, 2055, 1053, 1080, 1153, 1156, 1157,
                                       1158, 1159, 1160, 1161, 1927, 3169, 4031};

// Up to the capabilities in it. Servers have versions of up to 60 characters.
constexpr size_t kLongestGreeting = 512;

}  // namespace

MySqlSession::~MySqlSession() {
  if (mysql_ != nullptr) mysql_close(mysql_);
  ERR_clear_error();
}

int MySqlSession::fd() const {
#if DSLAP_CONNECTOR_C
  return static_cast<int>(mysql_get_socket(mysql_));
#else
  return static_cast<int>(mysql_->net.fd);
#endif
}

uint16_t MySqlSession::client_port() const {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (getsockname(fd(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  switch (address.ss_family) {
    case AF_INET:
      return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
    case AF_INET6:
      return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
    default:
      return 0;
  }
}

// OpenSSL keeps errors by thread. One that is left would be taken for the next connection's, when
// that has only to wait for more bytes.
SqlError MySqlSession::LastError() const {
  ERR_clear_error();
  const uint32_t code = mysql_errno(mysql_);
  if (code == 0) {
    return {kUnknownClientError, "HY000", "the client library failed without a reason"};
  }
  const char* const message = mysql_error(mysql_);
  const bool asked_for_file =
      code == kLocalFileRejected || absl::StrContains(message, "local infile forbidden");
  return {code, mysql_sqlstate(mysql_), asked_for_file ? kNoLocalFile : message};
}

SqlRow MySqlSession::CopyRow(MYSQL_RES* result, MYSQL_ROW row) const {
  const unsigned fields = mysql_num_fields(result);
  const auto* lengths = mysql_fetch_lengths(result);
  SqlRow copy(fields);
  for (unsigned i = 0; i < fields; ++i) {
    if (row[i] != nullptr) copy[i].emplace(row[i], lengths[i]);
  }
  return copy;
}

bool MySqlSession::PrepareTls(const SqlTarget& target) {
  const bool socket = target.GoesOverSocket();
  const SqlTlsMode mode = target.tls.mode;
  // Connector/C must not be told to prefer TLS before it is known that there is some: it would send
  // the password of caching_sha2_password as if the connection were safe.
  const bool preferred_now = mode == SqlTlsMode::kPreferred && !kSeesGreeting && !socket;
  if (mode >= SqlTlsMode::kRequired || preferred_now) {
    SetTlsOptions(target.tls, mysql_);
  } else {
    SetTlsOff(mysql_);
  }
  return kSeesGreeting && mode != SqlTlsMode::kOff && !socket;
}

MySqlSession::Greeting MySqlSession::SettleTls(const SqlTarget& target, int fd) {
  std::array<char, kLongestGreeting> bytes{};
  const ssize_t size = recv(fd, bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT);
  if (size < 0 && errno == EAGAIN) return Greeting::kIncomplete;
  // The library will meet the same, and say what it is.
  if (size <= 0) return Greeting::kPlain;
  const bool required = target.tls.mode >= SqlTlsMode::kRequired;
  switch (FindTlsOffer({bytes.data(), static_cast<size_t>(size)})) {
    case TlsOffer::kIncomplete:
      if (size < static_cast<ssize_t>(bytes.size())) return Greeting::kIncomplete;
      return required ? Greeting::kRefused : Greeting::kPlain;
    case TlsOffer::kOffered:
      if (!required) SetTlsOptions(target.tls, mysql_);
      return Greeting::kTls;
    case TlsOffer::kNotOffered:
      return required ? Greeting::kRefused : Greeting::kPlain;
    default:
      return Greeting::kPlain;
  }
}

ConnectAttempt AttemptOf(const SqlError& error) {
  if (error.ok()) return ConnectAttempt::kConnected;
  const bool unreachable = error.code == 2002 || error.code == 2003;
  return unreachable ? ConnectAttempt::kUnreachable : ConnectAttempt::kRefused;
}

bool BreaksConnection(uint32_t code) {
  return std::find(std::begin(kBreakingCodes), std::end(kBreakingCodes), code) !=
         std::end(kBreakingCodes);
}

std::string SqlModeStatement(const SqlTarget& target) {
  if (!target.sql_mode.has_value()) return {};
  return absl::StrCat("SET sql_mode = `", absl::StrReplaceAll(*target.sql_mode, {{"`", "``"}}),
                      "`");
}

}  // namespace dslap
