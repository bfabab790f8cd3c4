#include "agent/service/ticker.h"

#include <pthread.h>

#include <utility>

namespace dslap {

Ticker::Ticker(const std::string& name, absl::Duration interval, std::function<void()> tick)
    : interval_(interval), tick_(std::move(tick)) {
  thread_ = std::thread([this, name] {
    pthread_setname_np(pthread_self(), name.c_str());
    std::unique_lock<std::mutex> lock(mu_);
    while (!stop_changed_.wait_for(lock, absl::ToChronoNanoseconds(interval_),
                                   [this] { return stop_; })) {
      lock.unlock();
      tick_();
      lock.lock();
    }
  });
}

Ticker::~Ticker() {
  {
    const std::lock_guard<std::mutex> lock(mu_);
    stop_ = true;
  }
  stop_changed_.notify_all();
  thread_.join();
}

}  // namespace dslap
