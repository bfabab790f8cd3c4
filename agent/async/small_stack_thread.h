// A thread with a stack of 256 KiB instead of the usual 8 MiB, so that thousands fit, and whose
// creation can fail without an exception.
//
//   absl::StatusOr<SmallStackThread> thread = SmallStackThread::Start([&] { ... });
//   if (!thread.ok()) ...   // UNAVAILABLE: no thread or no memory for its stack is to be had
#ifndef DSLAP_AGENT_ASYNC_SMALL_STACK_THREAD_H_
#define DSLAP_AGENT_ASYNC_SMALL_STACK_THREAD_H_

#include <pthread.h>

#include <functional>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"

namespace dslap {

// Movable. The destructor joins.
class SmallStackThread {
 public:
  static absl::StatusOr<SmallStackThread> Start(std::function<void()> body);

  SmallStackThread(SmallStackThread&& other) noexcept
      : handle_(std::exchange(other.handle_, std::nullopt)) {}
  SmallStackThread& operator=(SmallStackThread&&) = delete;
  SmallStackThread(const SmallStackThread&) = delete;
  SmallStackThread& operator=(const SmallStackThread&) = delete;
  ~SmallStackThread();

 private:
  explicit SmallStackThread(pthread_t handle) : handle_(handle) {}

  std::optional<pthread_t> handle_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ASYNC_SMALL_STACK_THREAD_H_
