// The address an agent listens on: text -> one numeric address, and why one cannot be bound.
#ifndef DSLAP_AGENT_SERVICE_LISTEN_ADDRESS_H_
#define DSLAP_AGENT_SERVICE_LISTEN_ADDRESS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dslap {

struct ListenAddress {
  std::string numeric;    // "127.0.0.1:7527", "[::1]:7527"
  bool loopback = false;  // reachable from this host only
};

// Takes "HOST:PORT" with a name, an IPv4 address or an IPv6 address in brackets. A name with
// several addresses stands for its first, IPv4 before IPv6. INVALID_ARGUMENT for a malformed text,
// NOT_FOUND for a name that has no address.
absl::StatusOr<ListenAddress> ResolveListenAddress(absl::string_view text);

// Why a numeric address could not be listened on, found by trying: "listen on 127.0.0.1:7527:
// Address already in use". INTERNAL when trying it now succeeds.
absl::Status ExplainListenFailure(const std::string& numeric);

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_LISTEN_ADDRESS_H_
