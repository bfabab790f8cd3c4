// Ends waits that pass their deadline where the one who waits cannot: a client library that reads
// from the socket by itself, as under TLS, looks at no clock of ours.
//
//   auto watch = std::make_shared<DeadlineWatch>();
//   DeadlineWatch::Bound bound(watch, &socket_wait);   // one for each connection
//   bound.Set(now_ns + timeout_ns);
//   ... the library reads; on time, socket_wait.Interrupt() makes that fail ...
//   if (bound.Clear()) ... it was ended by the watch
//
// One thread, started by the first bound that is set, looks at all of them every 20 ms. Setting and
// clearing costs a statement two atomic operations and no lock.
#ifndef DSLAP_AGENT_SQL_DEADLINE_WATCH_H_
#define DSLAP_AGENT_SQL_DEADLINE_WATCH_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "agent/async/small_stack_thread.h"
#include "agent/sql/socket_wait.h"

namespace dslap {

// Thread-safe. Kept alive by its bounds.
class DeadlineWatch {
 public:
  class Bound;

  DeadlineWatch() = default;
  ~DeadlineWatch();
  DeadlineWatch(const DeadlineWatch&) = delete;
  DeadlineWatch& operator=(const DeadlineWatch&) = delete;

 private:
  bool Enter(Bound* bound);
  void Leave(Bound* bound);
  void Loop();

  std::mutex mu_;  // std::mutex: ThreadSanitizer does not see absl::Mutex; guards all below
  std::condition_variable changed_;
  std::vector<Bound*> bounds_;
  bool ending_ = false;
  std::optional<SmallStackThread> thread_;
};

// Used by the thread that waits.
class DeadlineWatch::Bound {
 public:
  // `wait` outlives the bound.
  Bound(std::shared_ptr<DeadlineWatch> watch, SocketWait* wait)
      : watch_(std::move(watch)), wait_(wait) {}
  ~Bound() { Rest(); }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

  // `deadline_ns` of the monotonic clock. False: no thread is to be had for the watch.
  [[nodiscard]] bool Set(int64_t deadline_ns);
  // True: the deadline has passed and the wait was interrupted. False: it never will be.
  bool Clear();
  // Clears, and is not looked at any more until it is set again.
  void Rest();

 private:
  friend class DeadlineWatch;

  // In place of a deadline.
  static constexpr int64_t kNone = 0;
  static constexpr int64_t kBeingCut = -1;
  static constexpr int64_t kCut = -2;

  // By the watch.
  void CutIfPassed(int64_t now_ns);

  const std::shared_ptr<DeadlineWatch> watch_;
  SocketWait* const wait_;
  bool entered_ = false;
  std::atomic<int64_t> deadline_ns_{kNone};
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_DEADLINE_WATCH_H_
