// How the options that are more than a flag, a number or a text are stored: the CustomField
// functions of the option table (option_table.cc); those of the connection are in
// connection_fields.h. Messages as option_spec.h says of CustomField.
#ifndef DSLAP_CONTROLLER_CLI_CUSTOM_FIELDS_H_
#define DSLAP_CONTROLLER_CLI_CUSTOM_FIELDS_H_

#include "absl/status/status.h"
#include "controller/cli/option_spec.h"

namespace dslap {

absl::Status StoreConcurrency(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreDelimiter(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreLoadType(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreIntColumns(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreCharColumns(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreSchema(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreEngines(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreIgnoredErrors(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreLoadEngine(const ParsedOption& option, OptionDraft* draft);
absl::Status StorePreflight(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreAgents(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreVerbose(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreCsv(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreJson(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreCompat(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreAgentLoss(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreNothing(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreHelp(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreVersion(const ParsedOption& option, OptionDraft* draft);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_CUSTOM_FIELDS_H_
