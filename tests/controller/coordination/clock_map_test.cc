#include "controller/coordination/clock_map.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace dslap {
namespace {

TEST(ClockMapTest, SymmetricRoundTripGivesTheExactOffset) {
  ClockMap map;
  // The agent's clock is 5000 ahead; 100 there, 7 inside the agent, 100 back.
  map.AddSample(1000, 6100, 6107, 1207);
  EXPECT_EQ(map.round_trip_ns(), 200);
  EXPECT_EQ(map.error_ns(), 100);
  EXPECT_EQ(map.ToAgent(2000), 7000);
  EXPECT_EQ(map.ToController(7000), 2000);
}

TEST(ClockMapTest, AgentClockFarBehindMapsWithoutOverflow) {
  ClockMap map;
  const int64_t far = int64_t{9'000'000'000'000'000'000};
  map.AddSample(far, 100, 100, far + 10);
  EXPECT_EQ(map.ToController(100), far + 5);
}

TEST(ClockMapTest, ShortestRoundTripWins) {
  ClockMap map;
  map.AddSample(0, 1500, 1500, 1000);     // slow way there: offset 1000
  map.AddSample(2000, 3010, 3010, 2020);  // offset 1000
  map.AddSample(4000, 5900, 5900, 5000);  // offset 1400, round trip 1000
  EXPECT_EQ(map.round_trip_ns(), 20);
  EXPECT_EQ(map.ToAgent(0), 1000);
}

TEST(ClockMapTest, SamplesOlderThanTheWindowAreForgotten) {
  ClockMap map;
  map.AddSample(0, 10, 10, 20);  // round trip 20
  for (size_t i = 0; i < ClockMap::kWindow; ++i) map.AddSample(100, 650, 650, 200);
  EXPECT_EQ(map.round_trip_ns(), 100);
  EXPECT_EQ(map.ToAgent(0), 500);
}

// The way there and the way back, in nanoseconds; the agent's clock shows 7,000,000,000 more.
// However the routes differ and jitter, no mapped instant is further off than is said.
TEST(ClockMapTest, AsymmetryAndJitterAreCoveredByTheError) {
  constexpr int64_t kAhead = 7'000'000'000;
  struct Way {
    int64_t there, back;
  };
  const std::vector<std::vector<Way>> routes = {
      {{100'000'000, 0}},  // all of the delay one way
      {{0, 100'000'000}},  // the other way
      {{99'000'000, 1'000'000}, {130'000'000, 1'500'000}},
      {{1'000'000, 40'000'000}, {2'000'000, 3'000'000}, {500'000, 90'000'000}},
  };
  for (const std::vector<Way>& samples : routes) {
    ClockMap map;
    int64_t now = 1'000'000'000;
    for (const Way& way : samples) {
      const int64_t received = now + way.there + kAhead;
      map.AddSample(now, received, received + 20'000, now + way.there + 20'000 + way.back);
      now += 1'000'000'000;
    }
    EXPECT_LE(std::abs(map.ToController(now + kAhead) - now), map.error_ns());
    EXPECT_LE(std::abs(map.ToAgent(now) - (now + kAhead)), map.error_ns());
  }
}

// What an agent sends may be anything; instants that no clock shows overflowed.
TEST(ClockMapTest, InstantsThatNoClockShowsMakeNoSample) {
  ClockMap map;
  map.AddSample(100, INT64_MIN, INT64_MAX, 200);
  map.AddSample(100, INT64_MAX, INT64_MIN, 200);
  map.AddSample(100, INT64_MIN, INT64_MIN, 200);
  map.AddSample(100, -1, -1, 200);
  EXPECT_FALSE(map.has_samples());
  map.AddSample(100, INT64_MAX, INT64_MAX, 200);
  EXPECT_TRUE(map.has_samples());
  EXPECT_EQ(map.ToAgent(INT64_MAX), INT64_MAX);
  EXPECT_EQ(map.ToController(INT64_MIN), INT64_MIN);
}

TEST(ClockMapTest, SampleThatContradictsItselfIsDropped) {
  ClockMap map;
  map.AddSample(100, 0, 500, 200);
  EXPECT_FALSE(map.has_samples());
  EXPECT_EQ(map.round_trip_ns(), 0);
}

}  // namespace
}  // namespace dslap
