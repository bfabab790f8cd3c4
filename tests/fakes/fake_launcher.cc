#include "tests/fakes/fake_launcher.h"

#include <csignal>
#include <optional>
#include <utility>

namespace dslap {
namespace {

class FakeRunningCommand final : public RunningCommand {
 public:
  FakeRunningCommand(Clock* clock, FakeCommand behaviour, std::vector<int>* signals)
      : clock_(clock),
        behaviour_(std::move(behaviour)),
        ends_at_ns_(behaviour_.takes_ns == FakeCommand::kForever
                        ? FakeCommand::kForever
                        : clock->NowNs() + behaviour_.takes_ns),
        signals_(signals) {}

  std::optional<CommandEnd> end() const override {
    if (clock_->NowNs() < ends_at_ns_) return std::nullopt;
    return behaviour_.end;
  }

  void Signal(int signal) override {
    if (end().has_value()) return;
    signals_->push_back(signal);
    if (signal == SIGTERM && behaviour_.ignores_sigterm) return;
    behaviour_.end = {};
    behaviour_.end.signal = signal;
    ends_at_ns_ = clock_->NowNs();
  }

 private:
  Clock* clock_;
  FakeCommand behaviour_;
  int64_t ends_at_ns_;
  std::vector<int>* signals_;
};

}  // namespace

std::unique_ptr<RunningCommand> FakeLauncher::Start(const std::string& command,
                                                    std::function<void()> on_end) {
  started.push_back(command);
  auto running = std::make_unique<FakeRunningCommand>(
      clock_, behaviour ? behaviour(command) : FakeCommand{}, &signals);
  if (running->end().has_value()) on_end();
  return running;
}

}  // namespace dslap
