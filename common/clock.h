// The monotonic clock and bounded waiting, as a seam.
//
// Production code takes a `Clock*` and never asks the system itself, so that component tests run
// with tests/fakes/fake_clock.h and do not sleep.
//
//   Clock* clock = SteadyClock::Get();
//   const int64_t start_ns = clock->NowNs();
//   absl::MutexLock lock(&mu_);
//   clock->AwaitUntil(&mu_, absl::Condition(&done_), start_ns + 5'000'000'000);
#ifndef DSLAP_COMMON_CLOCK_H_
#define DSLAP_COMMON_CLOCK_H_

#include <cstdint>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace dslap {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // Nanoseconds since an unspecified origin; never goes back. CLOCK_MONOTONIC in production, so all
  // processes of one host see the same values.
  virtual int64_t NowNs() = 0;

  // Waits until `condition` holds or NowNs() reaches `deadline_ns`. `mu` must be held. True when
  // the condition holds on return. A wall clock that is set meanwhile changes nothing.
  virtual bool AwaitUntil(absl::Mutex* mu, const absl::Condition& condition,
                          int64_t deadline_ns) = 0;

  absl::Duration Since(int64_t start_ns) { return absl::Nanoseconds(NowNs() - start_ns); }
};

// Stateless; the one instance lives for the whole program.
class SteadyClock final : public Clock {
 public:
  static SteadyClock* Get();

  int64_t NowNs() override;
  bool AwaitUntil(absl::Mutex* mu, const absl::Condition& condition, int64_t deadline_ns) override;

  // Waits in real time, whatever clock a test has put elsewhere.
  bool AwaitFor(absl::Mutex* mu, const absl::Condition& condition, absl::Duration time);
};

}  // namespace dslap

#endif  // DSLAP_COMMON_CLOCK_H_
