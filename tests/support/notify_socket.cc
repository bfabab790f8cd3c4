#include "tests/support/notify_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace dslap {
namespace {

void CheckSystem(bool ok, const char* what) {
  if (ok) return;
  std::perror(what);
  std::abort();
}

}  // namespace

NotifySocket::NotifySocket()
    // An abstract name: nothing to remove. The descriptor makes it this one's own.
    : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  CheckSystem(fd_ >= 0, "socket");
  path_ = absl::StrCat("@dslap-test-notify-", getpid(), "-", fd_);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, path_.data() + 1, path_.size() - 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path_.size());
  CheckSystem(bind(fd_, reinterpret_cast<const sockaddr*>(&address), size) == 0, "bind");
}

NotifySocket::~NotifySocket() { close(fd_); }

std::string NotifySocket::Next(absl::Duration timeout) {
  pollfd readable{fd_, POLLIN, 0};
  const auto ms = std::max<int64_t>(0, absl::ToInt64Milliseconds(timeout));
  if (poll(&readable, 1, static_cast<int>(ms)) <= 0) return "";
  std::string message(4096, '\0');
  const ssize_t size = recv(fd_, message.data(), message.size(), 0);
  CheckSystem(size >= 0, "recv");
  message.resize(static_cast<size_t>(size));
  return message;
}

bool NotifySocket::AwaitMessage(const std::string& text, absl::Duration timeout) {
  const absl::Time bound = absl::Now() + timeout;
  do {
    if (Next(bound - absl::Now()) == text) return true;
  } while (absl::Now() < bound);
  return false;
}

void NotifySocket::Drop() {
  while (!Next(absl::ZeroDuration()).empty()) {
  }
}

}  // namespace dslap
