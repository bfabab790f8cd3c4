// The report as text: mysqlslap's block for each case, then dslap's own lines in the same manner.
//
//   Benchmark
//           Running for engine innodb                                      (with --engine)
//           Average number of seconds to run all queries: 0.214 seconds    ) to here mysqlslap's,
//           ...                                                            ) byte for byte
//           Average number of queries per client: 40                       )
//           Queries per second: 9345.8
//           Statements executed: 6000 of 6000
//           Clients: connected 50 of 50
//           Time of each        mean      p50      p95      p99    p99.9      max
//             statement      4.81 ms  4.40 ms  9.12 ms  12.3 ms  15.0 ms  18.2 ms
//             connect        1.21 ms  1.10 ms  2.00 ms  3.01 ms  3.40 ms  3.40 ms
//           Agent           clients  statements  queries/s      p99  CPU of cores
//             db-a:7527          25        3000     4672.9  12.1 ms      12% of 2
//             db-b:7527          25        3000     4672.9  12.0 ms      11% of 2
//           Start skew: 410 us +/- 50.0 us
//
//   Verdict: VALID
//
// Two deliberate differences from mysqlslap in its own lines: the number of clients is of those
// that connected, and the queries per client are those that were executed (mysqlslap prints what
// was asked for, and 0 without --number-of-queries).
//
// Lines fit 80 columns as long as names and server messages do. docs/report.md explains each.
#ifndef DSLAP_CONTROLLER_REPORT_TEXT_REPORTER_H_
#define DSLAP_CONTROLLER_REPORT_TEXT_REPORTER_H_

#include <ostream>

#include "controller/report/reporter.h"

namespace dslap {

// Stateless but for its style.
class TextReporter final : public Reporter {
 public:
  enum class Style {
    kFull,
    // Only mysqlslap's lines. They cannot say that a figure is not what they claim, so a case of
    // which no round ran to its end is left out.
    kClassic,
  };

  explicit TextReporter(Style style) : style_(style) {}

  // A case of which there is nothing to tell leaves no trace. When that is so for all of them, the
  // end is left out as well; what went wrong is then on stderr (run_message.h).
  void WriteCase(const RunReport& run, const CaseReport& one, std::ostream& out) override;
  void WriteEnd(const RunReport& run, std::ostream& out) override;

 private:
  bool Shows(const CaseReport& one) const;

  Style style_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_TEXT_REPORTER_H_
