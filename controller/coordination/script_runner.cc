#include "controller/coordination/script_runner.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "common/error_tally.h"
#include "common/status_util.h"
#include "controller/coordination/agent_names.h"

namespace dslap {
namespace {

// Enough of a statement to recognise it in a message.
std::string Excerpt(const std::string& statement) {
  constexpr size_t kLength = 60;
  std::string excerpt = statement.substr(0, kLength);
  std::replace_if(
      excerpt.begin(), excerpt.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; },
      ' ');
  return statement.size() > kLength ? absl::StrCat(excerpt, "...") : excerpt;
}

Step GivenUp(const ScriptRequest& request) {
  return Step::Failed(request.failure_code,
                      absl::DeadlineExceededError(absl::StrCat(
                          request.what, ": the server did not finish it in the time there was")));
}

}  // namespace

std::string AgentPrefix(const AgentGroup& group, size_t agent) {
  return group.name(agent) == kInProcessAgentName ? std::string()
                                                  : absl::StrCat("agent ", group.name(agent), ": ");
}

absl::Status DescribeLoss(const AgentGroup& group, size_t agent, const std::string& what) {
  const absl::Status& loss = group.state(agent).loss;
  // What its owner does not allow; the message says what, and by which rule.
  if (absl::IsPermissionDenied(loss)) {
    return Annotate(loss, absl::StrCat("agent ", group.name(agent)));
  }
  const bool refused = loss.code() == absl::StatusCode::kFailedPrecondition ||
                       (loss.code() == absl::StatusCode::kResourceExhausted &&
                        !group.state(agent).opened.has_value());
  return absl::Status(loss.code(), absl::StrCat("agent ", group.name(agent),
                                                refused ? ": refused at " : ": lost during ", what,
                                                ": ", loss.message()));
}

Step StepFromWait(const AgentGroup& group, WaitEnd end, const std::string& what) {
  if (end == WaitEnd::kInterrupted) {
    return Step::Failed(ExitCode::kInterrupted,
                        absl::CancelledError(absl::StrCat("interrupted during ", what)));
  }
  if (end == WaitEnd::kTimeUp) {
    return Step::Failed(ExitCode::kFailures, absl::DeadlineExceededError(absl::StrCat(
                                                 group.time_up_reason(), " during ", what)));
  }
  std::vector<std::string> lost;
  absl::StatusCode code = absl::StatusCode::kUnavailable;
  for (size_t i = 0; i < group.size(); ++i) {
    const AgentState& state = group.state(i);
    if (state.stream != AgentState::Stream::kLost || state.loss_told) continue;
    code = state.loss.code();
    lost.emplace_back(DescribeLoss(group, i, what).message());
  }
  return Step::Failed(ExitCode::kAgentLost, absl::Status(code, absl::StrJoin(lost, "; ")));
}

Step ScriptRunner::Run(const ScriptRequest& request, std::vector<v1::ScriptResult>* results) {
  const std::optional<size_t> agent = group_->AnyAlive();
  if (!agent.has_value()) {
    return Step::Failed(request.failure_code,
                        absl::UnavailableError(absl::StrCat(
                            request.what, ": no agent is left to run it on ", target_)));
  }
  size_t begin = 0;
  do {
    size_t end = begin;
    size_t bytes = 0;
    while (end < request.statements.size() && end - begin < kBatchStatements &&
           (end == begin || bytes + request.statements[end].size() <= kBatchBytes)) {
      bytes += request.statements[end].size();
      ++end;
    }
    if (Step step = RunBatch(request, *agent, begin, end, results); !step.ok()) return step;
    begin = end;
  } while (begin < request.statements.size());
  return Step::Done();
}

Step ScriptRunner::RunBatch(const ScriptRequest& request, size_t agent, size_t begin, size_t end,
                            std::vector<v1::ScriptResult>* results) {
  v1::RunRequest message;
  v1::RunScript& script = *message.mutable_run_script();
  script.set_script(next_script_++);
  script.set_default_schema(request.default_schema);
  script.set_statement_timeout_ns(
      static_cast<uint64_t>(request.timeout_ns.value_or(statement_timeout_ns_)));
  script.set_on_kept_connection(request.on_kept_connection);
  for (size_t i = begin; i < end; ++i) {
    v1::ScriptStatement& statement = *script.add_statements();
    statement.set_text(request.statements[i]);
    if (request.told) narrator_->Statement(request.statements[i]);
    statement.set_return_rows(request.return_rows);
  }
  if (request.last_will.has_value() && end == request.statements.size()) {
    *script.mutable_last_will() = *request.last_will;
  }
  group_->BeginScript(agent, script.script(), end - begin);
  group_->Send(agent, std::move(message));
  Step waited = AwaitScript(agent, request);
  if (!group_->state(agent).script_done.has_value()) {
    if (!waited.ok()) return waited;
    // The group goes on without it; who sent the script decides whether a survivor can begin anew.
    return Step::Failed(ExitCode::kAgentLost, DescribeLoss(*group_, agent, request.what));
  }
  const v1::ScriptDone& done = *group_->state(agent).script_done;
  if (results != nullptr) {
    results->insert(results->end(), done.results().begin(), done.results().end());
  }
  // Of cleaning up it counts whether it was done, whatever happened beside it.
  const bool given_up = waited.code == request.failure_code;
  if (!waited.ok() && (given_up || !request.cleans_up || !done.has_error())) {
    waited.sql_code = done.error().code();
    waited.answered = true;
    return waited;
  }
  if (!done.has_error()) return Step::Done();
  if (request.failed != nullptr) *request.failed = done;
  return SqlFailure(request, agent, begin, done);
}

// Whatever happens, the script's agent must have ended this batch, or it could not take the
// tear-down.
Step ScriptRunner::AwaitScript(size_t agent, const ScriptRequest& request) {
  Step first_failure = Step::Done();
  int64_t deadline_ns = give_up_at_ns_;
  bool stopped = false;
  bool given_up = false;
  for (;;) {
    const WaitEnd end = group_->Await(
        [&] {
          return !group_->state(agent).alive() || group_->state(agent).script_done.has_value();
        },
        deadline_ns);
    if (end == WaitEnd::kDone) return given_up && Succeeded(agent) ? Step::Done() : first_failure;
    if (end == WaitEnd::kDeadline && stopped) {
      group_->GiveUp(agent,
                     absl::DeadlineExceededError("did not end a script it was told to stop"));
      continue;
    }
    if (first_failure.ok()) {
      given_up = end == WaitEnd::kDeadline;
      first_failure = given_up ? GivenUp(request) : StepFromWait(*group_, end, request.what);
    }
    group_->AcknowledgeLosses();
    group_->AcknowledgeEarlyEnd();
    if (!group_->state(agent).alive()) return first_failure;
    if (end == WaitEnd::kDeadline) {
      deadline_ns = Stop(agent, kLastPatienceNs);
      stopped = true;
    } else if (request.cleans_up) {
      deadline_ns = std::min(deadline_ns, group_->NowNs() + kCleanUpBoundNs);
    } else if (!stopped) {
      deadline_ns = Stop(agent, kStopPatienceNs);
      stopped = true;
    }
  }
}

bool ScriptRunner::Succeeded(size_t agent) const {
  const std::optional<v1::ScriptDone>& done = group_->state(agent).script_done;
  return done.has_value() && !done->has_error();
}

int64_t ScriptRunner::Stop(size_t agent, int64_t patience_ns) {
  v1::RunRequest request;
  request.mutable_stop_script()->set_script(next_script_ - 1);
  request.mutable_stop_script()->set_patience_ns(static_cast<uint64_t>(patience_ns));
  group_->Send(agent, std::move(request));
  return group_->NowNs() + 2 * patience_ns;
}

Step ScriptRunner::SqlFailure(const ScriptRequest& request, size_t agent, size_t begin,
                              const v1::ScriptDone& done) const {
  std::string where = absl::StrCat(request.what, ": ");
  switch (done.failed_stage()) {
    case v1::SCRIPT_STAGE_CONNECT:
      // Whatever the script is for, it is the database that cannot be reached.
      where = absl::StrCat("connect to ", target_);
      break;
    case v1::SCRIPT_STAGE_SELECT_SCHEMA:
      absl::StrAppend(&where, "use schema ", request.default_schema);
      break;
    default: {
      const size_t number = begin + static_cast<size_t>(done.results_size());
      if (number < request.statements.size()) {
        absl::StrAppend(&where, "statement ", number + 1, " of ", request.statements.size(), " (",
                        Excerpt(request.statements[number]), ")");
      } else {
        absl::StrAppend(&where, "statement");
      }
    }
  }
  const SqlError error = FromProto(done.error());
  return {request.failure_code,
          absl::FailedPreconditionError(
              absl::StrCat(AgentPrefix(*group_, agent), where, ": ", error.ToString())),
          error.code};
}

}  // namespace dslap
