#include "tests/support/net_lab.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace dslap {
namespace {

constexpr absl::Duration kCommandTimeout = absl::Seconds(30);
constexpr int kMaxHosts = 200;
constexpr char kDevice[] = "eth0";
constexpr char kTunDevice[] = "/dev/net/tun";

// A fresh network namespace, -1 with errno when there can be none. It is made by a thread that
// ends: the caller stays where it is.
int NewNamespace() {
  int fd = -1;
  int error = 0;
  std::thread([&] {
    if (unshare(CLONE_NEWNET) == 0) fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    error = errno;
  }).join();
  errno = error;
  return fd;
}

int NewNamespaceOrDie() {
  const int fd = NewNamespace();
  if (fd >= 0) return fd;
  std::perror("net lab: make a network namespace");
  std::abort();
}

// For other processes.
std::string PathOf(int fd) { return absl::StrCat("/proc/", getpid(), "/fd/", fd); }

// A lab that is not what the test thinks it is would prove nothing.
void Shell(int network_fd, const std::vector<std::string>& commands) {
  SubprocessSpec spec;
  spec.argv = {"/bin/sh", "-ec", absl::StrJoin(commands, "\n")};
  spec.network_fd = network_fd;
  const ProcessResult result = RunProcess(spec, kCommandTimeout);
  if (result.exit_code == 0) return;
  std::fprintf(stderr, "net lab: exit code %d of:\n%s\n%s", result.exit_code, spec.argv[2].c_str(),
               result.err.c_str());
  std::abort();
}

bool Exists(const char* program) {
  return RunProcess({.argv = {"/bin/sh", "-c", absl::StrCat("command -v ", program)}},
                    kCommandTimeout)
             .exit_code == 0;
}

std::string Port(int host) { return absl::StrCat("port", host); }

}  // namespace

NetHost::NetHost(NetLab* lab, int number, std::string name, WireQuality wire)
    : lab_(lab),
      number_(number),
      name_(std::move(name)),
      wire_(wire),
      address_(absl::StrCat("10.77.0.", number)) {
  Boot();
}

NetHost::~NetHost() {
  wire_process_.reset();
  close(network_fd_);
}

void NetHost::Boot() {
  network_fd_ = NewNamespaceOrDie();
  const std::string bridge = PathOf(lab_->bridge_fd_);
  const std::string port = Port(number_);
  if (wire_.perfect()) {
    Shell(network_fd_, {absl::StrCat("ip link add ", kDevice, " type veth peer name ", port,
                                     " netns ", bridge)});
  } else {
    SubprocessSpec spec;
    spec.argv = {absl::StrCat(DSLAP_BINARY_DIR, "/tests/dslap_test_wire"),
                 PathOf(network_fd_),
                 kDevice,
                 bridge,
                 port,
                 absl::StrCat(absl::ToInt64Microseconds(wire_.delay)),
                 absl::StrCat(absl::ToInt64Microseconds(wire_.jitter)),
                 absl::StrCat(wire_.loss_percent)};
    wire_process_ = std::make_unique<Subprocess>(spec);
    if (!wire_process_->WaitForOutput("ready\n", kCommandTimeout)) {
      std::fprintf(stderr, "net lab: no wire: %s\n", wire_process_->err().c_str());
      std::abort();
    }
  }
  // The hardware address outlasts a reboot: the neighbours have it in their tables.
  Shell(network_fd_,
        {"ip link set lo up",
         absl::StrCat("ip link set ", kDevice, " address 02:00:00:00:00:", absl::Hex(number_)),
         absl::StrCat("ip addr add ", address_, "/24 dev ", kDevice),
         // Where nobody answers it is asked again soon and for long: a cable that is plugged in is
         // found at once, and "no route to host" is no answer.
         absl::StrCat("echo 100 >/proc/sys/net/ipv4/neigh/", kDevice, "/retrans_time_ms"),
         absl::StrCat("echo 100 >/proc/sys/net/ipv4/neigh/", kDevice, "/mcast_solicit"),
         absl::StrCat("ip link set ", kDevice, " up")});
  Shell(lab_->bridge_fd_, {absl::StrCat("ip link set ", port, " master br0 up")});
}

void NetHost::CutCable() {
  Shell(lab_->bridge_fd_, {absl::StrCat("ip link set ", Port(number_), " down")});
}

void NetHost::PlugCable() {
  Shell(lab_->bridge_fd_, {absl::StrCat("ip link set ", Port(number_), " up")});
}

void NetHost::Filter(const std::vector<std::string>& rules) {
  std::vector<std::string> commands = {"nft add table inet faults"};
  for (const char* const hook : {"input", "output"}) {
    commands.push_back(absl::StrCat("nft add chain inet faults ", hook, " '{ type filter hook ",
                                    hook, " priority 0; }'"));
    const char* const other_than_lo = *hook == 'i' ? "iif != lo " : "oif != lo ";
    for (const std::string& rule : rules) {
      commands.push_back(
          absl::StrCat("nft 'add rule inet faults ", hook, " ", other_than_lo, rule, "'"));
    }
  }
  Shell(network_fd_, commands);
}

void NetHost::DropPackets() { Filter({"drop"}); }

void NetHost::ResetConnections(int port) {
  // The reset itself passes both hooks, and must.
  const std::string rest = " tcp flags & rst == 0 reject with tcp reset";
  Filter({absl::StrCat("tcp dport ", port, rest), absl::StrCat("tcp sport ", port, rest)});
}

void NetHost::RemoveFilters() { Shell(network_fd_, {"nft flush ruleset"}); }

void NetHost::Reboot() {
  // With the last descriptor and process the namespace goes, and its end of the cable with it.
  wire_process_.reset();
  Shell(network_fd_, {absl::StrCat("ip link del ", kDevice, " 2>/dev/null || true")});
  close(network_fd_);
  Boot();
}

std::string NetLab::WhyNot() {
  if (geteuid() != 0) return "several hosts on one machine need root";
  const int fd = NewNamespace();
  if (fd < 0) return absl::StrCat("no network namespaces here: ", strerror(errno));
  close(fd);
  if (access(kTunDevice, R_OK | W_OK) != 0) {
    return absl::StrCat(kTunDevice, ": ", strerror(errno));
  }
  for (const auto& [program, package] :
       {std::pair("ip", "iproute2"), std::pair("nft", "nftables")}) {
    if (!Exists(program)) return absl::StrCat("no ", program, " here: install ", package);
  }
  return "";
}

NetLab::NetLab() : bridge_fd_(NewNamespaceOrDie()) {
  Shell(bridge_fd_, {"ip link add br0 type bridge", "ip link set br0 up"});
}

NetLab::~NetLab() {
  {
    absl::MutexLock lock(&mu_);
    hosts_.clear();
  }
  close(bridge_fd_);
}

NetHost& NetLab::AddHost(const std::string& name, const WireQuality& wire) {
  int number = 0;
  {
    absl::MutexLock lock(&mu_);
    hosts_.emplace_back();
    number = static_cast<int>(hosts_.size());
  }
  if (number > kMaxHosts) {
    std::fprintf(stderr, "net lab: more than %d hosts\n", kMaxHosts);
    std::abort();
  }
  std::unique_ptr<NetHost> host(new NetHost(this, number, name, wire));
  absl::MutexLock lock(&mu_);
  return *(hosts_[static_cast<size_t>(number) - 1] = std::move(host));
}

}  // namespace dslap
