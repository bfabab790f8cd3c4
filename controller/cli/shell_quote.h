// A command-line argument as it can be pasted into a POSIX shell.
#ifndef DSLAP_CONTROLLER_CLI_SHELL_QUOTE_H_
#define DSLAP_CONTROLLER_CLI_SHELL_QUOTE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace dslap {

// Unchanged when no character in it means anything to a shell, else in single quotes.
std::string ShellQuote(absl::string_view argument);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_SHELL_QUOTE_H_
