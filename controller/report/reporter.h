// A reporter turns a finished report into text. It computes nothing.
#ifndef DSLAP_CONTROLLER_REPORT_REPORTER_H_
#define DSLAP_CONTROLLER_REPORT_REPORTER_H_

#include <ostream>

#include "controller/report/run_report.h"

namespace dslap {

class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void Write(const RunReport& report, std::ostream& out) = 0;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_REPORTER_H_
