#include "controller/report/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "gtest/gtest.h"

namespace dslap {
namespace {

// A pseudo-terminal: its master end counts as a terminal too.
class TerminalTest : public testing::Test {
 protected:
  TerminalTest() : fd_(posix_openpt(O_RDWR | O_NOCTTY)) { setenv("TERM", "xterm", 1); }
  ~TerminalTest() override { close(fd_); }

  int fd_;
};

TEST_F(TerminalTest, KnowsATerminal) {
  ASSERT_GE(fd_, 0);
  EXPECT_TRUE(IsTerminal(fd_));
  const int file = open("/dev/null", O_WRONLY | O_CLOEXEC);
  EXPECT_FALSE(IsTerminal(file));
  close(file);
}

TEST_F(TerminalTest, DumbTerminalCannotMoveItsCursor) {
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(IsTerminal(fd_));
  unsetenv("TERM");
  EXPECT_FALSE(IsTerminal(fd_));
}

TEST_F(TerminalTest, Columns) {
  EXPECT_EQ(TerminalColumns(fd_), 80U);  // not set yet
  winsize size = {};
  size.ws_col = 132;
  ASSERT_EQ(ioctl(fd_, TIOCSWINSZ, &size), 0);
  EXPECT_EQ(TerminalColumns(fd_), 132U);
  EXPECT_EQ(TerminalColumns(-1), 80U);
}

}  // namespace
}  // namespace dslap
