// Lets ThreadSanitizer see Abseil's locks. Part of every executable of the tsan preset, and of no
// other.
//
// Debian's Abseil is built without ThreadSanitizer, so that taking an absl::Mutex orders nothing in
// its eyes, and all that a mutex guards is reported as a race. The functions here stand in for the
// library's own of the same name: they tell ThreadSanitizer, then call the one of the library.
// Between the "pre" and the "post" of an annotation ThreadSanitizer ignores the calling thread;
// that also covers conditions, which Abseil evaluates within Lock(), Unlock() and Await().
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "absl/base/options.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"

#define DSLAP_TEXT_INNER(x) #x
#define DSLAP_TEXT(x) DSLAP_TEXT_INNER(x)

namespace {

// The library's function behind ours. `rest` is the mangled name from the class on.
void* FromLibrary(const std::string& rest, bool is_const) {
  const std::string inline_namespace = DSLAP_TEXT(ABSL_OPTION_INLINE_NAMESPACE_NAME);
  const std::string name = (is_const ? "_ZNK4absl" : "_ZN4absl") +
                           std::to_string(inline_namespace.size()) + inline_namespace + rest;
  void* const found = dlsym(RTLD_NEXT, name.c_str());
  if (found == nullptr) {
    std::fprintf(stderr, "tsan_absl_mutex: Abseil has no function %s\n", name.c_str());
    std::abort();
  }
  return found;
}

// `Method` is the type of the method as a function: Result(Class*, arguments...).
template <typename Method>
Method* Library(const char* rest, bool is_const = false) {
  void* const found = FromLibrary(rest, is_const);
  Method* method = nullptr;
  std::memcpy(&method, &found, sizeof(method));
  return method;
}

// Abseil's functions call one another: only the outermost call is one of the program.
thread_local int depth = 0;

class Outermost {
 public:
  Outermost() { ++depth; }
  ~Outermost() { --depth; }
  Outermost(const Outermost&) = delete;
  Outermost& operator=(const Outermost&) = delete;
  explicit operator bool() const { return depth == 1; }
};

using absl::Mutex;

// Runs a call that gives the mutex up and has it again when it returns.
template <typename Call>
auto Reacquiring(Mutex* mutex, const Call& call) {
  const Outermost outermost;
  if (!outermost) return call();
  __tsan_mutex_pre_unlock(mutex, 0);
  __tsan_mutex_post_unlock(mutex, 0);
  __tsan_mutex_pre_lock(mutex, 0);
  struct Reacquired {
    Mutex* mutex;
    ~Reacquired() { __tsan_mutex_post_lock(mutex, 0, 0); }
  } const reacquired{mutex};
  return call();
}

// Runs a call that has the mutex when it returns.
template <typename Call>
auto Acquiring(Mutex* mutex, unsigned flags, const Call& call) {
  const Outermost outermost;
  if (!outermost) return call();
  __tsan_mutex_pre_lock(mutex, flags);
  struct Acquired {
    Mutex* mutex;
    unsigned flags;
    ~Acquired() { __tsan_mutex_post_lock(mutex, flags, 0); }
  } const acquired{mutex, flags};
  return call();
}

// Runs a call that gives the mutex up.
template <typename Call>
void Releasing(Mutex* mutex, unsigned flags, const Call& call) {
  const Outermost outermost;
  if (!outermost) return call();
  __tsan_mutex_pre_unlock(mutex, flags);
  call();
  __tsan_mutex_post_unlock(mutex, flags);
}

}  // namespace

namespace absl {
ABSL_NAMESPACE_BEGIN

Mutex::~Mutex() {
  static auto* const library = Library<void(Mutex*)>("5MutexD1Ev");
  __tsan_mutex_destroy(this, __tsan_mutex_not_static);
  library(this);
}

void Mutex::Lock() {
  static auto* const library = Library<void(Mutex*)>("5Mutex4LockEv");
  Acquiring(this, 0, [&] { library(this); });
}

void Mutex::Unlock() {
  static auto* const library = Library<void(Mutex*)>("5Mutex6UnlockEv");
  Releasing(this, 0, [&] { library(this); });
}

bool Mutex::TryLock() {
  static auto* const library = Library<bool(Mutex*)>("5Mutex7TryLockEv");
  const Outermost outermost;
  if (!outermost) return library(this);
  __tsan_mutex_pre_lock(this, __tsan_mutex_try_lock);
  const bool locked = library(this);
  __tsan_mutex_post_lock(this, __tsan_mutex_try_lock | (locked ? 0 : __tsan_mutex_try_lock_failed),
                         0);
  return locked;
}

void Mutex::ReaderLock() {
  static auto* const library = Library<void(Mutex*)>("5Mutex10ReaderLockEv");
  Acquiring(this, __tsan_mutex_read_lock, [&] { library(this); });
}

void Mutex::ReaderUnlock() {
  static auto* const library = Library<void(Mutex*)>("5Mutex12ReaderUnlockEv");
  Releasing(this, __tsan_mutex_read_lock, [&] { library(this); });
}

void Mutex::LockWhen(const Condition& condition) {
  static auto* const library =
      Library<void(Mutex*, const Condition&)>("5Mutex8LockWhenERKNS0_9ConditionE");
  Acquiring(this, 0, [&] { library(this, condition); });
}

bool Mutex::LockWhenWithDeadline(const Condition& condition, Time deadline) {
  static auto* const library = Library<bool(Mutex*, const Condition&, Time)>(
      "5Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE");
  return Acquiring(this, 0, [&] { return library(this, condition, deadline); });
}

bool Mutex::LockWhenWithTimeout(const Condition& condition, Duration timeout) {
  static auto* const library = Library<bool(Mutex*, const Condition&, Duration)>(
      "5Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE");
  return Acquiring(this, 0, [&] { return library(this, condition, timeout); });
}

void Mutex::Await(const Condition& condition) {
  static auto* const library =
      Library<void(Mutex*, const Condition&)>("5Mutex5AwaitERKNS0_9ConditionE");
  Reacquiring(this, [&] { library(this, condition); });
}

bool Mutex::AwaitWithDeadline(const Condition& condition, Time deadline) {
  static auto* const library = Library<bool(Mutex*, const Condition&, Time)>(
      "5Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE");
  return Reacquiring(this, [&] { return library(this, condition, deadline); });
}

bool Mutex::AwaitWithTimeout(const Condition& condition, Duration timeout) {
  static auto* const library = Library<bool(Mutex*, const Condition&, Duration)>(
      "5Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE");
  return Reacquiring(this, [&] { return library(this, condition, timeout); });
}

void CondVar::Wait(Mutex* mutex) {
  static auto* const library = Library<void(CondVar*, Mutex*)>("7CondVar4WaitEPNS0_5MutexE");
  Reacquiring(mutex, [&] { library(this, mutex); });
}

bool CondVar::WaitWithDeadline(Mutex* mutex, Time deadline) {
  static auto* const library =
      Library<bool(CondVar*, Mutex*, Time)>("7CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
  return Reacquiring(mutex, [&] { return library(this, mutex, deadline); });
}

bool CondVar::WaitWithTimeout(Mutex* mutex, Duration timeout) {
  static auto* const library = Library<bool(CondVar*, Mutex*, Duration)>(
      "7CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
  return Reacquiring(mutex, [&] { return library(this, mutex, timeout); });
}

// These look at an atomic of their own before they take their mutex, or instead.

void Notification::Notify() {
  static auto* const library = Library<void(Notification*)>("12Notification6NotifyEv");
  __tsan_release(this);
  library(this);
}

void Notification::WaitForNotification() const {
  static auto* const library = Library<void(const Notification*)>(
      "12Notification19WaitForNotificationEv", /*is_const=*/true);
  library(this);
  __tsan_acquire(const_cast<Notification*>(this));
}

bool Notification::WaitForNotificationWithTimeout(Duration timeout) const {
  static auto* const library = Library<bool(const Notification*, Duration)>(
      "12Notification30WaitForNotificationWithTimeoutENS0_8DurationE", /*is_const=*/true);
  const bool notified = library(this, timeout);
  if (notified) __tsan_acquire(const_cast<Notification*>(this));
  return notified;
}

bool BlockingCounter::DecrementCount() {
  static auto* const library =
      Library<bool(BlockingCounter*)>("15BlockingCounter14DecrementCountEv");
  __tsan_release(this);
  return library(this);
}

void BlockingCounter::Wait() {
  static auto* const library = Library<void(BlockingCounter*)>("15BlockingCounter4WaitEv");
  library(this);
  __tsan_acquire(this);
}

ABSL_NAMESPACE_END
}  // namespace absl
