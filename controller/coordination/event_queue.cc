#include "controller/coordination/event_queue.h"

#include <utility>

namespace dslap {

void EventQueue::Push(Event event) {
  absl::MutexLock lock(&mu_);
  events_.push_back(std::move(event));
}

std::optional<Event> EventQueue::Pop(int64_t deadline_ns) {
  absl::MutexLock lock(&mu_);
  const auto has_event = [this]() ABSL_SHARED_LOCKS_REQUIRED(mu_) { return !events_.empty(); };
  if (!clock_->AwaitUntil(&mu_, absl::Condition(&has_event), deadline_ns)) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

size_t EventQueue::size() const {
  absl::MutexLock lock(&mu_);
  return events_.size();
}

}  // namespace dslap
