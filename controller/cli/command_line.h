// argv, by the spelling rules of MySQL's programs, into a list of options of a table. Knows nothing
// of what the options mean; store_option.h and build_options.h do.
//
// Accepted: --name=value, --name value, underscores for dashes, a unique prefix of a long name,
// --skip-X, --disable-X, --enable-X and --X=0 for flags, --loose-X, -c50 and -c 50, bundles such as
// -avv, an optional value only attached (-pSECRET, --csv=FILE), "--" as the end of the options.
#ifndef DSLAP_CONTROLLER_CLI_COMMAND_LINE_H_
#define DSLAP_CONTROLLER_CLI_COMMAND_LINE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "controller/cli/option_spec.h"

namespace dslap {

// An argument as it may be shown: where `masked`, a value that may not follows `text`.
struct ShownArgument {
  std::string text;
  bool masked = false;
};

struct CommandLine {
  std::vector<ParsedOption> options;  // in the order of the command line
  std::string echo;                   // as typed, quoted for a shell, secrets shown as ********
  std::vector<ShownArgument> shown;   // the same, each argument by itself
  size_t first_only_arguments = 0;    // of them, how many in front say which option files to read
};

// Reads `arguments` (argv without the program's name). Values of secret options are overwritten in
// place as soon as they are read. A failure is INVALID_ARGUMENT with the complete message; it never
// repeats a secret. Unknown --loose-X options are passed over with a line in `warnings`.
absl::StatusOr<CommandLine> ReadCommandLine(absl::Span<char* const> arguments,
                                            const OptionVocabulary& vocabulary,
                                            std::vector<std::string>* warnings);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_COMMAND_LINE_H_
