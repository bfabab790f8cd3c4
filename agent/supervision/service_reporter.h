// Keeps the service manager informed of this program from when it is ready until it stops: what it
// does (shown by `systemctl status`) and that it lives (WatchdogSec=).
//
//   ServiceReporter reporter({.notify = NotifyServiceManager,
//                             .describe = [&] { return "idle"; },
//                             .check = [&](absl::Duration patience) { return ...; },
//                             .watchdog = WatchdogPeriod()});
//   ... until a signal comes ...
//   reporter.Stopping("ending what goes on");
#ifndef DSLAP_AGENT_SUPERVISION_SERVICE_REPORTER_H_
#define DSLAP_AGENT_SUPERVISION_SERVICE_REPORTER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/service/ticker.h"

namespace dslap {

// Thread-safe.
class ServiceReporter {
 public:
  // How soon a change of what the program does is told.
  static constexpr absl::Duration kStatusInterval = absl::Seconds(1);

  struct Parts {
    std::function<void(const std::string& assignments)> notify;
    std::function<std::string()> describe;  // one line
    // OK when what the program cannot do without answers, asked for `patience` at most. A sign of
    // life is given only then: a thread that merely says so would outlive those that do the work.
    std::function<absl::Status(absl::Duration patience)> check;
    absl::Duration watchdog;  // zero: no signs of life are wanted
  };

  // Says READY=1.
  explicit ServiceReporter(Parts parts);
  // Stops reporting, and waits for a check that goes on.
  ~ServiceReporter() = default;
  ServiceReporter(const ServiceReporter&) = delete;
  ServiceReporter& operator=(const ServiceReporter&) = delete;

  // Says STOPPING=1; `why` is the status from now on. No signs of life are given, or needed, any
  // more: the manager's own time for stopping runs.
  void Stopping(const std::string& why) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void Tick() ABSL_LOCKS_EXCLUDED(mu_);
  std::string Describe() const;
  void TellStatus() ABSL_LOCKS_EXCLUDED(mu_);
  void GiveSign() ABSL_LOCKS_EXCLUDED(mu_);

  const Parts parts_;
  int64_t next_sign_ns_ = 0;  // the ticker's thread's, as the next
  bool answers_ = true;       // as the last check had it
  absl::Mutex mu_;
  std::string told_ ABSL_GUARDED_BY(mu_);  // the last status
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::unique_ptr<Ticker> ticker_;  // last: uses the members above
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SUPERVISION_SERVICE_REPORTER_H_
