// What stands in option files, into options of the table: the counterpart of command_line.h, by the
// same rules for names. Says of everything in which file and line it stood.
#ifndef DSLAP_CONTROLLER_CLI_FILE_OPTIONS_H_
#define DSLAP_CONTROLLER_CLI_FILE_OPTIONS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "controller/cli/option_file.h"
#include "controller/cli/option_spec.h"

namespace dslap {

// Name of an option -> the place where it was set last, "/etc/my.cnf:3".
using OptionPlaces = std::map<std::string, std::string>;

// As MySQL's programs have it, an unknown option is an error in any group, [client] too, unless it
// is written loose-NAME. A failure is INVALID_ARGUMENT, complete, and repeats no secret.
absl::StatusOr<std::vector<ParsedOption>> ReadFileOptions(
    const std::vector<OptionFileEntry>& entries, const OptionVocabulary& vocabulary,
    std::vector<std::string>* warnings);

// Stores `options` into the draft as what the command line may still override. They do not count
// as given (OptionDraft::given), and imply no protocol. Of a password and a password file the last
// one counts.
absl::StatusOr<OptionPlaces> StoreFileOptions(const std::vector<ParsedOption>& options,
                                              const OptionVocabulary& vocabulary,
                                              OptionDraft* draft);

// Then those of the command line, on top of them; options that say which files to read are done
// with.
absl::Status StoreCommandLine(const std::vector<ParsedOption>& options,
                              const OptionVocabulary& vocabulary, OptionDraft* draft);

// A failure that names options, said of all of them together: adds where those are from that only
// stand in a file. `given`: the names on the command line.
absl::Status WithPlaces(const absl::Status& status, const OptionPlaces& places,
                        const std::vector<std::string>& given);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_FILE_OPTIONS_H_
