// What gRPC says of a link that does not work -> what a person can use. Pure.
#ifndef DSLAP_CONTROLLER_COORDINATION_LINK_FAILURE_H_
#define DSLAP_CONTROLLER_COORDINATION_LINK_FAILURE_H_

#include "absl/status/status.h"

namespace dslap {

// `tls`: whether this side calls over TLS. The code stays; what is not known stays as it is.
absl::Status ExplainLinkFailure(const absl::Status& status, bool tls);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_LINK_FAILURE_H_
