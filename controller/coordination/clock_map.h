// Maps instants between an agent's monotonic clock and the controller's, from heartbeat round
// trips.
//
// Of a round trip the controller knows four instants: sent and received on its own clock, received
// and sent on the agent's. As in NTP (RFC 5905, section 8) the offset of the agent's clock is
//   ((agent_received - sent) + (agent_sent - received)) / 2
// and it is off by at most half the round trip that was spent on the wire. The sample with the
// shortest round trip of the latest kWindow is used: the window bounds what the two clocks can
// drift apart (16 heartbeats a second apart at 50 ppm: 0.8 ms), the minimum drops samples that
// queued.
//
// Pure. Not thread-safe.
#ifndef DSLAP_CONTROLLER_COORDINATION_CLOCK_MAP_H_
#define DSLAP_CONTROLLER_COORDINATION_CLOCK_MAP_H_

#include <cstddef>
#include <cstdint>
#include <deque>

namespace dslap {

class ClockMap {
 public:
  static constexpr size_t kWindow = 16;

  // All in nanoseconds. The agent's instants may be anything: a sample that contradicts itself
  // (negative round trip or stay), or shows what no monotonic clock does (negative), is dropped.
  void AddSample(int64_t sent_ns, int64_t agent_received_ns, int64_t agent_sent_ns,
                 int64_t received_ns);

  bool has_samples() const { return !samples_.empty(); }
  // Shortest round trip in the window; 0 without samples.
  int64_t round_trip_ns() const { return best_.round_trip_ns; }
  // How far off a mapped instant can be.
  int64_t error_ns() const { return best_.round_trip_ns / 2; }

  // At the end of the range instead of beyond it.
  int64_t ToAgent(int64_t controller_ns) const;
  int64_t ToController(int64_t agent_ns) const;

 private:
  struct Sample {
    int64_t round_trip_ns = 0;
    int64_t offset_ns = 0;
  };
  std::deque<Sample> samples_;
  Sample best_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_CLOCK_MAP_H_
