// What standard error says at the end of a run that failed, was cut short, or whose verdict no
// report has shown.
//
//   dslap: agent db-a:7527: connect 10.0.0.5:3306: Access denied for user 'x'@'load-a' (1045/28000)
//
// Pure.
#ifndef DSLAP_CONTROLLER_REPORT_RUN_MESSAGE_H_
#define DSLAP_CONTROLLER_REPORT_RUN_MESSAGE_H_

#include <string>

#include "controller/report/run_report.h"

namespace dslap {

struct MessageStyle {
  bool text_shown = false;  // standard output has the text report, with verdict and notes
  bool silent = false;      // --silent: only what went wrong
};

// Lines that begin with "dslap: " and end with a line feed; empty when there is nothing to say.
// First why the run ended early, then what was left behind; the verdict, when nothing else has said
// that the report is not what was asked for; then notes.
std::string RunMessage(const RunReport& report, const MessageStyle& style);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_RUN_MESSAGE_H_
