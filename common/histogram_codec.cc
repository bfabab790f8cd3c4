#include "common/histogram_codec.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace dslap {

v1::Histogram EncodeHistogram(const LatencyHistogram& histogram) {
  v1::Histogram message;
  size_t previous = 0;
  for (size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    if (histogram.bucket_count(bucket) == 0) continue;
    message.add_bucket_gap(static_cast<uint32_t>(bucket - previous));
    message.add_bucket_count(histogram.bucket_count(bucket));
    previous = bucket;
  }
  message.set_sum_ns(histogram.sum_ns());
  message.set_min_ns(histogram.min_ns());
  message.set_max_ns(histogram.max_ns());
  return message;
}

absl::StatusOr<LatencyHistogram> DecodeHistogram(const v1::Histogram& message) {
  if (message.bucket_gap_size() != message.bucket_count_size()) {
    return absl::InvalidArgumentError(absl::StrCat("histogram has ", message.bucket_gap_size(),
                                                   " bucket numbers but ",
                                                   message.bucket_count_size(), " counts"));
  }
  LatencyHistogram histogram;
  uint64_t bucket = 0;
  for (int i = 0; i < message.bucket_gap_size(); ++i) {
    bucket += message.bucket_gap(i);
    if (!histogram.AddToBucket(bucket, message.bucket_count(i))) {
      return absl::InvalidArgumentError(absl::StrCat("histogram bucket ", bucket, " with count ",
                                                     message.bucket_count(i), " is out of range (",
                                                     LatencyHistogram::kBuckets, " buckets)"));
    }
  }
  if (histogram.count() > 0) {
    if (message.min_ns() > message.max_ns()) {
      return absl::InvalidArgumentError(absl::StrCat("histogram minimum ", message.min_ns(),
                                                     " is above its maximum ", message.max_ns()));
    }
    histogram.SetExtremes(message.sum_ns(), message.min_ns(), message.max_ns());
  }
  return histogram;
}

}  // namespace dslap
