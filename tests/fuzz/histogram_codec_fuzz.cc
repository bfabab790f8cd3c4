// Whatever a peer sends as a histogram is refused, or is a histogram: sums that agree, percentiles
// in order and within its extremes, and the same again after a journey over the wire.
#include <array>
#include <cstddef>
#include <cstdint>

#include "common/histogram.h"
#include "common/histogram_codec.h"
#include "dslap/v1/agent.pb.h"
#include "tests/fuzz/check.h"

namespace dslap {
namespace {

void CheckPercentiles(const LatencyHistogram& histogram) {
  constexpr std::array<double, 6> kPercentiles = {0.001, 50, 95, 99, 99.9, 100};
  double last = static_cast<double>(histogram.min_ns());
  for (const double percentile : kPercentiles) {
    const double value = histogram.ValueAtPercentile(percentile);
    DSLAP_FUZZ_CHECK(value >= last);
    last = value;
  }
  DSLAP_FUZZ_CHECK(last <= static_cast<double>(histogram.max_ns()));
}

void CheckEqual(const LatencyHistogram& a, const LatencyHistogram& b) {
  DSLAP_FUZZ_CHECK(a.count() == b.count());
  DSLAP_FUZZ_CHECK(a.sum_ns() == b.sum_ns());
  DSLAP_FUZZ_CHECK(a.min_ns() == b.min_ns());
  DSLAP_FUZZ_CHECK(a.max_ns() == b.max_ns());
  for (size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    DSLAP_FUZZ_CHECK(a.bucket_count(bucket) == b.bucket_count(bucket));
  }
}

void CheckDecoded(const LatencyHistogram& histogram) {
  uint64_t total = 0;
  for (size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    DSLAP_FUZZ_CHECK(histogram.bucket_count(bucket) <= histogram.count() - total);
    total += histogram.bucket_count(bucket);
  }
  DSLAP_FUZZ_CHECK(total == histogram.count());
  if (histogram.count() > 0) CheckPercentiles(histogram);
  const auto again = DecodeHistogram(EncodeHistogram(histogram));
  DSLAP_FUZZ_CHECK(again.ok());
  CheckEqual(histogram, *again);
}

// Values recorded here, eight bytes each, must travel as they are.
void CheckRecorded(const uint8_t* data, size_t size) {
  LatencyHistogram histogram;
  for (size_t at = 0; at + 8 <= size; at += 8) {
    uint64_t value = 0;
    for (size_t byte = 0; byte < 8; ++byte) value = value << 8 | data[at + byte];
    // Sums of 64 bits hold centuries: more is no measurement.
    histogram.Record(value >> 12);
  }
  CheckDecoded(histogram);
}

}  // namespace
}  // namespace dslap

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  if (data[0] % 4 == 0) {
    dslap::CheckRecorded(data + 1, size - 1);
    return 0;
  }
  dslap::v1::Histogram message;
  if (!message.ParseFromArray(data + 1, static_cast<int>(size - 1))) return 0;
  const auto histogram = dslap::DecodeHistogram(message);
  if (histogram.ok()) dslap::CheckDecoded(*histogram);
  return 0;
}
