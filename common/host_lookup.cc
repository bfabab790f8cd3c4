#include "common/host_lookup.h"

#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <memory>

#include "common/status_util.h"

namespace dslap {

absl::StatusOr<std::vector<std::string>> LookUpHost(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;  // else each address comes once for each kind
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), nullptr, &hints, &found); error != 0) {
    if (error == EAI_SYSTEM) return ErrnoToStatus(errno, "cannot look it up");
    const bool none = error == EAI_NONAME || error == EAI_NODATA;
    return absl::Status(none ? absl::StatusCode::kNotFound : absl::StatusCode::kUnavailable,
                        gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  std::vector<std::string> addresses;
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (getnameinfo(entry->ai_addr, entry->ai_addrlen, text.data(), text.size(), nullptr, 0,
                    NI_NUMERICHOST) == 0) {
      addresses.emplace_back(text.data());
    }
  }
  if (addresses.empty()) return absl::NotFoundError("no IPv4 or IPv6 address");
  return addresses;
}

}  // namespace dslap
