#include "agent/engine/connect_policy.h"

#include <algorithm>

namespace dslap {

ConnectVerdict JudgeConnectError(uint32_t code) {
  switch (code) {
    case 1040:  // too many connections
    case 1053:  // server shutdown in progress: it may come back
    case 1158:  // network errors while the server reads or writes the handshake
    case 1159:
    case 1160:
    case 1161:
    case 2002:  // cannot connect: refused, backlog full, no socket (yet)
    case 2003:
    case 2006:
    case 2013:  // lost in the handshake
    case 2055:
      return ConnectVerdict::kRetry;
    case 1044:  // access denied to the schema
    case 1045:  // access denied
    case 1049:  // unknown schema
    case 1129:  // this host is blocked
    case 1130:  // this host is not allowed
    case 1249:  // authentication methods that do not fit
    case 1250:
    case 1251:
    case 1275:
    case 1698:  // access denied, no password given
    case 1862:  // password expired
    case 2005:  // unknown host; the client library has retried the look-up
    case 2007:  // protocol versions do not fit
    case 2019:  // character set unknown
    case 2026:  // TLS
    case 2049:
    case 2054:
    case 2058:  // authentication plugin cannot be loaded, or failed
    case 2059:
    case 2061:
    case 3118:  // account locked
    case 3955:  // account blocked after failed logins
    case 4151:  // account locked (MariaDB)
      return ConnectVerdict::kHopeless;
    default:
      return ConnectVerdict::kGiveUp;
  }
}

std::optional<int64_t> ConnectBackoff::Next(int64_t now_ns, uint64_t random, int64_t patience_ns) {
  const int64_t half_ns = pause_ns_ / 2;
  const int64_t pause_ns =
      pause_ns_ - static_cast<int64_t>(random % static_cast<uint64_t>(half_ns));
  if (now_ns + pause_ns > first_attempt_ns_ + patience_ns) return std::nullopt;
  pause_ns_ = std::min(2 * pause_ns_, kLongestNs);
  return pause_ns;
}

}  // namespace dslap
