#include "common/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

namespace dslap {
namespace {

TEST(LatencyHistogramTest, EmptyOnesMergeAndReadAsEmpty) {
  LatencyHistogram histogram;
  histogram.Merge(LatencyHistogram());
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.bucket_count(LatencyHistogram::kBuckets - 1), 0u);
  histogram.Record(5);
  histogram.Merge(LatencyHistogram());
  EXPECT_EQ(histogram.min_ns(), 5u);
  LatencyHistogram merged;
  merged.Merge(histogram);
  EXPECT_EQ(merged.bucket_count(5), 1u);
}

using H = LatencyHistogram;

// Values all over uint64, as many of each magnitude.
std::vector<uint64_t> ValuesOfEveryMagnitude(int of_each) {
  std::mt19937_64 random(20240229);
  std::vector<uint64_t> values = {0, 1, 127, 128, 129, UINT64_MAX, UINT64_MAX - 1};
  for (int bits = 0; bits < 64; ++bits) {
    const uint64_t power = uint64_t{1} << bits;
    values.insert(values.end(), {power - 1, power, power + 1});
    for (int i = 0; i < of_each; ++i) values.push_back(power | (random() & (power - 1)));
  }
  return values;
}

TEST(HistogramTest, BucketsLieSideBySideFromZeroToTheLargestValue) {
  EXPECT_EQ(H::LowestOf(0), 0u);
  for (size_t bucket = 0; bucket + 1 < H::kBuckets; ++bucket) {
    ASSERT_EQ(H::LowestOf(bucket) + H::WidthOf(bucket), H::LowestOf(bucket + 1)) << bucket;
  }
  const size_t last = H::kBuckets - 1;
  EXPECT_EQ(H::LowestOf(last) + (H::WidthOf(last) - 1), UINT64_MAX);
}

TEST(HistogramTest, BordersOfEveryBucketAreExact) {
  for (size_t bucket = 0; bucket < H::kBuckets; ++bucket) {
    const uint64_t lowest = H::LowestOf(bucket);
    const uint64_t highest = lowest + (H::WidthOf(bucket) - 1);
    ASSERT_EQ(H::BucketOf(lowest), bucket);
    ASSERT_EQ(H::BucketOf(highest), bucket);
    if (bucket > 0) {
      ASSERT_EQ(H::BucketOf(lowest - 1), bucket - 1);
    }
  }
}

TEST(HistogramTest, KnownBuckets) {
  EXPECT_EQ(H::kBuckets, 3776u);
  EXPECT_EQ(H::BucketOf(0), 0u);
  EXPECT_EQ(H::BucketOf(127), 127u);
  EXPECT_EQ(H::BucketOf(128), 128u);
  EXPECT_EQ(H::BucketOf(129), 128u) << "from 128 on, two values share a bucket";
  EXPECT_EQ(H::BucketOf(255), 191u);
  EXPECT_EQ(H::BucketOf(256), 192u);
  EXPECT_EQ(H::BucketOf(UINT64_MAX), 3775u);
}

TEST(HistogramTest, EveryValueIsReportedWithinOnePercent) {
  for (const uint64_t value : ValuesOfEveryMagnitude(200)) {
    H histogram;
    histogram.Record(value);
    // Two neighbours keep the exact minimum and maximum from correcting the estimate.
    histogram.Record(0);
    histogram.Record(UINT64_MAX);
    const double reported = histogram.ValueAtPercentile(66.6);
    ASSERT_LE(std::abs(reported - static_cast<double>(value)), static_cast<double>(value) / 128.0)
        << value;
  }
}

TEST(HistogramTest, EmptyHistogramReportsZeros) {
  const H histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.min_ns(), 0u);
  EXPECT_EQ(histogram.max_ns(), 0u);
  EXPECT_EQ(histogram.mean_ns(), 0.0);
  EXPECT_EQ(histogram.ValueAtPercentile(50), 0.0);
}

TEST(HistogramTest, CountSumExtremesAndMeanAreExact) {
  H histogram;
  for (const uint64_t value : {1'000'003u, 17u, 2'000'000'001u}) histogram.Record(value);
  EXPECT_EQ(histogram.count(), 3u);
  EXPECT_EQ(histogram.sum_ns(), 2'001'000'021u);
  EXPECT_EQ(histogram.min_ns(), 17u);
  EXPECT_EQ(histogram.max_ns(), 2'000'000'001u);
  EXPECT_DOUBLE_EQ(histogram.mean_ns(), 2'001'000'021.0 / 3);
}

TEST(HistogramTest, OneValueIsReportedExactly) {
  H histogram;
  histogram.Record(1'234'567);
  for (const double percentile : {0.001, 50.0, 99.9, 100.0}) {
    EXPECT_EQ(histogram.ValueAtPercentile(percentile), 1'234'567.0);
  }
}

// The rank decides, not an interpolation: 1..100 have a bucket each.
TEST(HistogramTest, PercentileIsTheNearestRank) {
  H histogram;
  for (uint64_t value = 1; value <= 100; ++value) histogram.Record(value);
  for (const double percentile : {0.5, 1.0, 1.5, 50.0, 50.1, 95.0, 99.0, 99.01, 99.9, 100.0}) {
    EXPECT_EQ(histogram.ValueAtPercentile(percentile), std::ceil(percentile)) << percentile;
  }
}

// 99.9 / 100 * 1000 is a little more than 999 in doubles; the rank is 999 all the same.
TEST(HistogramTest, RoundingDoesNotMoveTheRank) {
  for (const auto& [percentile, count, rank] :
       std::vector<std::tuple<double, int, int>>{{99.9, 1000, 999},
                                                 {99.9, 10'000, 9'990},
                                                 {99.99, 10'000, 9'999},
                                                 {55.0, 100, 55},
                                                 {7.0, 100, 7},
                                                 {29.0, 100, 29},
                                                 {99.9, 5000, 4995},
                                                 {95.0, 20, 19}}) {
    H histogram;
    for (int i = 0; i < count; ++i) histogram.Record(i < rank ? 1 : 2);
    EXPECT_EQ(histogram.ValueAtPercentile(percentile), 1.0) << percentile << " of " << count;
    H one_less;
    for (int i = 0; i < count; ++i) one_less.Record(i < rank - 1 ? 1 : 2);
    EXPECT_EQ(one_less.ValueAtPercentile(percentile), 2.0) << percentile << " of " << count;
  }
}

TEST(HistogramTest, PercentilesAreThoseOfTheSortedSamplesWithinOnePercent) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> latency(13.0, 1.5);  // about 0.4 ms, long tail
  std::vector<uint64_t> samples;
  H histogram;
  for (int i = 0; i < 100'000; ++i) {
    const auto value = static_cast<uint64_t>(latency(random));
    samples.push_back(value);
    histogram.Record(value);
  }
  std::sort(samples.begin(), samples.end());
  for (const double percentile : {0.1, 1.0, 10.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0}) {
    const auto rank = static_cast<size_t>(
        std::ceil(percentile * static_cast<double>(samples.size()) / 100.0 - 1e-6));
    const auto exact = static_cast<double>(samples[rank - 1]);
    EXPECT_NEAR(histogram.ValueAtPercentile(percentile), exact, exact * 0.01) << percentile;
  }
}

TEST(HistogramTest, MergeIsTheHistogramOfAllSamples) {
  std::mt19937_64 random(11);
  H all;
  std::vector<H> parts(3);
  for (int i = 0; i < 3000; ++i) {
    const uint64_t value = random() >> (random() % 64);
    all.Record(value);
    parts[i % 3].Record(value);
  }
  H merged;
  for (const H& part : parts) merged.Merge(part);
  EXPECT_EQ(merged.count(), all.count());
  EXPECT_EQ(merged.sum_ns(), all.sum_ns());
  EXPECT_EQ(merged.min_ns(), all.min_ns());
  EXPECT_EQ(merged.max_ns(), all.max_ns());
  for (size_t bucket = 0; bucket < H::kBuckets; ++bucket) {
    ASSERT_EQ(merged.bucket_count(bucket), all.bucket_count(bucket)) << bucket;
  }
  EXPECT_EQ(merged.ValueAtPercentile(99), all.ValueAtPercentile(99));
}

TEST(HistogramTest, MergingAnEmptyOneChangesNothing) {
  H histogram;
  histogram.Record(500);
  histogram.Merge(H());
  EXPECT_EQ(histogram.count(), 1u);
  EXPECT_EQ(histogram.min_ns(), 500u);
  EXPECT_EQ(histogram.max_ns(), 500u);
}

TEST(HistogramTest, ClearForgetsAll) {
  H histogram;
  histogram.Record(500);
  histogram.Clear();
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.sum_ns(), 0u);
  EXPECT_EQ(histogram.bucket_count(H::BucketOf(500)), 0u);
  histogram.Record(7);
  EXPECT_EQ(histogram.min_ns(), 7u);
  EXPECT_EQ(histogram.max_ns(), 7u);
}

TEST(HistogramTest, AddToBucketRefusesWhatDoesNotExistOrOverflows) {
  H histogram;
  EXPECT_FALSE(histogram.AddToBucket(H::kBuckets, 1));
  EXPECT_TRUE(histogram.AddToBucket(H::kBuckets - 1, UINT64_MAX));
  EXPECT_FALSE(histogram.AddToBucket(0, 1));
  EXPECT_EQ(histogram.count(), UINT64_MAX);
  EXPECT_EQ(histogram.bucket_count(0), 0u);
}

}  // namespace
}  // namespace dslap
