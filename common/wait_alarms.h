// Bounded waits on an absl::Mutex that end by the monotonic clock. SteadyClock (common/clock.h)
// waits with them; nobody else needs to.
//
// Abseil's own timed waits end at an instant of the wall clock: where that is set back by an hour,
// as on many hosts once after booting, a wait of a second lasts an hour, and a lease that is
// watched by it is watched no more. Here the mutex is waited on without a bound, and one thread of
// the process makes the condition true when the time has come.
#ifndef DSLAP_COMMON_WAIT_ALARMS_H_
#define DSLAP_COMMON_WAIT_ALARMS_H_

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "absl/synchronization/mutex.h"

namespace dslap {

// Thread-safe. The one instance is never destroyed; its thread starts with the first wait.
class WaitAlarms {
 public:
  static WaitAlarms* Get();

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

  WaitAlarms();
  Queue::iterator Add(int64_t deadline_ns, Alarm* alarm);
  bool Remove(Queue::iterator entry, Alarm* alarm);
  [[noreturn]] void Loop();

  // Never held while the mutex of an alarm is locked: who waits holds that one first.
  std::mutex mu_;
  std::condition_variable wakes_;
  Queue queue_;                  // guarded by mu_
  int64_t sleeps_until_ns_ = 0;  // guarded by mu_
};

}  // namespace dslap

#endif  // DSLAP_COMMON_WAIT_ALARMS_H_
