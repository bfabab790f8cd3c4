#include "agent/async/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "common/status_util.h"

namespace dslap {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
constexpr int64_t kLongestWaitMs = 3'600'000;
// Coroutines that go on between two looks at the sockets: a crowd that starts at once must not make
// an answer that is there wait for the last of them.
constexpr size_t kResumedAtOnce = 16;
constexpr size_t kEventsAtOnce = 64;

}  // namespace

absl::StatusOr<std::unique_ptr<EventLoop>> EventLoop::Create(Clock* clock) {
  constexpr char kWhat[] = "make an event loop";
  const int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) return ErrnoToStatus(errno, kWhat);
  const int wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd < 0) {
    const int error = errno;
    close(epoll_fd);
    return ErrnoToStatus(error, kWhat);
  }
  std::unique_ptr<EventLoop> loop(new EventLoop(clock, epoll_fd, wake_fd));
  // Edge-triggered: the counter need never be read.
  if (!loop->Watch(wake_fd, nullptr)) return ErrnoToStatus(errno, kWhat);
  return loop;
}

EventLoop::EventLoop(Clock* clock, int epoll_fd, int wake_fd)
    : clock_(clock), epoll_fd_(epoll_fd), wake_fd_(wake_fd) {}

EventLoop::~EventLoop() {
  close(wake_fd_);
  close(epoll_fd_);
}

void EventLoop::RunUntil(const std::function<bool()>& done) {
  while (!done()) {
    ResumeReady();
    // Asked again: a wait that nothing ends must not begin.
    if (done()) return;
    Poll();
    RunTimers();
  }
}

void EventLoop::ResumeReady() {
  for (size_t i = 0; i < kResumedAtOnce && next_ready_ < ready_.size(); ++i) {
    ready_[next_ready_++].resume();
  }
  // When all were resumed, or so many that moving the rest costs little for each.
  if (next_ready_ * 2 < ready_.size() || next_ready_ == 0) return;
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<ptrdiff_t>(next_ready_));
  next_ready_ = 0;
}

void EventLoop::Poll() {
  std::array<epoll_event, kEventsAtOnce> events;  // NOLINT(*-member-init): filled by the kernel
  const int count = epoll_wait(epoll_fd_, events.data(), kEventsAtOnce, TimeoutMs());
  for (int i = 0; i < count; ++i) {
    auto* const handler = static_cast<Handler*>(events[static_cast<size_t>(i)].data.ptr);
    if (handler == nullptr) {
      TellNotified();
    } else {
      handler->OnSocket(events[static_cast<size_t>(i)].events);
    }
  }
}

int EventLoop::TimeoutMs() {
  if (next_ready_ < ready_.size()) return 0;
  if (timers_.empty()) return -1;
  const int64_t left_ns = timers_.begin()->first - clock_->NowNs();
  return static_cast<int>(
      std::clamp<int64_t>((left_ns + kNsPerMs - 1) / kNsPerMs, 0, kLongestWaitMs));
}

void EventLoop::RunTimers() {
  if (timers_.empty()) return;
  const int64_t now_ns = clock_->NowNs();
  while (!timers_.empty() && timers_.begin()->first <= now_ns) {
    const std::function<void()> action = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    action();
  }
}

bool EventLoop::Watch(int fd, Handler* handler) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
  event.data.ptr = handler;
  return epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) == 0 || errno == EEXIST;
}

void EventLoop::WantWritable(int fd, Handler* handler, bool wanted) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP | EPOLLET | (wanted ? uint32_t{EPOLLOUT} : 0U);
  event.data.ptr = handler;
  epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, fd, &event);
}

EventLoop::TimerId EventLoop::CallAt(int64_t instant_ns, std::function<void()> action) {
  return timers_.emplace(instant_ns, std::move(action));
}

void EventLoop::Notify(Handler* handler) {
  {
    const std::lock_guard<std::mutex> lock(notified_mu_);
    notified_.push_back(handler);
  }
  const uint64_t one = 1;
  // Fails only when the counter is full, and then the loop has something to see anyway.
  static_cast<void>(!write(wake_fd_, &one, sizeof(one)));
}

void EventLoop::TellNotified() {
  {
    const std::lock_guard<std::mutex> lock(notified_mu_);
    being_told_.swap(notified_);
  }
  while (!being_told_.empty()) {
    Handler* const handler = being_told_.back();
    being_told_.pop_back();
    handler->OnNotify();
  }
}

void EventLoop::Forget(Handler* handler) {
  std::erase(being_told_, handler);
  const std::lock_guard<std::mutex> lock(notified_mu_);
  std::erase(notified_, handler);
}

}  // namespace dslap
