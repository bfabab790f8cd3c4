// Text that came from elsewhere (a server's message, a host name), made safe to print.
//
// A terminal obeys control bytes, so a message must not bring any: what is not printable is shown
// as \xNN. Valid UTF-8 stays; invalid bytes, control characters (C0, DEL, C1) and the invisible
// ones that reorder or break lines are escaped. Pure.
//
//   out << ForTerminal(error.message);
#ifndef DSLAP_CONTROLLER_REPORT_TERMINAL_TEXT_H_
#define DSLAP_CONTROLLER_REPORT_TERMINAL_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace dslap {

// Line breaks and tabs become one blank: the result is one line.
std::string ForTerminal(absl::string_view text);

// Columns that the result of ForTerminal() takes: one for each code point.
size_t DisplayWidth(absl::string_view text);

// At most `columns` columns, cut between code points.
absl::string_view CutToWidth(absl::string_view text, size_t columns);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_TERMINAL_TEXT_H_
