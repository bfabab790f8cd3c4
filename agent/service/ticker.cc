#include "agent/service/ticker.h"

#include <utility>

namespace dslap {

Ticker::Ticker(absl::Duration interval, std::function<void()> tick)
    : interval_(interval), tick_(std::move(tick)) {
  thread_ = std::thread([this] {
    while (!stop_.WaitForNotificationWithTimeout(interval_)) tick_();
  });
}

Ticker::~Ticker() {
  stop_.Notify();
  thread_.join();
}

}  // namespace dslap
