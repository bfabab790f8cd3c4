#include "controller/report/csv_reporter.h"

#include "absl/strings/str_format.h"

namespace dslap {

void CsvReporter::WriteCase(const RunReport& run, const CaseReport& one, std::ostream& out) {
  if (one.rounds_complete == 0) return;
  out << absl::StrFormat("%s,%s,%.3f,%.3f,%.3f,%d,%d\n", one.engine, run.load_type,
                         one.average_seconds, one.minimum_seconds, one.maximum_seconds,
                         one.clients_connected, one.queries_per_client);
}

}  // namespace dslap
