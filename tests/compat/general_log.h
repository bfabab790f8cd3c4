// What a program sent to the sandbox's server, as the server's general log has it: by connection,
// in order. The server must have been started with log_output=TABLE.
//
//   StartGeneralLog();
//   RunDslap({...});
//   const ServerLog log = TakeGeneralLog();
#ifndef DSLAP_TESTS_COMPAT_GENERAL_LOG_H_
#define DSLAP_TESTS_COMPAT_GENERAL_LOG_H_

#include <string>
#include <vector>

namespace dslap {

// One connection. Lines: "CONNECT shop", "USE shop", "RESET", "QUIT", or the text of a statement.
using LogSession = std::vector<std::string>;

struct ServerLog {
  LogSession control;                // the first to connect: set-up, pre- and post-query, tear-down
  std::vector<LogSession> sessions;  // all others, in the order in which they connected

  // The sessions sorted, each a text: no two runs have them in the same order.
  std::vector<std::string> SortedSessions() const;
};

void StartGeneralLog();
// Waits until the connections of the sandbox's user are gone.
ServerLog TakeGeneralLog();

}  // namespace dslap

#endif  // DSLAP_TESTS_COMPAT_GENERAL_LOG_H_
