// The one bridge between absl::Status and grpc::Status. Codes have the same numbers on both sides
// and are kept; messages too.
#ifndef DSLAP_COMMON_GRPC_STATUS_H_
#define DSLAP_COMMON_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace dslap {

grpc::Status ToGrpcStatus(const absl::Status& status);
absl::Status FromGrpcStatus(const grpc::Status& status);

}  // namespace dslap

#endif  // DSLAP_COMMON_GRPC_STATUS_H_
