// Shell commands without a shell: they take the time and end as a test tells them.
//
//   FakeLauncher launcher(&clock);
//   launcher.behaviour = [](const std::string&) { return FakeCommand{.takes_ns = 5}; };
#ifndef DSLAP_TESTS_FAKES_FAKE_LAUNCHER_H_
#define DSLAP_TESTS_FAKES_FAKE_LAUNCHER_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "common/clock.h"
#include "controller/coordination/shell_command.h"

namespace dslap {

struct FakeCommand {
  static constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
  int64_t takes_ns = 0;  // kForever: until a signal ends it
  CommandEnd end = {};
  bool ignores_sigterm = false;
};

// Not thread-safe: for tests whose coordinator runs on the test's own thread.
class FakeLauncher final : public CommandLauncher {
 public:
  // `clock` must outlive the launcher and its commands.
  explicit FakeLauncher(Clock* clock) : clock_(clock) {}

  std::function<FakeCommand(const std::string& command)> behaviour;  // at once and well, if not set
  std::vector<std::string> started;
  std::vector<int> signals;  // that commands got while they ran

  std::unique_ptr<RunningCommand> Start(const std::string& command,
                                        std::function<void()> on_end) override;

 private:
  Clock* clock_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_FAKES_FAKE_LAUNCHER_H_
