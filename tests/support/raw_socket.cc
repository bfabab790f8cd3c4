#include "tests/support/raw_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"

namespace dslap {

RawSocket::RawSocket(const std::string& address) {
  const size_t colon = address.rfind(':');
  sockaddr_in to{};
  to.sin_family = AF_INET;
  uint32_t port = 0;
  if (colon == std::string::npos || !absl::SimpleAtoi(address.substr(colon + 1), &port) ||
      inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr) != 1) {
    return;
  }
  to.sin_port = htons(static_cast<uint16_t>(port));
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return;
  if (connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof(to)) != 0) {
    HangUp();
    return;
  }
  sockaddr_in own{};
  socklen_t size = sizeof(own);
  getsockname(fd_, reinterpret_cast<sockaddr*>(&own), &size);
  std::array<char, INET_ADDRSTRLEN> text{};
  inet_ntop(AF_INET, &own.sin_addr, text.data(), text.size());
  name_ = absl::StrCat(text.data(), ":", ntohs(own.sin_port));
}

RawSocket::~RawSocket() { HangUp(); }

RawSocket::RawSocket(RawSocket&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      name_(std::move(other.name_)),
      received_(std::move(other.received_)) {}

bool RawSocket::Send(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool RawSocket::AwaitEnd(absl::Duration timeout) {
  const absl::Time until = absl::Now() + timeout;
  std::array<char, 4096> buffer{};
  while (fd_ >= 0) {
    const int64_t left_ms = absl::ToInt64Milliseconds(until - absl::Now());
    pollfd wait{fd_, POLLIN, 0};
    if (left_ms < 0 || poll(&wait, 1, static_cast<int>(left_ms)) == 0) return false;
    const ssize_t got = recv(fd_, buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    received_.append(buffer.data(), static_cast<size_t>(got));
  }
  return true;
}

void RawSocket::HangUp() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

std::string HttpGet(const std::string& url) {
  absl::string_view rest = url;
  absl::ConsumePrefix(&rest, "http://");
  const size_t slash = rest.find('/');
  const std::string host(rest.substr(0, slash));
  RawSocket socket(host);
  socket.Send(absl::StrCat("GET ", rest.substr(slash), " HTTP/1.1\r\nHost: ", host,
                           "\r\nConnection: close\r\n\r\n"));
  socket.AwaitEnd(absl::Seconds(10));
  const std::string& answer = socket.received();
  const size_t head_end = answer.find("\r\n\r\n");
  if (!absl::StartsWith(answer, "HTTP/1.1 200 ") || head_end == std::string::npos) return answer;
  return answer.substr(head_end + 4);
}

}  // namespace dslap
