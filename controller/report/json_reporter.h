// The complete report as one JSON document; docs/json.md describes every field.
//
// The source for all else: whatever the text shows is in it. Bytes of a server's message that are
// not UTF-8 are replaced by U+FFFD. It holds no password: none reaches the report.
#ifndef DSLAP_CONTROLLER_REPORT_JSON_REPORTER_H_
#define DSLAP_CONTROLLER_REPORT_JSON_REPORTER_H_

#include <ostream>

#include "controller/report/reporter.h"

namespace dslap {

// Raised when a field is removed or changes its meaning; a new field does not raise it.
inline constexpr int kJsonSchemaVersion = 1;

// Stateless.
class JsonReporter final : public Reporter {
 public:
  // One document is whole or useless: all of it is written at the end.
  void WriteCase(const RunReport& /*run*/, const CaseReport& /*one*/,
                 std::ostream& /*out*/) override {}
  void WriteEnd(const RunReport& report, std::ostream& out) override;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_JSON_REPORTER_H_
