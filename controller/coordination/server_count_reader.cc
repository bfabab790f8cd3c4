#include "controller/coordination/server_count_reader.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/error_tally.h"

namespace dslap {
namespace {

// SessionScripts has no connection, see RunScript.on_kept_connection.
constexpr uint32_t kNoConnection = 2000;

// kFailures: the time is up. A reading that fails is kSetUpFailed.
bool EndsTheRun(const Step& step) {
  return step.code == ExitCode::kInterrupted || step.code == ExitCode::kAgentLost ||
         step.code == ExitCode::kFailures;
}

std::string Unreadable(const v1::SqlError& error) {
  const SqlError reason = FromProto(error);
  return reason.ok() ? "the server's counters could not be read"
                     : absl::StrCat("the server's counters could not be read: ", reason.ToString());
}

}  // namespace

Step ServerCountReader::Read(bool on_kept_connection, std::optional<ServerCounters>* counters,
                             v1::SqlError* error) const {
  ScriptRequest request;
  request.what = "read the server's counters";
  request.statements = {kReadServerCounters};
  request.return_rows = true;
  request.on_kept_connection = on_kept_connection;
  request.timeout_ns = kTimeoutNs;
  request.told = false;
  v1::ScriptDone failed;
  request.failed = &failed;
  std::vector<v1::ScriptResult> results;
  Step step = scripts_->Run(request, &results);
  *error = failed.error();
  if (EndsTheRun(step)) return step;
  if (step.ok() && results.size() == 1) *counters = ParseServerCounters(results.front());
  if (counters->has_value()) (*counters)->read_at_ns = clock_->NowNs();
  return Step::Done();
}

Step ServerCountReader::Before(ServerReadings* readings) {
  v1::SqlError error;
  Step step = Read(/*on_kept_connection=*/true, &readings->before, &error);
  if (!readings->before.has_value()) readings->missing = Unreadable(error);
  return step;
}

Step ServerCountReader::After(ServerReadings* readings) {
  if (!readings->before.has_value()) return Step::Done();
  v1::SqlError error;
  Step step = Read(/*on_kept_connection=*/true, &readings->after, &error);
  if (!step.ok() || readings->after.has_value()) return step;
  readings->missing = Unreadable(error);
  if (error.code() == kNoConnection) {
    readings->missing =
        "no connection was left to read the server's counters over (the account holds too few for "
        "one beside the clients, or the agent that had it was lost)";
    return step;
  }
  // A server that was restarted says so over a new one.
  readings->reconnected = true;
  return Read(/*on_kept_connection=*/false, &readings->after, &error);
}

}  // namespace dslap
