#include "agent/service/thread_room.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>

namespace dslap {
namespace {

TEST(ThreadRoomTest, BoundThatLeavesLeastCounts) {
  const ThreadRoom room = LeastRoom({{"kernel.pid_max", 32'768, 300},
                                     {"RLIMIT_NPROC", std::nullopt, 0},
                                     {"pids.max", 1'000, 200}});
  EXPECT_EQ(room.limit, "pids.max");
  EXPECT_EQ(room.free, 800u);
}

TEST(ThreadRoomTest, BoundThatIsPassedLeavesNothing) {
  const ThreadRoom room = LeastRoom({{"pids.max", 10, 11}});
  EXPECT_EQ(room.limit, "pids.max");
  EXPECT_EQ(room.free, 0u);
}

TEST(ThreadRoomTest, WithoutAnyBoundNothingIsKnown) {
  EXPECT_EQ(LeastRoom({{"pids.max", std::nullopt, 7}}).limit, "");
}

TEST(ThreadRoomTest, ReadsWhatTheKernelWrites) {
  EXPECT_EQ(ParseBound("32768\n"), 32'768u);
  EXPECT_EQ(ParseBound("max\n"), std::nullopt);
  EXPECT_EQ(ParseBound(""), std::nullopt);
  EXPECT_EQ(ParseBound("12 34"), std::nullopt);
  EXPECT_EQ(ThreadsInLoadavg("0.20 0.18 0.12 1/80 11206\n"), 80u);
  EXPECT_EQ(ThreadsInLoadavg("nonsense"), 0u);
  EXPECT_EQ(PortsInRange("32768\t60999\n"), 28'232u);
  EXPECT_EQ(PortsInRange("60999 32768"), 0u);
  EXPECT_EQ(PortsInRange(""), 0u);
}

TEST(ThreadRoomTest, OfThisHostIsWithinItsPidMax) {
  uint64_t pid_max = 0;
  std::ifstream("/proc/sys/kernel/pid_max") >> pid_max;
  const ThreadRoom room = ReadThreadRoom();
  EXPECT_NE(room.limit, "");
  EXPECT_GT(room.free, 0u);
  EXPECT_LT(room.free, pid_max);
}

TEST(ThreadRoomTest, LocalPortsOfThisHostAreThoseOfItsRange) {
  uint64_t first = 0;
  uint64_t last = 0;
  std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> first >> last;
  EXPECT_EQ(ReadLocalPorts(), last - first + 1);
}

}  // namespace
}  // namespace dslap
