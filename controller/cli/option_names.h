// Which option a name on the command line means, by MySQL's rules: exact, else a unique prefix,
// else one of the two after skip-, disable-, enable- or loose-.
#ifndef DSLAP_CONTROLLER_CLI_OPTION_NAMES_H_
#define DSLAP_CONTROLLER_CLI_OPTION_NAMES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "controller/cli/option_spec.h"

namespace dslap {

enum class NameSwitch { kNone, kOff, kOn };  // no prefix; skip- or disable-; enable-

// At most one of `option` and `absent` is set. With neither the name is unknown or ambiguous.
struct NameMatch {
  const OptionSpec* option = nullptr;
  const AbsentOption* absent = nullptr;
  std::vector<absl::string_view> candidates;  // not empty: ambiguous
  NameSwitch switched = NameSwitch::kNone;
  bool loose = false;

  bool Found() const { return option != nullptr || absent != nullptr || !candidates.empty(); }
};

// A name as it was written, without dashes in front, in the spelling of the table: underscores are
// dashes, and as in MariaDB's programs the case does not matter.
std::string CanonicalName(absl::string_view written);

// `name` in its canonical spelling. A prefix that means one option
// of mysqlslap goes on meaning it, whatever options of dslap's own begin with it.
NameMatch MatchName(absl::string_view name, const OptionVocabulary& vocabulary);

// nullptr when no option has that letter.
const OptionSpec* FindLetter(char letter, const OptionVocabulary& vocabulary);
const AbsentOption* FindAbsentLetter(char letter, const OptionVocabulary& vocabulary);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_OPTION_NAMES_H_
