#include "controller/system_resolver.h"

#include "common/host_lookup.h"

namespace dslap {

absl::StatusOr<std::vector<std::string>> SystemResolver::Resolve(const std::string& name) {
  return LookUpHost(name);
}

}  // namespace dslap
