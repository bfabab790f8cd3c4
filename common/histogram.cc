#include "common/histogram.h"

#include <algorithm>
#include <cmath>

namespace dslap {

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  if (other.count_ == 0) return;
  Reserve();
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) counts_[bucket] += other.counts_[bucket];
  count_ += other.count_;
  sum_ns_ += other.sum_ns_;
  min_ns_ = std::min(min_ns_, other.min_ns_);
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

void LatencyHistogram::Clear() { *this = LatencyHistogram(); }

bool LatencyHistogram::AddToBucket(size_t bucket, uint64_t count) {
  if (bucket >= kBuckets || count > UINT64_MAX - count_) return false;
  Reserve();
  counts_[bucket] += count;
  count_ += count;
  return true;
}

void LatencyHistogram::SetExtremes(uint64_t sum_ns, uint64_t min_ns, uint64_t max_ns) {
  sum_ns_ = sum_ns;
  min_ns_ = min_ns;
  max_ns_ = max_ns;
}

double LatencyHistogram::mean_ns() const {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_ns_) / static_cast<double>(count_);
}

double LatencyHistogram::ValueAtPercentile(double percentile) const {
  if (count_ == 0) return 0.0;
  // 99.9 / 100 * 1000 is a little above 999 in doubles: what is an integer up to rounding counts as
  // that integer.
  constexpr double kRounding = 1e-12;
  const double exact_rank =
      std::ceil(percentile / 100.0 * static_cast<double>(count_) * (1.0 - kRounding));
  const uint64_t rank =
      std::clamp<uint64_t>(static_cast<uint64_t>(std::max(exact_rank, 1.0)), 1, count_);
  uint64_t seen = 0;
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += counts_[bucket];
    if (seen >= rank) {
      const double middle =
          static_cast<double>(LowestOf(bucket)) + static_cast<double>(WidthOf(bucket) - 1) / 2.0;
      return std::clamp(middle, static_cast<double>(min_ns()), static_cast<double>(max_ns_));
    }
  }
  return static_cast<double>(max_ns_);
}

}  // namespace dslap
