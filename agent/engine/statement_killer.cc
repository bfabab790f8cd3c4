#include "agent/engine/statement_killer.h"

#include <chrono>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

using Kind = SqlOperation::Kind;

// Between attempts to reach a server that cannot be reached.
constexpr std::chrono::milliseconds kRetryPause{250};
// For one KILL: some servers take seconds over one when several come at once.
constexpr int64_t kKillTimeoutNs = 5'000'000'000;

constexpr uint32_t kNoSuchThread = 1094;
// Codes of the client library's own, for errors that arise here.
constexpr uint32_t kUnknownClientError = 2000;
constexpr uint32_t kLostConnection = 2013;

}  // namespace

StatementKiller::StatementKiller(std::shared_ptr<SqlConnectionFactory> factory)
    : factory_(std::move(factory)) {}

StatementKiller::~StatementKiller() { End(); }

void StatementKiller::KillOnServer(uint64_t connection_id) {
  const std::lock_guard<std::mutex> lock(mu_);
  if (waiting_.size() == kMostWaiting) {
    return GiveUp(connection_id,
                  {kUnknownClientError, "HY000",
                   absl::StrCat("there are ", kMostWaiting, " to be killed before it")});
  }
  if (!thread_.has_value()) {
    thread_.emplace(factory_->MakeBlocking(), [this](SqlConnection& control) { Run(control); });
  }
  if (!thread_->status().ok()) {
    return GiveUp(connection_id,
                  {kOutOfMemory, "HY000", absl::StrCat(thread_->status().message())});
  }
  waiting_.push_back(connection_id);
  changed_.notify_all();
}

ErrorTally StatementKiller::Finish(int64_t timeout_ns) {
  {
    std::unique_lock<std::mutex> lock(mu_);
    changed_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), [&] { return waiting_.empty(); });
    if (!waiting_.empty() && last_error_.ok()) {
      last_error_ = {kLostConnection, "HY000", "the server does not answer"};
    }
    for (const uint64_t connection_id : waiting_) GiveUp(connection_id, last_error_);
    waiting_.clear();
    // At once: the thread must not take what it was at from the empty list.
    ending_ = true;
  }
  End();
  return std::move(not_killed_);
}

void StatementKiller::End() {
  {
    const std::lock_guard<std::mutex> lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  // Interrupts what still runs.
  thread_.reset();
}

void StatementKiller::GiveUp(uint64_t connection_id, const SqlError& why) {
  not_killed_.Add({why.code, why.sqlstate,
                   absl::StrCat("KILL CONNECTION ", connection_id,
                                ", for a statement that --query-timeout gave up: ", why.message,
                                "; the server may still be at it")});
}

// The thread.
void StatementKiller::Run(SqlConnection& control) {
  uint64_t connection_id = 0;
  bool going_on = true;
  while (going_on && AwaitRequest(&connection_id)) {
    SqlOutcome outcome;
    if (!control.connected()) {
      outcome = RunBlocking(control, {Kind::kConnect, {}, nullptr, 0});
      traffic_.NoteConnect(outcome.ok(), factory_->SetUpStatements());
    }
    if (outcome.ok()) {
      const std::string kill = absl::StrCat("KILL CONNECTION ", connection_id);
      outcome = RunBlocking(control, {Kind::kQuery, kill, nullptr, kKillTimeoutNs});
      traffic_.NoteQuestion(control.connected());
    }
    going_on = NoteOutcome(connection_id, outcome.error, control.connected());
  }
  if (control.connected()) traffic_.NoteClose();
}

// False: it is time to end.
bool StatementKiller::AwaitRequest(uint64_t* connection_id) {
  std::unique_lock<std::mutex> lock(mu_);
  changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
  if (ending_) return false;
  *connection_id = waiting_.front();
  return true;
}

// False: it is time to end.
bool StatementKiller::NoteOutcome(uint64_t connection_id, const SqlError& error, bool connected) {
  std::unique_lock<std::mutex> lock(mu_);
  if (ending_) return false;
  // Gone already is as good as killed.
  if (!error.ok() && error.code != kNoSuchThread) {
    if (!connected) {
      last_error_ = error;
      changed_.wait_for(lock, kRetryPause, [&] { return ending_; });
      return !ending_;
    }
    GiveUp(connection_id, error);
  }
  waiting_.pop_front();
  changed_.notify_all();
  return true;
}

}  // namespace dslap
