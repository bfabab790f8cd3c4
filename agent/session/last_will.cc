#include "agent/session/last_will.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "agent/session/session_scripts.h"
#include "common/error_tally.h"

namespace dslap {
namespace {

v1::RunScript ScriptOf(const v1::LastWill& will) {
  v1::RunScript script;
  script.set_statement_timeout_ns(will.statement_timeout_ns());
  return script;
}

// Whether there is still something to do.
v1::ScriptDone Ask(const v1::LastWill& will, SessionScripts* scripts) {
  v1::RunScript question = ScriptOf(will);
  question.add_statements()->set_text(will.only_if());
  question.mutable_statements(0)->set_return_rows(true);
  return scripts->Run(question);
}

}  // namespace

std::string CarryOut(const v1::LastWill& will, SqlConnectionFactory* connections,
                     const std::function<void()>& delay) {
  const std::string what = absl::StrCat("last will: ", absl::Utf8SafeCEscape(will.what()), ": ");
  const auto failed = [&what](const v1::ScriptDone& done) {
    return absl::StrCat(what,
                        "failed: ", absl::Utf8SafeCEscape(FromProto(done.error()).ToString()));
  };
  SessionScripts scripts(connections);
  // Asked before the delay: mostly a survivor has done it, and the next run need not wait.
  for (const bool delayed : {false, true}) {
    if (delayed) delay();
    const v1::ScriptDone answer = Ask(will, &scripts);
    if (answer.has_error()) return failed(answer);
    if (answer.results(0).rows_size() == 0) return absl::StrCat(what, "not needed any more");
  }
  v1::RunScript script = ScriptOf(will);
  for (const std::string& statement : will.statements()) {
    script.add_statements()->set_text(statement);
  }
  const v1::ScriptDone done = scripts.Run(script);
  return done.has_error() ? failed(done) : absl::StrCat(what, "done");
}

}  // namespace dslap
