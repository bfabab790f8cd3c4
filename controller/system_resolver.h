// AddressResolver as the system has it: getaddrinfo(), that is /etc/hosts, DNS and what else
// nsswitch.conf names.
#ifndef DSLAP_CONTROLLER_SYSTEM_RESOLVER_H_
#define DSLAP_CONTROLLER_SYSTEM_RESOLVER_H_

#include <string>
#include <vector>

#include "controller/address_resolver.h"

namespace dslap {

// Thread-safe.
class SystemResolver final : public AddressResolver {
 public:
  absl::StatusOr<std::vector<std::string>> Resolve(const std::string& name) override;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_SYSTEM_RESOLVER_H_
