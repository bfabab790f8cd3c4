// One option as manual pages and completions show it, whichever program it belongs to. Each program
// makes these from its own table of options.
#ifndef DSLAP_COMMON_MANUAL_OPTION_ENTRY_H_
#define DSLAP_COMMON_MANUAL_OPTION_ENTRY_H_

#include <string>
#include <vector>

namespace dslap {

enum class ValueUse { kNone, kRequired, kOptional };

struct OptionEntry {
  std::string group;  // heading; entries of one group are neighbours. Empty: no headings
  std::string name;   // without dashes
  char letter = 0;    // 0: no short form
  ValueUse value = ValueUse::kNone;
  std::string placeholder;           // "N", "FILE", "stop|continue": how help calls the value
  std::string default_text;          // empty: nothing to say
  std::string help;                  // sentences on one line
  std::vector<std::string> choices;  // all or some of the values, where they can be told
  bool may_be_skipped = false;       // --skip-NAME is legal
  bool first_only = false;           // legal only before all other options
  bool command_line_only = false;    // not a setting of a configuration file
};

struct ExitCodeEntry {
  int code = 0;
  std::string meaning;
};

// All that is known of a program's command line.
struct ProgramManual {
  std::string program;  // "dslap"
  std::vector<OptionEntry> options;
  std::vector<ExitCodeEntry> exit_codes;
  std::vector<std::string> subcommands;
  bool separate_values = false;  // "--name VALUE" is legal beside "--name=VALUE"
};

}  // namespace dslap

#endif  // DSLAP_COMMON_MANUAL_OPTION_ENTRY_H_
