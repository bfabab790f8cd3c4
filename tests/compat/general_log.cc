#include "tests/compat/general_log.h"

#include <algorithm>
#include <map>
#include <regex>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

std::string Line(const std::string& type, const std::string& argument) {
  if (type == "Query") {
    // Which of the keys a client draws is chance.
    static const auto* const keyed = new std::regex("( WHERE id = +)'[^']*'");
    return std::regex_replace(argument, *keyed, "$1'<key>'");
  }
  if (type == "Init DB") return absl::StrCat("USE ", argument);
  if (type == "Quit") return "QUIT";
  if (type == "Reset Connection") return "RESET";
  if (type != "Connect") return absl::StrCat(type, " ", argument);
  // "dslap@127.0.0.1 on shop using TCP/IP"
  static const auto* const schema = new std::regex(" on (.*) using ");
  std::smatch match;
  std::regex_search(argument, match, *schema);
  return absl::StrCat("CONNECT ", match[1].str());
}

}  // namespace

std::vector<std::string> ServerLog::SortedSessions() const {
  std::vector<std::string> all;
  all.reserve(sessions.size());
  for (const LogSession& session : sessions) all.push_back(absl::StrJoin(session, "\n"));
  std::sort(all.begin(), all.end());
  return all;
}

void StartGeneralLog() {
  Sandbox().Execute("TRUNCATE mysql.general_log; SET GLOBAL general_log = 1");
}

ServerLog TakeGeneralLog() {
  EXPECT_TRUE(Sandbox().WaitForConnections(0, absl::Seconds(15)));
  Sandbox().Execute("SET GLOBAL general_log = 0");
  ServerLog log;
  std::map<std::string, LogSession*> sessions;  // by connection number
  std::vector<std::string> order;
  std::map<std::string, LogSession> found;
  for (const std::vector<std::string>& row :
       Sandbox().Rows("SELECT thread_id, command_type, HEX(argument) FROM mysql.general_log")) {
    const std::string argument = row.size() == 3 ? absl::HexStringToBytes(row[2]) : "";
    if (row[1] == "Connect" && absl::StartsWith(argument, Sandbox().user() + "@")) {
      order.push_back(row[0]);
      found[row[0]];
    }
    const auto session = found.find(row[0]);
    if (session != found.end()) session->second.push_back(Line(row[1], argument));
  }
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0) {
      log.control = found[order[i]];
    } else {
      log.sessions.push_back(found[order[i]]);
    }
  }
  return log;
}

}  // namespace dslap
