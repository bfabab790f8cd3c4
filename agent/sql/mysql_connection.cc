#include "agent/sql/mysql_connection.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "agent/sql/mysql_library.h"
#include "agent/sql/mysql_options.h"
#include "agent/sql/mysql_session.h"
#include "common/clock.h"

namespace dslap {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
constexpr int64_t kNsPerSecond = 1'000'000'000;
// Saying good-bye to a server that takes no more bytes.
constexpr int64_t kCloseTimeoutNs = kNsPerSecond;
// Between two looks for the rest of a server's first packet, which hardly ever comes in pieces.
constexpr int kRestOfGreetingMs = 1;
// Between two calls of a library that does not say what it waits for.
[[maybe_unused]] constexpr int kAsyncPauseMs = 2;
// Of a result, between two looks at the clock.
constexpr uint64_t kRowsBetweenLooks = 256;

// The system's error behind a connect that has just become writable; 0 when it went well. Asking
// takes the error away from the socket.
int TakeSocketError(int fd) {
  int error = 0;
  socklen_t size = sizeof(error);
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  return error;
}

// True as soon as the other side has closed, whether or not bytes of it are still to be read.
bool IsClosedSoon(int fd) {
  pollfd waited{fd, POLLRDHUP, 0};
  return poll(&waited, 1, kRestOfGreetingMs) > 0;
}

// The connection whose operation runs on this thread: the library's wait hook has no argument for
// it.
thread_local MySqlConnection* running_connection = nullptr;

}  // namespace

MySqlConnection::MySqlConnection(std::shared_ptr<const SqlTarget> target,
                                 std::shared_ptr<DeadlineWatch> watch,
                                 std::shared_ptr<ServerPin> pin)
    : target_(std::move(target)), pin_(std::move(pin)), bound_(std::move(watch), &wait_) {
  InitialiseMySqlLibrary();
}

MySqlConnection::~MySqlConnection() { Close(); }

void MySqlConnection::Close() {
  connected_ = false;
  id_.store(0, std::memory_order_relaxed);
  if (session_ == nullptr) return;
  InitialiseMySqlThread();
  wait_.DropDuplicate();
  MySqlConnection* const outer = std::exchange(running_connection, this);
  deadline_ns_ = SteadyClock::Get()->NowNs() + kCloseTimeoutNs;
  session_.reset();
  running_connection = outer;
}

std::unique_ptr<MySqlSession> MySqlConnection::TakeSession() {
  if (!connected_) return nullptr;
#if DSLAP_CONNECTOR_C
  mysql_options(session_->mysql(), MARIADB_OPT_IO_WAIT, nullptr);
  std::unique_ptr<MySqlSession> taken;
  // Under TLS the library lets the socket block.
  const int flags = fcntl(session_->fd(), F_GETFL);
  if (mysql_options(session_->mysql(), MYSQL_OPT_NONBLOCK, nullptr) == 0 &&
      fcntl(session_->fd(), F_SETFL, flags | O_NONBLOCK) == 0) {
    taken = std::move(session_);
  }
#else
  std::unique_ptr<MySqlSession> taken;
#endif
  wait_.DropDuplicate();
  Close();
  return taken;
}

void MySqlConnection::Interrupt() { wait_.Interrupt(); }

uint16_t MySqlConnection::client_port() const { return connected_ ? session_->client_port() : 0; }

SqlChannel MySqlConnection::channel() const {
  return connected_ ? ReadChannel(*target_, session_->mysql()) : SqlChannel{};
}

bool MySqlConnection::Start(const SqlOperation& operation, std::coroutine_handle<> /*waiter*/,
                            SqlOutcome* outcome) {
  InitialiseMySqlThread();
  if (!connected_ && operation.kind != SqlOperation::Kind::kConnect) {
    outcome->error = {kServerGone, "HY000", "not connected to the server"};
    return true;
  }
  running_connection = this;
  if (operation.kind == SqlOperation::Kind::kConnect) {
    Connect(operation.text, outcome);
  } else {
    Run(operation, outcome);
  }
  running_connection = nullptr;
  return true;
}

void MySqlConnection::Run(const SqlOperation& operation, SqlOutcome* outcome) {
  const bool bounded = operation.timeout_ns > 0;
  deadline_ns_ = bounded ? SteadyClock::Get()->NowNs() + operation.timeout_ns : 0;
  timed_out_ = false;
  cut_ = false;
  if (bounded && !WaitsThroughHook() && !bound_.Set(deadline_ns_)) {
    outcome->error = {kOutOfMemory, "HY000", "there is no thread to be had for --query-timeout"};
    return;
  }
  switch (operation.kind) {
    case SqlOperation::Kind::kConnect:
      break;
    case SqlOperation::Kind::kQuery:
      Query(operation, outcome);
      break;
    case SqlOperation::Kind::kResetSession:
      Finish(mysql_reset_connection(session_->mysql()), outcome);
      if (outcome->ok()) SetUpSession(outcome);
      break;
    case SqlOperation::Kind::kSelectSchema:
      Finish(mysql_select_db(session_->mysql(), std::string(operation.text).c_str()), outcome);
      break;
  }
  if (!bounded) return;
  const bool cut = bound_.Clear() || cut_;
  // An answer of the server that came at the last moment is one.
  if (!cut && (connected_ || !timed_out_)) return;
  Close();
  outcome->error = QueryTimeoutError(operation.timeout_ns);
}

void MySqlConnection::Connect(std::string_view schema, SqlOutcome* outcome) {
  wait_.Rearm();
  const int64_t deadline_ns = SteadyClock::Get()->NowNs() + target_->connect_timeout_ns;
  const std::vector<std::string>& addresses = target_->addresses;
  for (std::optional<size_t> next = pin_->First(); next.has_value();
       next = pin_->Next(*next, addresses.size(), AttemptOf(outcome->error))) {
    Close();
    deadline_ns_ = deadline_ns;
    outcome->error = {};
    ConnectTo(addresses.empty() ? target_->host : addresses[*next], std::string(schema), outcome);
  }
}

void MySqlConnection::ConnectTo(const std::string& address, const std::string& schema,
                                SqlOutcome* outcome) {
  library_host_ = address;
  name_pending_ = !target_->addresses.empty() && target_->tls.mode == SqlTlsMode::kVerifyIdentity;
  if (name_pending_) {
    library_host_.resize(std::max(library_host_.size(), target_->host.size()), '\0');
  }
  session_ = std::make_unique<MySqlSession>();
  MYSQL* const mysql = session_->mysql();
  if (mysql == nullptr) {
    outcome->error = {kOutOfMemory, "HY000", "the client library has no memory for a connection"};
    return;
  }
  SetConnectOptions(*target_, mysql);
  tls_refused_ = false;
  greeting_awaited_ = session_->PrepareTls(*target_);
  tls_without_greeting_ =
      DSLAP_CONNECTOR_C != 0 && !greeting_awaited_ && target_->tls.mode >= SqlTlsMode::kRequired;
#if DSLAP_CONNECTOR_C
  mysql_options(mysql, MARIADB_OPT_IO_WAIT, reinterpret_cast<const void*>(&OnLibraryWait));
#endif
  timed_out_ = false;
  if (!ConnectLibrary(schema, outcome)) {
    ExplainConnectError(*target_, &outcome->error);
    if (tls_refused_) outcome->error = {kTlsError, "HY000", kNoTlsMessage};
  } else if (!WaitsThroughHook() && !wait_.KeepDuplicate(session_->fd())) {
    outcome->error = {2001, "HY000",
                      "no file descriptor left for the connection; raise the limit (ulimit -n, "
                      "LimitNOFILE=)"};
  } else {
    outcome->error = CheckConnected(*target_, mysql);
    if (outcome->ok()) SetUpSession(outcome);
  }
  if (bound_.Clear()) {
    outcome->error = {
        kServerLost, "HY000",
        absl::StrCat("the server did not finish connecting within ",
                     absl::FormatDuration(absl::Nanoseconds(target_->connect_timeout_ns)))};
  }
  bound_.Rest();
  if (!outcome->ok()) return Close();
  id_.store(mysql_thread_id(mysql), std::memory_order_relaxed);
  connected_ = true;
}

// False: the error is in `outcome`.
bool MySqlConnection::ConnectLibrary(const std::string& schema, SqlOutcome* outcome) {
  MYSQL* const mysql = session_->mysql();
  const auto connect = [&](auto* function) {
    return function(mysql, OrNull(library_host_), OrNull(target_->user),
                    target_->password.Reveal().c_str(), OrNull(schema), target_->port,
                    OrNull(target_->socket), CLIENT_MULTI_STATEMENTS);
  };
#if DSLAP_CONNECTOR_C
  const bool connected = connect(mysql_real_connect) != nullptr;
#else
  // The timeout of Oracle's library ends with the server's first packet: what comes after it, TLS
  // for instance, could last for ever.
  net_async_status status = NET_ASYNC_NOT_READY;
  while ((status = connect(mysql_real_connect_nonblocking)) == NET_ASYNC_NOT_READY) {
    // For what it waits it does not say.
    const int pause_ms = std::min(MillisecondsLeft(), kAsyncPauseMs);
    const int ready = wait_.Wait(session_->fd(), SocketWait::Direction::kRead, pause_ms);
    if (ready >= 0 && pause_ms != 0) continue;
    outcome->error = {kServerLost, "HY000",
                      absl::StrCat("Lost connection to server while connecting (",
                                   ready < 0 ? errno : ETIMEDOUT, ")")};
    return false;
  }
  const bool connected = status == NET_ASYNC_COMPLETE;
#endif
  if (!connected) Fail(outcome);
  return connected;
}

// The library verifies the certificate's name against the host it was given, which it keeps only
// once the socket is connected: until then the host is the address that the target is bound to, and
// from then on the name. Should the library look at it sooner, it refuses the certificate.
void MySqlConnection::BearName() {
  if (!std::exchange(name_pending_, false)) return;
  std::fill(library_host_.begin(), library_host_.end(), '\0');
  std::copy(target_->host.begin(), target_->host.end(), library_host_.begin());
}

// Whether the library calls our hook whenever it waits. Under TLS its reads block by themselves.
bool MySqlConnection::WaitsThroughHook() const {
  return DSLAP_CONNECTOR_C != 0 && !session_->encrypted();
}

// Looks at the server's greeting on the fresh socket, without taking it from the library, and
// settles TLS by it. False: the connection is not wanted.
bool MySqlConnection::SettleTls(int fd) {
  MySqlSession::Greeting greeting = MySqlSession::Greeting::kIncomplete;
  bool closed = false;
  for (;;) {
    if (wait_.Wait(fd, SocketWait::Direction::kRead, MillisecondsLeft()) < 1) return false;
    greeting = session_->SettleTls(*target_, fd);
    if (greeting != MySqlSession::Greeting::kIncomplete) break;
    if (closed) return true;
    // Bytes that are there already end every wait at once, also after the time is over.
    if (MillisecondsLeft() == 0) {
      errno = ETIMEDOUT;
      return false;
    }
    closed = IsClosedSoon(fd);
  }
  tls_refused_ = greeting == MySqlSession::Greeting::kRefused;
  if (tls_refused_) errno = EPROTONOSUPPORT;
  // Under TLS the library waits by itself.
  if (tls_refused_ || greeting != MySqlSession::Greeting::kTls) return !tls_refused_;
  return BoundHandshake(fd);
}

// So that what the library waits for by itself ends with the deadline, or an interrupt.
bool MySqlConnection::BoundHandshake(int fd) {
  if (wait_.KeepDuplicate(fd) && bound_.Set(deadline_ns_)) return true;
  errno = EMFILE;
  return false;
}

void MySqlConnection::SetUpSession(SqlOutcome* outcome) {
  const std::string text = SqlModeStatement(*target_);
  if (text.empty()) return;
  Query({SqlOperation::Kind::kQuery, text, nullptr}, outcome);
  if (!outcome->ok()) outcome->error.message.insert(0, kSqlModeError);
}

void MySqlConnection::Query(const SqlOperation& operation, SqlOutcome* outcome) {
  MYSQL* const mysql = session_->mysql();
  if (mysql_send_query(mysql, operation.text.data(), operation.text.size()) != 0) {
    return Fail(outcome);
  }
  // Connector/C would first try to read and be told that nothing is there yet: waiting before it
  // does saves a system call for each statement. A failed wait shows again in the read.
  WaitForSocket(session_->fd(), SocketWait::Direction::kRead, -1);
  if (mysql_read_query_result(mysql) != 0) return Fail(outcome);
  SqlRowSink* rows = operation.rows;
  for (;;) {
    if (!DrainResult(rows, outcome)) return;
    rows = nullptr;
    const int next = mysql_next_result(mysql);
    if (next == 0) continue;
    // Less than 0 is the end, and also a result that broke off before its first row.
    if (next > 0 || mysql_errno(mysql) != 0) Fail(outcome);
    return;
  }
}

// False, and the error in `outcome`, when the result broke off.
bool MySqlConnection::DrainResult(SqlRowSink* rows, SqlOutcome* outcome) {
  MYSQL* const mysql = session_->mysql();
  MYSQL_RES* const result = mysql_use_result(mysql);
  if (result == nullptr) {
    if (mysql_field_count(mysql) == 0) return true;
    Fail(outcome);
    return false;
  }
  while (MYSQL_ROW row = mysql_fetch_row(result)) {
    ++outcome->rows;
    if (rows != nullptr && !rows->OnRow(session_->CopyRow(result, row))) rows = nullptr;
    if (outcome->rows % kRowsBetweenLooks == 0 && MillisecondsLeft() == 0) CutOff();
  }
  const bool complete = mysql_errno(mysql) == 0;
  if (!complete) Fail(outcome);
  mysql_free_result(result);
  return complete;
}

// Rows that come faster than they are read never make the library wait. What it has not read of
// them is not worth reading.
void MySqlConnection::CutOff() {
  cut_ = true;
  shutdown(session_->fd(), SHUT_RDWR);
}

void MySqlConnection::Finish(int failed, SqlOutcome* outcome) {
  if (failed != 0) Fail(outcome);
}

void MySqlConnection::Fail(SqlOutcome* outcome) {
  outcome->error = session_->LastError();
  // Of a session that was up, whatever TLS calls it.
  if (connected_ && outcome->error.code == kTlsError) outcome->error.code = kServerLost;
  if (BreaksConnection(outcome->error.code)) {
    connected_ = false;
    id_.store(0, std::memory_order_relaxed);
  }
}

// -1: no bound.
int MySqlConnection::MillisecondsLeft() const {
  if (deadline_ns_ == 0) return -1;
  const int64_t left_ns = deadline_ns_ - SteadyClock::Get()->NowNs();
  return static_cast<int>(
      std::clamp<int64_t>((left_ns + kNsPerMs - 1) / kNsPerMs, 0, int64_t{1} << 30));
}

int MySqlConnection::WaitForSocket(int fd, SocketWait::Direction direction, int timeout_ms) {
  BearName();
  const int left_ms = MillisecondsLeft();
  if (left_ms >= 0 && (timeout_ms < 0 || left_ms < timeout_ms)) timeout_ms = left_ms;
  const int ready = wait_.Wait(fd, direction, timeout_ms);
  timed_out_ = timed_out_ || (ready == 0 && timeout_ms == left_ms);
  if (ready > 0 && direction == SocketWait::Direction::kRead &&
      std::exchange(tls_without_greeting_, false) && !BoundHandshake(fd)) {
    return -1;
  }
  if (ready < 1 || connected_ || direction == SocketWait::Direction::kRead) return ready;
  // Connector/C reports "operation in progress" for any refused connect; telling it the real error
  // here lets the message say why.
  if (const int error = TakeSocketError(fd); error != 0) {
    errno = error;
    return -1;
  }
  if (greeting_awaited_) {
    greeting_awaited_ = false;
    if (!SettleTls(fd)) return -1;
  }
  return ready;
}

int MySqlConnection::OnLibraryWait(int fd, char is_read, int timeout_ms) {
  return running_connection->WaitForSocket(
      fd, is_read != 0 ? SocketWait::Direction::kRead : SocketWait::Direction::kWrite, timeout_ms);
}

}  // namespace dslap
