// What the server has counted until an instant, as SHOW GLOBAL STATUS tells it. Pure.
//
// What MariaDB 10.11 and MySQL 9.7 count in Questions (tried out; both the same): one for each
// command that a client sends and is read: a statement, however it ends (parse errors, killed
// ones), CALL and EXECUTE whatever they do inside, COM_INIT_DB, COM_RESET_CONNECTION, COM_QUIT. A
// text of several statements counts each that is begun; what follows a ';' counts as one even when
// it is a comment, but not when it is white space. COM_PING and COM_STATISTICS count nothing, nor
// does a connection by itself, unless the server has an init_connect. Connections counts what is
// accepted, wrong passwords and refusals by the account's limit included; a connection beyond
// max_connections is not in it.
#ifndef DSLAP_CONTROLLER_COORDINATION_SERVER_COUNTERS_H_
#define DSLAP_CONTROLLER_COORDINATION_SERVER_COUNTERS_H_

#include <cstdint>
#include <optional>

#include "dslap/v1/agent.pb.h"

namespace dslap {

// Reads them. It counts itself among Questions.
inline constexpr char kReadServerCounters[] =
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Connections', 'Aborted_clients', "
    "'Aborted_connects', 'Threads_connected', 'Uptime', 'Uptime_since_flush_status')";

struct ServerCounters {
  uint64_t questions = 0;
  uint64_t connections = 0;
  uint64_t aborted_clients = 0;
  uint64_t aborted_connects = 0;
  uint64_t threads_connected = 0;  // now
  uint64_t uptime_s = 0;
  uint64_t since_flush_s = 0;  // since the aborted ones were last set to 0
  int64_t read_at_ns = 0;      // on the controller's clock
};

// Absent when one of them is missing or no number. Without `read_at_ns`.
std::optional<ServerCounters> ParseServerCounters(const v1::ScriptResult& result);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_SERVER_COUNTERS_H_
