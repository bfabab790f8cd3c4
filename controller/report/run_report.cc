#include "controller/report/run_report.h"

#include <cmath>

namespace dslap {

LatencySummary Summarize(const LatencyHistogram& histogram) {
  const auto percentile = [&histogram](double percent) {
    return static_cast<uint64_t>(std::llround(histogram.ValueAtPercentile(percent)));
  };
  LatencySummary summary;
  if (histogram.count() == 0) return summary;
  summary.count = histogram.count();
  summary.mean_ns = histogram.mean_ns();
  summary.min_ns = histogram.min_ns();
  summary.p50_ns = percentile(50.0);
  summary.p95_ns = percentile(95.0);
  summary.p99_ns = percentile(99.0);
  summary.p999_ns = percentile(99.9);
  summary.max_ns = histogram.max_ns();
  return summary;
}

}  // namespace dslap
