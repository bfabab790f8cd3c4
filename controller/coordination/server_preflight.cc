#include "controller/coordination/server_preflight.h"

#include <utility>

#include "absl/strings/str_join.h"

namespace dslap {
namespace {

struct Question {
  const char* statement;
  void (ServerLimits::*take)(const v1::ScriptResult&);
};

constexpr Question kQuestions[] = {
    {kReadVariables, &ServerLimits::TakeVariables},
    {kReadAccount, &ServerLimits::TakeAccount},
    {kReadGrants, &ServerLimits::TakeGrants},
    {kReadConnected, &ServerLimits::TakeConnected},
};

// One that the server does not allow, or does not know. Errors of the client library are of the
// connection.
bool RefusesStatement(const v1::ScriptDone& done) {
  return done.failed_stage() == v1::SCRIPT_STAGE_STATEMENT &&
         (done.error().code() < 2000 || done.error().code() >= 3000);
}

}  // namespace

Step ServerPreflight::Ask(const char* statement,
                          void (ServerLimits::*take)(const v1::ScriptResult&)) {
  v1::ScriptDone failed;
  ScriptRequest request;
  request.what = "read the server's limits";
  request.statements = {statement};
  request.return_rows = true;
  request.told = false;
  request.failed = &failed;
  std::vector<v1::ScriptResult> results;
  Step step = scripts_->Run(request, &results);
  if (step.ok() && results.size() == 1) (limits_.*take)(results.front());
  return RefusesStatement(failed) && step.code == request.failure_code ? Step::Done() : step;
}

Step ServerPreflight::Check(const RunDemand& demand, PreflightPolicy policy,
                            std::vector<std::string>* notes) {
  for (const Question& question : kQuestions) {
    if (Step step = Ask(question.statement, question.take); !step.ok()) return step;
  }
  LimitFindings findings = CheckServerLimits(limits_, demand);
  notes->insert(notes->end(), findings.doubtful.begin(), findings.doubtful.end());
  if (policy == PreflightPolicy::kRefuse && !findings.impossible.empty()) {
    return Step::Failed(ExitCode::kSetUpFailed,
                        absl::ResourceExhaustedError(absl::StrJoin(findings.impossible, ", and ")));
  }
  notes->insert(notes->end(), findings.impossible.begin(), findings.impossible.end());
  return Step::Done();
}

}  // namespace dslap
