// Keeps an agent to one run at a time, and knows who holds it.
//
//   SessionSlot slot(clock);
//   absl::Status claimed = slot.Claim("run-1", "ann@db-a pid 17");
//   // a second Claim(): RESOURCE_EXHAUSTED "agent is busy with run run-1 of ann@db-a pid 17 since
//   // 12 s"
#ifndef DSLAP_AGENT_SERVICE_SESSION_SLOT_H_
#define DSLAP_AGENT_SERVICE_SESSION_SLOT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/session/session_host.h"
#include "common/clock.h"

namespace dslap {

// Thread-safe.
class SessionSlot final : public SessionHost {
 public:
  // How long a newcomer waits for a run that is ending: a controller that was interrupted and
  // started again must not be told "busy" by the clean-up of its own run before: a second of grace,
  // two of killing and two of a last will's delay before that begins to act. A second less than a
  // controller waits for Opened.
  static constexpr absl::Duration kPatience = absl::Seconds(9);

  struct Holder {
    std::string run_id;
    std::string controller;
    int64_t age_ns = 0;
    bool ending = false;  // a newcomer need only ask, and wait a little
  };

  // `clock` must outlive the slot.
  explicit SessionSlot(Clock* clock) : clock_(clock) {}

  absl::Status Claim(const std::string& run_id, const std::string& controller) override;
  void AnnounceEnd() override;
  void TurnedAway(const std::string& line) override;
  void Release() override;

  // From now on every Claim() is refused with UNAVAILABLE, those that wait included.
  void Shut();

  // Waits, in real time and at most `patience`, until no run holds the agent. False: one still
  // does.
  bool AwaitFree(absl::Duration patience);

  // Who holds the agent; nullopt when it is idle.
  std::optional<Holder> holder() const;

 private:
  enum class State { kFree, kHeld, kEnding };

  bool Free() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return state_ == State::kFree; }
  bool FreeOrShut() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return shut_ || state_ != State::kEnding;
  }

  Clock* const clock_;
  mutable absl::Mutex mu_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kFree;
  bool shut_ ABSL_GUARDED_BY(mu_) = false;
  std::string run_id_ ABSL_GUARDED_BY(mu_);
  std::string controller_ ABSL_GUARDED_BY(mu_);
  int64_t since_ns_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_SESSION_SLOT_H_
