#include "common/version.h"

#include "absl/strings/str_format.h"

namespace dslap {

std::string BuildVersion() { return DSLAP_VERSION; }

v1::ProtocolVersion OwnProtocol() {
  v1::ProtocolVersion version;
  version.set_major(kProtocolMajor);
  version.set_minor(kProtocolMinor);
  return version;
}

absl::Status CheckProtocol(const v1::ProtocolVersion& theirs, const std::string& their_build,
                           const std::string& peer) {
  if (theirs.major() == kProtocolMajor) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrFormat(
      "%s speaks protocol %d.%d (build %s), this side %d.%d (build %s): install the same major "
      "version on both",
      peer, theirs.major(), theirs.minor(), their_build, kProtocolMajor, kProtocolMinor,
      BuildVersion()));
}

}  // namespace dslap
