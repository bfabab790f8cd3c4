#include "controller/coordination/server_limits.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

// "1 client", "3 clients".
std::string Some(uint64_t number, const char* what) {
  return absl::StrCat(number, " ", what, number == 1 ? "" : "s");
}

// 0 is the server's way to say that there is none.
std::optional<uint64_t> ParseLimit(const std::string& text) {
  uint64_t limit = 0;
  if (!absl::SimpleAtoi(text, &limit) || limit == 0) return std::nullopt;
  return limit;
}

// The number after " NAME ", as in "... WITH MAX_QUERIES_PER_HOUR 100 ...".
std::optional<uint64_t> LimitNamed(const std::string& text, const char* name) {
  const std::string before = absl::StrCat(" ", name, " ");
  const size_t at = text.find(before);
  if (at == std::string::npos) return std::nullopt;
  const size_t begin = at + before.size();
  return ParseLimit(text.substr(begin, text.find_first_not_of("0123456789", begin) - begin));
}

void CheckConnections(const ServerLimits& limits, const RunDemand& demand,
                      LimitFindings* findings) {
  if (!limits.max_connections.has_value()) return;
  const uint64_t needed = demand.clients + 1;
  const uint64_t most = *limits.max_connections + (limits.privileged ? 1 : 0);
  if (needed > most) {
    findings->impossible.push_back(
        absl::StrCat("the server takes ", Some(*limits.max_connections, "connection"), ", ",
                     Some(demand.clients, "client"), " and 1 connection for set-up need ", needed,
                     ": set global max_connections = ", needed, " or ask for fewer clients"));
    return;
  }
  if (!limits.connected.has_value() || *limits.connected < 2) return;
  const uint64_t others = *limits.connected - 1;
  if (needed + others <= most) return;
  findings->doubtful.push_back(
      absl::StrCat("the server takes ", Some(*limits.max_connections, "connection"),
                   ", of which others held ", others, " when the run began: not all of the ",
                   Some(demand.clients, "client"), " may find room"));
}

void CheckUserConnections(const ServerLimits& limits, const RunDemand& demand,
                          LimitFindings* findings) {
  std::optional<uint64_t> most = limits.user_connections;
  // MariaDB lets those who may do everything pass the limit that is not their own.
  if (!most.has_value() && !(limits.mariadb && limits.privileged)) {
    most = limits.effective_user_connections;
  }
  const uint64_t needed = demand.clients + (demand.scripts_stay ? 1 : 0);
  if (!most.has_value() || needed <= *most) return;
  findings->impossible.push_back(absl::StrCat(
      "the account may hold ", Some(*most, "connection"), " (max_user_connections), ",
      Some(demand.clients, "client"),
      demand.scripts_stay ? absl::StrCat(" and 1 connection for set-up need ", needed)
                          : absl::StrCat(needed == 1 ? " needs " : " need ", needed),
      ": alter the account with max_user_connections ", needed, " or ask for fewer clients"));
}

void CheckByTheHour(const char* what, const char* name, std::optional<uint64_t> most,
                    uint64_t needed, LimitFindings* findings) {
  if (!most.has_value() || needed <= *most) return;
  findings->impossible.push_back(absl::StrCat(
      "the account may ", what, " ", *most, " times an hour (", name, "), the run does it ", needed,
      " times: alter the account with ", name, " 0, or ask for less"));
}

}  // namespace

void ServerLimits::TakeVariables(const v1::ScriptResult& result) {
  if (result.rows_size() != 1 || result.rows(0).cells_size() != 4) return;
  const v1::Row& row = result.rows(0);
  max_connections = ParseLimit(row.cells(0).value());
  effective_user_connections = ParseLimit(row.cells(1).value());
  init_connect = !row.cells(2).value().empty();
  mariadb = absl::StrContains(row.cells(3).value(), "MariaDB");
}

void ServerLimits::TakeAccount(const v1::ScriptResult& result) {
  if (result.rows_size() != 1 || result.rows(0).cells_size() < 1) return;
  const std::string& text = result.rows(0).cells(0).value();
  user_connections = LimitNamed(text, "MAX_USER_CONNECTIONS");
  queries_per_hour = LimitNamed(text, "MAX_QUERIES_PER_HOUR");
  updates_per_hour = LimitNamed(text, "MAX_UPDATES_PER_HOUR");
  connections_per_hour = LimitNamed(text, "MAX_CONNECTIONS_PER_HOUR");
}

void ServerLimits::TakeGrants(const v1::ScriptResult& result) {
  if (result.rows_size() == 0) return;
  privileged = false;
  for (const v1::Row& row : result.rows()) {
    if (row.cells_size() != 1) continue;
    const std::string& grant = row.cells(0).value();
    // A role may bring anything.
    const bool role = !absl::StrContains(grant, " ON ");
    const bool global = absl::StrContains(grant, " ON *.* TO ");
    privileged = privileged || role ||
                 (global && (absl::StrContains(grant, "ALL PRIVILEGES") ||
                             absl::StrContains(grant, "SUPER") ||
                             absl::StrContains(grant, "CONNECTION ADMIN") ||
                             absl::StrContains(grant, "CONNECTION_ADMIN")));
  }
}

void ServerLimits::TakeConnected(const v1::ScriptResult& result) {
  if (result.rows_size() != 1 || result.rows(0).cells_size() != 2) return;
  connected = ParseLimit(result.rows(0).cells(1).value());
}

LimitFindings CheckServerLimits(const ServerLimits& limits, const RunDemand& demand) {
  LimitFindings findings;
  CheckConnections(limits, demand, &findings);
  CheckUserConnections(limits, demand, &findings);
  CheckByTheHour("execute a statement", "max_queries_per_hour", limits.queries_per_hour,
                 demand.statements, &findings);
  CheckByTheHour("change something", "max_updates_per_hour", limits.updates_per_hour,
                 demand.updates, &findings);
  CheckByTheHour("connect", "max_connections_per_hour", limits.connections_per_hour,
                 demand.connections, &findings);
  return findings;
}

}  // namespace dslap
