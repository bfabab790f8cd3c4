// The client library's handle of one connection, and what both kinds of connection do with it in
// the same way.
#ifndef DSLAP_AGENT_SQL_MYSQL_SESSION_H_
#define DSLAP_AGENT_SQL_MYSQL_SESSION_H_

#include <mysql.h>

#include <cstdint>
#include <string>

#include "agent/sql/server_pin.h"
#include "agent/sql/sql_connection.h"
#include "agent/sql/sql_target.h"
#include "common/error_tally.h"

namespace dslap {

inline constexpr uint32_t kServerGone = 2006;
inline constexpr uint32_t kServerLost = 2013;
inline constexpr uint32_t kTlsError = 2026;

// Owns the handle. Used by one thread at a time.
class MySqlSession {
 public:
  MySqlSession() : mysql_(mysql_init(nullptr)) {}
  // Says good-bye to the server if there is a connection.
  ~MySqlSession();
  MySqlSession(const MySqlSession&) = delete;
  MySqlSession& operator=(const MySqlSession&) = delete;

  MYSQL* mysql() const { return mysql_; }  // nullptr: no memory
  int fd() const;
  uint16_t client_port() const;  // 0: a Unix socket
  bool encrypted() const { return mysql_get_ssl_cipher(mysql_) != nullptr; }
  // What the library says went wrong last.
  SqlError LastError() const;
  SqlRow CopyRow(MYSQL_RES* result, MYSQL_ROW row) const;

  // Sets the TLS options, unless they wait for what the server's greeting offers: then true.
  bool PrepareTls(const SqlTarget& target);

  // Whether the greeting of the server on the fresh socket `fd`, where it stays unread, lets the
  // connection go on; then TLS is settled.
  enum class Greeting { kIncomplete, kPlain, kTls, kRefused };
  Greeting SettleTls(const SqlTarget& target, int fd);

 private:
  MYSQL* const mysql_;
};

// What came of a connect that ended with this error, or none.
ConnectAttempt AttemptOf(const SqlError& error);

// As the library takes a text that may be absent; lives as long as `text`.
inline const char* OrNull(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

// Whether no further statement can be sent after this error.
bool BreaksConnection(uint32_t code);

// What sets the session up after every connect and reset; empty: nothing. The messages of its
// errors begin with kSqlModeError.
std::string SqlModeStatement(const SqlTarget& target);
inline constexpr char kSqlModeError[] = "--sql-mode: ";

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_MYSQL_SESSION_H_
