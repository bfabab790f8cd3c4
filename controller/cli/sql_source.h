// The SQL of --query, --create, --pre-query and --post-query: the value itself, or the content of
// the file it names.
#ifndef DSLAP_CONTROLLER_CLI_SQL_SOURCE_H_
#define DSLAP_CONTROLLER_CLI_SQL_SOURCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "controller/cli/environment.h"

namespace dslap {

// "@FILE" is always a file. Else a value that names an existing file is that file; one that looks
// like the name of a file and names none is refused; anything else is SQL. Bytes of a file are not
// changed. `option` ("--query") begins every message.
absl::StatusOr<std::string> ReadSqlSource(absl::string_view option, const std::string& value,
                                          const Environment& environment);

// No blank, no character that SQL needs and file names rarely have, and either a slash or the
// ending of a text file.
bool LooksLikeFileName(absl::string_view value);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_SQL_SOURCE_H_
