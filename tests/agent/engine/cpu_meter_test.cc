#include "agent/engine/cpu_meter.h"

#include <unistd.h>

#include <ctime>
#include <optional>

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(ParseBusyTicksTest, CountsAllButIdleWaitingAndGuests) {
  EXPECT_EQ(ParseBusyTicks("cpu  100 20 30 4000 500 6 7 8 90 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n"),
            100 + 20 + 30 + 6 + 7 + 8);
}

TEST(ParseBusyTicksTest, OldKernelsSayLess) {
  EXPECT_EQ(ParseBusyTicks("intr 5\ncpu 1 2 3 4\n"), 1 + 2 + 3);
}

TEST(ParseBusyTicksTest, NoSuchLineIsNothing) {
  EXPECT_EQ(ParseBusyTicks(""), std::nullopt);
  EXPECT_EQ(ParseBusyTicks("cpu0 1 2 3 4\n"), std::nullopt);
  EXPECT_EQ(ParseBusyTicks("cpu 1 2\n"), std::nullopt);
  EXPECT_EQ(ParseBusyTicks("cpu 1 x 3 4 5\n"), std::nullopt);
}

TEST(CpuMeterTest, SeesTheTimeThisProcessBurns) {
  const CpuMeter meter;
  const std::clock_t start = std::clock();
  while (std::clock() - start < CLOCKS_PER_SEC / 10) {
  }
  const CpuUse use = meter.Read();
  EXPECT_GE(use.process_ns, 90'000'000);
  EXPECT_LT(use.process_ns, 10'000'000'000);
  EXPECT_GE(use.host_busy_ns, 50'000'000);
  EXPECT_EQ(use.cores, static_cast<uint32_t>(sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace
}  // namespace dslap
