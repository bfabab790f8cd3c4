#include "tests/compat/general_log_differences.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace dslap {
namespace {

constexpr absl::string_view kDrop = "DROP SCHEMA IF EXISTS ";
constexpr absl::string_view kCreate = "CREATE SCHEMA ";
constexpr absl::string_view kKeys = "SELECT id from t1";

// Erases the lines that `unwanted` says; true when there were some.
template <typename Unwanted>
bool Erase(LogSession* session, Unwanted unwanted) {
  return std::erase_if(*session, unwanted) > 0;
}

bool EraseText(LogSession* session, absl::string_view text) {
  return Erase(session, [text](const std::string& line) { return line == text; });
}

bool EraseBeginning(LogSession* session, absl::string_view beginning) {
  return Erase(session, [&](const std::string& line) { return absl::StartsWith(line, beginning); });
}

// ---- the control connection

bool NulBytes(ServerLog* reference, ServerLog* /*own*/) {
  bool found = false;
  const auto strip = [&found](LogSession* session) {
    for (std::string& line : *session) {
      if (line.empty() || line.back() != '\0') continue;
      line.pop_back();
      found = true;
    }
  };
  strip(&reference->control);
  for (LogSession& session : reference->sessions) strip(&session);
  return found;
}

bool LookUps(ServerLog* /*reference*/, ServerLog* own) {
  return EraseBeginning(&own->control, "SELECT 1 FROM INFORMATION_SCHEMA.");
}

bool Limits(ServerLog* /*reference*/, ServerLog* own) {
  bool all = true;
  for (const char* const beginning : {"SELECT @@global.max_connections", "SHOW CREATE USER ",
                                      "SHOW GRANTS FOR ", "SHOW GLOBAL STATUS LIKE "}) {
    all = EraseBeginning(&own->control, beginning) && all;
  }
  return all;
}

bool Counters(ServerLog* /*reference*/, ServerLog* own) {
  return EraseBeginning(&own->control, "SHOW GLOBAL STATUS WHERE ");
}

bool LifeSigns(ServerLog* /*reference*/, ServerLog* own) {
  return EraseText(&own->control, "DO 0");
}

bool Marker(ServerLog* /*reference*/, ServerLog* own) {
  return EraseBeginning(&own->control, "CREATE TABLE `mysqlslap`.`_dslap_marker` (");
}

// DROP where there is no such schema: before the first round, and of each engine's.
bool NeedlessDrops(ServerLog* reference, ServerLog* /*own*/) {
  bool exists = false;
  return Erase(&reference->control, [&exists](const std::string& line) {
    if (absl::StartsWith(line, kCreate)) exists = true;
    if (!absl::StartsWith(line, kDrop)) return false;
    const bool existed = exists;
    exists = false;
    return !existed;
  });
}

// Before every script, though the schema is the default database already.
bool RepeatedUse(ServerLog* /*reference*/, ServerLog* own) {
  std::string current;
  return Erase(&own->control, [&current](const std::string& line) {
    if (absl::StartsWith(line, kDrop)) current.clear();
    if (!absl::StartsWith(line, "USE ")) return false;
    const bool repeated = line == current;
    current = line;
    return repeated;
  });
}

bool DefaultDatabase(ServerLog* /*reference*/, ServerLog* own) {
  return EraseText(&own->control, "USE shop");
}

bool AutocommitOfSetUp(ServerLog* reference, ServerLog* /*own*/) {
  return EraseText(&reference->control, "SET AUTOCOMMIT=0");
}

bool KeysByTheirOwnConnection(ServerLog* reference, ServerLog* own) {
  const size_t sessions = own->sessions.size();
  std::erase_if(own->sessions, [](const LogSession& session) {
    return session == LogSession{"CONNECT mysqlslap", std::string(kKeys), "QUIT"};
  });
  return own->sessions.size() + 1 == sessions && EraseText(&reference->control, kKeys);
}

// ---- the clients

// The connection that each client of mysqlslap gives up before its first statement.
bool UnusedConnections(ServerLog* reference, ServerLog* /*own*/) {
  return std::erase_if(reference->sessions, [](const LogSession& session) {
           return session == LogSession{"CONNECT mysqlslap", "QUIT"} ||
                  session == LogSession{"CONNECT shop", "set @a = 1", "QUIT"};
         }) > 0;
}

// Two clients of ten statements each, a list of one statement, and --detach=4: mysqlslap counts
// anew at each pass over the list, so it reconnects for each statement.
bool CountOfEachPass(ServerLog* reference, ServerLog* /*own*/) {
  const auto session = [](size_t statements) {
    LogSession lines = {"CONNECT shop", "set @a = 1"};
    lines.insert(lines.end(), statements, "select @a");
    lines.emplace_back("QUIT");
    return lines;
  };
  if (reference->sessions != std::vector<LogSession>(20, session(1))) return false;
  reference->sessions.clear();
  for (const size_t statements : {4, 4, 2, 4, 4, 2}) {
    reference->sessions.push_back(session(statements));
  }
  return true;
}

// The one at the end, when nothing has been executed since the one before.
bool EmptyCommits(ServerLog* reference, ServerLog* /*own*/) {
  bool found = false;
  for (LogSession& session : reference->sessions) {
    const auto end = std::unique(
        session.begin(), session.end(),
        [](const std::string& a, const std::string& b) { return a == "COMMIT" && a == b; });
    found = found || end != session.end();
    session.erase(end, session.end());
  }
  return found;
}

// A kept connection is reset, which MariaDB does not log, and selects its schema again.
bool KeptConnections(ServerLog* /*reference*/, ServerLog* own) {
  std::vector<LogSession> split;
  for (const LogSession& session : own->sessions) {
    split.emplace_back();
    for (const std::string& line : session) {
      if (line == "RESET") continue;
      if (line == "USE mysqlslap") {
        split.back().emplace_back("QUIT");
        split.push_back({"CONNECT mysqlslap"});
      } else {
        split.back().push_back(line);
      }
    }
  }
  own->sessions.swap(split);
  return own->sessions.size() == 2 * split.size();
}

bool EngineNames(ServerLog* reference, ServerLog* /*own*/) {
  const std::string first = "set default_storage_engine=`innodb`";
  LogSession& control = reference->control;
  if (std::count(control.begin(), control.end(), first) != 2) return false;
  *std::find(std::next(std::find(control.begin(), control.end(), first)), control.end(), first) =
      "set default_storage_engine=`memory`";
  return true;
}

bool SqlModeOfClients(ServerLog* /*reference*/, ServerLog* own) {
  bool all = true;
  for (LogSession& session : own->sessions) all = EraseBeginning(&session, "SET sql_mode") && all;
  return all;
}

// Ten statements of three clients are nine.
bool OneStatementMore(ServerLog* reference, ServerLog* own) {
  const auto longest = std::max_element(
      own->sessions.begin(), own->sessions.end(),
      [](const LogSession& a, const LogSession& b) { return a.size() < b.size(); });
  if (longest == own->sessions.end() || reference->sessions.empty()) return false;
  if (longest->size() != reference->sessions[0].size() + 1) return false;
  longest->erase(longest->end() - 2);
  return true;
}

}  // namespace

const std::vector<LogDifference>& LogDifferences() {
  static const auto* const differences = new std::vector<LogDifference>{
      {"nul", "a NUL byte behind each generated statement: what is sent is what --only-print shows",
       NulBytes},
      {"look_up", "looks whether the schema exists, and is dslap's own, before anything is changed",
       LookUps},
      {"limits", "asks for the limits of the server and the account before anything is changed",
       Limits},
      {"counters", "reads the server's counters around every round", Counters},
      {"life_sign", "asks whether the control connection lives before it is used again", LifeSigns},
      {"marker", "a table that says that dslap made the schema (fault 7)", Marker},
      {"needless_drop", "no DROP of a schema that does not exist (fault 7)", NeedlessDrops},
      {"repeated_use", "every script selects its schema, as others may have run in between",
       RepeatedUse},
      {"default_database", "pre- and post-query have a default database (fault 11)",
       DefaultDatabase},
      {"autocommit", "the rows of set-up are committed (fault 9)", AutocommitOfSetUp},
      {"keys", "each agent reads the keys by a connection of its own", KeysByTheirOwnConnection},
      {"unused", "--detach counts statements, and there are none yet (fault 10)",
       UnusedConnections},
      {"pass", "--detach counts over the client's life (fault 10)", CountOfEachPass},
      {"empty_commit", "no COMMIT of nothing", EmptyCommits},
      {"kept", "connections are kept from round to round and reset (fault 15)", KeptConnections},
      {"engine_names", "each engine by its own name (fault 19)", EngineNames},
      {"sql_mode", "--sql-mode holds for the clients, too (fault 12)", SqlModeOfClients},
      {"exact", "--number-of-queries is exact (fault 3)", OneStatementMore},
  };
  return *differences;
}

}  // namespace dslap
