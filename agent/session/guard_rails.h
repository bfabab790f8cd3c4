// What the owner of an agent allows a run to do; nothing is bounded at first. Production:
// agent/options/agent_guard_rails.h.
#ifndef DSLAP_AGENT_SESSION_GUARD_RAILS_H_
#define DSLAP_AGENT_SESSION_GUARD_RAILS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "agent/sql/sql_target.h"

namespace dslap {

// The rules are how refusals and GetInfo call them: "--max-clients=100 (/etc/dslap/agent.conf:8)".
struct GuardRails {
  // Binds the target to what may be connected to, or refuses it; may block. Thread-safe. Null:
  // every target is allowed.
  std::function<absl::Status(SqlTarget*)> admit_target;
  std::string target_rule;
  uint64_t max_clients = 0;  // of a round; 0: no bound
  std::string max_clients_rule;
  int64_t max_run_time_ns = 0;  // from Open on; 0: no bound
  std::string max_run_time_rule;

  // OK, or PERMISSION_DENIED naming the rule. The first may block.
  absl::Status AdmitTarget(SqlTarget* target) const;
  absl::Status AdmitClients(uint64_t clients) const;
  absl::Status AdmitRunTime(int64_t run_time_ns) const;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_GUARD_RAILS_H_
