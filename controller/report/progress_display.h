// Shows on standard error how a run is getting on.
//
// On a terminal: one line, redrawn in place, never wider than the terminal, and gone when the
// report is printed or a command of --pre-system or --post-system runs. Elsewhere (a log file, a CI
// job): nothing for what is done within five seconds, then a plain line every five seconds.
//
//   ProgressDisplay display(ProgressDisplay::Choose(options.silent, IsTerminal(STDERR_FILENO)),
//                           [] { return TerminalColumns(STDERR_FILENO); }, &std::cerr);
#ifndef DSLAP_CONTROLLER_REPORT_PROGRESS_DISPLAY_H_
#define DSLAP_CONTROLLER_REPORT_PROGRESS_DISPLAY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include "controller/coordination/run_progress.h"

namespace dslap {

// Not thread-safe: called on the coordinator's thread, and by main() when that is done.
class ProgressDisplay final : public ProgressSink {
 public:
  enum class Mode { kNone, kLive, kPlain };

  static Mode Choose(bool silent, bool is_terminal);

  // `columns` is asked at every drawing, since a terminal can change its size. `out` must outlive
  // the display.
  ProgressDisplay(Mode mode, std::function<size_t()> columns, std::ostream* out)
      : mode_(mode), columns_(std::move(columns)), out_(out) {}
  ~ProgressDisplay() override { Clear(); }

  void Update(const RunProgress& progress, int64_t now_ns) override;
  void Clear() override;

 private:
  // Begins anew, and returns true, when another phase, round or case is shown.
  bool NoteStep(const RunProgress& progress, int64_t now_ns);
  double Rate(const RunProgress& progress);

  Mode mode_;
  std::function<size_t()> columns_;
  std::ostream* out_;
  bool drawn_ = false;
  bool any_step_ = false;
  int64_t last_drawing_ns_ = 0;
  RunProgress step_;              // as it began
  int64_t last_line_ns_ = 0;      // of plain lines: or when the step began
  uint64_t rate_statements_ = 0;  // where the rate that is shown was
  int64_t rate_elapsed_ns_ = 0;   // measured from
  double rate_ = 0;
};

// One line for `progress`, of at most `columns` columns:
//   "case 2/4, innodb, 100 clients, round 1/3: 12 s, 34500 of 100000 statements, 2875/s,
//    100 connected, 0 errors"
// When that is too wide, where the run stands (before the colon) goes first, then the end is cut.
// Pure.
std::string FormatProgress(const RunProgress& progress, double per_second, size_t columns);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_PROGRESS_DISPLAY_H_
