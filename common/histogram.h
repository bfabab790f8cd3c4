// Log-linear histogram of durations in integer nanoseconds.
//
// Values below 128 have a bucket each; above, every power of two is divided into 64 equal buckets,
// so a bucket is at most 1/64 of its values wide and the value reported for it (its midpoint) is
// within 1/128 (0.8 %) of any value in it. The range is all of uint64: nothing is clamped.
// Histograms of agents are merged by adding integers; percentiles are computed after the last
// merge.
//
//   LatencyHistogram merged;
//   merged.Record(1'250'000);
//   merged.Merge(other);
//   double p99_ns = merged.ValueAtPercentile(99.0);
#ifndef DSLAP_COMMON_HISTOGRAM_H_
#define DSLAP_COMMON_HISTOGRAM_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dslap {

// Not thread-safe: one writer. About 30 KB from Reserve() or the first value on, next to nothing
// before. After Reserve(), Record() does not allocate; it never locks.
class LatencyHistogram {
 public:
  static constexpr int kSubBucketBits = 6;
  static constexpr uint64_t kSubBuckets = uint64_t{1} << kSubBucketBits;  // 64 for each octave
  // Octaves 2^7 .. 2^63 with 64 buckets each, after the 128 exact ones.
  static constexpr size_t kBuckets = (64 - kSubBucketBits) * kSubBuckets + kSubBuckets;

  void Reserve() {
    if (counts_.empty()) counts_.resize(kBuckets, 0);
  }

  // Bucket of a value, and the smallest value of a bucket.
  static constexpr size_t BucketOf(uint64_t value_ns) {
    if (value_ns < 2 * kSubBuckets) return static_cast<size_t>(value_ns);
    const int shift = static_cast<int>(std::bit_width(value_ns)) - 1 - kSubBucketBits;
    return static_cast<size_t>(shift) * kSubBuckets + static_cast<size_t>(value_ns >> shift);
  }
  static constexpr uint64_t LowestOf(size_t bucket) {
    if (bucket < 2 * kSubBuckets) return bucket;
    const size_t shift = bucket / kSubBuckets - 1;
    return (bucket % kSubBuckets + kSubBuckets) << shift;
  }
  static constexpr uint64_t WidthOf(size_t bucket) {
    return bucket < 2 * kSubBuckets ? 1 : uint64_t{1} << (bucket / kSubBuckets - 1);
  }

  void Record(uint64_t value_ns) {
    Reserve();
    ++counts_[BucketOf(value_ns)];
    ++count_;
    sum_ns_ += value_ns;
    if (value_ns < min_ns_) min_ns_ = value_ns;
    if (value_ns > max_ns_) max_ns_ = value_ns;
  }

  void Merge(const LatencyHistogram& other);
  void Clear();

  // Adds `count` values to a bucket without touching sum, minimum and maximum: for the codec, which
  // sets those with SetExtremes. False when there is no such bucket or the total would overflow.
  [[nodiscard]] bool AddToBucket(size_t bucket, uint64_t count);
  void SetExtremes(uint64_t sum_ns, uint64_t min_ns, uint64_t max_ns);

  uint64_t count() const { return count_; }
  uint64_t sum_ns() const { return sum_ns_; }
  uint64_t min_ns() const { return count_ == 0 ? 0 : min_ns_; }  // exact
  uint64_t max_ns() const { return max_ns_; }                    // exact
  double mean_ns() const;                                        // exact up to rounding
  uint64_t bucket_count(size_t bucket) const { return counts_.empty() ? 0 : counts_[bucket]; }

  // Nearest-rank percentile: the value of rank ceil(percentile/100 * count), as the midpoint of its
  // bucket, kept within [min, max]. 0 when empty. `percentile` in (0, 100].
  double ValueAtPercentile(double percentile) const;

 private:
  std::vector<uint64_t> counts_;  // empty, or kBuckets
  uint64_t count_ = 0;
  uint64_t sum_ns_ = 0;
  uint64_t min_ns_ = UINT64_MAX;
  uint64_t max_ns_ = 0;
};

}  // namespace dslap

#endif  // DSLAP_COMMON_HISTOGRAM_H_
