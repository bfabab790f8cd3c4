// How long a run goes on without a word from its controller. Pure.
//
//   Lease lease(now_ns);                     // 10 s until Open says otherwise
//   lease.Renew(clock->NowNs());             // for every message
//   if (lease.Expired(clock->NowNs())) return lease.ExpiredStatus();
#ifndef DSLAP_AGENT_SESSION_LEASE_H_
#define DSLAP_AGENT_SESSION_LEASE_H_

#include <cstdint>

#include "absl/status/status.h"

namespace dslap {

// Not thread-safe.
class Lease {
 public:
  static constexpr int64_t kDefaultNs = 10'000'000'000;

  explicit Lease(int64_t now_ns) : renewed_at_ns_(now_ns) {}

  void SetLength(int64_t length_ns) { length_ns_ = length_ns; }
  void Renew(int64_t now_ns) { renewed_at_ns_ = now_ns; }
  bool Expired(int64_t now_ns) const { return now_ns - renewed_at_ns_ >= length_ns_; }

  // DEADLINE_EXCEEDED "no message from the controller for 10 s".
  absl::Status ExpiredStatus() const;

 private:
  int64_t length_ns_ = kDefaultNs;
  int64_t renewed_at_ns_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_LEASE_H_
