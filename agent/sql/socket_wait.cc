#include "agent/sql/socket_wait.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace dslap {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// poll(2), going on after signals.
int Poll(int fd, short events, int timeout_ms) {  // NOLINT(google-runtime-int): poll's own type
  pollfd waited{fd, events, 0};
  const bool bounded = timeout_ms >= 0;
  const auto deadline =
      bounded ? steady_clock::now() + milliseconds(timeout_ms) : steady_clock::time_point::max();
  int left_ms = timeout_ms;
  for (;;) {
    const int ready = poll(&waited, 1, left_ms);
    if (ready >= 0 || errno != EINTR) return ready;
    if (!bounded) continue;
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    left_ms = left.count() > 0 ? static_cast<int>(left.count()) : 0;
  }
}

}  // namespace

SocketWait::~SocketWait() { DropDuplicate(); }

int SocketWait::Wait(int fd, Direction direction, int timeout_ms) {
  // Sequentially consistent on both sides: either this thread sees the flag here, or Interrupt()
  // sees the descriptor.
  waiting_fd_.store(fd);
  int ready = -1;
  int error = 0;
  if (!interrupted_.load()) {
    ready = Poll(fd, direction == Direction::kRead ? POLLIN : POLLOUT, timeout_ms);
    error = ready == 0 ? ETIMEDOUT : errno;
  }
  Leave(fd);
  if (interrupted_.load()) {
    ready = -1;
    error = ECONNABORTED;
  }
  if (ready < 1) errno = error;
  return ready;
}

void SocketWait::Leave(int fd) {
  int expected = fd;
  while (!waiting_fd_.compare_exchange_strong(expected, kNobodyWaits)) {
    if (expected == kNobodyWaits) return;
    // Interrupt() is between two instructions; the descriptor must stay open until it is through.
    std::this_thread::yield();
    expected = fd;
  }
}

bool SocketWait::KeepDuplicate(int fd) {
  const std::lock_guard<std::mutex> lock(duplicate_mu_);
  if (duplicate_fd_ >= 0) close(duplicate_fd_);
  duplicate_fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return duplicate_fd_ >= 0;
}

void SocketWait::DropDuplicate() {
  const std::lock_guard<std::mutex> lock(duplicate_mu_);
  if (duplicate_fd_ >= 0) close(duplicate_fd_);
  duplicate_fd_ = -1;
}

void SocketWait::Interrupt() {
  interrupted_.store(true);
  int fd = waiting_fd_.load();
  if (fd >= 0 && waiting_fd_.compare_exchange_strong(fd, kBeingCut)) {
    shutdown(fd, SHUT_RDWR);
    waiting_fd_.store(kNobodyWaits);
  }
  const std::lock_guard<std::mutex> lock(duplicate_mu_);
  if (duplicate_fd_ >= 0) shutdown(duplicate_fd_, SHUT_RDWR);
}

}  // namespace dslap
