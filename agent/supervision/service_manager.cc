#include "agent/supervision/service_manager.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "common/status_util.h"

namespace dslap {
namespace {

absl::Status Unusable(absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("the socket passed on start ", what,
                   ": the socket unit needs one ListenStream=ADDRESS:PORT and Accept=no"));
}

// A socket option that is a number; -1 when there is none, as for what is no socket.
int SocketOption(int fd, int option) {
  int value = -1;
  socklen_t size = sizeof(value);
  return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

absl::StatusOr<PassedSocket> Examine(int fd) {
  const int type = SocketOption(fd, SO_TYPE);
  if (type < 0) return Unusable("is no socket");
  const int family = SocketOption(fd, SO_DOMAIN);
  if (family != AF_INET && family != AF_INET6) return Unusable("is not of IPv4 or IPv6");
  if (type != SOCK_STREAM) return Unusable("is not of TCP");
  if (SocketOption(fd, SO_ACCEPTCONN) != 1) return Unusable("does not listen");
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  PassedSocket passed;
  passed.fd = fd;
  ASSIGN_OR_RETURN(passed.address, ResolveListenAddress(AddressOf(fd)));
  return passed;
}

}  // namespace

void NotifyServiceManager(const std::string& assignments) {
  sd_notify(/*unset_environment=*/0, assignments.c_str());
}

absl::Duration WatchdogPeriod() {
  uint64_t period_us = 0;
  if (sd_watchdog_enabled(/*unset_environment=*/0, &period_us) <= 0) return absl::ZeroDuration();
  return absl::Microseconds(period_us);
}

absl::StatusOr<std::optional<PassedSocket>> TakePassedSocket() {
  const int count = sd_listen_fds(/*unset_environment=*/1);
  if (count < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("LISTEN_FDS, LISTEN_PID: not as systemd sets them: ", strerror(-count)));
  }
  if (count == 0) return std::nullopt;
  if (count > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(count,
                     " sockets were passed on start, and an agent takes one: the socket unit "
                     "needs one ListenStream=ADDRESS:PORT"));
  }
  ASSIGN_OR_RETURN(const PassedSocket passed, Examine(SD_LISTEN_FDS_START));
  return passed;
}

}  // namespace dslap
