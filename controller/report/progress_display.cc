#include "controller/report/progress_display.h"

#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "controller/report/terminal_text.h"
#include "controller/report/units.h"

namespace dslap {
namespace {

constexpr int64_t kPlainLineEveryNs = 5'000'000'000;
// Every agent's start is an update: with hundreds of them nobody reads each.
constexpr int64_t kRedrawEveryNs = 100'000'000;
// A rate over less time jumps about.
constexpr int64_t kShortestRateNs = 500'000'000;
// ESC [ K: erase from the cursor to the end of the line.
constexpr char kEraseToEnd[] = "\x1b[K";  // NOLINT(modernize-avoid-c-arrays)

std::string WhereItStands(const RunProgress& progress) {
  std::vector<std::string> parts;
  if (progress.cases > 1) {
    parts.push_back(absl::StrCat("case ", progress.case_number, "/", progress.cases));
  }
  if (!progress.engine.empty()) parts.push_back(ForTerminal(progress.engine));
  if (progress.clients > 0) parts.push_back(Count(progress.clients, "client"));
  if (progress.rounds > 1) {
    parts.push_back(absl::StrCat("round ", progress.round_number, "/", progress.rounds));
  }
  return absl::StrJoin(parts, ", ");
}

std::string WhatIsDone(const RunProgress& progress, double per_second) {
  switch (progress.phase) {
    case RunProgress::Phase::kSetUp:
      return "setting up";
    case RunProgress::Phase::kPreSystem:
      return "running the command of --pre-system";
    case RunProgress::Phase::kConnecting:
      return absl::StrCat("connecting, ", progress.connected, " of ",
                          Count(progress.clients, "client"), " connected");
    case RunProgress::Phase::kRunning:
      return absl::StrCat(progress.elapsed_ns / 1'000'000'000, " s, ", progress.statements, " of ",
                          Count(progress.planned, "statement"), ", ",
                          absl::StrFormat("%.0f", per_second), "/s, ", progress.connected,
                          " connected, ", Count(progress.errors, "error"));
    case RunProgress::Phase::kPostSystem:
      return "running the command of --post-system";
    case RunProgress::Phase::kTearDown:
      return "tearing down";
  }
  return "";
}

// What the command writes to the terminal is not to be drawn over.
bool LeavesTerminalAlone(const RunProgress& progress) {
  return progress.phase == RunProgress::Phase::kPreSystem ||
         progress.phase == RunProgress::Phase::kPostSystem;
}

bool SameStep(const RunProgress& a, const RunProgress& b) {
  return a.phase == b.phase && a.case_number == b.case_number && a.round_number == b.round_number;
}

}  // namespace

std::string FormatProgress(const RunProgress& progress, double per_second, size_t columns) {
  const std::string where = WhereItStands(progress);
  const std::string what = WhatIsDone(progress, per_second);
  std::string line = where.empty() ? what : absl::StrCat(where, ": ", what);
  if (DisplayWidth(line) <= columns) return line;
  return std::string(CutToWidth(what, columns));
}

ProgressDisplay::Mode ProgressDisplay::Choose(bool silent, bool is_terminal) {
  if (silent) return Mode::kNone;
  return is_terminal ? Mode::kLive : Mode::kPlain;
}

void ProgressDisplay::Update(const RunProgress& progress, int64_t now_ns) {
  if (mode_ == Mode::kNone) return;
  const bool new_step = NoteStep(progress, now_ns);
  if (mode_ == Mode::kLive && LeavesTerminalAlone(progress)) {
    Clear();
    return;
  }
  if (mode_ == Mode::kLive) {
    if (!new_step && now_ns - last_drawing_ns_ < kRedrawEveryNs) return;
    last_drawing_ns_ = now_ns;
    // The last column stays free: many terminals wrap as soon as it is written.
    const size_t columns = columns_();
    const std::string line =
        FormatProgress(progress, Rate(progress), columns > 0 ? columns - 1 : 0);
    *out_ << "\r" << line << kEraseToEnd << std::flush;
    drawn_ = true;
    return;
  }
  if (now_ns - last_line_ns_ < kPlainLineEveryNs) return;
  last_line_ns_ = now_ns;
  *out_ << "dslap: " << FormatProgress(progress, Rate(progress), std::numeric_limits<size_t>::max())
        << "\n"
        << std::flush;
}

void ProgressDisplay::Clear() {
  if (!drawn_) return;
  *out_ << "\r" << kEraseToEnd << std::flush;
  drawn_ = false;
}

bool ProgressDisplay::NoteStep(const RunProgress& progress, int64_t now_ns) {
  if (any_step_ && SameStep(progress, step_)) return false;
  any_step_ = true;
  step_ = progress;
  last_line_ns_ = now_ns;
  rate_statements_ = 0;
  rate_elapsed_ns_ = 0;
  rate_ = 0;
  return true;
}

double ProgressDisplay::Rate(const RunProgress& progress) {
  const int64_t span_ns = progress.elapsed_ns - rate_elapsed_ns_;
  if (span_ns >= kShortestRateNs && progress.statements >= rate_statements_) {
    rate_ = static_cast<double>(progress.statements - rate_statements_) * 1e9 /
            static_cast<double>(span_ns);
    rate_statements_ = progress.statements;
    rate_elapsed_ns_ = progress.elapsed_ns;
  }
  return rate_;
}

}  // namespace dslap
