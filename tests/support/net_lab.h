// Several hosts on one machine, with real networks between them: each a network namespace with an
// address of its own, all joined by a bridge. For tests of what several machines do to each other.
//
//   if (const std::string why = NetLab::WhyNot(); !why.empty()) GTEST_SKIP() << why;
//   NetLab lab;
//   NetHost& far = lab.AddHost("far", {.delay = absl::Milliseconds(100)});
//   AgentProcess agent({"--insecure", "--listen=" + far.address() + ":7527"}, far.network_fd());
//   far.CutCable();
//
// The namespaces have no names, only descriptors: they and all that is in them are gone when the
// test and its processes are, however it ends, and tests that run at the same time do not meet.
// Files are shared: a Unix socket of one host is reached from all.
#ifndef DSLAP_TESTS_SUPPORT_NET_LAB_H_
#define DSLAP_TESTS_SUPPORT_NET_LAB_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "tests/support/subprocess.h"

namespace dslap {

// What the cable of a host does to each packet, in either direction; the order is kept.
struct WireQuality {
  absl::Duration delay = {};   // one way
  absl::Duration jitter = {};  // added or taken off, evenly spread
  double loss_percent = 0;

  bool perfect() const {
    return delay == absl::ZeroDuration() && jitter == absl::ZeroDuration() && loss_percent == 0;
  }
};

class NetLab;

// A host. Different hosts may be used by different threads, one by one only. What fails aborts the
// test.
class NetHost {
 public:
  ~NetHost();
  NetHost(const NetHost&) = delete;
  NetHost& operator=(const NetHost&) = delete;

  const std::string& name() const { return name_; }
  const std::string& address() const { return address_; }  // "10.77.0.2"
  // For processes that are to run there: SubprocessSpec::network_fd. Another after Reboot().
  int network_fd() const { return network_fd_; }

  // Nothing gets in or out; nobody is told.
  void CutCable();
  void PlugCable();

  // The same by a filter of the host: packets vanish while the link stays up.
  void DropPackets();
  // From now on each packet of a TCP connection from or to `port` of this host breaks the
  // connection at both ends (RST), and new ones are refused.
  void ResetConnections(int port);
  // Undoes DropPackets() and ResetConnections().
  void RemoveFilters();

  // As if the power had gone: its connections are no more and nobody was told. The caller ends the
  // processes (SIGKILL) after CutCable() and before this; then new ones may be started.
  void Reboot();

 private:
  friend class NetLab;
  NetHost(NetLab* lab, int number, std::string name, WireQuality wire);

  void Boot();
  void Filter(const std::vector<std::string>& rules);

  NetLab* const lab_;
  const int number_;
  const std::string name_;
  const WireQuality wire_;
  const std::string address_;
  int network_fd_ = -1;
  std::unique_ptr<Subprocess> wire_process_;  // null: the cable is a veth pair
};

// Thread-safe. Hosts with an imperfect wire are to be added by a thread that lives as long as they.
class NetLab {
 public:
  // Why there can be no lab here: needs root, iproute2, nft, /dev/net/tun. Empty: there can.
  static std::string WhyNot();

  NetLab();
  ~NetLab();
  NetLab(const NetLab&) = delete;
  NetLab& operator=(const NetLab&) = delete;

  // At most 200. The host lives as long as the lab.
  NetHost& AddHost(const std::string& name, const WireQuality& wire = {}) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  friend class NetHost;

  const int bridge_fd_;  // the namespace of the bridge
  absl::Mutex mu_;
  std::vector<std::unique_ptr<NetHost>> hosts_ ABSL_GUARDED_BY(mu_);
};

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_NET_LAB_H_
