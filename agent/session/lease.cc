#include "agent/session/lease.h"

#include "absl/strings/str_format.h"

namespace dslap {

absl::Status Lease::ExpiredStatus() const {
  return absl::DeadlineExceededError(absl::StrFormat("no message from the controller for %g s",
                                                     static_cast<double>(length_ns_) / 1e9));
}

}  // namespace dslap
