#include "common/histogram_codec.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

namespace dslap {
namespace {

TEST(HistogramCodecTest, RoundTripKeepsEverything) {
  std::mt19937_64 random(3);
  LatencyHistogram histogram;
  for (int i = 0; i < 5000; ++i) histogram.Record(random() >> (random() % 64));
  histogram.Record(0);
  histogram.Record(UINT64_MAX);
  // Through bytes, as on the wire.
  v1::Histogram message;
  ASSERT_TRUE(message.ParseFromString(EncodeHistogram(histogram).SerializeAsString()));
  const absl::StatusOr<LatencyHistogram> decoded = DecodeHistogram(message);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->count(), histogram.count());
  EXPECT_EQ(decoded->sum_ns(), histogram.sum_ns());
  EXPECT_EQ(decoded->min_ns(), histogram.min_ns());
  EXPECT_EQ(decoded->max_ns(), histogram.max_ns());
  for (size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    ASSERT_EQ(decoded->bucket_count(bucket), histogram.bucket_count(bucket)) << bucket;
  }
}

TEST(HistogramCodecTest, OnlyBucketsInUseAreSent) {
  LatencyHistogram histogram;
  histogram.Record(5);
  histogram.Record(5);
  histogram.Record(9);
  const v1::Histogram message = EncodeHistogram(histogram);
  ASSERT_EQ(message.bucket_gap_size(), 2);
  EXPECT_EQ(message.bucket_gap(0), 5u);
  EXPECT_EQ(message.bucket_gap(1), 4u) << "a distance, not a number";
  ASSERT_EQ(message.bucket_count_size(), 2);
  EXPECT_EQ(message.bucket_count(0), 2u);
  EXPECT_EQ(message.bucket_count(1), 1u);
  EXPECT_EQ(message.sum_ns(), 19u);
  EXPECT_EQ(message.min_ns(), 5u);
  EXPECT_EQ(message.max_ns(), 9u);
}

TEST(HistogramCodecTest, EmptyStaysEmpty) {
  const v1::Histogram message = EncodeHistogram(LatencyHistogram());
  EXPECT_EQ(message.bucket_gap_size(), 0);
  absl::StatusOr<LatencyHistogram> decoded = DecodeHistogram(message);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->count(), 0u);
  // Extremes without counts are no extremes: a value recorded later must not be hidden by them.
  v1::Histogram odd;
  odd.set_min_ns(5);
  odd.set_max_ns(9);
  decoded = DecodeHistogram(odd);
  ASSERT_TRUE(decoded.ok());
  decoded->Record(100);
  EXPECT_EQ(decoded->min_ns(), 100u);
  EXPECT_EQ(decoded->max_ns(), 100u);
}

TEST(HistogramCodecTest, RefusesWhatNoHistogramHolds) {
  v1::Histogram uneven;
  uneven.add_bucket_gap(1);
  EXPECT_EQ(DecodeHistogram(uneven).status(),
            absl::InvalidArgumentError("histogram has 1 bucket numbers but 0 counts"));

  v1::Histogram beyond;
  beyond.add_bucket_gap(3775);
  beyond.add_bucket_count(1);
  beyond.set_max_ns(1);
  EXPECT_TRUE(DecodeHistogram(beyond).ok());
  beyond.add_bucket_gap(1);
  beyond.add_bucket_count(7);
  EXPECT_EQ(DecodeHistogram(beyond).status(),
            absl::InvalidArgumentError(
                "histogram bucket 3776 with count 7 is out of range (3776 buckets)"));

  v1::Histogram wrapping;
  for (int i = 0; i < 3; ++i) {
    wrapping.add_bucket_gap(UINT32_MAX);
    wrapping.add_bucket_count(1);
  }
  EXPECT_EQ(DecodeHistogram(wrapping).status().code(), absl::StatusCode::kInvalidArgument);

  v1::Histogram overflow;
  for (int i = 0; i < 2; ++i) {
    overflow.add_bucket_gap(1);
    overflow.add_bucket_count(UINT64_MAX);
  }
  EXPECT_EQ(DecodeHistogram(overflow).status(),
            absl::InvalidArgumentError("histogram bucket 2 with count 18446744073709551615 is out "
                                       "of range (3776 buckets)"));

  v1::Histogram crossed;
  crossed.add_bucket_gap(5);
  crossed.add_bucket_count(1);
  crossed.set_min_ns(6);
  crossed.set_max_ns(5);
  EXPECT_EQ(DecodeHistogram(crossed).status(),
            absl::InvalidArgumentError("histogram minimum 6 is above its maximum 5"));
}

}  // namespace
}  // namespace dslap
