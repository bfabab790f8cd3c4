#include "controller/coordination/answer_check.h"

#include "absl/strings/str_cat.h"
#include "common/status_util.h"

namespace dslap {

void AnswerCheck::BeginRound(uint64_t round) {
  round_ = round;
  ready_ = false;
  started_ = false;
  done_ = false;
}

void AnswerCheck::BeginScript(uint64_t script, uint64_t statements) {
  script_ = script;
  script_statements_ = statements;
  script_done_ = false;
}

absl::Status AnswerCheck::Take(const v1::RunResponse& response) {
  switch (response.message_case()) {
    case v1::RunResponse::kScriptDone:
      return TakeScriptDone(response.script_done());
    case v1::RunResponse::kRoundReady:
      return TakeOnce("RoundReady", response.round_ready().round(), &ready_);
    case v1::RunResponse::kRoundStarted:
      return TakeOnce("RoundStarted", response.round_started().round(), &started_);
    case v1::RunResponse::kProgress:
      return CheckRound("Progress", response.progress().round());
    case v1::RunResponse::kRoundDone:
      return TakeOnce("RoundDone", response.round_done().round(), &done_);
    case v1::RunResponse::MESSAGE_NOT_SET:
      return absl::InternalError("sent an empty message");
    default:
      return absl::OkStatus();
  }
}

absl::Status AnswerCheck::TakeScriptDone(const v1::ScriptDone& done) {
  if (script_done_) {
    return absl::InternalError(
        absl::StrCat("sent ScriptDone of script ", done.script(), " while no script was running"));
  }
  if (done.script() != script_) {
    return absl::InternalError(absl::StrCat("sent ScriptDone of script ", done.script(),
                                            " while script ", script_, " was running"));
  }
  const auto results = static_cast<uint64_t>(done.results_size());
  if (done.has_error() ? results > script_statements_ : results != script_statements_) {
    return absl::InternalError(absl::StrCat("sent ScriptDone with ", results, " results for ",
                                            script_statements_, " statements"));
  }
  script_done_ = true;
  return absl::OkStatus();
}

absl::Status AnswerCheck::CheckRound(absl::string_view message, uint64_t round) const {
  if (round == round_) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("sent ", message, " of round ", round,
                                          ", which is not the one it was asked for, ", round_));
}

absl::Status AnswerCheck::TakeOnce(absl::string_view message, uint64_t round, bool* taken) {
  RETURN_IF_ERROR(CheckRound(message, round));
  if (*taken) {
    return absl::InternalError(absl::StrCat("sent ", message, " of round ", round, " twice"));
  }
  if (taken != &ready_ && !ready_) {
    return absl::InternalError(
        absl::StrCat("sent ", message, " of round ", round, " before its RoundReady"));
  }
  *taken = true;
  return absl::OkStatus();
}

}  // namespace dslap
