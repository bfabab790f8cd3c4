#include "agent/metrics/run_figures.h"

#include "absl/strings/match.h"

namespace dslap {

RunEnd RunEndOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return RunEnd::kClosed;
    case absl::StatusCode::kCancelled:
      return RunEnd::kControllerGone;
    case absl::StatusCode::kDeadlineExceeded:
      return RunEnd::kLeaseExpired;
    case absl::StatusCode::kUnavailable:
      return RunEnd::kShutDown;
    case absl::StatusCode::kPermissionDenied:
      return RunEnd::kRunTimeUp;
    default:
      return RunEnd::kFailed;
  }
}

ErrorClass ErrorClassOf(const SqlError& error) {
  if (error.code == kQueryTimeoutCode) return ErrorClass::kTimeout;
  if (error.code >= 2000 && error.code < kQueryTimeoutCode) return ErrorClass::kConnection;
  if (absl::StartsWith(error.sqlstate, "08")) return ErrorClass::kConnection;
  if (absl::StartsWith(error.sqlstate, "23")) return ErrorClass::kConstraint;
  if (absl::StartsWith(error.sqlstate, "40")) return ErrorClass::kRollback;
  const bool access =
      absl::StartsWith(error.sqlstate, "42") || absl::StartsWith(error.sqlstate, "28");
  return access ? ErrorClass::kSyntaxOrAccess : ErrorClass::kOther;
}

absl::string_view NameOf(RunEnd end) {
  switch (end) {
    case RunEnd::kClosed:
      return "closed";
    case RunEnd::kControllerGone:
      return "controller_gone";
    case RunEnd::kLeaseExpired:
      return "lease_expired";
    case RunEnd::kShutDown:
      return "shut_down";
    case RunEnd::kRunTimeUp:
      return "run_time_up";
    case RunEnd::kFailed:
      break;
  }
  return "failed";
}

absl::string_view NameOf(ErrorClass error) {
  switch (error) {
    case ErrorClass::kConnection:
      return "connection";
    case ErrorClass::kTimeout:
      return "timeout";
    case ErrorClass::kConstraint:
      return "constraint";
    case ErrorClass::kRollback:
      return "rollback";
    case ErrorClass::kSyntaxOrAccess:
      return "syntax_or_access";
    case ErrorClass::kOther:
      break;
  }
  return "other";
}

RunFigures::Totals RunFigures::Read() const {
  absl::MutexLock lock(&mu_);
  Totals totals = totals_;
  totals.statements_succeeded += running_succeeded_;
  return totals;
}

void RunFigures::RunBegan() {
  absl::MutexLock lock(&mu_);
  totals_.busy = true;
}

void RunFigures::RunEnded(const absl::Status& status) {
  absl::MutexLock lock(&mu_);
  totals_.busy = false;
  totals_.clients = 0;
  totals_.clients_connected = 0;
  ++totals_.runs[static_cast<size_t>(RunEndOf(status))];
}

void RunFigures::Connecting(uint64_t clients_connected) {
  absl::MutexLock lock(&mu_);
  totals_.clients_connected = clients_connected;
}

void RunFigures::RoundPrepared(const PrepareOutcome& outcome) {
  absl::MutexLock lock(&mu_);
  totals_.clients = outcome.clients_asked;
  totals_.clients_connected = outcome.clients_connected;
  Add(outcome.connect_errors);
}

void RunFigures::RoundRunning(const LiveCounters& counters) {
  absl::MutexLock lock(&mu_);
  running_succeeded_ = counters.statements;
  totals_.clients_connected = counters.clients_connected;
}

void RunFigures::RoundEnded(const RoundOutcome& outcome) {
  absl::MutexLock lock(&mu_);
  running_succeeded_ = 0;
  if (outcome.opened_at_ns != 0) ++totals_.rounds;
  totals_.clients = 0;
  totals_.clients_connected = outcome.connections_kept;
  totals_.statements_succeeded += outcome.statements_succeeded;
  totals_.statements_failed += outcome.statements_failed;
  totals_.statements_interrupted += outcome.statements_interrupted;
  totals_.reconnects += outcome.reconnects;
  totals_.latency.Merge(outcome.latency);
  Add(outcome.errors);
}

void RunFigures::Add(const ErrorTally& errors) {
  for (const ErrorTally::Entry& entry : errors.entries()) {
    totals_.errors[static_cast<size_t>(ErrorClassOf(entry.first))] += entry.count;
  }
}

}  // namespace dslap
