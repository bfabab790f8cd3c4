#include "agent/session/guard_rails.h"

#include "absl/strings/str_cat.h"

namespace dslap {

absl::Status GuardRails::AdmitTarget(SqlTarget* target) const {
  return admit_target ? admit_target(target) : absl::OkStatus();
}

absl::Status GuardRails::AdmitClients(uint64_t clients) const {
  if (max_clients == 0 || clients <= max_clients) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat("refuses ", clients, " clients: ", max_clients_rule, " does not allow them"));
}

absl::Status GuardRails::AdmitRunTime(int64_t run_time_ns) const {
  if (max_run_time_ns == 0 || run_time_ns < max_run_time_ns) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat("the run has taken too long: ", max_run_time_rule, " ends it"));
}

}  // namespace dslap
