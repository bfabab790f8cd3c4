#include "agent/sql/server_pin.h"

namespace dslap {

size_t ServerPin::First() const {
  const size_t pinned = pinned_.load();
  return pinned == kNone ? 0 : pinned;
}

std::optional<size_t> ServerPin::Next(size_t tried, size_t addresses, ConnectAttempt came) {
  if (came == ConnectAttempt::kRefused) return std::nullopt;
  size_t pinned = kNone;
  if (came == ConnectAttempt::kUnreachable) {
    pinned = pinned_.load();
  } else if (pinned_.compare_exchange_strong(pinned, tried)) {
    pinned = tried;
  }
  if (pinned == tried) return std::nullopt;
  if (pinned != kNone) return pinned;
  return tried + 1 < addresses ? std::optional<size_t>(tried + 1) : std::nullopt;
}

}  // namespace dslap
