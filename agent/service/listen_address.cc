#include "agent/service/listen_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/status_util.h"

namespace dslap {
namespace {

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

struct HostAndPort {
  std::string host;
  std::string port;
};

absl::StatusOr<HostAndPort> Split(absl::string_view text) {
  const absl::Status malformed = absl::InvalidArgumentError(absl::StrCat(
      "'", text,
      "' is no address to listen on: give HOST:PORT with a port from 0 to 65535, such as "
      "127.0.0.1:7527 or [::1]:7527"));
  const size_t colon = text.rfind(':');
  if (colon == absl::string_view::npos || colon == 0) return malformed;
  absl::string_view host = text.substr(0, colon);
  const absl::string_view port = text.substr(colon + 1);
  uint32_t number = 0;
  if (port.find_first_not_of("0123456789") != absl::string_view::npos ||
      !absl::SimpleAtoi(port, &number) || number > 65535) {
    return malformed;
  }
  if (host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != absl::string_view::npos) {
    return malformed;
  }
  if (host.empty()) return malformed;
  return HostAndPort{absl::StrCat(host), absl::StrCat(number)};
}

absl::StatusOr<AddressList> LookUp(const HostAndPort& where) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(where.host.c_str(), where.port.c_str(), &hints, &found);
  if (error != 0) {
    return absl::NotFoundError(
        absl::StrCat("host '", where.host, "' to listen on: ", gai_strerror(error)));
  }
  return AddressList(found, &freeaddrinfo);
}

bool IsLoopback(const addrinfo& address) {
  if (address.ai_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, address.ai_addr, sizeof(in));
    return (ntohl(in.sin_addr.s_addr) >> 24) == 127;
  }
  sockaddr_in6 in6{};
  std::memcpy(&in6, address.ai_addr, sizeof(in6));
  return IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
}

absl::StatusOr<std::string> NumericText(const addrinfo& address) {
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  const int error = getnameinfo(address.ai_addr, address.ai_addrlen, host.data(), host.size(),
                                port.data(), port.size(), NI_NUMERICHOST | NI_NUMERICSERV);
  if (error != 0) return absl::InternalError(absl::StrCat("getnameinfo: ", gai_strerror(error)));
  return address.ai_family == AF_INET6 ? absl::StrCat("[", host.data(), "]:", port.data())
                                       : absl::StrCat(host.data(), ":", port.data());
}

}  // namespace

absl::StatusOr<ListenAddress> ResolveListenAddress(absl::string_view text) {
  ASSIGN_OR_RETURN(const HostAndPort where, Split(text));
  ASSIGN_OR_RETURN(const AddressList list, LookUp(where));
  const addrinfo* chosen = list.get();
  for (const addrinfo* each = list.get(); each != nullptr; each = each->ai_next) {
    if (each->ai_family == AF_INET) {
      chosen = each;
      break;
    }
  }
  ListenAddress address;
  ASSIGN_OR_RETURN(address.numeric, NumericText(*chosen));
  address.loopback = IsLoopback(*chosen);
  return address;
}

absl::StatusOr<ListeningSocket> ListenOn(const std::string& numeric) {
  const std::string context = absl::StrCat("listen on ", numeric);
  const absl::StatusOr<HostAndPort> where = Split(numeric);
  if (!where.ok()) return Annotate(where.status(), context);
  const absl::StatusOr<AddressList> list = LookUp(*where);
  if (!list.ok()) return Annotate(list.status(), context);
  const addrinfo& address = **list;
  const int fd = socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return ErrnoToStatus(errno, context);
  const int on = 1;
  const int off = 0;
  // A port whose old connections are in TIME_WAIT is not in use.
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (address.ai_family == AF_INET6) {
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
  }
  if (bind(fd, address.ai_addr, address.ai_addrlen) != 0 || listen(fd, SOMAXCONN) != 0) {
    absl::Status status = ErrnoToStatus(errno, context);
    close(fd);
    return status;
  }
  return ListeningSocket{fd, PortOf(fd)};
}

int PortOf(int listening_fd) {
  const std::string address = AddressOf(listening_fd);
  int port = 0;
  if (!absl::SimpleAtoi(address.substr(address.rfind(':') + 1), &port)) return 0;
  return port;
}

std::string AddressOf(int listening_fd) {
  sockaddr_storage address{};
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  addrinfo info{};
  info.ai_addrlen = sizeof(address);
  info.ai_addr = generic;
  if (getsockname(listening_fd, generic, &info.ai_addrlen) != 0) return "";
  info.ai_family = address.ss_family;
  return NumericText(info).value_or("");
}

}  // namespace dslap
