// The messages for a command line that does not spell what its author meant. Each is complete, of
// code INVALID_ARGUMENT, and repeats nothing that may be a password.
#ifndef DSLAP_CONTROLLER_CLI_USAGE_HINTS_H_
#define DSLAP_CONTROLLER_CLI_USAGE_HINTS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "controller/cli/option_spec.h"

namespace dslap {

// `after_name`: "=value" or nothing, for the "did you mean".
absl::Status UnknownOption(absl::string_view name, absl::string_view after_name,
                           const OptionVocabulary& vocabulary);

// `shown`: "--compress" or "-C (--compress)".
absl::Status AbsentHere(absl::string_view shown, const AbsentOption& option);

// For an argument that begins with an en dash or its like.
absl::Status TypographicDash(absl::string_view argument, const OptionVocabulary& vocabulary);

// For an argument that is no option. `before`: the option right in front of it, or nullptr.
absl::Status UnexpectedArgument(absl::string_view argument, const ParsedOption* before,
                                const OptionVocabulary& vocabulary);

// Refuses "-engine=innodb", which would read as -e with the value "ngine=innodb". `body`: the
// argument without its hyphen. OK when it may well be a bundle or a password.
absl::Status CheckSingleDash(absl::string_view body, const OptionVocabulary& vocabulary);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_USAGE_HINTS_H_
