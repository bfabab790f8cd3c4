#include "controller/coordination/clock_map.h"

#include <algorithm>

namespace dslap {
namespace {

int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

}  // namespace

void ClockMap::AddSample(int64_t sent_ns, int64_t agent_received_ns, int64_t agent_sent_ns,
                         int64_t received_ns) {
  // With this no difference below overflows.
  if (agent_received_ns < 0 || agent_sent_ns < agent_received_ns) return;
  const int64_t round_trip_ns = (received_ns - sent_ns) - (agent_sent_ns - agent_received_ns);
  if (round_trip_ns < 0) return;
  // Halved one by one: the sum of two offsets between unrelated clocks may overflow.
  const int64_t there_ns = agent_received_ns - sent_ns;
  const int64_t back_ns = agent_sent_ns - received_ns;
  samples_.push_back({round_trip_ns, there_ns / 2 + back_ns / 2});
  if (samples_.size() > kWindow) samples_.pop_front();
  best_ = *std::min_element(samples_.begin(), samples_.end(), [](const Sample& a, const Sample& b) {
    return a.round_trip_ns < b.round_trip_ns;
  });
}

int64_t ClockMap::ToAgent(int64_t controller_ns) const {
  return SaturatingAdd(controller_ns, best_.offset_ns);
}

int64_t ClockMap::ToController(int64_t agent_ns) const {
  return SaturatingAdd(agent_ns, -best_.offset_ns);
}

}  // namespace dslap
