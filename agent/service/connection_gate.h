// The door of an agent: accepts connections, hands them on to gRPC, and ends those that are of no
// use. gRPC by itself would keep a caller that says nothing, or says it a byte at a time, for ever,
// and would accept no connection any more once descriptors had run out a single time.
//
//   ConnectionGate gate(limits, clock, &refusals);
//   gate.Open(listening_fd, [&](int fd) { acceptor->HandleNewConnection(...); });
//   gate.Called(context.peer());                 // for each call that is let in
#ifndef DSLAP_AGENT_SERVICE_CONNECTION_GATE_H_
#define DSLAP_AGENT_SERVICE_CONNECTION_GATE_H_

#include <sys/socket.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/service/connection_book.h"
#include "agent/service/refusal_log.h"
#include "common/clock.h"

namespace dslap {

// Thread-safe, but for Open() and Close(). A gate that was never opened does nothing.
//
// Of each connection it keeps a second descriptor: the only way to end it, and to see it end,
// beside gRPC.
class ConnectionGate {
 public:
  // Why TLS with some peer failed, if it did and nobody has asked yet; may be empty.
  using TakeTlsError = std::function<std::string()>;

  // `clock` and `refusals` must outlive the gate.
  ConnectionGate(ConnectionLimits limits, Clock* clock, RefusalLog* refusals,
                 TakeTlsError take_tls_error = {});
  ~ConnectionGate();
  ConnectionGate(const ConnectionGate&) = delete;
  ConnectionGate& operator=(const ConnectionGate&) = delete;

  // Takes over `listening_fd`, which must not block. `hand_over` takes over what it is given.
  void Open(int listening_fd, std::function<void(int fd)> hand_over);
  // No connection is accepted any more, and none is ended from here. Idempotent.
  void Close();

  // Whether its thread has looked for something to do within `patience` and a second, the longest
  // that it sleeps. True for a gate that is not open.
  bool Attended(absl::Duration patience) const;

  // ConnectionBook's, by the name that gRPC has for the peer.
  void Called(absl::string_view peer) ABSL_LOCKS_EXCLUDED(mu_);
  // A call that anybody may make: it is one, but keeps no connection.
  void Asked(absl::string_view peer) ABSL_LOCKS_EXCLUDED(mu_);
  void Hold(absl::string_view peer) ABSL_LOCKS_EXCLUDED(mu_);
  void Release(absl::string_view peer) ABSL_LOCKS_EXCLUDED(mu_);
  void Watch(absl::string_view peer) ABSL_LOCKS_EXCLUDED(mu_);
  void Unwatch(absl::string_view peer) ABSL_LOCKS_EXCLUDED(mu_);

  size_t connections() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void Loop() ABSL_LOCKS_EXCLUDED(mu_);
  int WaitMs() const ABSL_LOCKS_EXCLUDED(mu_);
  void Accept() ABSL_LOCKS_EXCLUDED(mu_);
  void Take(int fd, int second, const sockaddr_storage& from) ABSL_LOCKS_EXCLUDED(mu_);
  void PauseFor(int error_number) ABSL_LOCKS_EXCLUDED(mu_);
  void Listen(bool on);
  void EndSome() ABSL_LOCKS_EXCLUDED(mu_);
  // Ends connections that were taken out of the book, under the lock under which they were: a run
  // that begins has held its connection before, or finds it ended.
  void End(const std::vector<int>& ids, Refusal kind, absl::string_view why)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Forget(int id) ABSL_LOCKS_EXCLUDED(mu_);

  const ConnectionLimits limits_;
  Clock* const clock_;
  RefusalLog* const refusals_;
  const TakeTlsError take_tls_error_;
  int epoll_fd_ = -1;
  int wake_fd_ = -1;
  int listening_fd_ = -1;
  std::function<void(int fd)> hand_over_;
  std::atomic<int64_t> attended_at_ns_ = 0;  // 0: it is not open
  std::optional<int64_t> listen_again_ns_;  // the thread's own; set: nothing is accepted until then
  mutable absl::Mutex mu_;
  ConnectionBook book_ ABSL_GUARDED_BY(mu_);
  std::thread thread_;
};

// As gRPC names the other end of a connection: "ipv4:10.0.0.9:41234", "ipv6:%5B::1%5D:41234".
std::string PeerName(const sockaddr_storage& address);

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_CONNECTION_GATE_H_
