#include "agent/sql/deadline_watch.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "common/clock.h"

namespace dslap {
namespace {

constexpr std::chrono::milliseconds kLookEvery{20};

}  // namespace

DeadlineWatch::~DeadlineWatch() {
  {
    const std::lock_guard<std::mutex> lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.reset();  // joins
}

bool DeadlineWatch::Enter(Bound* bound) {
  const std::lock_guard<std::mutex> lock(mu_);
  if (!thread_.has_value()) {
    absl::StatusOr<SmallStackThread> thread = SmallStackThread::Start([this] { Loop(); });
    if (!thread.ok()) return false;
    thread_.emplace(*std::move(thread));
  }
  bounds_.push_back(bound);
  changed_.notify_all();
  return true;
}

void DeadlineWatch::Leave(Bound* bound) {
  const std::lock_guard<std::mutex> lock(mu_);
  const auto at = std::find(bounds_.begin(), bounds_.end(), bound);
  *at = bounds_.back();
  bounds_.pop_back();
}

void DeadlineWatch::Loop() {
  std::unique_lock<std::mutex> lock(mu_);
  while (!ending_) {
    if (bounds_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const int64_t now_ns = SteadyClock::Get()->NowNs();
    for (Bound* const bound : bounds_) bound->CutIfPassed(now_ns);
    // Bounds that come and go meanwhile need not wake it.
    const auto next = std::chrono::steady_clock::now() + kLookEvery;
    changed_.wait_until(lock, next, [&] { return ending_; });
  }
}

bool DeadlineWatch::Bound::Set(int64_t deadline_ns) {
  deadline_ns_.store(deadline_ns);
  if (!entered_) entered_ = watch_->Enter(this);
  return entered_;
}

bool DeadlineWatch::Bound::Clear() {
  int64_t seen = deadline_ns_.load();
  do {
    // The watch is between two steps; an interrupt that came later would hit the next operation.
    while (seen == kBeingCut) {
      std::this_thread::yield();
      seen = deadline_ns_.load();
    }
  } while (!deadline_ns_.compare_exchange_weak(seen, kNone));
  return seen == kCut;
}

void DeadlineWatch::Bound::Rest() {
  Clear();
  if (entered_) watch_->Leave(this);
  entered_ = false;
}

void DeadlineWatch::Bound::CutIfPassed(int64_t now_ns) {
  int64_t deadline_ns = deadline_ns_.load();
  if (deadline_ns <= 0 || deadline_ns > now_ns) return;
  if (!deadline_ns_.compare_exchange_strong(deadline_ns, kBeingCut)) return;
  wait_->Interrupt();
  deadline_ns_.store(kCut);
}

}  // namespace dslap
