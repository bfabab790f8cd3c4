// Calls a function again and again on a thread of its own.
//
//   Ticker ticker("leases", absl::Milliseconds(100), [&] { service.Tick(); });
#ifndef DSLAP_AGENT_SERVICE_TICKER_H_
#define DSLAP_AGENT_SERVICE_TICKER_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "absl/time/time.h"

namespace dslap {

// The destructor waits for a call that is going on. The interval is real time, whatever clock the
// function asks: with a fake clock it sees what was advanced, soon after. It is measured on the
// monotonic clock (Abseil's waits are not): a host that sets its wall clock back, as many do once
// after booting, goes on ticking.
class Ticker {
 public:
  // `name`: the thread's, as top -H shows it; 15 characters at most.
  Ticker(const std::string& name, absl::Duration interval, std::function<void()> tick);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  const absl::Duration interval_;
  const std::function<void()> tick_;
  std::mutex mu_;
  std::condition_variable stop_changed_;
  bool stop_ = false;  // guarded by mu_
  std::thread thread_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_TICKER_H_
