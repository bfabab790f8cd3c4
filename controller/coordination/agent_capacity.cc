#include "controller/coordination/agent_capacity.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "controller/coordination/agent_names.h"
#include "controller/coordination/requests.h"
#include "controller/plan/shares.h"

namespace dslap {
namespace {

// Descriptors of a run beside those of the clients: its stream and the connection of the scripts,
// and up to 16 connections that kill statements side by side. docs/performance.md has what was
// measured.
constexpr uint64_t kRunDescriptors = 18;
// Of each event loop, and of the connects that are made beside the loops.
constexpr uint64_t kLoopDescriptors = 2;
constexpr uint64_t kAsideDescriptors = 8;
// Threads of a run beside the clients': its session, what gRPC adds, and those that kill.
constexpr uint64_t kRunThreads = 20;

struct Need {
  uint64_t clients = 0;
  uint64_t figure = 0;
};

void Raise(Need* need, uint64_t clients, uint64_t figure) {
  if (figure > need->figure) *need = {clients, figure};
}

struct Needs {
  Need descriptors;
  Need threads;
  Need ports;
};

bool CarriedByThreads(uint64_t clients, const v1::GetInfoResponse& info, const AgentLoad& load) {
  if (load.engine.kind != LoadEngineKind::kAuto) {
    return load.engine.kind == LoadEngineKind::kThreads;
  }
  return info.loops_from_clients() == 0 || clients < info.loops_from_clients();
}

Needs NeedsOf(const v1::GetInfoResponse& info, const AgentLoad& load) {
  const uint64_t loops = load.engine.threads != 0 ? load.engine.threads : info.cores();
  Needs needs;
  for (const uint64_t clients : load.shares) {
    if (clients == 0) continue;
    uint64_t descriptors = info.open_files() + kRunDescriptors;
    if (CarriedByThreads(clients, info, load)) {
      // Under TLS the client library reads by itself: a second descriptor is for ending that.
      descriptors += load.over_tls ? 2 * clients : clients;
      Raise(&needs.threads, clients, clients + kRunThreads);
    } else {
      descriptors += clients + kLoopDescriptors * loops + kAsideDescriptors;
    }
    Raise(&needs.descriptors, clients, descriptors);
    if (load.over_tcp) Raise(&needs.ports, clients, clients);
  }
  return needs;
}

std::string HowToRaiseThreads(const std::string& limit) {
  if (limit == "pids.max") return "raise TasksMax= of its unit";
  if (limit == "RLIMIT_NPROC") return "raise LimitNPROC= of its unit (or `ulimit -u`)";
  return absl::StrCat("raise sysctl ", limit, " of its host");
}

bool InProcess(const std::string& agent) { return agent == kInProcessAgentName; }

}  // namespace

std::vector<AgentLoad> LoadsOf(const Plan& plan, const std::vector<uint64_t>& weights,
                               const LoadEngineOptions& engine, const TargetOptions& target) {
  AgentLoad load;
  load.engine = engine;
  load.over_tcp = !GoesBySocket(target);
  load.over_tls = load.over_tcp && target.tls.mode >= TlsMode::kRequired;
  std::vector<AgentLoad> loads(weights.size(), load);
  for (const CasePlan& one : plan.cases) {
    const std::vector<uint64_t> clients = Apportion(one.clients, weights);
    for (size_t i = 0; i < loads.size(); ++i) loads[i].shares.push_back(clients[i]);
  }
  return loads;
}

absl::Status CheckCapacity(const std::string& agent, const v1::GetInfoResponse& info,
                           const AgentLoad& load) {
  const Needs needs = NeedsOf(info, load);
  std::vector<std::string> missing;
  const auto add = [&](const Need& need, const char* what, const std::string& has_and_cure) {
    missing.push_back(absl::StrCat("needs ", need.figure, " ", what, " for ", need.clients,
                                   need.clients == 1 ? " client, " : " clients, ", has_and_cure));
  };
  if (info.max_open_files() != 0 && needs.descriptors.figure > info.max_open_files()) {
    add(needs.descriptors, "descriptors",
        absl::StrCat(
            "has ", info.max_open_files(), ": raise ",
            InProcess(agent) ? "`ulimit -n`" : "LimitNOFILE= of its unit (or `ulimit -n`)"));
  }
  if (!info.threads_limit().empty() && needs.threads.figure > info.free_threads()) {
    add(needs.threads, "threads",
        absl::StrCat("can start ", info.free_threads(), " more (", info.threads_limit(),
                     "): ", HowToRaiseThreads(info.threads_limit()),
                     info.loops_from_clients() != 0 ? ", or use --load-engine=epoll" : ""));
  }
  if (info.local_ports() != 0 && needs.ports.figure > info.local_ports()) {
    add(needs.ports, "local ports",
        absl::StrCat(
            "has ", info.local_ports(),
            ": widen sysctl net.ipv4.ip_local_port_range of its host, or use more agents"));
  }
  const v1::GuardRails& rails = info.guard_rails();
  const uint64_t share = load.shares.empty() ? 0 : *absl::c_max_element(load.shares);
  if (rails.max_clients() != 0 && share > rails.max_clients()) {
    missing.push_back(absl::StrCat("is to have ", share, share == 1 ? " client" : " clients",
                                   ", but its owner allows no more than ", rails.max_clients(),
                                   " (", rails.max_clients_rule(), "): use more agents"));
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat(InProcess(agent) ? "this process " : absl::StrCat("agent ", agent, ": "),
                   absl::StrJoin(missing, ", and ")));
}

}  // namespace dslap
