#include "controller/coordination/left_connections.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace dslap {
namespace {

constexpr size_t kNamedIds = 10;

std::string Connections(uint64_t count) {
  return absl::StrCat(count, count == 1 ? " connection" : " connections");
}

std::string NamedIds(const std::vector<uint64_t>& ids) {
  const size_t named = std::min(ids.size(), kNamedIds);
  std::string text = absl::StrJoin(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(named), ", ");
  if (ids.size() > named) absl::StrAppend(&text, " and ", ids.size() - named, " more");
  return text;
}

// "10.0.0.3:41234", "host.example:41234"; a Unix socket is "localhost" alone.
bool HasPort(absl::string_view host, uint16_t port) {
  const size_t colon = host.rfind(':');
  if (port == 0) return colon == absl::string_view::npos;
  uint32_t shown = 0;
  return colon != absl::string_view::npos && absl::SimpleAtoi(host.substr(colon + 1), &shown) &&
         shown == port;
}

}  // namespace

std::string LeftConnections::Describe(const std::string& agent) const {
  const std::string who = absl::StrCat("agent ", agent);
  if (not_killed.empty()) {
    if (killed == 0) return "";
    return absl::StrCat(who, " left ", Connections(killed), " on the server, which ",
                        killed == 1 ? "was" : "were", " killed");
  }
  return absl::StrCat(who, " may have left ", Connections(not_killed.size()),
                      " on the server that nobody killed (", problem,
                      "): KILL what SHOW PROCESSLIST still has of ", NamedIds(not_killed));
}

// USER() is "login@host" of the session; a login may have an @ in it, a host has none.
std::string FindConnectionsSql(const std::vector<uint64_t>& ids) {
  return absl::StrCat(
      "SELECT ID, HOST FROM INFORMATION_SCHEMA.PROCESSLIST WHERE USER = "
      "LEFT(USER(), CHAR_LENGTH(USER()) - LOCATE('@', REVERSE(USER()))) AND ID IN (",
      absl::StrJoin(ids, ","), ")");
}

void SortFound(const v1::ScriptResult& rows, const ConnectionMap& told, FoundConnections* found) {
  for (const v1::Row& row : rows.rows()) {
    uint64_t id = 0;
    if (row.cells_size() != 2 || !absl::SimpleAtoi(row.cells(0).value(), &id)) continue;
    const auto entry = told.find(id);
    if (entry == told.end()) continue;
    const bool same_port = HasPort(row.cells(1).value(), entry->second);
    (same_port ? found->surely : found->perhaps).push_back(id);
  }
}

}  // namespace dslap
