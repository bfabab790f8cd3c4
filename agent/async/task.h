// The coroutine type that the logic of a client, and of a connection that does not block, is
// written in.
//
//   Task<bool> Client::Detach() { ... const bool done = co_await Connect(); ... co_return done; }
//
//   Task<void> task = client.Run();   // nothing has run yet
//   task.Start();                     // runs until it is done or waits for something
//   if (task.done()) ...
//
// Bind the result of a co_await to a variable before testing it: for `if (!co_await x)` g++ 12.2
// builds a coroutine frame that cannot be resumed.
//
// Over blocking connections nothing ever suspends, and Start() returns with the task done. An event
// loop resumes the handle that a connection or a wait was given; that must happen on the thread
// that called Start(), because a task and those it awaits share no lock.
#ifndef DSLAP_AGENT_ASYNC_TASK_H_
#define DSLAP_AGENT_ASYNC_TASK_H_

#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "agent/async/frame_pool.h"

namespace dslap {

template <typename T>
class Task;

// What the promises of all tasks have in common.
class TaskPromiseBase {
 public:
  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) noexcept {
      return done.promise().continuation_;
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() noexcept { return {}; }
  FinalAwaiter final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { std::terminate(); }

  void set_continuation(std::coroutine_handle<> parent) { continuation_ = parent; }

  static void* operator new(size_t bytes) { return TakeFrame(bytes); }
  static void operator delete(void* frame, size_t bytes) { GiveFrame(frame, bytes); }

 private:
  // Stays a no-op when the task is done before its parent had to wait for it.
  std::coroutine_handle<> continuation_ = std::noop_coroutine();
};

template <typename T>
class TaskPromise final : public TaskPromiseBase {
 public:
  Task<T> get_return_object();
  void return_value(T value) { value_.emplace(std::move(value)); }
  T TakeValue() { return std::move(*value_); }

 private:
  std::optional<T> value_;
};

template <>
class TaskPromise<void> final : public TaskPromiseBase {
 public:
  Task<void> get_return_object();
  void return_void() {}
  void TakeValue() {}
};

// Owns the coroutine. Awaited once, by one parent, on the thread that runs both.
template <typename T>
class [[nodiscard]] Task {
 public:
  using promise_type = TaskPromise<T>;  // NOLINT(readability-identifier-naming): the language's
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;  // no coroutine
  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  void Start() { handle_.resume(); }
  // To start it from elsewhere.
  std::coroutine_handle<> handle() const { return handle_; }
  bool done() const { return handle_.done(); }

  // A child that needs to wait for nothing is run here, as a call: no suspension, and no growth of
  // the stack from child to child.
  bool await_ready() {
    handle_.resume();
    return handle_.done();
  }
  void await_suspend(std::coroutine_handle<> parent) { handle_.promise().set_continuation(parent); }
  T await_resume() { return handle_.promise().TakeValue(); }

 private:
  Handle handle_ = nullptr;
};

template <typename T>
Task<T> TaskPromise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<TaskPromise<T>>::from_promise(*this));
}

inline Task<void> TaskPromise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<TaskPromise<void>>::from_promise(*this));
}

}  // namespace dslap

#endif  // DSLAP_AGENT_ASYNC_TASK_H_
