// Parts of manual pages, in roff with the macros of man(7).
//
//   RoffOptions(manual.options)   .SS "Output"
//                                 .TP
//                                 \fB\-\-csv\fR[=\fIFILE\fR]
//                                 ...
#ifndef DSLAP_COMMON_MANUAL_ROFF_H_
#define DSLAP_COMMON_MANUAL_ROFF_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/manual/option_entry.h"

namespace dslap {

// Running text as it stands, whatever it holds: no character of it is taken for a request. A dash
// is the one that can be copied into a shell.
std::string RoffEscape(absl::string_view text);

// The same as a line of its own, with the options named in it in bold.
std::string RoffText(absl::string_view text);

// A tagged paragraph for each option, under the headings of the groups.
std::string RoffOptions(const std::vector<OptionEntry>& options);

// The same for a configuration file, "name = VALUE", without those of the command line only.
std::string RoffSettings(const std::vector<OptionEntry>& options);

std::string RoffExitCodes(const std::vector<ExitCodeEntry>& codes);

}  // namespace dslap

#endif  // DSLAP_COMMON_MANUAL_ROFF_H_
