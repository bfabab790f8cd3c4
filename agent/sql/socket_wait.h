// Waiting for a socket so that another thread can end the wait.
//
// The danger in cutting a connection from outside is its descriptor: the client library closes it
// whenever it sees an error, and the number may be somebody else's socket a moment later. Here the
// cutting thread touches a descriptor only while its owner is held inside Wait(), where nothing can
// close it, or touches a duplicate that belongs to this class.
//
//   client's thread:  if (wait.Wait(fd, SocketWait::Direction::kRead, -1) < 1) ... errno says why
//   another thread:   wait.Interrupt();
#ifndef DSLAP_AGENT_SQL_SOCKET_WAIT_H_
#define DSLAP_AGENT_SQL_SOCKET_WAIT_H_

#include <atomic>
#include <mutex>

namespace dslap {

// One thread, the owner, calls everything but Interrupt(); Interrupt() is thread-safe.
class SocketWait {
 public:
  enum class Direction { kRead, kWrite };

  SocketWait() = default;
  ~SocketWait();
  SocketWait(const SocketWait&) = delete;
  SocketWait& operator=(const SocketWait&) = delete;

  // Waits until `fd` is ready or `timeout_ms` passed; -1: no bound. 1: ready. 0: timed out, errno
  // is ETIMEDOUT. -1: failed, errno says how; ECONNABORTED means Interrupt(). Neither locks nor
  // allocates.
  int Wait(int fd, Direction direction, int timeout_ms);

  // For a library that sometimes waits by itself: shuts down this connection's duplicate of `fd` on
  // Interrupt(), in place of one kept before. Costs a descriptor. False when none is left.
  bool KeepDuplicate(int fd);
  void DropDuplicate();

  // Makes the current Wait() and all later ones fail until Rearm().
  void Interrupt();
  void Rearm() { interrupted_.store(false); }

 private:
  static constexpr int kNobodyWaits = -1;
  static constexpr int kBeingCut = -2;

  void Leave(int fd);

  std::atomic<bool> interrupted_{false};
  // The descriptor in Wait(), or one of the constants above.
  std::atomic<int> waiting_fd_{kNobodyWaits};

  std::mutex duplicate_mu_;
  int duplicate_fd_ = -1;  // guarded by duplicate_mu_
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_SOCKET_WAIT_H_
