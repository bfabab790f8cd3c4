// A report written by hand, with something of everything that reporters format.
#ifndef DSLAP_TESTS_CONTROLLER_REPORT_SAMPLE_REPORT_H_
#define DSLAP_TESTS_CONTROLLER_REPORT_SAMPLE_REPORT_H_

#include "controller/report/run_report.h"

namespace dslap {

// One valid case, measured by the in-process agent.
RunReport LocalReport();

// Three cases over two agents: one without trouble, one with failures of every kind, one of which
// nothing was measured because every client was refused.
RunReport DistributedReport();

}  // namespace dslap

#endif  // DSLAP_TESTS_CONTROLLER_REPORT_SAMPLE_REPORT_H_
