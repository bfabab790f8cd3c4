// Build and protocol versions of this program.
#ifndef DSLAP_COMMON_VERSION_H_
#define DSLAP_COMMON_VERSION_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

inline constexpr uint32_t kProtocolMajor = 1;
inline constexpr uint32_t kProtocolMinor = 1;

std::string BuildVersion();  // "0.1.0"
v1::ProtocolVersion OwnProtocol();

// FAILED_PRECONDITION naming both versions unless the majors are equal. `peer` says who, e.g.
// "agent db-a:7527" or "controller".
absl::Status CheckProtocol(const v1::ProtocolVersion& theirs, const std::string& their_build,
                           const std::string& peer);

}  // namespace dslap

#endif  // DSLAP_COMMON_VERSION_H_
