// LatencyHistogram <-> its sparse form on the wire (proto/dslap/v1/agent.proto, Histogram).
#ifndef DSLAP_COMMON_HISTOGRAM_CODEC_H_
#define DSLAP_COMMON_HISTOGRAM_CODEC_H_

#include "absl/status/statusor.h"
#include "common/histogram.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

v1::Histogram EncodeHistogram(const LatencyHistogram& histogram);

// INVALID_ARGUMENT when the peer sent bucket numbers or counts that no histogram can hold.
absl::StatusOr<LatencyHistogram> DecodeHistogram(const v1::Histogram& message);

}  // namespace dslap

#endif  // DSLAP_COMMON_HISTOGRAM_CODEC_H_
