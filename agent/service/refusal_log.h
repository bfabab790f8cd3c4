// The log of callers that are turned away: a line for the first of a kind, and after that one in
// ten seconds at most, so that whoever knocks again and again does not fill the log.
//
//   RefusalLog refusals(clock);
//   refusals.Refused(Refusal::kToken, "ipv4:10.0.0.9:41234", "its token is wrong");
//   // refused ipv4:10.0.0.9:41234: its token is wrong (17 more since)
#ifndef DSLAP_AGENT_SERVICE_REFUSAL_LOG_H_
#define DSLAP_AGENT_SERVICE_REFUSAL_LOG_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "common/clock.h"

namespace dslap {

enum class Refusal {
  kToken,        // without the token, or with another
  kHandshake,    // TLS did not come about
  kNoCall,       // something was sent, but no call of this agent
  kUnused,       // too long without a run
  kCrowd,        // too many connections without a run
  kDescriptors,  // no descriptor was left for it
  kRun,          // a stream that never became a run
};
inline constexpr size_t kRefusalKinds = 7;

// For labels: "token", "handshake", ...
absl::string_view RefusalName(Refusal kind);

// Thread-safe.
class RefusalLog {
 public:
  static constexpr int64_t kIntervalNs = 10'000'000'000;

  // `clock` must outlive the log.
  explicit RefusalLog(Clock* clock) : clock_(clock) {}

  // Neither text may hold what the caller sent, unless it is escaped.
  void Refused(Refusal kind, absl::string_view peer, absl::string_view why)
      ABSL_LOCKS_EXCLUDED(mu_);

  // How many there were since the start.
  uint64_t count(Refusal kind) const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct Tally {
    uint64_t count = 0;
    uint64_t unlogged = 0;  // since the last line
    int64_t next_log_ns = INT64_MIN;
  };

  Clock* const clock_;
  mutable absl::Mutex mu_;
  std::array<Tally, kRefusalKinds> tallies_ ABSL_GUARDED_BY(mu_);
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_REFUSAL_LOG_H_
