#include "agent/service/connection_gate.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

// How long nothing is accepted after descriptors ran out.
constexpr int64_t kPauseNs = 100'000'000;
constexpr int kAcceptsAtOnce = 64;
// Its thread is to be seen to live.
constexpr int kLongestWaitMs = 1000;
// How long what was sent may go unacknowledged: a peer that was cut off is no peer any more.
constexpr int kUserTimeoutMs = 20'000;

bool Watch(int epoll_fd, int fd, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

// Whether the peer ever sent anything: one that only looked whether somebody listens did not.
bool Spoke(int fd) {
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return false;
  // Its good-bye counts as one.
  return info.tcpi_bytes_received > 1;
}

}  // namespace

std::string PeerName(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof(in));
    inet_ntop(AF_INET, &in.sin_addr, text.data(), text.size());
    return absl::StrCat("ipv4:", text.data(), ":", ntohs(in.sin_port));
  }
  if (address.ss_family != AF_INET6) return "an unknown address";
  sockaddr_in6 in6{};
  std::memcpy(&in6, &address, sizeof(in6));
  if (IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr)) {
    inet_ntop(AF_INET, &in6.sin6_addr.s6_addr[12], text.data(), text.size());
    return absl::StrCat("ipv4:", text.data(), ":", ntohs(in6.sin6_port));
  }
  inet_ntop(AF_INET6, &in6.sin6_addr, text.data(), text.size());
  const std::string scope = in6.sin6_scope_id == 0 ? "" : absl::StrCat("%25", in6.sin6_scope_id);
  return absl::StrCat("ipv6:%5B", text.data(), scope, "%5D:", ntohs(in6.sin6_port));
}

ConnectionGate::ConnectionGate(ConnectionLimits limits, Clock* clock, RefusalLog* refusals,
                               TakeTlsError take_tls_error)
    : limits_(limits),
      clock_(clock),
      refusals_(refusals),
      take_tls_error_(std::move(take_tls_error)),
      book_(limits) {}

ConnectionGate::~ConnectionGate() { Close(); }

void ConnectionGate::Open(int listening_fd, std::function<void(int fd)> hand_over) {
  listening_fd_ = listening_fd;
  hand_over_ = std::move(hand_over);
  epoll_fd_ = epoll_create1(EPOLL_CLOEXEC);
  wake_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  dslap::Watch(epoll_fd_, wake_fd_, EPOLLIN);
  dslap::Watch(epoll_fd_, listening_fd_, EPOLLIN);
  attended_at_ns_ = SteadyClock::Get()->NowNs();
  thread_ = std::thread([this] {
    pthread_setname_np(pthread_self(), "gate");
    Loop();
  });
}

void ConnectionGate::Close() {
  if (!thread_.joinable()) return;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_fd_, &one, sizeof(one));
  thread_.join();
  attended_at_ns_ = 0;
  close(listening_fd_);
  close(wake_fd_);
  close(epoll_fd_);
}

bool ConnectionGate::Attended(absl::Duration patience) const {
  const int64_t attended_at_ns = attended_at_ns_;
  return attended_at_ns == 0 ||
         SteadyClock::Get()->Since(attended_at_ns) <= patience + absl::Milliseconds(kLongestWaitMs);
}

void ConnectionGate::Called(absl::string_view peer) {
  absl::MutexLock lock(&mu_);
  book_.Called(peer, clock_->NowNs());
}

void ConnectionGate::Asked(absl::string_view peer) {
  absl::MutexLock lock(&mu_);
  book_.Asked(peer);
}

void ConnectionGate::Hold(absl::string_view peer) {
  absl::MutexLock lock(&mu_);
  book_.Hold(peer);
}

void ConnectionGate::Release(absl::string_view peer) {
  absl::MutexLock lock(&mu_);
  book_.Release(peer, clock_->NowNs());
}

void ConnectionGate::Watch(absl::string_view peer) {
  absl::MutexLock lock(&mu_);
  book_.Watch(peer);
}

void ConnectionGate::Unwatch(absl::string_view peer) {
  absl::MutexLock lock(&mu_);
  book_.Unwatch(peer);
}

size_t ConnectionGate::connections() const {
  absl::MutexLock lock(&mu_);
  return book_.size();
}

void ConnectionGate::Loop() {
  std::array<epoll_event, 256> events{};
  for (;;) {
    const int ready = epoll_wait(epoll_fd_, events.data(), events.size(), WaitMs());
    attended_at_ns_ = SteadyClock::Get()->NowNs();
    bool stop = false;
    bool accept_some = false;
    for (int i = 0; i < ready; ++i) {
      const int fd = events[static_cast<size_t>(i)].data.fd;
      if (fd == wake_fd_) {
        stop = true;
      } else if (fd == listening_fd_) {
        accept_some = true;
      } else {
        Forget(fd);
      }
    }
    if (stop) break;
    if (listen_again_ns_.has_value() && clock_->NowNs() >= *listen_again_ns_) Listen(true);
    if (accept_some) Accept();
    EndSome();
  }
  absl::MutexLock lock(&mu_);
  for (const int id : book_.Ids()) {
    book_.Remove(id);
    close(id);
  }
}

// Rounded up, so that it is not woken a moment too early again and again.
int ConnectionGate::WaitMs() const {
  absl::MutexLock lock(&mu_);
  std::optional<int64_t> until_ns = book_.NextOverdueNs();
  if (listen_again_ns_.has_value()) {
    until_ns = std::min(until_ns.value_or(*listen_again_ns_), *listen_again_ns_);
  }
  if (!until_ns.has_value()) return kLongestWaitMs;
  const int64_t wait_ns = std::max<int64_t>(*until_ns - clock_->NowNs(), 0);
  return static_cast<int>(std::min<int64_t>((wait_ns + 999'999) / 1'000'000, kLongestWaitMs));
}

void ConnectionGate::Accept() {
  for (int i = 0; i < kAcceptsAtOnce; ++i) {
    // The second descriptor first: what is not accepted waits, what is has to be taken.
    const int second = fcntl(wake_fd_, F_DUPFD_CLOEXEC, 0);
    if (second < 0) return PauseFor(errno);
    sockaddr_storage from{};
    socklen_t size = sizeof(from);
    const int fd = accept4(listening_fd_, reinterpret_cast<sockaddr*>(&from), &size,
                           SOCK_NONBLOCK | SOCK_CLOEXEC);
    const int error_number = errno;
    if (fd >= 0) {
      Take(fd, second, from);
      continue;
    }
    close(second);
    if (error_number == EMFILE || error_number == ENFILE || error_number == ENOMEM ||
        error_number == ENOBUFS) {
      return PauseFor(error_number);
    }
    if (error_number == EAGAIN || error_number == EWOULDBLOCK) return;
    // All else is one connection that broke before it was accepted.
  }
}

void ConnectionGate::Take(int fd, int second, const sockaddr_storage& from) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUserTimeoutMs, sizeof(kUserTimeoutMs));
  // Hang-ups are told of without asking.
  if (dup3(fd, second, O_CLOEXEC) < 0 || !dslap::Watch(epoll_fd_, second, 0)) {
    // What cannot be seen to end is not let in.
    const std::string why = absl::StrCat("it cannot be watched: ", std::strerror(errno));
    close(second);
    close(fd);
    refusals_->Refused(Refusal::kDescriptors, PeerName(from), why);
    return;
  }
  {
    absl::MutexLock lock(&mu_);
    book_.Add(second, PeerName(from), clock_->NowNs());
  }
  hand_over_(fd);
}

// A run needs a descriptor for each client: what is short here comes back when some have ended, and
// one connection without a run makes room at once.
void ConnectionGate::PauseFor(int error_number) {
  const std::string why = absl::StrCat("no descriptor is left: ", std::strerror(error_number));
  {
    absl::MutexLock lock(&mu_);
    if (const std::optional<int> id = book_.TakeOldest()) {
      End({*id}, Refusal::kDescriptors, why);
    } else {
      refusals_->Refused(Refusal::kDescriptors, "a connection", why);
    }
  }
  Listen(false);
  listen_again_ns_ = clock_->NowNs() + kPauseNs;
}

void ConnectionGate::Listen(bool on) {
  if (on) listen_again_ns_.reset();
  epoll_event event{};
  if (on) event.events = EPOLLIN;
  event.data.fd = listening_fd_;
  epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, listening_fd_, &event);
}

void ConnectionGate::EndSome() {
  absl::MutexLock lock(&mu_);
  End(book_.TakeOverdue(clock_->NowNs()), Refusal::kUnused,
      absl::StrCat("no run for ", limits_.longest_unused_ns / 1'000'000'000,
                   " s: its connection was ended"));
  End(book_.TakeCrowd(), Refusal::kCrowd,
      absl::StrCat("the oldest of more than ", limits_.most_unused,
                   " connections without a run: it was ended"));
}

void ConnectionGate::End(const std::vector<int>& ids, Refusal kind, absl::string_view why) {
  for (const int id : ids) {
    const ConnectionBook::Entry* const entry = book_.Find(id);
    refusals_->Refused(kind, entry == nullptr ? "" : entry->peer, why);
    // gRPC sees it end as if the peer had hung up, and so does epoll.
    shutdown(id, SHUT_RDWR);
  }
}

void ConnectionGate::Forget(int id) {
  std::optional<ConnectionBook::Entry> entry;
  {
    absl::MutexLock lock(&mu_);
    entry = book_.Remove(id);
  }
  const bool spoke = Spoke(id);
  // By name: closing would not do it as long as gRPC has its own descriptor of the connection, and
  // this number may soon be another file's.
  epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, id, nullptr);
  close(id);
  if (!entry.has_value() || entry->called || entry->taken || !spoke) return;
  const std::string tls_error = take_tls_error_ ? take_tls_error_() : "";
  if (tls_error.empty()) {
    refusals_->Refused(Refusal::kNoCall, entry->peer,
                       take_tls_error_ ? "no call came over TLS: it may not trust this agent's "
                                         "certificate"
                                       : "what it sent is no call of this agent");
  } else {
    refusals_->Refused(Refusal::kHandshake, entry->peer, absl::StrCat("TLS: ", tls_error));
  }
}

}  // namespace dslap
