// One thread's event loop over epoll(7): sockets, timers, wake-ups from other threads, and
// coroutines that are to go on.
//
//   absl::StatusOr<std::unique_ptr<EventLoop>> loop = EventLoop::Create(SteadyClock::Get());
//   (*loop)->Watch(fd, &handler);            // handler.OnSocket() when bytes are there
//   (*loop)->RunUntil([&] { return done; });
//
// Sockets are watched edge-triggered, so that a statement costs no epoll_ctl(2): a handler is told
// once about each arrival of bytes and must read until there are none before it waits again.
// Nothing runs between two calls of RunUntil(): then handlers may be changed and destroyed by
// whoever will call it next.
#ifndef DSLAP_AGENT_ASYNC_EVENT_LOOP_H_
#define DSLAP_AGENT_ASYNC_EVENT_LOOP_H_

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "common/clock.h"

namespace dslap {

// Used by one thread at a time, but for Notify().
class EventLoop {
 public:
  // Called on the loop's thread. Must not destroy a handler of the same loop but itself.
  class Handler {
   public:
    virtual ~Handler() = default;
    // `events` as of epoll_wait(2).
    virtual void OnSocket(uint32_t /*events*/) {}
    virtual void OnNotify() {}
  };

  using Timers = std::multimap<int64_t, std::function<void()>>;
  using TimerId = Timers::iterator;

  // `clock` outlives the loop and advances with real time. RESOURCE_EXHAUSTED: no descriptor left.
  static absl::StatusOr<std::unique_ptr<EventLoop>> Create(Clock* clock);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Runs until `done()`, asked after everything that happened.
  void RunUntil(const std::function<bool()>& done);

  // Until the descriptor is closed; `handler` outlives that. Idempotent. False: errno says why.
  bool Watch(int fd, Handler* handler);
  // Has the handler told also when bytes can be written; costs a system call.
  void WantWritable(int fd, Handler* handler, bool wanted);

  // Goes on with a coroutine soon, not within this call. Sockets get their turn in between, however
  // many wait.
  void ResumeSoon(std::coroutine_handle<> waiter) { ready_.push_back(waiter); }

  // Calls `action` once at an instant of the clock, or soon after.
  TimerId CallAt(int64_t instant_ns, std::function<void()> action);
  void Cancel(TimerId timer) { timers_.erase(timer); }

  int64_t NowNs() { return clock_->NowNs(); }

  // Has handler->OnNotify() called soon. Thread-safe.
  void Notify(Handler* handler);
  // A handler that is about to go: what was notified and not yet told is dropped.
  void Forget(Handler* handler);

 private:
  EventLoop(Clock* clock, int epoll_fd, int wake_fd);

  void ResumeReady();
  void Poll();
  void RunTimers();
  void TellNotified();
  int TimeoutMs();

  Clock* const clock_;
  const int epoll_fd_;
  const int wake_fd_;
  // Those before next_ready_ have been resumed. A deque would allocate as it moves.
  std::vector<std::coroutine_handle<>> ready_;
  size_t next_ready_ = 0;
  Timers timers_;

  std::mutex notified_mu_;          // std::mutex: ThreadSanitizer does not see absl::Mutex
  std::vector<Handler*> notified_;  // guarded by notified_mu_
  std::vector<Handler*> being_told_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ASYNC_EVENT_LOOP_H_
