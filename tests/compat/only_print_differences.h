// Where dslap --only-print differs from the reference on purpose: a row for each kind, with the
// reason, what the reference prints, and what dslap prints. Both are compared, so that a row whose
// reason is gone is noticed.
#ifndef DSLAP_TESTS_COMPAT_ONLY_PRINT_DIFFERENCES_H_
#define DSLAP_TESTS_COMPAT_ONLY_PRINT_DIFFERENCES_H_

#include <optional>
#include <string>
#include <vector>

#include "controller/options.h"

namespace dslap {

struct OnlyPrintDifference {
  std::string reason = {};
  std::vector<std::string> arguments = {};
  std::optional<Compat> only = {};  // absent: of both programs
  // Absent: the reference never ends, or prints what it finds in memory; it is not run.
  std::optional<std::string> reference = {};
  std::string dslap = {};        // on standard output
  std::string dslap_error = {};  // the whole line on standard error when dslap refuses; exit code 2
};

const std::vector<OnlyPrintDifference>& OnlyPrintDifferences();

}  // namespace dslap

#endif  // DSLAP_TESTS_COMPAT_ONLY_PRINT_DIFFERENCES_H_
