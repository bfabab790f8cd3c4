// Runs shell commands as child processes of dslap, as system(3) would: in its process group, with
// its standard input, output and error. Unlike there, nothing else is inherited: no descriptor and
// no blocked or ignored signal of dslap's.
//
//   ShellLauncher launcher([&] { pump.Drain(); });
#ifndef DSLAP_CONTROLLER_SHELL_LAUNCHER_H_
#define DSLAP_CONTROLLER_SHELL_LAUNCHER_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "controller/coordination/shell_command.h"

namespace dslap {

// Thread-safe.
class ShellLauncher final : public CommandLauncher {
 public:
  // `before` is called before each command begins, on a thread that may wait: for what dslap itself
  // has to print first.
  explicit ShellLauncher(std::function<void()> before) : before_(std::move(before)) {}

  std::unique_ptr<RunningCommand> Start(const std::string& command,
                                        std::function<void()> on_end) override;

 private:
  const std::function<void()> before_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_SHELL_LAUNCHER_H_
