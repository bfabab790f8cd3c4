// How far a report can be trusted, and with which code dslap ends (docs/report.md repeats it).
//
// VALID     what was asked for was done and measured.
// DEGRADED  what was measured is right, but it is not all of what was asked for, or something
//           beside the server shaped it. Read the reasons before comparing.
// INVALID   the figures do not describe the load asked for. Do not use them.
//
// INVALID when
//   - nothing was measured, or no statement of a case succeeded;
//   - an agent was lost: the load changed its size while it was measured;
//   - no round ran to its end.
// DEGRADED when
//   - the run was interrupted, or its --deadline passed, or not all planned rounds ran to their
//   end;
//   - clients did not connect;
//   - statements failed with a code that was not to be ignored, or were never executed;
//   - more than 1 % of the statements failed with codes that were to be ignored. Below, they are
//     counted and shown and change nothing: a few deadlocks are part of a concurrent load, and
//     whoever uses sysbench's --mysql-ignore-errors expects its exit code 0. Latencies and rates
//     are of the statements that succeeded, so many failures make them a different load's;
//   - the start skew of a case is above SkewLimitNs(): its agents did not run side by side;
//   - an agent process used 85 % or more of all its host's cores over a case: it, and not the
//     server, may have been the bottleneck. Not judged below 0.1 s of measured time, where waking
//     the clients is most of what the process does.
//
// Exit code: the first that applies of
//   usage 2, internal 1      as the coordinator says; nothing else can be relied on
//   set-up failed 6          set-up, or tear-down: something may have been left behind
//   agent lost 5
//   agent unavailable 4
//   interrupted 130
//   failures 3               clients or statements failed (ignored codes apart), or were never
//                            executed, the --deadline passed, or rounds are missing for a reason
//                            not named above
//   valid 0                  also when DEGRADED only by skew, saturation or ignored codes: what
//                            was asked for was done
// Something left behind outranks an agent lost, because a person has to act on it; both outrank an
// interrupt, which its sender knows of.
#ifndef DSLAP_CONTROLLER_REPORT_VERDICT_H_
#define DSLAP_CONTROLLER_REPORT_VERDICT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "controller/report/run_report.h"

namespace dslap {

struct Judgement {
  Verdict verdict = Verdict::kValid;
  // One for each kind of trouble, the gravest first; the case it is worst in is named when there
  // are several.
  std::vector<std::string> reasons;
  ExitCode exit_code = ExitCode::kValid;
};

// Reads everything in `report` but verdict, reasons and exit_code. Pure.
Judgement Judge(const RunReport& report);

// The most start skew that goes unremarked: 20 ms, or 1 % of the shortest measured round if that is
// more. 20 ms would be much of a round under 200 ms: there it is 10 % of it, at least 5 ms.
int64_t SkewLimitNs(const CaseReport& report);

// "VALID", "DEGRADED", "INVALID".
std::string VerdictName(Verdict verdict);

// "Verdict: DEGRADED: 8 of 10 clients did not connect; ...", in one line, safe for a terminal.
std::string VerdictLine(const RunReport& report);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_VERDICT_H_
