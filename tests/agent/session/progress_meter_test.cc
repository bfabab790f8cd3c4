#include "agent/session/progress_meter.h"

#include <gtest/gtest.h>

namespace dslap {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(ProgressMeterTest, NothingIsDueOutsideARound) {
  ProgressMeter meter;
  EXPECT_FALSE(meter.Due(INT64_MAX));
  meter.Begin(1, 0);
  EXPECT_TRUE(meter.Due(kSecond));
  meter.End();
  EXPECT_FALSE(meter.Due(INT64_MAX));
}

TEST(ProgressMeterTest, DueOnceASecondFromTheOpening) {
  ProgressMeter meter;
  meter.Begin(1, 5 * kSecond);
  EXPECT_FALSE(meter.Due(6 * kSecond - 1));
  EXPECT_TRUE(meter.Due(6 * kSecond));
  meter.Take(6 * kSecond + 90'000'000, {});
  EXPECT_FALSE(meter.Due(7 * kSecond - 1)) << "the grid stays where the round began";
  EXPECT_TRUE(meter.Due(7 * kSecond));
}

TEST(ProgressMeterTest, MissedSecondsAreNotMadeUpFor) {
  ProgressMeter meter;
  meter.Begin(1, 0);
  meter.Take(4 * kSecond + 1, {});
  EXPECT_FALSE(meter.Due(5 * kSecond - 1));
  EXPECT_TRUE(meter.Due(5 * kSecond));
}

TEST(ProgressMeterTest, SendsDifferences) {
  ProgressMeter meter;
  meter.Begin(7, 0);
  v1::Progress progress = meter.Take(kSecond, {100, 3, 8});
  EXPECT_EQ(progress.round(), 7u);
  EXPECT_EQ(progress.statements(), 100u);
  EXPECT_EQ(progress.errors(), 3u);
  EXPECT_EQ(progress.clients_connected(), 8u);
  progress = meter.Take(2 * kSecond, {150, 3, 6});
  EXPECT_EQ(progress.statements(), 50u);
  EXPECT_EQ(progress.errors(), 0u);
  EXPECT_EQ(progress.clients_connected(), 6u) << "a level, not a sum";

  meter.Begin(8, 2 * kSecond);
  progress = meter.Take(3 * kSecond, {20, 1, 8});
  EXPECT_EQ(progress.round(), 8u);
  EXPECT_EQ(progress.statements(), 20u) << "a new round counts from zero";
}

}  // namespace
}  // namespace dslap
