// The address an agent listens on: text -> one numeric address -> a socket that listens there.
//
//   ASSIGN_OR_RETURN(const ListenAddress address, ResolveListenAddress("localhost:7527"));
//   ASSIGN_OR_RETURN(const ListeningSocket socket, ListenOn(address.numeric));
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

struct ListeningSocket {
  int fd = -1;  // the caller's to close; does not block
  int port = 0;
};

// Port 0 picks a free one. "[::]" is all addresses of the host, "0.0.0.0" those of IPv4. The error
// names the address: "listen on 127.0.0.1:7527: Address already in use".
absl::StatusOr<ListeningSocket> ListenOn(const std::string& numeric);

// Of a socket that listens: its port, 0 when it has none; and "127.0.0.1:41234", "[::1]:41234".
int PortOf(int listening_fd);
std::string AddressOf(int listening_fd);

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_LISTEN_ADDRESS_H_
