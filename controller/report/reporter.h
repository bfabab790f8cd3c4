// A reporter turns a report into text, case by case as the cases finish. It computes nothing.
#ifndef DSLAP_CONTROLLER_REPORT_REPORTER_H_
#define DSLAP_CONTROLLER_REPORT_REPORTER_H_

#include <ostream>

#include "controller/report/run_report.h"

namespace dslap {

class Reporter {
 public:
  virtual ~Reporter() = default;

  // `one` is a case of `run`, in which only the head and the cases up to this one need be known.
  virtual void WriteCase(const RunReport& run, const CaseReport& one, std::ostream& out) = 0;
  // Once, after the last case, with all that is to be known.
  virtual void WriteEnd(const RunReport& run, std::ostream& out) = 0;

  void Write(const RunReport& report, std::ostream& out) {
    for (const CaseReport& one : report.cases) WriteCase(report, one, out);
    WriteEnd(report, out);
  }
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_REPORTER_H_
