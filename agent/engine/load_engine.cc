#include "agent/engine/load_engine.h"

#include <algorithm>

namespace dslap {

bool ErrorPolicy::Ignores(uint32_t code) const {
  return ignore_all ||
         std::find(ignored_codes.begin(), ignored_codes.end(), code) != ignored_codes.end();
}

uint64_t RoundSpec::clients() const {
  uint64_t total = 0;
  for (const LoadClientGroup& group : groups) total += group.clients;
  return total;
}

}  // namespace dslap
