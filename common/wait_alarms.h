// Bounded waits on an absl::Mutex that end by the monotonic clock. SteadyClock (common/clock.h)
// waits with them; nobody else needs to.
//
// Abseil's own timed waits end at an instant of the wall clock: where that is set back by an hour,
// as on many hosts once after booting, a wait of a second lasts an hour, and a lease that is
// watched by it is watched no more. Here the mutex is waited on without a bound, and one thread of
// the process makes the condition true when the time has come.
#ifndef DSLAP_COMMON_WAIT_ALARMS_H_
#define DSLAP_COMMON_WAIT_ALARMS_H_

#include <pthread.h>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "absl/synchronization/mutex.h"

namespace dslap {

// Thread-safe. Never destroyed. The thread starts with the first wait that needs it; as long as
// none is to be had, waits are Abseil's own.
class WaitAlarms {
 public:
  // As pthread_create() without attributes: 0, or an errno.
  using StartThread = int (*)(pthread_t* thread, void* (*body)(void*), void* argument);

  static WaitAlarms* Get();

  // For tests; others use the one instance.
  explicit WaitAlarms(StartThread start_thread) : start_thread_(start_thread) {}

  // Waits until `condition` holds or CLOCK_MONOTONIC shows `deadline_ns`. `mu` must be held. True
  // when the condition holds on return.
  bool AwaitUntil(absl::Mutex* mu, const absl::Condition& condition, int64_t deadline_ns);

 private:
  // Lives on the stack of the waiting thread.
  struct Alarm {
    absl::Mutex* mu = nullptr;
    bool due = false;     // guarded by *mu
    bool queued = false;  // guarded by mu_ of WaitAlarms
  };
  using Queue = std::multimap<int64_t, Alarm*>;  // by deadline

  ~WaitAlarms() = default;
  bool HasThread();
  Queue::iterator Add(int64_t deadline_ns, Alarm* alarm);
  bool Remove(Queue::iterator entry, Alarm* alarm);
  [[noreturn]] void Loop();

  const StartThread start_thread_;

  // Never held while the mutex of an alarm is locked: who waits holds that one first.
  std::mutex mu_;
  std::condition_variable wakes_;
  bool has_thread_ = false;      // guarded by mu_
  Queue queue_;                  // guarded by mu_
  int64_t sleeps_until_ns_ = 0;  // guarded by mu_
};

}  // namespace dslap

#endif  // DSLAP_COMMON_WAIT_ALARMS_H_
