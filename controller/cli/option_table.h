// The one table of all options of dslap. Whoever adds an option adds a row here (and the check that
// belongs to it in build_options.cc): the parser, --help, docs/cli.md, the manual page and the
// completion follow.
#ifndef DSLAP_CONTROLLER_CLI_OPTION_TABLE_H_
#define DSLAP_CONTROLLER_CLI_OPTION_TABLE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "controller/cli/option_spec.h"

namespace dslap {

absl::Span<const OptionSpec> OptionTable();

// The options of Oracle's and MariaDB's mysqlslap that are refused by name.
absl::Span<const AbsentOption> AbsentOptions();

inline OptionVocabulary DslapVocabulary() { return {OptionTable(), AbsentOptions()}; }

// "Connection", ...: the heading of a group.
absl::string_view GroupTitle(OptionGroup group);

// The default as help shows it; empty when there is nothing worth showing.
std::string DefaultText(const OptionSpec& spec);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_OPTION_TABLE_H_
