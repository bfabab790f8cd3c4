// A connection of a test's own to the sandbox database, as root over the socket: for looking often,
// where starting a client program each time would cost too much.
//
//   SqlProbe probe(database.socket());
//   EXPECT_TRUE(probe.WaitFor("SELECT COUNT(*) FROM ...", "0", absl::Seconds(10)));
#ifndef DSLAP_TESTS_SUPPORT_SQL_PROBE_H_
#define DSLAP_TESTS_SUPPORT_SQL_PROBE_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "agent/sql/sql_connection.h"

namespace dslap {

// Used by one thread at a time. What fails gives "error: ..." as the value.
class SqlProbe {
 public:
  explicit SqlProbe(const std::string& socket);

  // The first field of the first row; empty when there is none.
  std::string Value(const std::string& sql);

  // Looks every 20 ms until the value is `expected`; false at the timeout.
  bool WaitFor(const std::string& sql, const std::string& expected, absl::Duration timeout);

 private:
  std::unique_ptr<SqlConnection> connection_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_SQL_PROBE_H_
