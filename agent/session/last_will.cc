#include "agent/session/last_will.h"

#include <string>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/error_tally.h"

namespace dslap {
namespace {

// A server that takes longer than a fresh answer may be old, every time, is left alone.
constexpr int kMostAttempts = 5;

v1::RunScript QuestionOf(const v1::LastWill& will) {
  v1::RunScript script;
  script.set_statement_timeout_ns(will.statement_timeout_ns());
  v1::ScriptStatement* question = script.add_statements();
  question->set_text(will.only_if());
  question->set_return_rows(true);
  return script;
}

// Question and statements are one script: nothing is sent between them, and a connection that is
// lost there is not made anew, perhaps to another server.
v1::RunScript ScriptOf(const v1::LastWill& will) {
  v1::RunScript script = QuestionOf(will);
  for (const std::string& statement : will.statements()) {
    script.add_statements()->set_text(statement);
  }
  return script;
}

bool StillNeeded(const v1::ScriptDone& answer) { return answer.results(0).rows_size() != 0; }

// Lets what follows the question begin only when it is needed and the answer is fresh.
class Gate {
 public:
  explicit Gate(Clock* clock) : clock_(clock) {}

  bool MayBegin(const v1::ScriptDone& so_far) {
    if (so_far.results_size() == 0) {
      refused_ = false;
      // Not when the answer came: it may have waited for a frozen agent.
      asked_at_ns_ = clock_->NowNs();
    } else if (so_far.results_size() == 1) {
      refused_ = !StillNeeded(so_far) || clock_->NowNs() - asked_at_ns_ > kFreshAnswerNs;
    }
    return !refused_;
  }

  // Of the last script: the statements were not begun.
  bool refused() const { return refused_; }

 private:
  Clock* const clock_;
  int64_t asked_at_ns_ = 0;
  bool refused_ = false;
};

// What a server says may repeat the statement, or a value of it: its number must do.
std::string ForTheLog(const SqlError& error) {
  const bool of_the_client = error.code >= 2000 && error.code < 3000;
  return of_the_client ? error.ToString() : absl::StrCat("error ", error.code, "/", error.sqlstate);
}

std::string Failure(const v1::ScriptDone& done, const std::string& cut) {
  const std::string error = absl::Utf8SafeCEscape(ForTheLog(FromProto(done.error())));
  return absl::StrCat("failed: ", error, cut.empty() ? "" : ": ", cut);
}

}  // namespace

std::string CarryOut(const v1::LastWill& will, SessionScripts* scripts, Clock* clock,
                     const std::function<void()>& delay, const std::function<std::string()>& cut) {
  const std::string what = absl::StrCat("last will: ", absl::Utf8SafeCEscape(will.what()), ": ");
  constexpr char kNotNeeded[] = "not needed any more";
  Gate gate(clock);
  scripts->SetMayBegin([&gate](const v1::ScriptDone& so_far) { return gate.MayBegin(so_far); });
  const absl::Cleanup forget = [scripts] { scripts->SetMayBegin(nullptr); };
  if (std::string why = cut(); !why.empty()) return absl::StrCat(what, "not done: ", why);
  // Asked before the delay: mostly a survivor has done it, and the next run need not wait.
  const v1::ScriptDone answer = scripts->Run(QuestionOf(will));
  if (answer.has_error()) return absl::StrCat(what, Failure(answer, cut()));
  if (!StillNeeded(answer)) return absl::StrCat(what, kNotNeeded);
  delay();
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    if (std::string why = cut(); !why.empty()) return absl::StrCat(what, "not done: ", why);
    const v1::ScriptDone done = scripts->Run(ScriptOf(will));
    if (!done.has_error()) return absl::StrCat(what, "done");
    if (!gate.refused()) return absl::StrCat(what, Failure(done, cut()));
    if (!StillNeeded(done)) return absl::StrCat(what, kNotNeeded);
  }
  return absl::StrCat(what, "not done: whether it is still needed takes too long to find out");
}

}  // namespace dslap
