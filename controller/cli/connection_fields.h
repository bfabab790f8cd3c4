// How the options of the connection to the database that are more than a text are stored:
// CustomField and SwitchField functions of the option table (option_table.cc). Messages as
// option_spec.h says of CustomField.
#ifndef DSLAP_CONTROLLER_CLI_CONNECTION_FIELDS_H_
#define DSLAP_CONTROLLER_CLI_CONNECTION_FIELDS_H_

#include "absl/status/status.h"
#include "controller/cli/option_spec.h"

namespace dslap {

absl::Status StorePort(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreSocket(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreProtocol(const ParsedOption& option, OptionDraft* draft);
absl::Status StorePassword(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreCompressionAlgorithms(const ParsedOption& option, OptionDraft* draft);
void StoreSsl(bool on, OptionDraft* draft);
void StoreGetServerPublicKey(bool on, OptionDraft* draft);
absl::Status StoreTlsMode(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreTlsVersions(const ParsedOption& option, OptionDraft* draft);
absl::Status StoreFipsMode(const ParsedOption& option, OptionDraft* draft);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_CONNECTION_FIELDS_H_
