#include "tests/support/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace dslap {
namespace {

constexpr absl::Duration kPipesGrace = absl::Seconds(5);

// A test that cannot even start a child has nothing to report but this.
void CheckSystem(bool ok, const char* what) {
  if (ok) return;
  std::perror(what);
  std::abort();
}

struct Pipe {
  Pipe() { CheckSystem(pipe2(ends.data(), O_CLOEXEC) == 0, "pipe2"); }
  std::array<int, 2> ends{};
};

std::vector<std::string> MergedEnvironment(const std::map<std::string, std::string>& extra) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (extra.find(text.substr(0, text.find('='))) == extra.end()) merged.push_back(text);
  }
  for (const auto& [name, value] : extra) merged.push_back(absl::StrCat(name, "=", value));
  return merged;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

int PollTimeoutMs(absl::Duration timeout) {
  return static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(timeout, absl::Milliseconds(1))));
}

// Between fork and exec: only calls that are safe in the child of a process with threads.
[[noreturn]] void BecomeChild(pid_t parent, const SubprocessSpec& spec, char** argv, char** envp,
                              int out_fd, int err_fd) {
  const char* const directory = spec.directory.c_str();
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null_fd = open("/dev/null", O_RDONLY);
  dup2(null_fd, STDIN_FILENO);
  dup2(out_fd, STDOUT_FILENO);
  dup2(err_fd, STDERR_FILENO);
  if (*directory != '\0' && chdir(directory) != 0) {
    dprintf(STDERR_FILENO, "chdir %s: %s\n", directory, strerror(errno));
    _exit(127);
  }
  if (spec.network_fd >= 0 && setns(spec.network_fd, CLONE_NEWNET) != 0) {
    dprintf(STDERR_FILENO, "enter the network namespace: %s\n", strerror(errno));
    _exit(127);
  }
  execvpe(argv[0], argv, envp);
  dprintf(STDERR_FILENO, "execute %s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

}  // namespace

Subprocess::Subprocess(const SubprocessSpec& spec) {
  std::vector<std::string> argv_texts = spec.argv;
  std::vector<std::string> env_texts = MergedEnvironment(spec.env);
  const std::vector<char*> argv = Pointers(argv_texts);
  const std::vector<char*> envp = Pointers(env_texts);
  const Pipe out;
  const Pipe err;
  const pid_t parent = getpid();
  pid_ = fork();
  CheckSystem(pid_ >= 0, "fork");
  if (pid_ == 0) {
    BecomeChild(parent, spec, const_cast<char**>(argv.data()), const_cast<char**>(envp.data()),
                out.ends[1], err.ends[1]);
  }
  setpgid(pid_, pid_);  // the child does it too: whoever is first
  close(out.ends[1]);
  close(err.ends[1]);
  // glibc 2.36 declares pidfd_open for C only.
  pid_fd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  CheckSystem(pid_fd_ >= 0, "pidfd_open");
  wake_fd_ = eventfd(0, EFD_CLOEXEC);
  CheckSystem(wake_fd_ >= 0, "eventfd");
  reader_ = std::thread([this, out_fd = out.ends[0], err_fd = err.ends[0]] {
    ReadPipes(out_fd, err_fd);
    close(out_fd);
    close(err_fd);
  });
}

Subprocess::~Subprocess() {
  if (!exit_code_.has_value()) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  const uint64_t one = 1;
  CheckSystem(write(wake_fd_, &one, sizeof(one)) == sizeof(one), "write to eventfd");
  reader_.join();
  close(wake_fd_);
  close(pid_fd_);
}

void Subprocess::Signal(int signal) const {
  if (!exit_code_.has_value()) kill(pid_, signal);
}

bool Subprocess::WaitForExit(absl::Duration timeout) {
  if (exit_code_.has_value()) return true;
  const absl::Time deadline = absl::Now() + timeout;
  pollfd ended{pid_fd_, POLLIN, 0};
  while (true) {
    const absl::Duration left = std::max(deadline - absl::Now(), absl::ZeroDuration());
    const int ready = poll(&ended, 1, PollTimeoutMs(left));
    if (ready == 1) break;
    CheckSystem(ready == 0 || errno == EINTR, "poll");
    if (ready == 0) return false;
  }
  int status = 0;
  rusage usage{};
  CheckSystem(wait4(pid_, &status, 0, &usage) == pid_, "wait4");
  peak_rss_bytes_ = int64_t{usage.ru_maxrss} * 1024;
  exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  absl::MutexLock lock(&mu_);
  mu_.AwaitWithTimeout(absl::Condition(&ended_), kPipesGrace);
  return true;
}

bool Subprocess::WaitForOutput(const std::string& text, absl::Duration timeout) {
  return WaitForText(&out_, text, "", timeout);
}

bool Subprocess::WaitForError(const std::string& text, absl::Duration timeout) {
  return WaitForText(&err_, text, "", timeout);
}

bool Subprocess::WaitForErrorLine(const std::string& text, absl::Duration timeout) {
  return WaitForText(&err_, text, "\n", timeout);
}

bool Subprocess::WaitForText(const std::string* stream, const std::string& text,
                             const std::string& then, absl::Duration timeout) {
  const auto found = [this, stream, &text, &then]() ABSL_SHARED_LOCKS_REQUIRED(mu_) {
    const size_t at = stream->find(text);
    return at != std::string::npos && stream->find(then, at + text.size()) != std::string::npos;
  };
  const auto decided = [this, &found]()
                           ABSL_SHARED_LOCKS_REQUIRED(mu_) { return ended_ || found(); };
  absl::MutexLock lock(&mu_);
  mu_.AwaitWithTimeout(absl::Condition(&decided), timeout);
  return found();
}

std::string Subprocess::out() const {
  absl::MutexLock lock(&mu_);
  return out_;
}

std::string Subprocess::err() const {
  absl::MutexLock lock(&mu_);
  return err_;
}

void Subprocess::ReadPipes(int out_fd, int err_fd) {
  std::array<pollfd, 3> fds{{{out_fd, POLLIN, 0}, {err_fd, POLLIN, 0}, {wake_fd_, POLLIN, 0}}};
  std::array<char, 65536> buffer;
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    if (poll(fds.data(), fds.size(), -1) < 0) continue;
    if (fds[2].revents != 0) break;
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      const ssize_t got = read(fds[i].fd, buffer.data(), buffer.size());
      if (got <= 0) {
        fds[i].fd = -1;
        continue;
      }
      absl::MutexLock lock(&mu_);
      (i == 0 ? out_ : err_).append(buffer.data(), static_cast<size_t>(got));
    }
  }
  absl::MutexLock lock(&mu_);
  ended_ = true;
}

ProcessResult RunProcess(const SubprocessSpec& spec, absl::Duration timeout) {
  const absl::Time start = absl::Now();
  Subprocess child(spec);
  ProcessResult result;
  if (child.WaitForExit(timeout)) result.exit_code = *child.exit_code();
  result.elapsed = absl::Now() - start;
  result.out = child.out();
  result.err = child.err();
  result.peak_rss_bytes = child.peak_rss_bytes();
  return result;
}

}  // namespace dslap
