// One parsed option into the draft: reads its value as its row of the table says.
#ifndef DSLAP_CONTROLLER_CLI_STORE_OPTION_H_
#define DSLAP_CONTROLLER_CLI_STORE_OPTION_H_

#include "absl/status/status.h"
#include "controller/cli/option_spec.h"

namespace dslap {

// A failure is INVALID_ARGUMENT and names option, value and reason:
// "--iterations=0: must be at least 1". `vocabulary` serves its "did you mean".
absl::Status StoreOption(const ParsedOption& option, const OptionVocabulary& vocabulary,
                         OptionDraft* draft);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_STORE_OPTION_H_
