// Calls a function again and again on a thread of its own.
//
//   Ticker ticker(absl::Milliseconds(100), [&] { service.Tick(); });
#ifndef DSLAP_AGENT_SERVICE_TICKER_H_
#define DSLAP_AGENT_SERVICE_TICKER_H_

#include <functional>
#include <thread>

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"

namespace dslap {

// The destructor waits for a call that is going on. The interval is real time, whatever clock the
// function asks: with a fake clock it sees what was advanced, soon after.
class Ticker {
 public:
  Ticker(absl::Duration interval, std::function<void()> tick);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  const absl::Duration interval_;
  const std::function<void()> tick_;
  absl::Notification stop_;
  std::thread thread_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_TICKER_H_
