// A clock that stands still until it is told otherwise.
//
//   FakeClock clock;                       // time passes by Advance() only
//   FakeClock clock(FakeClock::kAutoAdvance);   // a wait that would block jumps to its deadline
#ifndef DSLAP_TESTS_FAKES_FAKE_CLOCK_H_
#define DSLAP_TESTS_FAKES_FAKE_CLOCK_H_

#include <atomic>
#include <cstdint>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/clock.h"

namespace dslap {

// Thread-safe. Auto-advance is for tests with one thread: there, nobody else can make the awaited
// condition true.
class FakeClock final : public Clock {
 public:
  enum Mode { kManual, kAutoAdvance };
  explicit FakeClock(Mode mode = kManual) : mode_(mode) {}

  int64_t NowNs() override { return now_ns_.load(); }
  void Advance(absl::Duration by) { now_ns_ += absl::ToInt64Nanoseconds(by); }
  // Waits, at most 10 s, until somebody waits on this clock.
  bool AwaitWaiter() const {
    for (int i = 0; i < 10'000 && waiters_.load() == 0; ++i) absl::SleepFor(absl::Milliseconds(1));
    return waiters_.load() != 0;
  }

  bool AwaitUntil(absl::Mutex* mu, const absl::Condition& condition, int64_t deadline_ns) override {
    while (!condition.Eval()) {
      if (NowNs() >= deadline_ns) return false;
      if (mode_ == kAutoAdvance) {
        now_ns_ = deadline_ns;
        continue;
      }
      // Advance() cannot wake a wait on a mutex it does not know: look again shortly.
      ++waiters_;
      mu->AwaitWithTimeout(condition, absl::Milliseconds(1));
      --waiters_;
    }
    return true;
  }

 private:
  const Mode mode_;
  std::atomic<int64_t> now_ns_{1'000'000'000'000};
  std::atomic<int> waiters_{0};
};

}  // namespace dslap

#endif  // DSLAP_TESTS_FAKES_FAKE_CLOCK_H_
