#include "controller/report/run_message.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "controller/report/terminal_text.h"
#include "controller/report/verdict.h"

namespace dslap {
namespace {

void AddLine(std::string* out, absl::string_view text) {
  absl::StrAppend(out, "dslap: ", ForTerminal(text), "\n");
}

// TextReporter leaves these out as well: without a case there is no report to carry the verdict.
bool HasBlock(const RunReport& report) {
  return std::any_of(report.cases.begin(), report.cases.end(),
                     [](const CaseReport& one) { return one.has_news(); });
}

}  // namespace

std::string RunMessage(const RunReport& report, const MessageStyle& style) {
  std::string out;
  const bool text_shown = style.text_shown && HasBlock(report);
  if (!report.failure.ok()) {
    AddLine(&out, report.failure.message());
  } else {
    for (const AgentReport& agent : report.agents) {
      if (!agent.lost) continue;
      AddLine(&out, absl::StrCat("agent ", agent.name, " was lost: ", agent.loss_reason));
    }
    if (report.interrupted) {
      AddLine(&out, "interrupted: the report covers what was measured until then");
    }
  }
  for (const std::string& left : report.left_behind) AddLine(&out, left);
  if (!report.tear_down.ok()) {
    AddLine(&out, absl::StrCat("tear-down failed: ", report.tear_down.message()));
  }
  if (text_shown) return out;
  const bool matters = report.exit_code != ExitCode::kValid || !style.silent;
  if (out.empty() && report.verdict != Verdict::kValid && matters) {
    AddLine(&out, VerdictLine(report));
  }
  if (!style.silent) {
    for (const std::string& note : report.notes) AddLine(&out, absl::StrCat("note: ", note));
  }
  return out;
}

}  // namespace dslap
