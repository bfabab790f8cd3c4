// The options of dslap-agent, one row each. The command line, the configuration file, --help,
// --print-config, docs/agent.md, the man page and the shell's completion are all made from it.
//
//   for (const AgentOption& option : AgentOptionTable()) ... option.name, option.help ...
#ifndef DSLAP_AGENT_OPTIONS_AGENT_OPTION_TABLE_H_
#define DSLAP_AGENT_OPTIONS_AGENT_OPTION_TABLE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "agent/options/agent_options.h"

namespace dslap {

// Where an option's value goes; the alternative says which values it takes.
struct AgentFlagField {  // none: it is on when it is given
  bool* (*field)(AgentOptions&);
};
struct AgentTextField {  // a text that is not empty
  std::string* (*field)(AgentOptions&);
};
// Texts with commas between them. Given again, it adds to those that are there.
struct AgentListField {
  std::vector<std::string>* (*field)(AgentOptions&);
  absl::Status (*check)(absl::string_view item);
};
struct AgentNumberField {
  uint64_t* (*field)(AgentOptions&);
  uint64_t minimum = 0;
  uint64_t maximum = 0;
};
struct AgentDurationField {
  absl::Duration* (*field)(AgentOptions&);
  absl::Duration minimum;
  absl::Duration maximum;
};
using AgentOptionField = std::variant<AgentFlagField, AgentTextField, AgentListField,
                                      AgentNumberField, AgentDurationField>;

struct AgentOption {
  absl::string_view name;              // without dashes
  absl::string_view placeholder = {};  // "FILE": how help calls the value; empty: takes none
  AgentOptionField field;
  absl::string_view help;          // plain sentences, for --help and all else
  absl::string_view details = {};  // more of them, where there is room
  bool command_line_only = false;  // means nothing in a configuration file
};

// In the order in which they are shown.
absl::Span<const AgentOption> AgentOptionTable();

// nullptr: there is none of this name.
const AgentOption* FindAgentOption(absl::string_view name);

// The value that `options` holds, as a configuration file writes it; empty: none is set, or it is a
// flag.
std::string AgentOptionValue(const AgentOption& option, const AgentOptions& options);

// Takes a value into `options`. INVALID_ARGUMENT: the message says what is wrong with it, not whose
// it is. Flags take none.
absl::Status StoreAgentOption(const AgentOption& option, absl::string_view value,
                              AgentOptions* options);

}  // namespace dslap

#endif  // DSLAP_AGENT_OPTIONS_AGENT_OPTION_TABLE_H_
