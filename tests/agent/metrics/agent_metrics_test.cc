#include "agent/metrics/agent_metrics.h"

#include <cmath>

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(AgentMetricsTest, HistogramIsCumulativeInSeconds) {
  LatencyHistogram latency;
  for (int i = 0; i < 10; ++i) latency.Record(50'000);    // 0.05 ms
  for (int i = 0; i < 5; ++i) latency.Record(3'000'000);  // 3 ms
  latency.Record(60'000'000'000);
  const prometheus::ClientMetric::Histogram histogram = InSeconds(latency);
  EXPECT_EQ(histogram.sample_count, 16U);
  EXPECT_DOUBLE_EQ(histogram.sample_sum, 60.0155);
  ASSERT_EQ(histogram.bucket.size(), 17U);
  EXPECT_DOUBLE_EQ(histogram.bucket[0].upper_bound, 0.0001);
  EXPECT_EQ(histogram.bucket[0].cumulative_count, 10U);
  EXPECT_DOUBLE_EQ(histogram.bucket[4].upper_bound, 0.0025);
  EXPECT_EQ(histogram.bucket[4].cumulative_count, 10U);
  EXPECT_DOUBLE_EQ(histogram.bucket[5].upper_bound, 0.005);
  EXPECT_EQ(histogram.bucket[5].cumulative_count, 15U);
  EXPECT_DOUBLE_EQ(histogram.bucket[15].upper_bound, 10);
  EXPECT_EQ(histogram.bucket[15].cumulative_count, 15U);
  EXPECT_TRUE(std::isinf(histogram.bucket[16].upper_bound));
  EXPECT_EQ(histogram.bucket[16].cumulative_count, 16U);
}

TEST(AgentMetricsTest, HistogramWithoutValuesHasAllBuckets) {
  const prometheus::ClientMetric::Histogram histogram = InSeconds(LatencyHistogram());
  ASSERT_EQ(histogram.bucket.size(), 17U);
  EXPECT_EQ(histogram.bucket[16].cumulative_count, 0U);
}

}  // namespace
}  // namespace dslap
