// mysqlslap's CSV: one line for each case, no header, no quoting,
//
//   engine,loadtype,average,minimum,maximum,clients,queries per client
//   innodb,mixed,0.214,0.209,0.221,50,40
//
// as both mysqlslap programs write it: the engine is empty without --engine, and the load type is
// that of --auto-generate-sql-load-type (default mixed) even when the queries are the user's own.
// Clients and queries are those of the text report. The line cannot say that a figure is not what
// it claims, so a case of which no round ran to its end has none.
#ifndef DSLAP_CONTROLLER_REPORT_CSV_REPORTER_H_
#define DSLAP_CONTROLLER_REPORT_CSV_REPORTER_H_

#include <ostream>

#include "controller/report/reporter.h"

namespace dslap {

// Stateless.
class CsvReporter final : public Reporter {
 public:
  void WriteCase(const RunReport& run, const CaseReport& one, std::ostream& out) override;
  void WriteEnd(const RunReport& /*run*/, std::ostream& /*out*/) override {}
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_CSV_REPORTER_H_
