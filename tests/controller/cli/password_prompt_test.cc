#include "controller/cli/password_prompt.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

constexpr int kPatienceMs = 10'000;
constexpr char kPrompt[] = "Enter password: ";

// Waits at most `timeout_ms` for something to read; empty when nothing came.
std::string ReadSome(int fd, int timeout_ms) {
  pollfd wait{fd, POLLIN, 0};
  if (poll(&wait, 1, timeout_ms) <= 0) return "";
  std::string buffer(256, '\0');
  const ssize_t got = read(fd, buffer.data(), buffer.size());
  buffer.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return buffer;
}

// A terminal with a child process that asks for a password on it.
class PasswordPromptTest : public testing::Test {
 protected:
  void SetUp() override {
    screen_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(screen_, 0);
    ASSERT_EQ(grantpt(screen_), 0);
    ASSERT_EQ(unlockpt(screen_), 0);
    terminal_name_ = ptsname(screen_);
    // Kept open, so that the terminal lives on when the child ends.
    terminal_ = open(terminal_name_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(terminal_, 0);
    ASSERT_EQ(pipe(answer_), 0);
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) Ask();
    close(answer_[1]);
  }

  void TearDown() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    close(answer_[0]);
    close(terminal_);
    close(screen_);
  }

  // In the child: sends what came of it through the pipe.
  [[noreturn]] void Ask() const {
    const absl::StatusOr<Secret> password = ReadPasswordFromTerminal(terminal_name_);
    const std::string answer = password.ok()
                                   ? absl::StrCat("password: ", password->Reveal())
                                   : absl::StrCat("failed: ", password.status().message());
    _exit(write(answer_[1], answer.data(), answer.size()) < 0 ? 1 : 0);
  }

  // Reads the screen until the prompt stands on it.
  bool AwaitPrompt() {
    std::string seen;
    while (!absl::EndsWith(seen, kPrompt)) {
      const std::string more = ReadSome(screen_, kPatienceMs);
      if (more.empty()) return false;
      seen += more;
    }
    return true;
  }

  void Type(const std::string& text) const {
    ASSERT_EQ(write(screen_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  int ChildStatus() {
    int status = 0;
    EXPECT_EQ(waitpid(child_, &status, 0), child_);
    child_ = -1;
    return status;
  }

  bool Echoes() const {
    termios now{};
    EXPECT_EQ(tcgetattr(terminal_, &now), 0);
    return (now.c_lflag & ECHO) != 0;
  }

  int screen_ = -1;
  int terminal_ = -1;
  std::string terminal_name_;
  int answer_[2] = {-1, -1};
  pid_t child_ = -1;
};

TEST_F(PasswordPromptTest, ReadsALineThatIsNotShown) {
  ASSERT_TRUE(AwaitPrompt());
  EXPECT_FALSE(Echoes());
  Type("s3 cret\n");
  EXPECT_EQ(ReadSome(answer_[0], kPatienceMs), "password: s3 cret");
  EXPECT_EQ(ReadSome(screen_, kPatienceMs), "\r\n");
  EXPECT_TRUE(WIFEXITED(ChildStatus()));
  EXPECT_TRUE(Echoes());
}

TEST_F(PasswordPromptTest, EmptyLineIsAnEmptyPassword) {
  ASSERT_TRUE(AwaitPrompt());
  Type("\n");
  EXPECT_EQ(ReadSome(answer_[0], kPatienceMs), "password: ");
}

TEST_F(PasswordPromptTest, EndOfInputIsNoPassword) {
  ASSERT_TRUE(AwaitPrompt());
  Type("\x04");
  EXPECT_EQ(ReadSome(answer_[0], kPatienceMs),
            "failed: the input ended before a password was typed");
  EXPECT_TRUE(WIFEXITED(ChildStatus()));
  EXPECT_TRUE(Echoes());
}

TEST_F(PasswordPromptTest, SignalRestoresTheTerminalAndThenActs) {
  ASSERT_TRUE(AwaitPrompt());
  ASSERT_FALSE(Echoes());
  ASSERT_EQ(kill(child_, SIGTERM), 0);
  const int status = ChildStatus();
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
  EXPECT_TRUE(Echoes());
}

TEST_F(PasswordPromptTest, AsksAgainAfterAStop) {
  ASSERT_TRUE(AwaitPrompt());
  Type("half");
  ASSERT_EQ(kill(child_, SIGTSTP), 0);
  std::string seen;
  for (int waited = 0; waited < kPatienceMs && !absl::EndsWith(seen, kPrompt); waited += 20) {
    seen += ReadSome(screen_, 20);
    // Once it has stopped, this continues it; before, it does nothing.
    ASSERT_EQ(kill(child_, SIGCONT), 0);
  }
  ASSERT_TRUE(absl::EndsWith(seen, kPrompt)) << seen;
  EXPECT_FALSE(Echoes());
  Type("whole\n");
  EXPECT_EQ(ReadSome(answer_[0], kPatienceMs), "password: whole");
}

TEST(ReadPasswordFromTerminal, NeedsATerminal) {
  for (const char* device : {"/dev/null", "/nonexistent"}) {
    EXPECT_EQ(ReadPasswordFromTerminal(device).status(),
              absl::FailedPreconditionError("cannot ask for the password: there is no terminal; "
                                            "give --password-file=FILE or -pPASSWORD"));
  }
}

}  // namespace
}  // namespace dslap
