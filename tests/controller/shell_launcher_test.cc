#include "controller/shell_launcher.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ShellLauncherTest : public ::testing::Test {
 protected:
  ShellLauncherTest() : file_(absl::StrCat(::testing::TempDir(), "/launcher.", getpid())) {}
  ~ShellLauncherTest() override { unlink(file_.c_str()); }

  std::unique_ptr<RunningCommand> Start(const std::string& command) {
    return launcher_.Start(command, [this] { ended_.Notify(); });
  }

  CommandEnd EndOf(const RunningCommand& command) {
    EXPECT_TRUE(ended_.WaitForNotificationWithTimeout(absl::Seconds(20)));
    return command.end().value_or(CommandEnd{.exit_code = -1});
  }

  // What the command has written to `file_`.
  std::string Written() {
    std::ostringstream content;
    content << std::ifstream(file_).rdbuf();
    return content.str();
  }

  // The command says there that it runs.
  void AwaitWritten(const std::string& text) {
    const absl::Time deadline = absl::Now() + absl::Seconds(20);
    while (Written() != text && absl::Now() < deadline) sched_yield();
    ASSERT_EQ(Written(), text);
  }

  const std::string file_;
  ShellLauncher launcher_{[this] { before_(); }};
  std::function<void()> before_ = [] {};
  absl::Notification ended_;
};

TEST_F(ShellLauncherTest, RunsTheCommandInAShell) {
  const auto command = Start(absl::StrCat("a=1; echo $((a + 1)) > ", file_));
  const CommandEnd end = EndOf(*command);
  EXPECT_TRUE(end.ok()) << end.Describe();
  EXPECT_EQ(Written(), "2\n");
}

TEST_F(ShellLauncherTest, TellsTheExitCode) {
  const auto command = Start("exit 7");
  EXPECT_EQ(EndOf(*command).Describe(), "ended with exit code 7");
}

TEST_F(ShellLauncherTest, UnknownCommandIsTheShells127) {
  const auto command = Start("no-such-command-at-all 2> /dev/null");
  EXPECT_EQ(EndOf(*command).exit_code, 127);
}

TEST_F(ShellLauncherTest, TellsTheSignal) {
  const auto command = Start("kill -KILL $$");
  EXPECT_EQ(EndOf(*command).signal, SIGKILL);
}

// The shell ended, and what it waited for went on without it.
TEST_F(ShellLauncherTest, SignalReachesWhatTheShellHasStarted) {
  const auto command =
      Start(absl::StrCat("(sleep 1000; true) & sleep 1000 & echo $! > ", file_, "; wait"));
  const absl::Time deadline = absl::Now() + absl::Seconds(20);
  while (Written().empty() && absl::Now() < deadline) sched_yield();
  const pid_t child = std::stoi(Written());
  ASSERT_EQ(kill(child, 0), 0);
  command->Signal(SIGTERM);
  EXPECT_EQ(EndOf(*command).signal, SIGTERM);
  const auto gone = [](pid_t pid) {  // or a zombie that nobody waits for
    std::ifstream stat(absl::StrCat("/proc/", pid, "/stat"));
    std::string number, name, state;
    return !(stat >> number >> name >> state) || state == "Z";
  };
  while (!gone(child) && absl::Now() < deadline) sched_yield();
  EXPECT_TRUE(gone(child));
}

TEST_F(ShellLauncherTest, EndIsUnknownWhileItRunsAndSignalsReachIt) {
  const auto command = Start(absl::StrCat("echo up > ", file_, "; exec sleep 1000"));
  AwaitWritten("up\n");
  EXPECT_FALSE(command->end().has_value());
  command->Signal(SIGTERM);
  EXPECT_EQ(EndOf(*command).signal, SIGTERM);
  command->Signal(SIGKILL);  // nobody's any more
}

TEST_F(ShellLauncherTest, WaitsForWhatComesBeforeWithoutHoldingUpTheCaller) {
  absl::Notification go_on;
  before_ = [&] { go_on.WaitForNotification(); };
  const auto command = Start(absl::StrCat("echo up > ", file_));
  EXPECT_FALSE(command->end().has_value());
  EXPECT_EQ(Written(), "");
  go_on.Notify();
  EXPECT_TRUE(EndOf(*command).ok());
  EXPECT_EQ(Written(), "up\n");
}

TEST_F(ShellLauncherTest, SignalBeforeTheBeginningKeepsItFromBeginning) {
  absl::Notification go_on;
  before_ = [&] { go_on.WaitForNotification(); };
  const auto command = Start(absl::StrCat("echo up > ", file_));
  command->Signal(SIGTERM);
  go_on.Notify();
  EXPECT_EQ(EndOf(*command).signal, SIGTERM);
  EXPECT_EQ(Written(), "");
}

TEST_F(ShellLauncherTest, DestructorKillsWhatIgnoresSignals) {
  auto command =
      Start(absl::StrCat("trap '' TERM; echo $$ > ", file_, "; while :; do sleep 0.01; done"));
  const absl::Time deadline = absl::Now() + absl::Seconds(20);
  while (Written().empty() && absl::Now() < deadline) sched_yield();
  const pid_t pid = std::stoi(Written());
  ASSERT_EQ(kill(pid, 0), 0);
  command.reset();
  EXPECT_EQ(kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  EXPECT_TRUE(ended_.HasBeenNotified());
}

// dslap blocks SIGINT and SIGTERM and ignores SIGPIPE; a command that inherited that could not be
// ended from the terminal.
TEST_F(ShellLauncherTest, NeitherBlockedNorIgnoredSignalsAreInherited) {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &both, &before);
  const auto pipe_before = std::signal(SIGPIPE, SIG_IGN);
  const auto command =
      Start(absl::StrCat("exec sed -n 's/^Sig\\(Blk\\|Ign\\):.//p' /proc/self/status > ", file_));
  EXPECT_EQ(EndOf(*command).exit_code, 0);
  std::signal(SIGPIPE, pipe_before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::istringstream masks(Written());
  uint64_t blocked = ~uint64_t{0};
  uint64_t ignored = ~uint64_t{0};
  masks >> std::hex >> blocked >> ignored;
  EXPECT_EQ(blocked, 0u);
  // The C library keeps 32 and above for itself.
  EXPECT_EQ(ignored & 0x7fffffff, 0u);
}

TEST_F(ShellLauncherTest, DescriptorsAreNotInherited) {
  const int fd = open("/dev/null", O_RDONLY);  // without O_CLOEXEC, on purpose
  ASSERT_GT(fd, 2);
  const auto command = Start(absl::StrCat("ls /proc/$$/fd > ", file_));
  EXPECT_EQ(EndOf(*command).exit_code, 0);
  close(fd);
  EXPECT_THAT(absl::StrCat("\n", Written()), Not(HasSubstr(absl::StrCat("\n", fd, "\n"))));
}

TEST_F(ShellLauncherTest, CommandInTheBackgroundIsNotWaitedFor) {
  const auto command = Start(absl::StrCat("sleep 5 > /dev/null & echo $! > ", file_));
  const absl::Time begin = absl::Now();
  EXPECT_EQ(EndOf(*command).exit_code, 0);
  EXPECT_LT(absl::Now() - begin, absl::Seconds(4));
  kill(std::stoi(Written()), SIGKILL);
}

}  // namespace
}  // namespace dslap
