// A few threads beside the event loops, for work that would block them. They are there only while
// there is some.
//
//   AsideThreads threads(/*most=*/8);
//   threads.Run([&] { ...; loop->Notify(&handler); });
#ifndef DSLAP_AGENT_ASYNC_ASIDE_THREADS_H_
#define DSLAP_AGENT_ASYNC_ASIDE_THREADS_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <optional>

#include "agent/async/small_stack_thread.h"

namespace dslap {

// Thread-safe. The destructor waits for all work.
class AsideThreads {
 public:
  explicit AsideThreads(size_t most) : most_(most) {}
  ~AsideThreads();
  AsideThreads(const AsideThreads&) = delete;
  AsideThreads& operator=(const AsideThreads&) = delete;

  // Runs `work` soon on one of the threads, in the order of the calls. False, and it is dropped,
  // when no thread is to be had.
  [[nodiscard]] bool Run(std::function<void()> work);

 private:
  struct Helper {
    std::optional<SmallStackThread> thread;
    bool ended = false;  // or about to; guarded by mu_
  };

  void Loop(Helper* helper);

  const size_t most_;
  std::mutex mu_;  // std::mutex: ThreadSanitizer does not see absl::Mutex; guards all below
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::list<Helper> helpers_;
  size_t idle_ = 0;
  bool ending_ = false;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ASYNC_ASIDE_THREADS_H_
