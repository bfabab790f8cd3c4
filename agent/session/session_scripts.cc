#include "agent/session/session_scripts.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "agent/session/account_limit.h"
#include "common/clock.h"
#include "common/server_connections.h"

namespace dslap {
namespace {

using Kind = SqlOperation::Kind;

constexpr uint32_t kNoSuchThread = 1094;
constexpr uint32_t kQueryInterrupted = 1317;

// CR_UNKNOWN_ERROR of the client library: for errors that are found on this side.
constexpr uint32_t kOwnErrorCode = 2000;

// Pauses between the attempts to connect after giving way, doubling: about a second in all.
constexpr absl::Duration kFirstPause = absl::Milliseconds(10);
constexpr absl::Duration kLastPause = absl::Milliseconds(640);

SqlError OwnError(std::string message) { return {kOwnErrorCode, "HY000", std::move(message)}; }

// More than a row or a cell adds to a message beside its value, which may be NULL or empty.
constexpr uint64_t kFrameBytes = 16;

// Collects rows into a ScriptResult until a limit is passed.
class ResultSink final : public SqlRowSink {
 public:
  ResultSink(v1::ScriptResult* result, uint64_t* bytes_left)
      : result_(result), bytes_left_(bytes_left) {}

  bool OnRow(SqlRow row) override {
    if (result_->rows_size() == SessionScripts::kMaxRows) {
      overflow_ = absl::StrCat("the statement returned more than ", SessionScripts::kMaxRows,
                               " rows, the most a script may fetch: add a LIMIT");
      return false;
    }
    uint64_t bytes = kFrameBytes;
    for (const std::optional<std::string>& cell : row) {
      bytes += kFrameBytes + (cell.has_value() ? cell->size() : 0);
    }
    if (bytes > *bytes_left_) {
      overflow_ = absl::StrCat("the script's rows are larger than ", SessionScripts::kMaxRowBytes,
                               " bytes, the most a script may fetch");
      return false;
    }
    *bytes_left_ -= bytes;
    v1::Row* out = result_->add_rows();
    for (std::optional<std::string>& cell : row) {
      v1::Cell* out_cell = out->add_cells();
      out_cell->set_is_null(!cell.has_value());
      if (cell.has_value()) out_cell->set_value(std::move(*cell));
    }
    return true;
  }

  const std::string& overflow() const { return overflow_; }

 private:
  v1::ScriptResult* const result_;
  uint64_t* const bytes_left_;
  std::string overflow_;
};

void Fail(const SqlError& error, v1::ScriptStage stage, v1::ScriptDone* done) {
  *done->mutable_error() = ToProto(error);
  done->set_failed_stage(stage);
}

}  // namespace

v1::ScriptDone SessionScripts::Run(const v1::RunScript& script) {
  v1::ScriptDone done;
  done.set_script(script.script());
  {
    absl::MutexLock lock(&mu_);
    running_script_ = script.script();
  }
  RunStatements(script, &done);
  // A KILL that is late must not meet the next script.
  EndKill();
  if (connected()) {
    *done.mutable_connection() =
        EncodeConnections({{connection_->id(), connection_->client_port()}});
  }
  return done;
}

void SessionScripts::RunStatements(const v1::RunScript& script, v1::ScriptDone* done) {
  if (!MakeReady(script, done)) return;
  uint64_t bytes_left = kMaxRowBytes;
  for (const v1::ScriptStatement& statement : script.statements()) {
    const auto timeout_ns = static_cast<int64_t>(script.statement_timeout_ns());
    if (!RunStatement(statement, timeout_ns, &bytes_left, done)) break;
  }
}

void SessionScripts::Close() {
  EndKill();
  absl::MutexLock lock(&mu_);
  shared_ = nullptr;
  connection_.reset();
}

void SessionScripts::EndKill() {
  killer_.reset();  // joins
  absl::MutexLock lock(&mu_);
  killing_.reset();
}

void SessionScripts::GiveWay() {
  Close();
  gave_way_ = true;
}

void SessionScripts::Stop(uint64_t script) {
  absl::MutexLock lock(&mu_);
  const bool stopped = Stopped();
  script_to_stop_ = script;
  if (!stopped && Stopped()) KillRunning();
}

void SessionScripts::Cancel() {
  absl::MutexLock lock(&mu_);
  const bool stopped = Stopped();
  cancelled_ = true;
  if (!stopped) KillRunning();
}

bool SessionScripts::Stopped() const { return cancelled_ || script_to_stop_ == running_script_; }

void SessionScripts::KillRunning() {
  if (!operating_) return;
  const uint64_t connection_id = shared_->id();
  if (connection_id == 0) {
    // Still connecting: the server has nothing to kill yet.
    shared_->Interrupt();
    return;
  }
  killing_ = connections_->MakeBlocking();
  // A failure, also one to start the thread, is not reported: Cut() follows.
  absl::StatusOr<SmallStackThread> killer =
      SmallStackThread::Start([this, connection_id] { (void)Kill("KILL QUERY ", connection_id); });
  if (killer.ok()) killer_.emplace(*std::move(killer));
}

void SessionScripts::Cut() {
  absl::MutexLock lock(&mu_);
  if (shared_ != nullptr && operating_) shared_->Interrupt();
  if (killing_ != nullptr) killing_->Interrupt();
}

bool SessionScripts::MakeReady(const v1::RunScript& script, v1::ScriptDone* done) {
  kept_only_ = script.on_kept_connection();
  if (script.on_kept_connection()) {
    if (!connected()) {
      Fail(OwnError("the scripts have no connection now"), v1::SCRIPT_STAGE_CONNECT, done);
    }
    return connected();
  }
  if (connection_ != nullptr && connection_->connected()) {
    // The server may have closed the connection since the script before. Asking costs a round trip;
    // running a statement twice after an unclear loss could do harm.
    const SqlOutcome alive = Operate({Kind::kQuery, "DO 0", nullptr, kReadyTimeoutNs});
    if (!connection_->connected()) {
      connection_->Close();
    } else if (!alive.ok() && alive.error.code != kQueryInterrupted) {
      Fail(alive.error, v1::SCRIPT_STAGE_CONNECT, done);
      return false;
    }
  }
  if (connection_ == nullptr || !connection_->connected()) {
    if (connection_ == nullptr) {
      absl::MutexLock lock(&mu_);
      connection_ = connections_->MakeBlocking();
      shared_ = connection_.get();
    }
    const SqlOutcome connected = Connect();
    if (!connected.ok()) {
      Fail(connected.error, v1::SCRIPT_STAGE_CONNECT, done);
      return false;
    }
  }
  if (script.default_schema().empty()) return true;
  const int64_t timeout_ns = script.statement_timeout_ns() == 0 ? 0 : kReadyTimeoutNs;
  const SqlOutcome selected =
      Operate({Kind::kSelectSchema, script.default_schema(), nullptr, timeout_ns});
  if (!selected.ok()) Fail(selected.error, v1::SCRIPT_STAGE_SELECT_SCHEMA, done);
  return selected.ok();
}

bool SessionScripts::RunStatement(const v1::ScriptStatement& statement, int64_t timeout_ns,
                                  uint64_t* bytes_left, v1::ScriptDone* done) {
  if (may_begin_ && !may_begin_(*done)) {
    Fail(OwnError("the run is over: the statement was not begun"), v1::SCRIPT_STAGE_STATEMENT,
         done);
    return false;
  }
  v1::ScriptResult result;
  ResultSink sink(&result, bytes_left);
  const uint64_t connection_id = connection_->id();
  SqlOutcome outcome = Operate(
      {Kind::kQuery, statement.text(), statement.return_rows() ? &sink : nullptr, timeout_ns});
  if (outcome.error.code == kQueryTimeoutCode && !kept_only_) {
    KillGivenUp(connection_id, &outcome.error);
  }
  if (outcome.ok() && !sink.overflow().empty()) outcome.error = OwnError(sink.overflow());
  if (!outcome.ok()) {
    Fail(outcome.error, v1::SCRIPT_STAGE_STATEMENT, done);
    return false;
  }
  *done->add_results() = std::move(result);
  return true;
}

SqlOutcome SessionScripts::Connect() {
  SqlOutcome connected = Operate({Kind::kConnect, "", nullptr});
  for (absl::Duration pause = kFirstPause; pause <= kLastPause; pause *= 2) {
    if (!gave_way_ || !RefusedByAccountLimit(connected.error) || StoppedWithin(pause)) break;
    connected = Operate({Kind::kConnect, "", nullptr});
  }
  return connected;
}

bool SessionScripts::StoppedWithin(absl::Duration time) {
  absl::MutexLock lock(&mu_);
  return SteadyClock::Get()->AwaitFor(&mu_, absl::Condition(this, &SessionScripts::Stopped), time);
}

SqlOutcome SessionScripts::Operate(const SqlOperation& operation) {
  {
    absl::MutexLock lock(&mu_);
    if (cancelled_) return {OwnError("the run was aborted"), 0};
    if (Stopped()) return {OwnError("the script was stopped"), 0};
    operating_ = true;
  }
  SqlOutcome outcome = RunBlocking(*connection_, operation);
  absl::MutexLock lock(&mu_);
  operating_ = false;
  return outcome;
}

SqlOutcome SessionScripts::Kill(absl::string_view what, uint64_t connection_id) {
  SqlConnection* connection = nullptr;
  {
    absl::MutexLock lock(&mu_);
    connection = killing_.get();
  }
  SqlOutcome outcome = RunBlocking(*connection, {Kind::kConnect, "", nullptr});
  if (!outcome.ok()) return outcome;
  const std::string kill = absl::StrCat(what, connection_id);
  return RunBlocking(*connection, {Kind::kQuery, kill, nullptr, kKillTimeoutNs});
}

// The client's end of the connection is closed; the server may go on with the statement for hours.
void SessionScripts::KillGivenUp(uint64_t connection_id, SqlError* error) {
  {
    absl::MutexLock lock(&mu_);
    if (Stopped()) return;
    killing_ = connections_->MakeBlocking();
  }
  const SqlOutcome killed = Kill("KILL CONNECTION ", connection_id);
  {
    absl::MutexLock lock(&mu_);
    killing_.reset();
  }
  if (killed.ok() || killed.error.code == kNoSuchThread) return;
  absl::StrAppend(&error->message, "; it could not be killed, so the server may still be at it: ",
                  killed.error.ToString());
}

}  // namespace dslap
