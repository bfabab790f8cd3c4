// The generated part of docs/cli.md: all options as tables, and the exit codes. The rest of that
// page is written by hand; the markers tell them apart.
//
//   dslap_cli_doc docs/cli.md      # writes the part anew, in place
#ifndef DSLAP_CONTROLLER_CLI_OPTION_MARKDOWN_H_
#define DSLAP_CONTROLLER_CLI_OPTION_MARKDOWN_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dslap {

inline constexpr absl::string_view kGeneratedBegin =
    "<!-- Generated from the option table by dslap_cli_doc: begin. Change it there. -->\n";
inline constexpr absl::string_view kGeneratedEnd =
    "<!-- Generated from the option table by dslap_cli_doc: end. -->\n";

std::string OptionMarkdown();

// `page` with what stands between the markers replaced by OptionMarkdown(). FAILED_PRECONDITION
// when the markers are not there, each once and in order.
absl::StatusOr<std::string> ReplaceGeneratedPart(absl::string_view page);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_OPTION_MARKDOWN_H_
