#include "controller/cli/option_switch.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "common/status_util.h"
#include "controller/cli/value_parser.h"

namespace dslap {

absl::Status SwitchOption(NameSwitch switched, std::optional<absl::string_view> value,
                          ParsedOption* parsed) {
  const OptionSpec& spec = *parsed->spec;
  const bool flag = IsSwitch(spec);
  if (switched != NameSwitch::kNone && !flag &&
      !(spec.skippable && switched == NameSwitch::kOff && !value.has_value())) {
    return absl::InvalidArgumentError(absl::StrCat(
        parsed->shown, ": cannot be switched on or off; give it with its value or leave it out"));
  }
  parsed->enabled = switched != NameSwitch::kOff;
  if (!flag || !value.has_value()) return absl::OkStatus();
  const absl::StatusOr<bool> on = ParseSwitch(*value);
  if (!on.ok()) return Annotate(on.status(), absl::StrCat(parsed->shown, "=", *value));
  // --skip-X=0 switches X on, as in MySQL's programs.
  parsed->enabled = *on == parsed->enabled;
  return absl::OkStatus();
}

}  // namespace dslap
