// Lets an agent be pointed only at the databases that its owner allows (--allow-target).
//
//   TargetGuard guard(rules, "--allow-target=10.0.0.0/8:3306", LookUpHost, DefaultSocketPath());
//   RETURN_IF_ERROR(guard.Admit(&target));
//
// A name is looked up here, once for a run: what is then connected to, by every connection of the
// run, are those of its addresses that a rule allows. Whatever the name stands for a moment later
// counts for nothing. The name itself is kept, for the check of the server's certificate.
#ifndef DSLAP_AGENT_GUARD_TARGET_GUARD_H_
#define DSLAP_AGENT_GUARD_TARGET_GUARD_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/guard/target_rule.h"
#include "agent/sql/sql_target.h"

namespace dslap {

// The numeric addresses of a host, in the order in which they are to be tried. An error says why
// there are none. May block for as long as name servers take.
using HostLookUp = std::function<absl::StatusOr<std::vector<std::string>>(const std::string& host)>;

// Thread-safe if the look-up is.
class TargetGuard {
 public:
  // `shown`: how a refusal calls the rules. `default_socket`: where a target without a path goes.
  TargetGuard(std::vector<TargetRule> rules, std::string shown, HostLookUp look_up,
              std::string default_socket)
      : rules_(std::move(rules)),
        shown_(std::move(shown)),
        look_up_(std::move(look_up)),
        default_socket_(std::move(default_socket)) {}

  // Binds the target to what a rule allows: to addresses, or to a socket's path. PERMISSION_DENIED
  // naming target and rules; FAILED_PRECONDITION when the host has no address.
  absl::Status Admit(SqlTarget* target) const;

 private:
  absl::Status AdmitSocket(SqlTarget* target) const;
  absl::Status AdmitHost(SqlTarget* target) const;

  const std::vector<TargetRule> rules_;
  const std::string shown_;
  const HostLookUp look_up_;
  const std::string default_socket_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_GUARD_TARGET_GUARD_H_
