// What one row of the option table says (option_table.h). The parser, --help, docs/cli.md, the
// manual page and the completion are all made from such rows.
#ifndef DSLAP_CONTROLLER_CLI_OPTION_SPEC_H_
#define DSLAP_CONTROLLER_CLI_OPTION_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "common/secret.h"
#include "controller/cli/option_draft.h"

namespace dslap {

enum class ArgumentKind { kNone, kRequired, kOptional };

// In the order in which --help and docs/cli.md show them.
enum class OptionGroup {
  kConnection,
  kTls,
  kLoad,
  kGenerate,
  kSchema,
  kErrors,
  kAgents,
  kOutput,
  kOptionFiles,
  kOther,
};

struct OptionSpec;

// One option as it stood on the command line or in an option file, its spelling already resolved.
struct ParsedOption {
  const OptionSpec* spec = nullptr;
  std::string shown;                // "--concurrency" or "-c": how messages call it
  std::optional<std::string> text;  // the value; absent when none was given, or when it is secret
  std::optional<Secret> secret;     // the value of a secret option
  bool enabled = true;              // false: --skip-X, --disable-X or --X=0
  std::string place;                // "/etc/my.cnf:3"; empty: the command line
};

// How an option is stored into the draft; the alternative says which values it takes.
struct FlagField {
  bool* (*field)(OptionDraft&);
};
// A flag that is more than a bool to others.
struct SwitchField {
  void (*store)(bool on, OptionDraft*);
};
struct NumberField {
  uint64_t* (*field)(OptionDraft&);
  uint64_t minimum = 0;
  uint64_t maximum = 0;
};
struct DurationField {
  uint64_t* (*field_ms)(OptionDraft&);
  uint64_t minimum_ms = 0;
  uint64_t maximum_ms = 0;
};
struct TextField {
  std::string* (*field)(OptionDraft&);
};
struct OptionalTextField {
  std::optional<std::string>* (*field)(OptionDraft&);
};
struct CustomField {
  // The message of a failure says only why; who calls adds the option and its value.
  absl::Status (*store)(const ParsedOption&, OptionDraft*);
};
using OptionField = std::variant<FlagField, SwitchField, NumberField, DurationField, TextField,
                                 OptionalTextField, CustomField>;

// The order reads well in the table; a few bytes of padding in some fifty rows do not matter.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct OptionSpec {
  absl::string_view name;  // without dashes
  char letter = 0;         // 0: no short form
  ArgumentKind argument = ArgumentKind::kNone;
  OptionGroup group = OptionGroup::kOther;
  absl::string_view placeholder = {};   // "N", "FILE": how help calls the value
  absl::string_view default_text = {};  // where it is not the number that `field` has at first
  absl::string_view values = {};        // "a|b": those there are, where `placeholder` tells none
  absl::string_view help = {};          // plain sentences
  OptionField field;

  bool own = false;          // dslap's, not mysqlslap's
  bool spelled_out = false;  // not found by a prefix of its name
  bool first_only = false;   // legal only before all other options, and only spelled out
  bool stops = false;        // what follows on the command line is not read
  bool skippable = false;    // --skip-X is legal though it is no flag
  bool secret = false;       // the value is wiped from argv and from the echo
  bool free_text = false;    // "--" may stand inside the value
};

// Whether the option is on or off: --skip-X, --X=0 and the like are legal.
inline bool IsSwitch(const OptionSpec& spec) {
  return std::holds_alternative<FlagField>(spec.field) ||
         std::holds_alternative<SwitchField>(spec.field);
}

// An option that mysqlslap has and dslap does not.
struct AbsentOption {
  absl::string_view name;
  char letter = 0;
  bool spelled_out = false;  // not found by a prefix of its name
  absl::string_view reason;  // a clause: why not
};

// All that the spelling rules need to know. Views: the tables must outlive it.
struct OptionVocabulary {
  absl::Span<const OptionSpec> options;
  absl::Span<const AbsentOption> absent;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_OPTION_SPEC_H_
