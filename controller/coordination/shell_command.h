// A shell command on the controller's own host, as a seam: what --pre-system and --post-system run.
//
//   std::unique_ptr<RunningCommand> command = launcher->Start("echo 3", [&] { group.Wake(); });
//   ... wait until command->end().has_value() ...
//
// Production: ShellLauncher (controller/shell_launcher.h); tests: tests/fakes/fake_launcher.h.
#ifndef DSLAP_CONTROLLER_COORDINATION_SHELL_COMMAND_H_
#define DSLAP_CONTROLLER_COORDINATION_SHELL_COMMAND_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace dslap {

// How a command ended: by itself, by a signal, or it never began.
struct CommandEnd {
  int exit_code = 0;
  int signal = 0;                   // not 0: ended by it
  absl::Status start_failure = {};  // not OK: never began

  bool ok() const { return start_failure.ok() && exit_code == 0 && signal == 0; }
  // "ended with exit code 7", "was ended by signal 9 (Killed)".
  std::string Describe() const;
};

// Thread-safe. The destructor kills the command if it still runs, and waits for its end.
class RunningCommand {
 public:
  virtual ~RunningCommand() = default;
  // Absent while it runs.
  virtual std::optional<CommandEnd> end() const = 0;
  // To the shell and all that it has started and has not yet ended; no-op when the shell has ended.
  virtual void Signal(int signal) = 0;
};

class CommandLauncher {
 public:
  virtual ~CommandLauncher() = default;
  // Runs `command` with sh -c. `on_end` is called once, from any thread, when end() is known; it
  // may be called before this returns.
  virtual std::unique_ptr<RunningCommand> Start(const std::string& command,
                                                std::function<void()> on_end) = 0;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_SHELL_COMMAND_H_
