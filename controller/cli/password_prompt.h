// Asks for a password on the terminal.
#ifndef DSLAP_CONTROLLER_CLI_PASSWORD_PROMPT_H_
#define DSLAP_CONTROLLER_CLI_PASSWORD_PROMPT_H_

#include <string>

#include "absl/status/statusor.h"
#include "common/secret.h"

namespace dslap {

// Prints "Enter password: " on the terminal and reads one line that the terminal does not show. The
// terminal is restored whatever happens; a signal (Ctrl-C, Ctrl-Z, SIGTERM, ...) then does what it
// would have done. Call before ShutdownSignal blocks the signals, and before other threads start.
// Fails with FAILED_PRECONDITION when there is no terminal, CANCELLED on the end of the input or
// after a signal that the process survived. An empty line is an empty password.
absl::StatusOr<Secret> ReadPasswordFromTerminal(const std::string& terminal = "/dev/tty");

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_PASSWORD_PROMPT_H_
