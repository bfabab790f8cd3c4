// Limits of the server and of the account, and what they mean for a run. Pure.
//
//   ServerLimits limits;
//   limits.TakeVariables(result_of_kReadVariables);
//   limits.TakeAccount(result_of_kReadAccount);
//   const LimitFindings findings = CheckServerLimits(limits, DemandOf(plan, agents));
#ifndef DSLAP_CONTROLLER_COORDINATION_SERVER_LIMITS_H_
#define DSLAP_CONTROLLER_COORDINATION_SERVER_LIMITS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controller/plan/run_demand.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Any account may read these. The text of the account carries a hash of its password on some
// servers: it is looked through and goes no further.
inline constexpr char kReadVariables[] =
    "SELECT @@global.max_connections, @@session.max_user_connections, @@global.init_connect, "
    "VERSION()";
inline constexpr char kReadAccount[] = "SHOW CREATE USER CURRENT_USER()";
inline constexpr char kReadGrants[] = "SHOW GRANTS FOR CURRENT_USER()";
inline constexpr char kReadConnected[] = "SHOW GLOBAL STATUS LIKE 'Threads_connected'";

// Absent: it could not be read, or there is no such limit.
struct ServerLimits {
  std::optional<uint64_t> max_connections;
  std::optional<uint64_t> effective_user_connections;  // what the session shows
  std::optional<uint64_t> user_connections;            // the account's own
  std::optional<uint64_t> queries_per_hour;
  std::optional<uint64_t> updates_per_hour;
  std::optional<uint64_t> connections_per_hour;
  std::optional<uint64_t> connected;  // now, ours included
  bool mariadb = false;
  bool init_connect = false;  // the server runs statements of its own at a connect
  // One connection more than max_connections is let in, and MariaDB's max_user_connections does
  // not hold. True as well when it is not known.
  bool privileged = true;

  // Each takes the result of one of the statements above; what is not of its form is passed over.
  void TakeVariables(const v1::ScriptResult& result);
  void TakeAccount(const v1::ScriptResult& result);
  void TakeGrants(const v1::ScriptResult& result);
  void TakeConnected(const v1::ScriptResult& result);
};

struct LimitFindings {
  std::vector<std::string> impossible;  // each with its figure and how to raise it
  std::vector<std::string> doubtful;    // may fail because of others, who use the server now
};

LimitFindings CheckServerLimits(const ServerLimits& limits, const RunDemand& demand);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_SERVER_LIMITS_H_
