// What the programs that generate a program's manual page and completion have in common.
#ifndef DSLAP_COMMON_MANUAL_WRITE_MANUAL_H_
#define DSLAP_COMMON_MANUAL_WRITE_MANUAL_H_

#include <string>

#include "absl/status/status.h"
#include "common/manual/option_entry.h"

namespace dslap {

// Fills the page in the file `page_template` (@OPTIONS@, @SETTINGS@, @EXIT_CODES@, @VERSION@) into
// the file `out`. The error names the file.
absl::Status WriteManualPage(const ProgramManual& manual, const std::string& page_template,
                             const std::string& out);

absl::Status WriteBashCompletion(const ProgramManual& manual, const std::string& out);

}  // namespace dslap

#endif  // DSLAP_COMMON_MANUAL_WRITE_MANUAL_H_
