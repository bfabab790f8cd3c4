// What the user may have meant: typographic dashes, slips of the pen, and a missing blank between
// two options. Pure text; knows nothing of what options do.
#ifndef DSLAP_CONTROLLER_CLI_SUGGESTION_H_
#define DSLAP_CONTROLLER_CLI_SUGGESTION_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "controller/cli/option_spec.h"

namespace dslap {

// The dashes that a text begins with, ASCII and typographic ones (en dash, em dash, minus, ...).
struct LeadingDashes {
  size_t bytes = 0;
  size_t dashes = 0;
  std::string first_typographic;  // "U+2013 (en dash)"; empty: all are ASCII hyphens
};
LeadingDashes FindLeadingDashes(absl::string_view text);

// Typographic dashes made ASCII hyphens, underscores made dashes.
std::string PlainDashes(absl::string_view text);

// Fewest insertions, deletions, replacements and swaps of neighbours that make `a` of `b`.
size_t EditDistance(absl::string_view a, absl::string_view b);

// The option whose name is `name`, begins with it, or is within a slip or two of it; nullptr when
// none or several are.
const OptionSpec* ClosestOption(absl::string_view name, const OptionVocabulary& vocabulary);

// For "100--iterations=1": "100 --iterations=1", when what follows the "--" is an option's name;
// else empty.
std::string InsertMissingBlank(absl::string_view value, const OptionVocabulary& vocabulary);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_SUGGESTION_H_
