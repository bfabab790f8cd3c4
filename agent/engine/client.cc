#include "agent/engine/client.h"

#include <optional>
#include <utility>
#include <vector>

namespace dslap {
namespace {

constexpr std::string_view kCommit = "COMMIT";
constexpr std::string_view kAutocommitOff = "SET AUTOCOMMIT=0";
constexpr std::string_view kInitCommandFailed = "--init-command: ";

}  // namespace

Client::Client(const RoundContext& round, const ClientSeat& seat)
    : round_(round),
      seat_(seat),
      spec_(round.spec),
      host_(seat.host),
      record_(*seat.record),
      connection_(*seat.connection),
      random_(round.spec.round, seat.number) {}

Task<void> Client::Run() {
  record_.ready = co_await Acquire();
  seat_.gauges->connected.store(record_.ready, std::memory_order_relaxed);
  if (!record_.ready) co_return;
  record_.channel = connection_.channel();
  seat_.latency->Reserve();  // here, where nothing is measured yet
  const bool opened = co_await host_->Gate();
  if (!opened) co_return;
  co_await Work();
  record_.finished = record_.executed == seat_.statements;
  seat_.gauges->connected.store(connection_.connected(), std::memory_order_relaxed);
}

// A connection with its session initialised; false when there is none, with the reason in the
// record unless the client was not to try.
Task<bool> Client::Acquire() {
  if (stopping()) co_return false;
  const bool reset = co_await ResetKept();
  SqlError error;
  if (reset) error = co_await InitialiseSession();
  // A connection that was lost over it is replaced; one that is there would fail the same way
  // again.
  if (!connection_.connected()) {
    ConnectResult connect = co_await ConnectWithRetry(/*needs_slot=*/true);
    if (!connect.connected) {
      NoteConnectError(std::move(connect.error));
      co_return false;
    }
    record_.connect_ns = connect.elapsed_ns;
    error = co_await InitialiseSession();
  }
  if (error.ok() && !stopping()) co_return true;
  Close();
  if (!stopping()) NoteConnectError(std::move(error));
  co_return false;
}

// For others, who may have to end the connection on the server when this host is lost.
void Client::NoteConnected() {
  seat_.gauges->server_connection.store(connection_.id() << 16 | connection_.client_port(),
                                        std::memory_order_relaxed);
}

// Nothing to note when the client was not to try.
void Client::NoteConnectError(SqlError error) {
  if (error.ok()) return;
  host_->ConnectFailed(JudgeConnectError(error.code));
  record_.connect_error = std::move(error);
}

// False when no connection was kept, or it cannot be brought back to a fresh one's state: then only
// a new one tells what is really wrong.
Task<bool> Client::ResetKept() {
  if (!connection_.connected()) co_return false;
  connection_id_ = connection_.id();
  SqlOutcome outcome = co_await connection_.ResetSession(spec_.query_timeout_ns);
  record_.traffic.NoteReset(outcome.ok(), connection_.connected(), round_.set_up_statements);
  if (outcome.ok() && !spec_.default_schema.empty()) {
    outcome = co_await connection_.SelectSchema(spec_.default_schema, spec_.query_timeout_ns);
    record_.traffic.NoteQuestion(connection_.connected());
  }
  NoteTimeout(outcome.error);
  if (!outcome.ok()) Close();
  co_return outcome.ok();
}

// After every connect and every reset, so that no session setting is ever lost.
Task<SqlError> Client::InitialiseSession() {
  connection_id_ = connection_.id();
  SqlOutcome outcome;
  // Once the round is stopped, a connection may be cut at any time: what runs on the server then
  // would go on.
  if (stopping()) co_return SqlError();
  if (!spec_.init_command.empty()) {
    outcome = co_await Send(spec_.init_command);
    seat_.gauges->in_statement.store(false, std::memory_order_relaxed);
    record_.traffic.NoteQuestion(connection_.connected());
    if (!outcome.ok()) outcome.error.message.insert(0, kInitCommandFailed);
  }
  if (outcome.ok() && spec_.commit_every != 0) {
    outcome = co_await Send(kAutocommitOff);
    seat_.gauges->in_statement.store(false, std::memory_order_relaxed);
    record_.traffic.NoteQuestion(connection_.connected());
  }
  NoteTimeout(outcome.error);
  co_return std::move(outcome.error);
}

Task<Client::ConnectResult> Client::ConnectWithRetry(bool needs_slot) {
  ConnectResult result;
  std::optional<ConnectBackoff> backoff;  // from the first attempt on
  for (;;) {
    bool may_connect = !stopping();
    if (needs_slot) may_connect = co_await host_->ConnectSlot();
    if (!may_connect) co_return result;
    const int64_t turn_in_ns = needs_slot ? host_->TakeConnectTurn() : 0;
    if (turn_in_ns > 0) may_connect = co_await host_->Pause(turn_in_ns);
    if (!may_connect) {
      host_->ReleaseConnectSlot();
      co_return result;
    }
    const int64_t begin_ns = round_.clock->NowNs();
    if (!backoff.has_value()) backoff.emplace(begin_ns);
    SqlOutcome outcome = co_await connection_.Connect(spec_.default_schema);
    record_.traffic.NoteConnect(outcome.ok(), round_.set_up_statements);
    const int64_t end_ns = round_.clock->NowNs();
    if (needs_slot) host_->ReleaseConnectSlot();
    if (outcome.ok()) {
      NoteConnected();
      result = {true, {}, end_ns - begin_ns - outcome.queued_ns};
      co_return result;
    }
    // An attempt that failed during a stop was most likely cut by us: it says nothing.
    if (stopping()) co_return result;
    result.error = std::move(outcome.error);
    if (JudgeConnectError(result.error.code) != ConnectVerdict::kRetry) co_return result;
    // A client at work whose errors are passed over outlasts a restart of the server.
    const bool patient = !needs_slot && spec_.error_policy.Ignores(result.error.code);
    const std::optional<int64_t> pause_ns =
        backoff->Next(end_ns, random_.Next(),
                      patient ? ConnectBackoff::kLongPatienceNs : ConnectBackoff::kPatienceNs);
    if (!pause_ns.has_value()) co_return result;
    const bool try_again = co_await host_->Pause(*pause_ns);
    if (!try_again) co_return result;
  }
}

Task<void> Client::Work() {
  if (spec_.statements->statements.empty()) co_return;
  // So that no statement is the first to need a longer buffer.
  keyed_text_.reserve(round_.keys.longest_text);
  while (record_.executed < seat_.statements && !stopping()) {
    bool going_on = true;
    if (DetachDue()) going_on = co_await Reconnect();
    if (!going_on) co_return;
    const std::string_view text = NextText();
    const int64_t sent_ns = round_.clock->NowNs();
    SqlOutcome outcome = co_await Send(text);
    if (!NoteStatement(outcome, sent_ns)) co_return;
    if (!outcome.ok()) going_on = co_await Recover(outcome.error);
    if (!going_on) co_return;
    if (CommitDue()) {
      outcome = co_await Send(kCommit);
      if (!NoteCommit(outcome)) co_return;
      if (!outcome.ok()) going_on = co_await Recover(outcome.error);
      if (!going_on) co_return;
    }
  }
  // Stopped in the middle of a transaction: what was executed is to last, as far as there is time.
  if (uncommitted_ != 0 && host_->stop_stage() != StopStage::kKilling) {
    const SqlOutcome outcome = co_await Send(kCommit);
    static_cast<void>(NoteCommit(outcome));
  }
}

// What is sent here may be killed by the engine.
SqlConnection::Awaiter Client::Send(std::string_view text) {
  seat_.gauges->in_statement.store(true, std::memory_order_relaxed);
  return connection_.Query(text, spec_.query_timeout_ns);
}

// The server may still be at it, though nobody waits for it any more.
void Client::NoteTimeout(const SqlError& error) {
  if (error.code == kQueryTimeoutCode) round_.kills->KillOnServer(connection_id_);
}

// False when it was killed: that ends the client.
bool Client::NoteStatement(const SqlOutcome& outcome, int64_t sent_ns) {
  seat_.gauges->in_statement.store(false, std::memory_order_relaxed);
  const int64_t answered_ns = round_.clock->NowNs();
  record_.last_response_ns = answered_ns;
  NoteTimeout(outcome.error);
  if (!outcome.ok() && !connection_.connected()) record_.traffic.NoteUnclearStatement();
  // Servers answer some killed statements, SELECT SLEEP() for one, without an error: their time is
  // not what the statement takes.
  if (killed()) {
    ++record_.interrupted;
    return false;
  }
  ++record_.executed;
  if (spec_.commit_every != 0) ++uncommitted_;
  if (outcome.ok()) {
    ++record_.succeeded;
    seat_.gauges->succeeded.Increment();
    seat_.latency->Record(static_cast<uint64_t>(answered_ns - sent_ns));
  } else {
    ++record_.failed;
    NoteError(outcome.error);
  }
  return true;
}

// False when it was killed: that ends the client, and is nobody's error.
bool Client::NoteCommit(const SqlOutcome& outcome) {
  seat_.gauges->in_statement.store(false, std::memory_order_relaxed);
  record_.last_response_ns = round_.clock->NowNs();
  record_.traffic.NoteQuestion(connection_.connected());
  NoteTimeout(outcome.error);
  uncommitted_ = 0;
  if (killed()) return false;
  if (!outcome.ok()) {
    ++record_.session_errors;
    NoteError(outcome.error);
  }
  return true;
}

void Client::NoteError(const SqlError& error) {
  record_.errors.Add(error);
  seat_.gauges->errors.Increment();
}

bool Client::CommitDue() const {
  if (uncommitted_ == 0 || host_->stop_stage() == StopStage::kKilling) return false;
  return uncommitted_ == spec_.commit_every || record_.executed == seat_.statements || DetachDue();
}

bool Client::DetachDue() const {
  return spec_.detach_every != 0 && record_.executed != 0 && record_.executed < seat_.statements &&
         record_.executed % spec_.detach_every == 0;
}

// Asks the policy about an error; false ends the client, and the round unless it is stopped
// already.
bool Client::Continue(const SqlError& error) {
  if (spec_.error_policy.Ignores(error.code)) return true;
  host_->StopOnError();
  return false;
}

// After a statement or COMMIT that failed; false ends the client.
Task<bool> Client::Recover(SqlError error) {
  if (!Continue(error)) co_return false;
  if (connection_.connected()) co_return true;
  // The server has rolled back what was not committed.
  uncommitted_ = 0;
  // The last statement needs no connection after it.
  if (record_.executed == seat_.statements) co_return true;
  const bool reconnected = co_await Reconnect();
  co_return reconnected;
}

// A fresh connection for a client that is at work; false ends the client.
Task<bool> Client::Reconnect() {
  Close();
  seat_.gauges->connected.store(false, std::memory_order_relaxed);
  const ConnectResult connect = co_await ConnectWithRetry(/*needs_slot=*/false);
  if (!connect.connected) {
    if (connect.error.ok() || killed()) co_return false;
    ++record_.reconnects_failed;
    NoteError(connect.error);
    Continue(connect.error);
    co_return false;
  }
  ++record_.reconnects;
  seat_.gauges->connected.store(true, std::memory_order_relaxed);
  const SqlError error = co_await InitialiseSession();
  if (error.ok()) co_return true;
  if (killed()) co_return false;
  ++record_.session_errors;
  NoteError(error);
  Continue(error);
  co_return false;
}

void Client::Close() {
  if (connection_.connected()) record_.traffic.NoteClose();
  connection_.Close();
}

std::string_view Client::NextText() {
  const std::vector<LoadStatement>& list = spec_.statements->statements;
  const LoadStatement& statement = list[next_statement_];
  if (++next_statement_ == list.size()) next_statement_ = 0;
  if (!statement.takes_key) return statement.text;
  keyed_text_.assign(statement.text);
  keyed_text_.append(" '");
  keyed_text_.append(round_.keys.escaped[random_.Below(round_.keys.escaped.size())]);
  keyed_text_.push_back('\'');
  return keyed_text_;
}

}  // namespace dslap
