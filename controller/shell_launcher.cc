#include "controller/shell_launcher.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/status_util.h"
#include "controller/process_tree.h"

namespace dslap {
namespace {

// What a shell expects to find: every signal at its default and none blocked. dslap blocks SIGINT
// and SIGTERM and ignores SIGPIPE, and a child would inherit that.
void ResetSignals(posix_spawnattr_t* attributes) {
  sigset_t none;
  sigemptyset(&none);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

absl::Status StartShell(std::string command, pid_t* pid) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  ResetSignals(&attributes);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // A command that stays in the background must not keep connections open.
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  std::string shell = "sh";
  std::string option = "-c";
  char* const argv[] = {shell.data(), option.data(), command.data(), nullptr};
  const int error = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error == 0 ? absl::OkStatus() : ErrnoToStatus(error, "could not be started with /bin/sh");
}

CommandEnd AwaitEnd(pid_t pid) {
  siginfo_t info = {};
  // Left unreaped: until the lock is held, the number must not become another process's.
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  CommandEnd end;
  (info.si_code == CLD_EXITED ? end.exit_code : end.signal) = info.si_status;
  return end;
}

// `root` and all that it has started. They stand still until each has the signal: so none begins
// another process unseen, and none ends whose children could then not be found any more.
void SignalTree(pid_t root, int signal) {
  kill(root, SIGSTOP);
  std::vector<pid_t> stopped = {root};
  // One that was beginning a process when it was stopped may show it only at the second look.
  for (int looks_without_news = 0; looks_without_news < 2;) {
    ++looks_without_news;
    for (const pid_t pid : DescendantsOf(root)) {
      if (absl::c_linear_search(stopped, pid)) continue;
      kill(pid, SIGSTOP);
      stopped.push_back(pid);
      looks_without_news = 0;
    }
  }
  for (const pid_t pid : stopped) kill(pid, signal);
  for (const pid_t pid : stopped) kill(pid, SIGCONT);
}

class ShellProcess final : public RunningCommand {
 public:
  ShellProcess(std::string command, std::function<void()> before, std::function<void()> on_end)
      : thread_([this, command = std::move(command), before = std::move(before),
                 on_end = std::move(on_end)] {
          before();
          Run(command);
          on_end();
        }) {}

  ~ShellProcess() override {
    Signal(SIGKILL);
    thread_.join();
  }

  std::optional<CommandEnd> end() const override {
    absl::MutexLock lock(&mu_);
    return end_;
  }

  void Signal(int signal) override {
    absl::MutexLock lock(&mu_);
    if (end_.has_value()) return;
    if (pid_ > 0) {
      SignalTree(pid_, signal);
    } else {
      signal_before_start_ = signal;
    }
  }

 private:
  void Run(const std::string& command) {
    CommandEnd end;
    {
      absl::MutexLock lock(&mu_);
      end.signal = signal_before_start_;
      if (end.signal == 0) end.start_failure = StartShell(command, &pid_);
      if (!end.ok()) {
        end_ = end;
        return;
      }
    }
    end = AwaitEnd(pid_);
    absl::MutexLock lock(&mu_);
    waitpid(pid_, nullptr, 0);
    end_ = end;
  }

  mutable absl::Mutex mu_;
  pid_t pid_ = 0;  // written by the thread, with mu_ held
  int signal_before_start_ ABSL_GUARDED_BY(mu_) = 0;
  std::optional<CommandEnd> end_ ABSL_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace

std::unique_ptr<RunningCommand> ShellLauncher::Start(const std::string& command,
                                                     std::function<void()> on_end) {
  return std::make_unique<ShellProcess>(command, before_, std::move(on_end));
}

}  // namespace dslap
