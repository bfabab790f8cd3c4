#include "controller/coordination/server_counters.h"

#include <map>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"

namespace dslap {

std::optional<ServerCounters> ParseServerCounters(const v1::ScriptResult& result) {
  std::map<std::string, std::string> values;
  for (const v1::Row& row : result.rows()) {
    if (row.cells_size() != 2) return std::nullopt;
    values[absl::AsciiStrToLower(row.cells(0).value())] = row.cells(1).value();
  }
  ServerCounters counters;
  bool complete = true;
  const auto take = [&](const char* name, uint64_t* value) {
    const auto found = values.find(name);
    complete = complete && found != values.end() && absl::SimpleAtoi(found->second, value);
  };
  take("questions", &counters.questions);
  take("connections", &counters.connections);
  take("aborted_clients", &counters.aborted_clients);
  take("aborted_connects", &counters.aborted_connects);
  take("threads_connected", &counters.threads_connected);
  take("uptime", &counters.uptime_s);
  take("uptime_since_flush_status", &counters.since_flush_s);
  if (!complete) return std::nullopt;
  return counters;
}

}  // namespace dslap
