// What --help and --version print.
#ifndef DSLAP_CONTROLLER_CLI_HELP_TEXT_H_
#define DSLAP_CONTROLLER_CLI_HELP_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "controller/cli/option_spec.h"
#include "controller/exit_code.h"

namespace dslap {

// Lines of at most 80 columns.
std::string HelpText();

std::string VersionText();

// "-c, --concurrency=N,..." with "[=FILE]" for an optional value; as help and docs write an option.
std::string OptionSyntax(const OptionSpec& spec);

struct ExitCodeMeaning {
  ExitCode code;
  absl::string_view meaning;
};
absl::Span<const ExitCodeMeaning> ExitCodeMeanings();

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_HELP_TEXT_H_
