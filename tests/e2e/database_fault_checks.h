// What the tests of the database's faults look at: the figures of a report, and the tables that the
// statements of a load have written.
#ifndef DSLAP_TESTS_E2E_DATABASE_FAULT_CHECKS_H_
#define DSLAP_TESTS_E2E_DATABASE_FAULT_CHECKS_H_

#include <cstdint>
#include <string>

#include "tests/support/subprocess.h"

namespace dslap {

// Of a run with one case, that printed --json on standard output.
class FaultReport {
 public:
  // Fails the test when there is no such report.
  explicit FaultReport(const ProcessResult& result);

  uint64_t succeeded() const { return succeeded_; }
  uint64_t failed() const { return failed_; }  // with ignored codes too
  uint64_t reconnects() const { return reconnects_; }

 private:
  uint64_t succeeded_ = 0;
  uint64_t failed_ = 0;
  uint64_t reconnects_ = 0;
};

uint64_t CountRows(const std::string& table);

// True as soon as the table, which may not be there yet, has so many rows.
bool WaitUntilRows(const std::string& table, uint64_t rows);

}  // namespace dslap

#endif  // DSLAP_TESTS_E2E_DATABASE_FAULT_CHECKS_H_
