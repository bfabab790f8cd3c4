#include "controller/report/csv_reporter.h"

#include "absl/strings/str_format.h"

namespace dslap {

void CsvReporter::Write(const RunReport& report, std::ostream& out) {
  for (const CaseReport& one : report.cases) {
    if (one.rounds_complete == 0) continue;
    out << absl::StrFormat("%s,%s,%.3f,%.3f,%.3f,%d,%d\n", one.engine, report.load_type,
                           one.average_seconds, one.minimum_seconds, one.maximum_seconds,
                           one.clients_connected, one.queries_per_client);
  }
}

}  // namespace dslap
