#include "agent/service/connection_gate.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "agent/service/listen_address.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::Duration kFewSeconds = absl::Seconds(10);

// One end of a connection to the gate.
class Caller {
 public:
  explicit Caller(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0) << strerror(errno);
    sockaddr_storage own{};
    socklen_t size = sizeof(own);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&own), &size);
    name_ = PeerName(own);
  }
  ~Caller() { HangUp(); }
  Caller(Caller&& other) noexcept : fd_(std::exchange(other.fd_, -1)), name_(other.name_) {}
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  const std::string& name() const { return name_; }
  void Say(const std::string& what) const {
    EXPECT_EQ(send(fd_, what.data(), what.size(), MSG_NOSIGNAL), static_cast<ssize_t>(what.size()));
  }
  void HangUp() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }
  // Whether the other side hangs up within `time`.
  bool Ended(absl::Duration time) const {
    pollfd wait{fd_, POLLIN, 0};
    if (poll(&wait, 1, static_cast<int>(absl::ToInt64Milliseconds(time))) != 1) return false;
    char byte = 0;
    return recv(fd_, &byte, 1, MSG_DONTWAIT) == 0;
  }

 private:
  int fd_;
  std::string name_;
};

// A gate whose connections go to a stand-in for gRPC: it keeps them, and closes what hung up.
class ConnectionGateTest : public testing::Test {
 protected:
  void Open(ConnectionLimits limits, bool tls = false) {
    ConnectionGate::TakeTlsError take;
    if (tls) take = [this] { return std::exchange(tls_error_, ""); };
    gate_ = std::make_unique<ConnectionGate>(limits, SteadyClock::Get(), &refusals_, take);
    const absl::StatusOr<ListeningSocket> listening = ListenOn("127.0.0.1:0");
    ASSERT_TRUE(listening.ok()) << listening.status();
    port_ = listening->port;
    gate_->Open(listening->fd, [this](int fd) {
      absl::MutexLock lock(&mu_);
      taken_.push_back(fd);
    });
  }
  ~ConnectionGateTest() override {
    gate_.reset();
    for (const int fd : taken_) close(fd);
  }

  void AwaitTaken(size_t count) {
    absl::MutexLock lock(&mu_);
    const auto enough = [this, count] { return taken_.size() >= count; };
    ASSERT_TRUE(mu_.AwaitWithTimeout(absl::Condition(&enough), kFewSeconds)) << taken_.size();
  }
  // As gRPC does when a peer hung up or said nonsense.
  void DropAll() {
    absl::MutexLock lock(&mu_);
    for (const int fd : taken_) {
      shutdown(fd, SHUT_RDWR);
      close(fd);
    }
    taken_.clear();
  }
  void AwaitConnections(size_t count) const {
    const absl::Time until = absl::Now() + kFewSeconds;
    while (gate_->connections() != count) ASSERT_LT(absl::Now(), until) << gate_->connections();
  }
  void AwaitRefusals(Refusal kind, uint64_t count) const {
    const absl::Time until = absl::Now() + kFewSeconds;
    while (refusals_.count(kind) != count) ASSERT_LT(absl::Now(), until) << refusals_.count(kind);
  }

  RefusalLog refusals_{SteadyClock::Get()};
  std::string tls_error_;
  std::unique_ptr<ConnectionGate> gate_;
  int port_ = 0;
  absl::Mutex mu_;
  std::vector<int> taken_;
};

TEST_F(ConnectionGateTest, OldestOfACrowdGoesAndARunStays) {
  Open({.most_unused = 2, .longest_unused_ns = INT64_MAX / 2});
  const Caller run(port_);
  AwaitTaken(1);
  gate_->Hold(run.name());
  const Caller first(port_);
  const Caller second(port_);
  const Caller third(port_);
  EXPECT_TRUE(first.Ended(kFewSeconds));
  AwaitTaken(4);
  EXPECT_FALSE(run.Ended(absl::ZeroDuration()));
  EXPECT_FALSE(second.Ended(absl::ZeroDuration()));
  EXPECT_FALSE(third.Ended(absl::ZeroDuration()));
  EXPECT_EQ(refusals_.count(Refusal::kCrowd), 1U);
}

TEST_F(ConnectionGateTest, OneWithoutARunIsEndedInTime) {
  Open({.longest_unused_ns = 50'000'000});
  const Caller idle(port_);
  const Caller watching(port_);
  AwaitTaken(2);
  gate_->Watch(watching.name());
  EXPECT_TRUE(idle.Ended(kFewSeconds));
  EXPECT_FALSE(watching.Ended(absl::ZeroDuration()));
  EXPECT_EQ(refusals_.count(Refusal::kUnused), 1U);
  gate_->Unwatch(watching.name());
  // Had the gate slept until it is woken, it would not see this one.
  const Caller another(port_);
  EXPECT_TRUE(watching.Ended(kFewSeconds));
}

TEST_F(ConnectionGateTest, WhoSaysSomethingThatIsNoCallIsLoggedWithItsAddress) {
  Open({});
  testing::internal::CaptureStderr();
  Caller talker(port_);
  talker.Say("GET / HTTP/1.1\r\n\r\n");
  AwaitTaken(1);
  DropAll();
  AwaitRefusals(Refusal::kNoCall, 1);
  gate_->Close();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr(absl::StrCat("refused ", talker.name(),
                                     ": what it sent is no call of this agent\n")));
}

TEST_F(ConnectionGateTest, TlsThatFailsIsLoggedWithAddressAndReason) {
  Open({}, /*tls=*/true);
  testing::internal::CaptureStderr();
  tls_error_ = "peer did not return a certificate";
  Caller stranger(port_);
  stranger.Say("client hello");
  AwaitTaken(1);
  DropAll();
  AwaitRefusals(Refusal::kHandshake, 1);
  Caller distrustful(port_);
  distrustful.Say("unknown ca");
  AwaitTaken(1);
  DropAll();
  AwaitRefusals(Refusal::kNoCall, 1);
  gate_->Close();
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr(absl::StrCat("refused ", stranger.name(),
                                          ": TLS: peer did not return a certificate\n")));
  EXPECT_THAT(log, HasSubstr(absl::StrCat("refused ", distrustful.name(),
                                          ": no call came over TLS: it may not trust this "
                                          "agent's certificate\n")));
}

TEST_F(ConnectionGateTest, WhoCalledOrOnlyLookedIsNotLogged) {
  Open({});
  testing::internal::CaptureStderr();
  Caller caller(port_);
  caller.Say("a call");
  Caller look(port_);
  AwaitTaken(2);
  gate_->Called(caller.name());
  caller.HangUp();
  look.HangUp();
  DropAll();
  AwaitConnections(0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
}

// Epoll goes on telling of a descriptor that is closed while there is another of the same
// connection: closing it once more hit whatever file had got its number.
TEST_F(ConnectionGateTest, DescriptorThatIsUsedAgainIsNotClosed) {
  Open({});
  const Caller first(port_);
  AwaitTaken(1);
  shutdown(taken_[0], SHUT_RDWR);
  AwaitConnections(0);
  std::vector<int> files;
  for (int i = 0; i < 8; ++i) files.push_back(eventfd(0, EFD_CLOEXEC));
  // The gate looks at what there is to see once more.
  const Caller second(port_);
  AwaitTaken(2);
  for (const int fd : files) EXPECT_EQ(close(fd), 0) << strerror(errno);
}

// gRPC's own listener never accepts again after that.
TEST_F(ConnectionGateTest, AcceptsAgainAfterDescriptorsRanOut) {
  Open({});
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const Caller idle(port_);
  AwaitTaken(1);
  // No descriptor more than there are.
  const int next = dup(0);
  close(next);
  const rlimit none{static_cast<rlim_t>(next), before.rlim_max};
  const int spare = socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_EQ(spare, next);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(port_));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(connect(spare, reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0);
  // The oldest makes room for it.
  EXPECT_TRUE(idle.Ended(kFewSeconds));
  EXPECT_GE(refusals_.count(Refusal::kDescriptors), 1U);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  AwaitTaken(2);
  close(spare);
}

TEST(PeerNameTest, IsAsGrpcNamesIt) {
  sockaddr_storage address{};
  auto* const in = reinterpret_cast<sockaddr_in*>(&address);
  in->sin_family = AF_INET;
  in->sin_port = htons(4711);
  in->sin_addr.s_addr = htonl(0x0a000009);
  EXPECT_EQ(PeerName(address), "ipv4:10.0.0.9:4711");
  address = {};
  auto* const in6 = reinterpret_cast<sockaddr_in6*>(&address);
  in6->sin6_family = AF_INET6;
  in6->sin6_port = htons(4711);
  in6->sin6_addr = in6addr_loopback;
  EXPECT_EQ(PeerName(address), "ipv6:%5B::1%5D:4711");
  inet_pton(AF_INET6, "fe80::1", &in6->sin6_addr);
  in6->sin6_scope_id = 3;
  EXPECT_EQ(PeerName(address), "ipv6:%5Bfe80::1%253%5D:4711");
  in6->sin6_scope_id = 0;
  inet_pton(AF_INET6, "::ffff:10.0.0.9", &in6->sin6_addr);
  EXPECT_EQ(PeerName(address), "ipv4:10.0.0.9:4711");
}

}  // namespace
}  // namespace dslap
