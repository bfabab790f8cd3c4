#include "agent/sql/mysql_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "agent/sql/mysql_library.h"
#include "agent/sql/mysql_options.h"
#include "agent/sql/server_greeting.h"
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
// Up to the capabilities in it. Servers have versions of up to 60 characters.
constexpr size_t kLongestGreeting = 512;

// Of a result, between two looks at the clock.
constexpr uint64_t kRowsBetweenLooks = 256;

constexpr uint32_t kUnknownClientError = 2000;
constexpr uint32_t kServerGone = 2006;
constexpr uint32_t kLostConnection = 2013;
constexpr uint32_t kTlsError = 2026;

// Whether the library calls back before it waits, so that the server's greeting can be looked at
// before it is answered. Oracle's does not, and needs no looking after: it keeps to its TLS mode.
constexpr bool kWaitsThroughHook = DSLAP_CONNECTOR_C != 0;

// After these no further statement can be sent: the client library has closed the socket (2006,
// 2012, 2013, 2055), does not know where in the stream it is (2014, 2027), or the server closes its
// end after saying so (shutdown, KILL, idle time-out, a packet that is too large or broken).
constexpr uint32_t kBreakingCodes[] = {2006, 2012, 2013, 2014, 2026, 2027, 2055, 1053, 1080, 1153,
                                       1156, 1157, 1158, 1159, 1160, 1161, 1927, 3169, 4031};

bool BreaksConnection(uint32_t code) {
  return std::find(std::begin(kBreakingCodes), std::end(kBreakingCodes), code) !=
         std::end(kBreakingCodes);
}

const char* OrNull(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

SqlRow CopyRow(MYSQL_RES* result, MYSQL_ROW row) {
  const unsigned fields = mysql_num_fields(result);
  const auto* lengths = mysql_fetch_lengths(result);
  SqlRow copy(fields);
  for (unsigned i = 0; i < fields; ++i) {
    if (row[i] != nullptr) copy[i].emplace(row[i], lengths[i]);
  }
  return copy;
}

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

struct MySqlConnection::Session {
  Session() : mysql(mysql_init(nullptr)) {}
  ~Session() {
    if (mysql != nullptr) mysql_close(mysql);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  int fd() const {
#if DSLAP_CONNECTOR_C
    return static_cast<int>(mysql_get_socket(mysql));
#else
    return static_cast<int>(mysql->net.fd);
#endif
  }

  // Whether the library calls our hook whenever it waits. Under TLS its reads block by themselves.
  bool WaitsThroughHook() const {
#if DSLAP_CONNECTOR_C
    return mysql_get_ssl_cipher(mysql) == nullptr;
#else
    return false;
#endif
  }

  MYSQL* mysql;
};

MySqlConnection::MySqlConnection(std::shared_ptr<const SqlTarget> target,
                                 std::shared_ptr<DeadlineWatch> watch)
    : target_(std::move(target)), bound_(std::move(watch), &wait_) {
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

void MySqlConnection::Interrupt() { wait_.Interrupt(); }

SqlChannel MySqlConnection::channel() const {
  return connected_ ? ReadChannel(*target_, session_->mysql) : SqlChannel{};
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
  if (bounded && !session_->WaitsThroughHook()) bound_.Set(deadline_ns_);
  switch (operation.kind) {
    case SqlOperation::Kind::kConnect:
      break;
    case SqlOperation::Kind::kQuery:
      Query(operation, outcome);
      break;
    case SqlOperation::Kind::kResetSession:
      Finish(mysql_reset_connection(session_->mysql), outcome);
      if (outcome->ok()) SetUpSession(outcome);
      break;
    case SqlOperation::Kind::kSelectSchema:
      Finish(mysql_select_db(session_->mysql, std::string(operation.text).c_str()), outcome);
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
  Close();
  wait_.Rearm();
  session_ = std::make_unique<Session>();
  MYSQL* const mysql = session_->mysql;
  if (mysql == nullptr) {
    outcome->error = {2008, "HY000", "the client library has no memory for a connection"};
    return;
  }
  SetConnectOptions(*target_, mysql);
  PrepareTls();
#if DSLAP_CONNECTOR_C
  mysql_options(mysql, MARIADB_OPT_IO_WAIT, reinterpret_cast<const void*>(&OnLibraryWait));
#endif
  deadline_ns_ = SteadyClock::Get()->NowNs() + target_->connect_timeout_ns;
  timed_out_ = false;
  if (!ConnectLibrary(std::string(schema), outcome)) {
    ExplainConnectError(*target_, &outcome->error);
    if (tls_refused_) outcome->error = {kTlsError, "HY000", kNoTlsMessage};
  } else if (!session_->WaitsThroughHook() && !wait_.KeepDuplicate(session_->fd())) {
    outcome->error = {2001, "HY000",
                      "no file descriptor left for the connection; raise the limit (ulimit -n, "
                      "LimitNOFILE=)"};
  } else {
    outcome->error = CheckConnected(*target_, mysql);
    if (outcome->ok()) SetUpSession(outcome);
  }
  if (bound_.Clear()) {
    outcome->error = {
        kLostConnection, "HY000",
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
  MYSQL* const mysql = session_->mysql;
  const auto connect = [&](auto* function) {
    return function(mysql, OrNull(target_->host), OrNull(target_->user),
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
    outcome->error = {kLostConnection, "HY000",
                      absl::StrCat("Lost connection to server while connecting (",
                                   ready < 0 ? errno : ETIMEDOUT, ")")};
    return false;
  }
  const bool connected = status == NET_ASYNC_COMPLETE;
#endif
  if (!connected) Fail(outcome);
  return connected;
}

void MySqlConnection::PrepareTls() {
  const bool socket = target_->GoesOverSocket();
  const SqlTlsMode mode = target_->tls.mode;
  tls_refused_ = false;
  greeting_awaited_ = kWaitsThroughHook && mode != SqlTlsMode::kOff && !socket;
  // Connector/C must not be told to prefer TLS before it is known that there is some: it would send
  // the password of caching_sha2_password as if the connection were safe.
  const bool preferred_now = mode == SqlTlsMode::kPreferred && !kWaitsThroughHook && !socket;
  if (mode >= SqlTlsMode::kRequired || preferred_now) {
    SetTlsOptions(target_->tls, session_->mysql);
  } else {
    SetTlsOff(session_->mysql);
  }
}

// Looks at the server's greeting on the fresh socket, without taking it from the library, and
// settles TLS by it. False: the connection is not wanted.
bool MySqlConnection::SettleTls(int fd) {
  std::array<char, kLongestGreeting> bytes{};
  TlsOffer offer = TlsOffer::kIncomplete;
  bool closed = false;
  for (;;) {
    if (wait_.Wait(fd, SocketWait::Direction::kRead, MillisecondsLeft()) < 1) return false;
    const ssize_t size = recv(fd, bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT);
    // The library will meet the same, and say what it is.
    if (size <= 0) return true;
    offer = FindTlsOffer({bytes.data(), static_cast<size_t>(size)});
    if (size == static_cast<ssize_t>(bytes.size()) && offer == TlsOffer::kIncomplete) {
      offer = TlsOffer::kNotOffered;
    }
    if (offer != TlsOffer::kIncomplete) break;
    if (closed) return true;
    // Bytes that are there already end every wait at once, also after the time is over.
    if (MillisecondsLeft() == 0) {
      errno = ETIMEDOUT;
      return false;
    }
    closed = IsClosedSoon(fd);
  }
  const bool required = target_->tls.mode >= SqlTlsMode::kRequired;
  if (offer == TlsOffer::kOffered && !required) SetTlsOptions(target_->tls, session_->mysql);
  tls_refused_ = offer == TlsOffer::kNotOffered && required;
  if (tls_refused_) errno = EPROTONOSUPPORT;
  // Under TLS the library waits by itself.
  if (tls_refused_ || offer != TlsOffer::kOffered) return !tls_refused_;
  if (!wait_.KeepDuplicate(fd)) return false;
  bound_.Set(deadline_ns_);
  return true;
}

void MySqlConnection::SetUpSession(SqlOutcome* outcome) {
  if (!target_->sql_mode.has_value()) return;
  const std::string text =
      absl::StrCat("SET sql_mode = `", absl::StrReplaceAll(*target_->sql_mode, {{"`", "``"}}), "`");
  Query({SqlOperation::Kind::kQuery, text, nullptr}, outcome);
  if (!outcome->ok()) outcome->error.message.insert(0, "--sql-mode: ");
}

void MySqlConnection::Query(const SqlOperation& operation, SqlOutcome* outcome) {
  MYSQL* const mysql = session_->mysql;
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
    if (next < 0) return;
    if (next > 0) return Fail(outcome);
  }
}

// False, and the error in `outcome`, when the result broke off.
bool MySqlConnection::DrainResult(SqlRowSink* rows, SqlOutcome* outcome) {
  MYSQL* const mysql = session_->mysql;
  MYSQL_RES* const result = mysql_use_result(mysql);
  if (result == nullptr) {
    if (mysql_field_count(mysql) == 0) return true;
    Fail(outcome);
    return false;
  }
  while (MYSQL_ROW row = mysql_fetch_row(result)) {
    ++outcome->rows;
    if (rows != nullptr && !rows->OnRow(CopyRow(result, row))) rows = nullptr;
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
  MYSQL* const mysql = session_->mysql;
  outcome->error = {mysql_errno(mysql), mysql_sqlstate(mysql), mysql_error(mysql)};
  if (outcome->error.code == 0) {
    outcome->error = {kUnknownClientError, "HY000", "the client library failed without a reason"};
  }
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
  const int left_ms = MillisecondsLeft();
  if (left_ms >= 0 && (timeout_ms < 0 || left_ms < timeout_ms)) timeout_ms = left_ms;
  const int ready = wait_.Wait(fd, direction, timeout_ms);
  timed_out_ = timed_out_ || (ready == 0 && timeout_ms == left_ms);
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
