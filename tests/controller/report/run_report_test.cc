#include "controller/report/run_report.h"

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(RunReportTest, SummaryOfNothingIsZero) {
  const LatencySummary summary = Summarize(LatencyHistogram());
  EXPECT_EQ(summary.count, 0U);
  EXPECT_EQ(summary.mean_ns, 0);
  EXPECT_EQ(summary.min_ns, 0U);
  EXPECT_EQ(summary.max_ns, 0U);
}

// Values below 128 have a bucket each, so every figure is exact.
TEST(RunReportTest, SummaryOfOneToHundred) {
  LatencyHistogram histogram;
  for (uint64_t value = 1; value <= 100; ++value) histogram.Record(value);
  const LatencySummary summary = Summarize(histogram);
  EXPECT_EQ(summary.count, 100U);
  EXPECT_EQ(summary.mean_ns, 50.5);
  EXPECT_EQ(summary.min_ns, 1U);
  EXPECT_EQ(summary.p50_ns, 50U);
  EXPECT_EQ(summary.p95_ns, 95U);
  EXPECT_EQ(summary.p99_ns, 99U);
  EXPECT_EQ(summary.p999_ns, 100U);
  EXPECT_EQ(summary.max_ns, 100U);
}

}  // namespace
}  // namespace dslap
