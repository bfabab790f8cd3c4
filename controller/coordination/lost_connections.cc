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

// Of the script's own connection that is not there any more; see RunScript.on_kept_connection.
constexpr uint32_t kNoConnection = 2000;

bool IsOfTheClient(uint32_t code) { return code >= 2000 && code < 3000; }

}  // namespace

Step LostConnectionKiller::KillOfLost() {
  deadline_ns_ = std::min(group_->NowNs() + kBoundNs, scripts_->give_up_at_ns());
  early_ = Step::Done();
  bool any = false;
  for (bool again = true; std::exchange(again, false);) {
    for (size_t agent = 0; agent < group_->size(); ++agent) {
      if (seen_[agent] || group_->state(agent).stream != AgentState::Stream::kLost) continue;
      // False: the survivor was lost over it. Its turn comes, and this one's again.
      seen_[agent] = KillOf(agent);
      again = true;
      any = true;
    }
  }
  if (any && !group_->AnyAlive().has_value()) {
    return Step::Failed(ExitCode::kAgentLost, absl::UnavailableError("every agent was lost"));
  }
  return std::exchange(early_, Step::Done());
}

bool LostConnectionKiller::KillOf(size_t agent) {
  const ConnectionMap told = group_->state(agent).connections.open();
  LeftConnections& left = left_[agent];
  const uint64_t killed_before = left.killed;
  left = {};
  left.told = told.size();
  left.killed = killed_before;
  if (told.empty()) return true;
  if (!group_->AnyAlive().has_value()) {
    left.not_killed = Ids(told);
    left.problem = "no agent is left to do it";
    return true;
  }
  Step step = FindAndKill(told, &left);
  left.found += killed_before;
  if (step.code == ExitCode::kAgentLost) {
    group_->AcknowledgeLosses();
    return false;
  }
  if (!step.ok()) left.problem = absl::StrCat(step.status.message());
  // A server that cannot be reached is not asked again for each agent.
  if (IsOfTheClient(step.sql_code) && step.sql_code != kNoConnection) deadline_ns_ = 0;
  return true;
}

Step LostConnectionKiller::FindAndKill(const ConnectionMap& told, LeftConnections* left) {
  Step step = Step::Done();
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    FoundConnections found;
    step = Find(told, &found);
    if (!step.ok()) {
      left->not_killed = Ids(told);
      return step;
    }
    left->found = left->killed + found.surely.size();
    step = Kill(found.surely, left);
    // The server may be another one by now, where the ids are other people's: look again.
    if (step.sql_code == kNoConnection) continue;
    if (step.ok() && !found.perhaps.empty()) {
      left->not_killed = std::move(found.perhaps);
      left->problem = "their ports are not those that the agent knew, so they may be another's";
    }
    return step;
  }
  return step;
}

bool LostConnectionKiller::OutOfTime() const { return group_->NowNs() >= deadline_ns_; }

// An interrupt, or a time that is up, is no failure of a script that was carried out all the same.
Step LostConnectionKiller::Run(const ScriptRequest& request,
                               std::vector<v1::ScriptResult>* results) {
  if (OutOfTime()) {
    return Step::Failed(ExitCode::kSetUpFailed,
                        absl::DeadlineExceededError("the server took too long over it"));
  }
  Step step = scripts_->Run(request, results);
  const bool done = results->size() == request.statements.size();
  if (step.ok() || step.code == ExitCode::kAgentLost || !done) return step;
  if (early_.ok()) early_ = std::move(step);
  return Step::Done();
}

Step LostConnectionKiller::Find(const ConnectionMap& told, FoundConnections* found) {
  const std::vector<uint64_t> ids = Ids(told);
  ScriptRequest request;
  request.what = "look for the connections of a lost agent";
  request.cleans_up = true;
  request.return_rows = true;
  request.timeout_ns = kStatementTimeoutNs;
  for (size_t begin = 0; begin < ids.size(); begin += kIdsAtOnce) {
    const size_t end = std::min(ids.size(), begin + kIdsAtOnce);
    request.statements.push_back(FindConnectionsSql(
        {ids.begin() + static_cast<ptrdiff_t>(begin), ids.begin() + static_cast<ptrdiff_t>(end)}));
  }
  std::vector<v1::ScriptResult> results;
  Step step = Run(request, &results);
  for (const v1::ScriptResult& rows : results) SortFound(rows, told, found);
  return step;
}

Step LostConnectionKiller::Kill(const std::vector<uint64_t>& ids, LeftConnections* left) {
  Step failure = Step::Done();
  size_t next = 0;
  while (next < ids.size() && failure.ok()) {
    ScriptRequest request;
    request.what = "kill the connections of a lost agent";
    request.cleans_up = true;
    request.timeout_ns = kStatementTimeoutNs;
    // On the connection that found them: over a new one the ids may mean others.
    request.on_kept_connection = true;
    const size_t end = std::min(ids.size(), next + ScriptRunner::kBatchStatements);
    for (size_t i = next; i < end; ++i) {
      request.statements.push_back(absl::StrCat("KILL CONNECTION ", ids[i]));
    }
    std::vector<v1::ScriptResult> results;
    Step step = Run(request, &results);
    left->killed += results.size();
    next += results.size();
    if (step.sql_code == kNoSuchThread && step.code != ExitCode::kAgentLost) {
      ++next;  // it went by itself
      --left->found;
    } else {
      failure = std::move(step);
    }
  }
  left->not_killed.assign(ids.begin() + static_cast<ptrdiff_t>(next), ids.end());
  return failure;
}

}  // namespace dslap
