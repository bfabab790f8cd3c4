// --skip-X, --enable-X and X=0: the value of a flag, or the absence of a value, wherever the option
// stands.
#ifndef DSLAP_CONTROLLER_CLI_OPTION_SWITCH_H_
#define DSLAP_CONTROLLER_CLI_OPTION_SWITCH_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "controller/cli/option_names.h"
#include "controller/cli/option_spec.h"

namespace dslap {

// Sets `parsed->enabled`; `parsed->spec` and `parsed->shown` are known already. INVALID_ARGUMENT
// with the complete message when the option cannot be switched, or a flag's value is none.
absl::Status SwitchOption(NameSwitch switched, std::optional<absl::string_view> value,
                          ParsedOption* parsed);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_OPTION_SWITCH_H_
