// A target into the options of the client library. Says which library it is: DSLAP_CONNECTOR_C.
#ifndef DSLAP_AGENT_SQL_MYSQL_OPTIONS_H_
#define DSLAP_AGENT_SQL_MYSQL_OPTIONS_H_

#include <mysql.h>

#include "absl/status/status.h"
#include "agent/sql/sql_channel.h"
#include "agent/sql/sql_target.h"
#include "common/error_tally.h"

#if defined(MARIADB_PACKAGE_VERSION)
#define DSLAP_CONNECTOR_C 1
#else
#define DSLAP_CONNECTOR_C 0
#endif

namespace dslap {

inline constexpr char kNoLocalFile[] = "the server asked for a local file; dslap never sends one";

inline constexpr char kNoTlsMessage[] =
    "TLS is required (--ssl, --ssl-mode, --ssl-ca, ...), but the server offers none: switch it on "
    "there, or give --ssl-mode=DISABLED";

// What the client library cannot do of the target: FAILED_PRECONDITION naming option and reason.
absl::Status CheckLibrary(const SqlTarget& target);

// Everything but TLS.
void SetConnectOptions(const SqlTarget& target, MYSQL* mysql);

// TLS as `tls` says, enforced as far as the library does by itself: see CheckConnected().
void SetTlsOptions(const SqlTls& tls, MYSQL* mysql);
void SetTlsOff(MYSQL* mysql);

// The error of a connect, in words that say why and what mends it where the library's do not.
void ExplainConnectError(const SqlTarget& target, SqlError* error);

// How a connection that was made goes.
SqlChannel ReadChannel(const SqlTarget& target, MYSQL* mysql);

// Whether a connection that was made is what the target asks for; Connector/C makes do with less,
// and says nothing. Code 0: it is.
SqlError CheckConnected(const SqlTarget& target, MYSQL* mysql);

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_MYSQL_OPTIONS_H_
