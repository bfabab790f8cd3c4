// The service manager that started this program (systemd), if one did: what it is told, and what it
// hands over. The one place that knows its library; started by hand, all of it does nothing.
//
//   NotifyServiceManager("READY=1\nSTATUS=idle");
//   ASSIGN_OR_RETURN(const std::optional<PassedSocket> passed, TakePassedSocket());
#ifndef DSLAP_AGENT_SUPERVISION_SERVICE_MANAGER_H_
#define DSLAP_AGENT_SUPERVISION_SERVICE_MANAGER_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "agent/service/listen_address.h"

namespace dslap {

// Sends assignments, one a line, as sd_notify(3) lists them. Thread-safe. What cannot be sent is
// lost: the manager then does what it does to a service that is silent.
void NotifyServiceManager(const std::string& assignments);

// How often the manager wants a WATCHDOG=1 of this process, at least; zero: it watches nothing.
absl::Duration WatchdogPeriod();

// A listening socket that the manager made ("socket activation").
struct PassedSocket {
  int fd = -1;  // the caller's to close; does not block
  ListenAddress address;
};

// The socket passed to this process, nullopt when none was. INVALID_ARGUMENT, naming what to set
// right in the socket unit: several, or one that is no listening TCP socket. To be called once,
// before other threads start: it clears what told of the sockets from the environment.
absl::StatusOr<std::optional<PassedSocket>> TakePassedSocket();

}  // namespace dslap

#endif  // DSLAP_AGENT_SUPERVISION_SERVICE_MANAGER_H_
