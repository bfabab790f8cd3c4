// The option files that a command line asks for, or that are read unasked: what of them counts, and
// how --print-defaults shows it. Between command_line.h and file_options.h.
#ifndef DSLAP_CONTROLLER_CLI_READ_DEFAULTS_H_
#define DSLAP_CONTROLLER_CLI_READ_DEFAULTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "controller/cli/command_line.h"
#include "controller/cli/option_file.h"
#include "controller/cli/option_file_access.h"
#include "controller/cli/option_spec.h"

namespace dslap {

// The entries that count, in their order. --compat, which says what files and groups those are, may
// itself stand in a file. A failure is INVALID_ARGUMENT with the complete message.
absl::StatusOr<std::vector<OptionFileEntry>> ReadDefaults(const CommandLine& line,
                                                          const OptionVocabulary& vocabulary,
                                                          const OptionFileAccess& access,
                                                          std::vector<std::string>* warnings);

// Whether `name` is on the command line; for options whose name says all.
bool HasOption(const CommandLine& line, absl::string_view name);

// What --print-defaults prints, in the form of MySQL's programs, passwords as *****.
std::string PrintedDefaults(const std::vector<OptionFileEntry>& entries, const CommandLine& line,
                            const OptionVocabulary& vocabulary);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_READ_DEFAULTS_H_
