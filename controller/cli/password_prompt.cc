#include "controller/cli/password_prompt.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/status_util.h"

namespace dslap {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): all a handler may touch.
volatile sig_atomic_t pending_signal = 0;

void NoteSignal(int number) { pending_signal = number; }

// Catches kSignals while it lives, and blocks them outside of ppoll(mask()): none can slip in
// between the look at pending_signal and the wait. What came in the meantime is raised again at the
// end, when the old reaction is back.
class SignalsHeld {
 public:
  SignalsHeld() {
    pending_signal = 0;
    sigset_t held;
    sigemptyset(&held);
    struct sigaction note {};
    note.sa_handler = NoteSignal;
    for (size_t i = 0; i < kSignals.size(); ++i) {
      sigaddset(&held, kSignals[i]);
      sigaction(kSignals[i], &note, &old_[i]);
      // nohup and the like: goes on being ignored.
      if (old_[i].sa_handler == SIG_IGN) sigaction(kSignals[i], &old_[i], nullptr);
    }
    pthread_sigmask(SIG_BLOCK, &held, &old_mask_);
  }
  ~SignalsHeld() {
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &old_[i], nullptr);
    const int number = pending_signal;
    if (number != 0) raise(number);
    pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

  const sigset_t* mask() const { return &old_mask_; }

 private:
  std::array<struct sigaction, kSignals.size()> old_{};
  sigset_t old_mask_{};
};

// Keeps the terminal from showing what is typed.
class EchoOff {
 public:
  explicit EchoOff(int terminal) : terminal_(terminal) {
    tcgetattr(terminal_, &old_);
    termios quiet = old_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK | ECHONL);
    quiet.c_lflag |= static_cast<tcflag_t>(ICANON | ISIG);
    // Discards what was typed before the prompt: it was not meant for it.
    tcsetattr(terminal_, TCSAFLUSH, &quiet);
  }
  ~EchoOff() { tcsetattr(terminal_, TCSADRAIN, &old_); }
  EchoOff(const EchoOff&) = delete;
  EchoOff& operator=(const EchoOff&) = delete;

 private:
  int terminal_;
  termios old_{};
};

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

void Print(int terminal, absl::string_view text) {
  // Nothing is lost when the prompt cannot be shown: reading tells what is wrong.
  if (write(terminal, text.data(), text.size()) < 0) return;
}

// One line without its end; CANCELLED when a signal or the end of the input came first.
absl::StatusOr<Secret> ReadLine(int terminal, const sigset_t* mask) {
  std::string line;
  absl::Status failure;
  for (;;) {
    pollfd wait{terminal, POLLIN, 0};
    const int ready = ppoll(&wait, 1, nullptr, mask);
    if (pending_signal != 0) {
      failure = absl::CancelledError("interrupted while asking for the password");
      break;
    }
    if (ready < 0) continue;
    char byte = 0;
    const ssize_t got = read(terminal, &byte, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) {
      failure = absl::CancelledError("the input ended before a password was typed");
      break;
    }
    if (byte == '\n' || byte == '\r') break;
    line.push_back(byte);
  }
  Secret secret(line);
  WipeString(&line);
  if (!failure.ok()) return failure;
  return secret;
}

}  // namespace

absl::StatusOr<Secret> ReadPasswordFromTerminal(const std::string& terminal) {
  const FileDescriptor tty(open(terminal.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (tty.number() < 0 || isatty(tty.number()) == 0) {
    return absl::FailedPreconditionError(
        "cannot ask for the password: there is no terminal; give --password-file=FILE or "
        "-pPASSWORD");
  }
  for (;;) {
    absl::StatusOr<Secret> password = absl::CancelledError("");
    {
      const SignalsHeld signals;
      const EchoOff quiet(tty.number());
      Print(tty.number(), "Enter password: ");
      password = ReadLine(tty.number(), signals.mask());
      // The user's Enter was not shown either.
      Print(tty.number(), "\n");
    }
    // Stopped and continued: asks again.
    if (pending_signal == SIGTSTP) continue;
    return password;
  }
}

}  // namespace dslap
