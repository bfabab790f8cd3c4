// A cable between two network namespaces that delays, jitters and loses: it reads packets from a
// tap device in one and writes them to a tap device in the other, in both directions. For NetHost
// (net_lab.h), as not every kernel has netem.
//
//   dslap_test_wire /proc/17/fd/5 eth0 /proc/17/fd/4 port1 DELAY_US JITTER_US LOSS_PERCENT
//
// Prints "ready" when both devices are there. Ends when killed, and the devices with it.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <random>
#include <string>
#include <thread>

namespace dslap {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxQueued = 20'000;
constexpr size_t kMaxPacketBytes = 70'000;

struct Quality {
  double delay_us = 0;
  double jitter_us = 0;
  double loss_percent = 0;
};

int MakeTap(const char* network, const char* device) {
  const int network_fd = open(network, O_RDONLY | O_CLOEXEC);
  if (network_fd < 0 || setns(network_fd, CLONE_NEWNET) != 0) {
    std::perror(network);
    std::exit(1);
  }
  close(network_fd);
  const int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
  ifreq request{};
  std::strncpy(request.ifr_name, device, IFNAMSIZ - 1);
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  if (fd < 0 || ioctl(fd, TUNSETIFF, &request) != 0) {
    std::perror(device);
    std::exit(1);
  }
  return fd;
}

// One direction of the cable.
class Lane {
 public:
  Lane(int in, int out, const Quality& quality) : in_(in), out_(out), quality_(quality) {}

  [[noreturn]] void Run() {
    std::thread writer([this] { Deliver(); });
    std::mt19937 random(std::random_device{}());
    std::uniform_real_distribution<> even(0, 1);
    std::array<char, kMaxPacketBytes> buffer;
    Clock::time_point last{};
    for (;;) {
      const ssize_t bytes = read(in_, buffer.data(), buffer.size());
      if (bytes <= 0 || even(random) * 100 < quality_.loss_percent) continue;
      const double us = quality_.delay_us + quality_.jitter_us * (2 * even(random) - 1);
      last = std::max(last, Clock::now() + std::chrono::microseconds(static_cast<int64_t>(us)));
      const std::lock_guard lock(mu_);
      if (queue_.size() == kMaxQueued) continue;
      queue_.push_back({last, std::string(buffer.data(), static_cast<size_t>(bytes))});
      news_.notify_one();
    }
  }

 private:
  struct Packet {
    Clock::time_point due;
    std::string bytes;
  };

  [[noreturn]] void Deliver() {
    for (;;) {
      std::unique_lock lock(mu_);
      news_.wait(lock, [this] { return !queue_.empty(); });
      const Packet packet = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      std::this_thread::sleep_until(packet.due);
      // EIO: the device is down, as a cable that was cut.
      if (write(out_, packet.bytes.data(), packet.bytes.size()) < 0 && errno != EIO) {
        std::perror("write");
      }
    }
  }

  const int in_;
  const int out_;
  const Quality quality_;
  std::mutex mu_;
  std::condition_variable news_;
  std::deque<Packet> queue_;
};

}  // namespace
}  // namespace dslap

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fprintf(stderr,
                 "usage: dslap_test_wire NETWORK DEVICE NETWORK DEVICE DELAY_US JITTER_US "
                 "LOSS_PERCENT\n");
    return 2;
  }
  const int left = dslap::MakeTap(argv[1], argv[2]);
  const int right = dslap::MakeTap(argv[3], argv[4]);
  const dslap::Quality quality = {std::atof(argv[5]), std::atof(argv[6]), std::atof(argv[7])};
  std::puts("ready");
  std::fflush(stdout);
  dslap::Lane there(left, right, quality);
  dslap::Lane back(right, left, quality);
  std::thread other([&] { there.Run(); });
  back.Run();
}
