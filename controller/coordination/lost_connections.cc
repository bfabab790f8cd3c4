#include "controller/coordination/lost_connections.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

constexpr uint32_t kNoSuchThread = 1094;

std::vector<uint64_t> Ids(const ConnectionMap& connections) {
  std::vector<uint64_t> ids;
  ids.reserve(connections.size());
  for (const auto& [id, port] : connections) ids.push_back(id);
  return ids;
}

// An interrupt, or a time that is up, is the caller's to tell.
bool WasDone(const Step& step, const ScriptRequest& request,
             const std::vector<v1::ScriptResult>& results) {
  return step.ok() ||
         (step.code != ExitCode::kAgentLost && results.size() == request.statements.size());
}

}  // namespace

void LostConnectionKiller::KillOfLost() {
  const int64_t deadline_ns = group_->NowNs() + kBoundNs;
  const int64_t timeout_ns = scripts_->statement_timeout_ns();
  scripts_->set_statement_timeout_ns(kStatementTimeoutNs);
  for (bool again = true; std::exchange(again, false);) {
    for (size_t agent = 0; agent < group_->size(); ++agent) {
      if (seen_[agent] || group_->state(agent).stream != AgentState::Stream::kLost) continue;
      // False: the survivor was lost over it. Its turn comes, and this one's again.
      seen_[agent] = KillOf(agent, deadline_ns);
      again = true;
    }
  }
  scripts_->set_statement_timeout_ns(timeout_ns);
}

bool LostConnectionKiller::KillOf(size_t agent, int64_t deadline_ns) {
  const ConnectionMap told = group_->state(agent).connections.open();
  LeftConnections& left = left_[agent];
  left = {};
  left.told = told.size();
  if (told.empty()) return true;
  if (!group_->AnyAlive().has_value()) {
    left.not_killed = Ids(told);
    left.problem = "no agent is left to do it";
    return true;
  }
  std::vector<uint64_t> found;
  Step step = Find(told, &found);
  left.found = found.size();
  if (!step.ok()) {
    left.not_killed = Ids(told);
  } else {
    step = Kill(found, deadline_ns, &left);
  }
  if (step.code == ExitCode::kAgentLost) {
    group_->AcknowledgeLosses();
    return false;
  }
  if (!step.ok()) left.problem = absl::StrCat(step.status.message());
  return true;
}

Step LostConnectionKiller::Find(const ConnectionMap& told, std::vector<uint64_t>* found) {
  const std::vector<uint64_t> ids = Ids(told);
  ScriptRequest request;
  request.what = "look for the connections of a lost agent";
  request.cleans_up = true;
  request.return_rows = true;
  for (size_t begin = 0; begin < ids.size(); begin += kIdsAtOnce) {
    const size_t end = std::min(ids.size(), begin + kIdsAtOnce);
    request.statements.push_back(FindConnectionsSql(
        {ids.begin() + static_cast<ptrdiff_t>(begin), ids.begin() + static_cast<ptrdiff_t>(end)}));
  }
  std::vector<v1::ScriptResult> results;
  Step step = scripts_->Run(request, &results);
  for (const v1::ScriptResult& rows : results) {
    const std::vector<uint64_t> surely = SurelyTheAgents(rows, told);
    found->insert(found->end(), surely.begin(), surely.end());
  }
  return WasDone(step, request, results) ? Step::Done() : step;
}

Step LostConnectionKiller::Kill(const std::vector<uint64_t>& ids, int64_t deadline_ns,
                                LeftConnections* left) {
  Step failure = Step::Done();
  size_t next = 0;
  while (next < ids.size() && failure.ok()) {
    if (group_->NowNs() >= deadline_ns) {
      failure = Step::Failed(ExitCode::kSetUpFailed,
                             absl::DeadlineExceededError("the server took too long over it"));
      break;
    }
    ScriptRequest request;
    request.what = "kill the connections of a lost agent";
    request.cleans_up = true;
    const size_t end = std::min(ids.size(), next + ScriptRunner::kBatchStatements);
    for (size_t i = next; i < end; ++i) {
      request.statements.push_back(absl::StrCat("KILL CONNECTION ", ids[i]));
    }
    std::vector<v1::ScriptResult> results;
    Step step = scripts_->Run(request, &results);
    left->killed += results.size();
    next += results.size();
    if (WasDone(step, request, results)) continue;
    if (step.code != ExitCode::kAgentLost && scripts_->last_error().code == kNoSuchThread) {
      ++next;  // it went by itself
      --left->found;
      continue;
    }
    failure = std::move(step);
  }
  left->not_killed.assign(ids.begin() + static_cast<ptrdiff_t>(next), ids.end());
  return failure;
}

}  // namespace dslap
