// Looks up the addresses of a host name: the seam that lets tests do without a name server.
// Production: SystemResolver (controller/system_resolver.h).
#ifndef DSLAP_CONTROLLER_ADDRESS_RESOLVER_H_
#define DSLAP_CONTROLLER_ADDRESS_RESOLVER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace dslap {

class AddressResolver {
 public:
  virtual ~AddressResolver() = default;
  // IPv4 and IPv6 addresses as numbers ("10.0.0.1", "fe80::1%eth0"), in any order, any of them
  // perhaps twice. NOT_FOUND when there is none, UNAVAILABLE when that cannot be known now. Waits.
  virtual absl::StatusOr<std::vector<std::string>> Resolve(const std::string& name) = 0;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_ADDRESS_RESOLVER_H_
