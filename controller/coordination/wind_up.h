// By when the end of a run whose time is up (--deadline) has come how far: 20 s after it all is
// over, whatever the database and the agents do.
#ifndef DSLAP_CONTROLLER_COORDINATION_WIND_UP_H_
#define DSLAP_CONTROLLER_COORDINATION_WIND_UP_H_

#include <cstdint>

#include "controller/coordination/agent_group.h"

namespace dslap {

// After the time was up. An agent needs 2 s of drain, 5 s of killing, and 5 s more for statements
// that timed out and cannot be killed because the server does not answer.
inline constexpr int64_t kLoadStoppedWithinNs = 13'000'000'000;
inline constexpr int64_t kTornDownWithinNs = 15'000'000'000;
inline constexpr int64_t kClosedWithinNs = 18'000'000'000;
inline constexpr int64_t kWoundUpWithinNs = 20'000'000'000;  // all of it

// Instants; kForever without a deadline.
inline int64_t AfterTimeUp(const AgentGroup& group, int64_t within_ns) {
  const int64_t time_up_at_ns = group.time_up_at_ns();
  return time_up_at_ns > AgentGroup::kForever - within_ns ? AgentGroup::kForever
                                                          : time_up_at_ns + within_ns;
}
inline int64_t LoadStoppedByNs(const AgentGroup& group) {
  return AfterTimeUp(group, kLoadStoppedWithinNs);
}
inline int64_t TornDownByNs(const AgentGroup& group) {
  return AfterTimeUp(group, kTornDownWithinNs);
}
inline int64_t ClosedByNs(const AgentGroup& group) { return AfterTimeUp(group, kClosedWithinNs); }

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_WIND_UP_H_
