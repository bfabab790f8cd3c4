#include "agent/sql/mysql_connection.h"

#include <mysql.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/clock.h"

#if defined(MARIADB_PACKAGE_VERSION)
#define DSLAP_CONNECTOR_C 1
#else
#define DSLAP_CONNECTOR_C 0
#endif

namespace dslap {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
constexpr int64_t kNsPerSecond = 1'000'000'000;
// Saying good-bye to a server that takes no more bytes.
constexpr int64_t kCloseTimeoutNs = kNsPerSecond;

constexpr uint32_t kUnknownClientError = 2000;
constexpr uint32_t kServerGone = 2006;

// After these no further statement can be sent: the client library has closed the socket (2006,
// 2012, 2013, 2055), does not know where in the stream it is (2014, 2027), or the server closes its
// end after saying so (shutdown, KILL, idle time-out, a packet that is too large or broken).
constexpr uint32_t kBreakingCodes[] = {2006, 2012, 2013, 2014, 2026, 2027, 2055, 1053, 1080, 1153,
                                       1156, 1157, 1158, 1159, 1160, 1161, 1927, 3169, 4031};

bool BreaksConnection(uint32_t code) {
  return std::find(std::begin(kBreakingCodes), std::end(kBreakingCodes), code) !=
         std::end(kBreakingCodes);
}

void IgnoreSigpipeUnlessHandled() {
  struct sigaction current {};
  sigaction(SIGPIPE, nullptr, &current);
  if (current.sa_handler == SIG_DFL) signal(SIGPIPE, SIG_IGN);
}

void InitialiseLibrary() {
  static std::once_flag once;
  std::call_once(once, [] {
    mysql_library_init(0, nullptr, nullptr);
    IgnoreSigpipeUnlessHandled();
  });
}

// The library keeps data for each thread that calls it.
void InitialiseThread() {
  struct ThreadEnd {
    ~ThreadEnd() { mysql_thread_end(); }
  };
  thread_local const ThreadEnd end;
  // Naming it is what constructs it, and so what has it destroyed with the thread.
  static_cast<void>(&end);
}

// A server may ask for any file in reply to any statement. These handlers refuse even if the
// library's own switch should fail.
int RefuseInfile(void** /*handle*/, const char* /*name*/, void* /*data*/) { return 1; }
int ReadNoInfile(void* /*handle*/, char* /*buffer*/, unsigned /*size*/) { return -1; }
void EndNoInfile(void* /*handle*/) {}
int NameInfileError(void* /*handle*/, char* message, unsigned size) {
  constexpr std::string_view kText = "the server asked for a local file; dslap never sends one";
  if (size == 0) return static_cast<int>(kUnknownClientError);
  message[kText.copy(message, size - 1)] = '\0';
  return static_cast<int>(kUnknownClientError);
}

const char* OrNull(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

void SetOptions(MYSQL* mysql, const SqlTarget& target) {
  const unsigned timeout_s = static_cast<unsigned>(
      std::max<int64_t>(1, (target.connect_timeout_ns + kNsPerSecond - 1) / kNsPerSecond));
  mysql_options(mysql, MYSQL_OPT_CONNECT_TIMEOUT, &timeout_s);
  const unsigned off = 0;
  mysql_options(mysql, MYSQL_OPT_LOCAL_INFILE, &off);
  mysql_set_local_infile_handler(mysql, RefuseInfile, ReadNoInfile, EndNoInfile, NameInfileError,
                                 nullptr);
  mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  if (target.transport != SqlTransport::kDefault) {
    const unsigned protocol =
        target.transport == SqlTransport::kTcp ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET;
    mysql_options(mysql, MYSQL_OPT_PROTOCOL, &protocol);
  }
}

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

// "Can't connect to server on 'h' (111)" becomes "...(111): Connection refused".
std::string ExplainSystemError(std::string message) {
  if (message.empty() || message.back() != ')') return message;
  const size_t open = message.find_last_of('(');
  int number = 0;
  if (open == std::string::npos ||
      !absl::SimpleAtoi(message.substr(open + 1, message.size() - open - 2), &number)) {
    return message;
  }
  return absl::StrCat(message, ": ", std::generic_category().message(number));
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

MySqlConnection::MySqlConnection(std::shared_ptr<const SqlTarget> target)
    : target_(std::move(target)) {
  InitialiseLibrary();
}

MySqlConnection::~MySqlConnection() { Close(); }

void MySqlConnection::Close() {
  connected_ = false;
  id_.store(0, std::memory_order_relaxed);
  if (session_ == nullptr) return;
  InitialiseThread();
  wait_.DropDuplicate();
  running_connection = this;
  deadline_ns_ = SteadyClock::Get()->NowNs() + kCloseTimeoutNs;
  session_.reset();
  running_connection = nullptr;
}

void MySqlConnection::Interrupt() { wait_.Interrupt(); }

bool MySqlConnection::Start(const SqlOperation& operation, std::coroutine_handle<> /*waiter*/,
                            SqlOutcome* outcome) {
  InitialiseThread();
  if (operation.kind == SqlOperation::Kind::kConnect) {
    Connect(operation.text, outcome);
    return true;
  }
  if (!connected_) {
    outcome->error = {kServerGone, "HY000", "not connected to the server"};
    return true;
  }
  running_connection = this;
  deadline_ns_ = 0;
  switch (operation.kind) {
    case SqlOperation::Kind::kConnect:
      break;  // handled above
    case SqlOperation::Kind::kQuery:
      Query(operation, outcome);
      break;
    case SqlOperation::Kind::kResetSession:
      Finish(mysql_reset_connection(session_->mysql), outcome);
      break;
    case SqlOperation::Kind::kSelectSchema:
      Finish(mysql_select_db(session_->mysql, std::string(operation.text).c_str()), outcome);
      break;
  }
  running_connection = nullptr;
  return true;
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
  SetOptions(mysql, *target_);
#if DSLAP_CONNECTOR_C
  mysql_options(mysql, MARIADB_OPT_IO_WAIT, reinterpret_cast<const void*>(&OnLibraryWait));
#endif
  running_connection = this;
  deadline_ns_ = SteadyClock::Get()->NowNs() + target_->connect_timeout_ns;
  const std::string schema_name(schema);
  const MYSQL* const connected = mysql_real_connect(
      mysql, OrNull(target_->host), OrNull(target_->user), target_->password.Reveal().c_str(),
      OrNull(schema_name), target_->port, OrNull(target_->socket), CLIENT_MULTI_STATEMENTS);
  running_connection = nullptr;
  if (connected == nullptr) {
    Fail(outcome);
    outcome->error.message = ExplainSystemError(std::move(outcome->error.message));
    session_.reset();
    return;
  }
  if (!session_->WaitsThroughHook() && !wait_.KeepDuplicate(session_->fd())) {
    outcome->error = {2001, "HY000",
                      "no file descriptor left for the connection; raise the limit (ulimit -n, "
                      "LimitNOFILE=)"};
    Close();
    return;
  }
  id_.store(mysql_thread_id(mysql), std::memory_order_relaxed);
  connected_ = true;
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
  }
  const bool complete = mysql_errno(mysql) == 0;
  if (!complete) Fail(outcome);
  mysql_free_result(result);
  return complete;
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

int MySqlConnection::WaitForSocket(int fd, SocketWait::Direction direction, int timeout_ms) {
  if (deadline_ns_ != 0) {
    const int64_t left_ns = deadline_ns_ - SteadyClock::Get()->NowNs();
    const int64_t left_ms = std::clamp<int64_t>((left_ns + kNsPerMs - 1) / kNsPerMs, 0, 1 << 30);
    if (timeout_ms < 0 || left_ms < timeout_ms) timeout_ms = static_cast<int>(left_ms);
  }
  const int ready = wait_.Wait(fd, direction, timeout_ms);
  // Connector/C reports "operation in progress" for any refused connect; telling it the real error
  // here lets the message say why.
  const bool connecting = !connected_ && direction == SocketWait::Direction::kWrite;
  const int error = ready == 1 && connecting ? TakeSocketError(fd) : 0;
  if (error == 0) return ready;
  errno = error;
  return -1;
}

int MySqlConnection::OnLibraryWait(int fd, char is_read, int timeout_ms) {
  return running_connection->WaitForSocket(
      fd, is_read != 0 ? SocketWait::Direction::kRead : SocketWait::Direction::kWrite, timeout_ms);
}

}  // namespace dslap
