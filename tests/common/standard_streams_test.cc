#include "common/standard_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace dslap {
namespace {

// In a child, as the test itself needs its streams. Exit code 0: as it should be.
int InChildWithout(int fd) {
  const pid_t child = fork();
  if (child == 0) {
    close(fd);
    OpenMissingStandardStreams();
    const int next = open("/dev/null", O_RDWR);
    char byte = 'x';
    errno = 0;
    const ssize_t done = fd == STDIN_FILENO ? read(fd, &byte, 1) : write(fd, &byte, 1);
    const bool good = next > STDERR_FILENO && done == -1 && errno == EBADF;
    _exit(good ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// What was opened next took the place of the closed descriptor, and the report went there.
TEST(StandardStreamsTest, ClosedStreamIsTakenByNothingElseAndStillFails) {
  EXPECT_EQ(InChildWithout(STDIN_FILENO), 0);
  EXPECT_EQ(InChildWithout(STDOUT_FILENO), 0);
  EXPECT_EQ(InChildWithout(STDERR_FILENO), 0);
}

TEST(StandardStreamsTest, OpenStreamsAreLeftAlone) {
  const pid_t child = fork();
  if (child == 0) {
    int pipe_fds[2];
    if (pipe(pipe_fds) != 0) _exit(2);
    dup2(pipe_fds[1], STDOUT_FILENO);
    OpenMissingStandardStreams();
    char byte = 'x';
    _exit(write(STDOUT_FILENO, &byte, 1) == 1 && read(pipe_fds[0], &byte, 1) == 1 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace dslap
