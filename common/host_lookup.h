// A host's addresses, as this host's resolver gives them.
#ifndef DSLAP_COMMON_HOST_LOOKUP_H_
#define DSLAP_COMMON_HOST_LOOKUP_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace dslap {

// The numeric addresses of `host`, each once, in the order in which they are to be tried; not
// empty. NOT_FOUND when there are none, UNAVAILABLE when the name servers do not answer; the
// message says why and does not name the host. Thread-safe. Blocks for as long as name servers
// take.
absl::StatusOr<std::vector<std::string>> LookUpHost(const std::string& host);

}  // namespace dslap

#endif  // DSLAP_COMMON_HOST_LOOKUP_H_
