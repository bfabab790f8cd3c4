#include "agent/sql/mysql_loop_connection.h"

#include <mysql.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/sql/mysql_connection.h"
#include "agent/sql/mysql_library.h"
#include "agent/sql/mysql_options.h"
#include "agent/sql/mysql_session.h"

#if DSLAP_CONNECTOR_C

namespace dslap {
namespace {

constexpr uint64_t kRowsInOneGo = 256;
constexpr char kNoMemory[] = "the client library has no memory for a connection";

}  // namespace

// Ends the operation that was under way, if one was, and waits for the next.
class MySqlLoopConnection::NextOperation {
 public:
  explicit NextOperation(MySqlLoopConnection* connection) : connection_(connection) {}
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> serve) {
    connection_->idle_ = serve;
    connection_->deadline_ns_ = 0;
    const bool ended = std::exchange(connection_->operation_, nullptr) != nullptr;
    // Start() says itself that it is done.
    if (!ended || connection_->in_start_) return std::noop_coroutine();
    return connection_->waiter_;
  }
  const SqlOperation& await_resume() const { return *connection_->operation_; }

 private:
  MySqlLoopConnection* const connection_;
};

// Waits until the socket is ready for what the library waits for; gives what it is ready for, to be
// handed on to the library. MYSQL_WAIT_TIMEOUT: no more waiting, the operation is to fail.
class MySqlLoopConnection::Ready {
 public:
  Ready(MySqlLoopConnection* connection, int waits_for)
      : connection_(connection), waits_for_(waits_for) {}
  bool await_ready() {
    if (connection_->interrupted_.load(std::memory_order_relaxed) || connection_->timed_out_) {
      // Under TLS the library would only try again, and nobody else have a turn.
      if (connection_->connected_) connection_->CutSocket();
      connection_->ready_for_ = MYSQL_WAIT_TIMEOUT;
      return true;
    }
    if ((waits_for_ & MYSQL_WAIT_READ) == 0) return false;
    connection_->ready_for_ = MYSQL_WAIT_READ;
    return std::exchange(connection_->bytes_came_, false);
  }
  void await_suspend(std::coroutine_handle<> waiting) {
    MySqlLoopConnection& connection = *connection_;
    connection.waiting_ = waiting;
    connection.waits_for_ = waits_for_;
    const bool wants_writable = (waits_for_ & MYSQL_WAIT_WRITE) != 0;
    if (connection.connected_ && !wants_writable && !connection.wants_writable_) return;
    // A connect may go through several sockets, one for each address of the host.
    const int fd = connection.session_->fd();
    if (!connection.connected_) connection.loop_->Watch(fd, &connection);
    if (wants_writable || connection.wants_writable_) {
      connection.loop_->WantWritable(fd, &connection, wants_writable);
      connection.wants_writable_ = wants_writable;
    }
  }
  int await_resume() const {
    // The library puts it into its message.
    if (connection_->ready_for_ == MYSQL_WAIT_TIMEOUT) {
      errno = connection_->timed_out_ ? ETIMEDOUT : ECONNABORTED;
    }
    return connection_->ready_for_;
  }

 private:
  MySqlLoopConnection* const connection_;
  const int waits_for_;
};

// Lets others have their turn: rows that come as fast as they are read never make the library wait.
class MySqlLoopConnection::OtherTurns {
 public:
  explicit OtherTurns(MySqlLoopConnection* connection) : connection_(connection) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) { connection_->loop_->ResumeSoon(waiting); }
  void await_resume() const {
    // What is left of the rows is not worth reading.
    if (connection_->timed_out_ || connection_->interrupted_.load(std::memory_order_relaxed)) {
      connection_->CutSocket();
    }
  }

 private:
  MySqlLoopConnection* const connection_;
};

// Waits for work that another thread does.
class MySqlLoopConnection::Aside {
 public:
  Aside(MySqlLoopConnection* connection, std::function<void()> work)
      : connection_(connection), work_(std::move(work)) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiting) {
    MySqlLoopConnection* const connection = connection_;
    connection->waiting_aside_ = waiting;
    connection->aside_state_.store(AsideState::kBusy);
    started_ = connection->aids_->threads.Run([this, connection] {
      work_();
      connection->aside_state_.store(AsideState::kDone);
      connection->loop_->Notify(connection);
      // The last that this thread does with the connection.
      connection->aside_state_.store(AsideState::kLeft);
    });
    if (!started_) connection->waiting_aside_ = nullptr;
    return started_;
  }
  // False: there was no thread for it.
  bool await_resume() const { return started_; }

 private:
  MySqlLoopConnection* const connection_;
  const std::function<void()> work_;
  bool started_ = false;
};

MySqlLoopConnection::MySqlLoopConnection(std::shared_ptr<const SqlTarget> target,
                                         std::shared_ptr<LoopConnectionAids> aids, EventLoop* loop)
    : target_(std::move(target)), aids_(std::move(aids)), loop_(loop) {
  InitialiseMySqlLibrary();
  serve_ = Serve();
  serve_.Start();
}

MySqlLoopConnection::~MySqlLoopConnection() {
  Close();
  loop_->Forget(this);
  if (timer_.has_value()) loop_->Cancel(*timer_);
}

void MySqlLoopConnection::Close() {
  connected_ = false;
  id_.store(0, std::memory_order_relaxed);
  if (session_ == nullptr) return;
  InitialiseMySqlThread();
  // The library's good-bye would wait for a server that takes no more bytes.
  if (interrupted_.load(std::memory_order_relaxed) || timed_out_) CutSocket();
  session_.reset();
}

uint16_t MySqlLoopConnection::client_port() const {
  return connected_ ? session_->client_port() : 0;
}

SqlChannel MySqlLoopConnection::channel() const {
  return connected_ ? ReadChannel(*target_, session_->mysql()) : SqlChannel{};
}

void MySqlLoopConnection::Interrupt() {
  interrupted_.store(true, std::memory_order_relaxed);
  loop_->Notify(this);
}

void MySqlLoopConnection::OnNotify() {
  if (waiting_aside_) {
    if (aside_state_.load() != AsideState::kBusy) {
      // It has notified, or is just about to.
      while (aside_state_.load() != AsideState::kLeft) std::this_thread::yield();
      std::exchange(waiting_aside_, nullptr).resume();
    } else if (interrupted_.load(std::memory_order_relaxed)) {
      aside_->Interrupt();
    }
    return;
  }
  // A connect that began since has taken the interrupt back.
  if (interrupted_.load(std::memory_order_relaxed)) {
    CutSocket();
    GoOn(MYSQL_WAIT_TIMEOUT);
  }
}

bool MySqlLoopConnection::Start(const SqlOperation& operation, std::coroutine_handle<> waiter,
                                SqlOutcome* outcome) {
  InitialiseMySqlThread();
  if (!connected_ && operation.kind != SqlOperation::Kind::kConnect) {
    outcome->error = {kServerGone, "HY000", "not connected to the server"};
    return true;
  }
  operation_ = &operation;
  outcome_ = outcome;
  waiter_ = waiter;
  in_start_ = true;
  idle_.resume();
  in_start_ = false;
  return operation_ == nullptr;
}

Task<void> MySqlLoopConnection::Serve() {
  for (;;) {
    const SqlOperation& operation = co_await NextOperation(this);
    timed_out_ = false;
    if (operation.timeout_ns > 0) SetDeadline(operation.timeout_ns);
    switch (operation.kind) {
      case SqlOperation::Kind::kConnect:
        co_await Connect();
        continue;
      case SqlOperation::Kind::kQuery:
        co_await Query(operation.text, operation.rows);
        break;
      case SqlOperation::Kind::kResetSession:
        co_await ResetSession();
        break;
      case SqlOperation::Kind::kSelectSchema:
        co_await SelectSchema();
        break;
    }
    // The socket was cut, whatever was still read from it.
    if (!timed_out_) continue;
    Close();
    outcome_->error = QueryTimeoutError(operation.timeout_ns);
  }
}

Task<void> MySqlLoopConnection::Connect() {
  Close();
  interrupted_.store(false, std::memory_order_relaxed);
  bytes_came_ = false;
  wants_writable_ = false;
  const bool maybe_encrypted =
      target_->tls.mode != SqlTlsMode::kOff &&
      (target_->tls.mode >= SqlTlsMode::kRequired || !target_->GoesOverSocket());
  if (maybe_encrypted) {
    co_await ConnectAside();
  } else {
    co_await ConnectHere();
  }
  if (outcome_->ok() && timed_out_) {
    outcome_->error = {kServerLost, "HY000", "the server did not finish connecting in time"};
  }
  if (!outcome_->ok()) {
    Close();
    co_return;
  }
  id_.store(mysql_thread_id(session_->mysql()), std::memory_order_relaxed);
}

// The library's TLS handshake blocks, also in its non-blocking calls.
Task<void> MySqlLoopConnection::ConnectAside() {
  const std::string schema(operation_->text);
  SqlOutcome outcome;
  aside_ = std::make_unique<MySqlConnection>(target_, aids_->watch, aids_->pin);
  const int64_t asked_at_ns = loop_->NowNs();
  const bool ran = co_await Aside(this, [&] {
    outcome_->queued_ns = loop_->NowNs() - asked_at_ns;
    if (interrupted_.load(std::memory_order_relaxed)) {
      outcome.error = {kServerLost, "HY000", "interrupted before connecting"};
      return;
    }
    outcome = RunBlocking(*aside_, {SqlOperation::Kind::kConnect, schema, nullptr});
  });
  if (!ran) outcome.error = {kOutOfMemory, "HY000", "there is no thread to be had for a connect"};
  session_ = aside_->TakeSession();
  aside_.reset();
  outcome_->error = std::move(outcome.error);
  connected_ = session_ != nullptr;
  if (outcome_->ok() && !connected_) outcome_->error = {kOutOfMemory, "HY000", kNoMemory};
  if (connected_) WatchForGood();
}

Task<void> MySqlLoopConnection::ConnectHere() {
  SetDeadline(target_->connect_timeout_ns);
  const std::vector<std::string>& addresses = target_->addresses;
  std::optional<size_t> next = aids_->pin->First();
  for (;;) {
    co_await ConnectTo(addresses.empty() ? target_->host : addresses[*next]);
    // Whether it went well is not known yet.
    if (timed_out_) co_return;
    next = aids_->pin->Next(*next, addresses.size(), AttemptOf(outcome_->error));
    if (!next.has_value()) co_return;
    Close();
    outcome_->error = {};
    bytes_came_ = false;
    wants_writable_ = false;
  }
}

// TLS never begins here, so that the address may stand for the name.
Task<void> MySqlLoopConnection::ConnectTo(const std::string& address) {
  session_ = std::make_unique<MySqlSession>();
  MYSQL* const mysql = session_->mysql();
  if (mysql == nullptr || mysql_options(mysql, MYSQL_OPT_NONBLOCK, nullptr) != 0) {
    outcome_->error = {kOutOfMemory, "HY000", kNoMemory};
    co_return;
  }
  SetConnectOptions(*target_, mysql);
  SetTlsOff(mysql);
  const std::string schema(operation_->text);
  MYSQL* connected = nullptr;
  int waits = mysql_real_connect_start(
      &connected, mysql, OrNull(address), OrNull(target_->user), target_->password.Reveal().c_str(),
      OrNull(schema), target_->port, OrNull(target_->socket), CLIENT_MULTI_STATEMENTS);
  while (waits != 0) {
    waits = mysql_real_connect_cont(&connected, mysql, co_await Ready(this, waits));
  }
  if (connected == nullptr) {
    Fail();
    ExplainConnectError(*target_, &outcome_->error);
    co_return;
  }
  outcome_->error = CheckConnected(*target_, mysql);
  connected_ = true;
  if (outcome_->ok()) WatchForGood();
  if (outcome_->ok()) co_await SetUpSession();
}

// From here on the socket stays the same. It is not watched yet when it comes from elsewhere, or
// when the server answered so fast that there was nothing to wait for.
void MySqlLoopConnection::WatchForGood() {
  if (loop_->Watch(session_->fd(), this)) return;
  outcome_->error = {2001, "HY000",
                     absl::StrCat("the connection cannot be waited for: ", std::strerror(errno),
                                  " (raise fs.epoll.max_user_watches)")};
}

Task<void> MySqlLoopConnection::SetUpSession() {
  const std::string text = SqlModeStatement(*target_);
  if (text.empty()) co_return;
  co_await Query(text, nullptr);
  if (!outcome_->ok()) outcome_->error.message.insert(0, kSqlModeError);
}

Task<void> MySqlLoopConnection::Query(std::string_view text, SqlRowSink* rows) {
  MYSQL* const mysql = session_->mysql();
  int failed = 0;
  int waits = mysql_send_query_start(&failed, mysql, text.data(), text.size());
  while (waits != 0) {
    waits = mysql_send_query_cont(&failed, mysql, co_await Ready(this, waits));
  }
  if (failed != 0) {
    Fail();
    co_return;
  }
  // A wait that failed shows again in the read.
  co_await Ready(this, MYSQL_WAIT_READ);
  my_bool unread = 0;
  waits = mysql_read_query_result_start(&unread, mysql);
  while (waits != 0) {
    waits = mysql_read_query_result_cont(&unread, mysql, co_await Ready(this, waits));
  }
  if (unread != 0) {
    Fail();
    co_return;
  }
  for (;;) {
    const bool complete = co_await DrainResult(rows);
    if (!complete) co_return;
    rows = nullptr;
    if (!mysql_more_results(mysql)) co_return;
    waits = mysql_next_result_start(&failed, mysql);
    while (waits != 0) {
      waits = mysql_next_result_cont(&failed, mysql, co_await Ready(this, waits));
    }
    // Less than 0 is a result that broke off before its first row.
    if (failed != 0) {
      Fail();
      co_return;
    }
  }
}

// False, and the error in the outcome, when the result broke off.
Task<bool> MySqlLoopConnection::DrainResult(SqlRowSink* rows) {
  MYSQL* const mysql = session_->mysql();
  MYSQL_RES* const result = mysql_use_result(mysql);
  if (result == nullptr) {
    if (mysql_field_count(mysql) == 0) co_return true;
    Fail();
    co_return false;
  }
  for (;;) {
    MYSQL_ROW row = nullptr;
    int waits = mysql_fetch_row_start(&row, result);
    while (waits != 0) {
      waits = mysql_fetch_row_cont(&row, result, co_await Ready(this, waits));
    }
    if (row == nullptr) break;
    ++outcome_->rows;
    if (rows != nullptr && !rows->OnRow(session_->CopyRow(result, row))) rows = nullptr;
    if (outcome_->rows % kRowsInOneGo == 0) co_await OtherTurns(this);
  }
  const bool complete = mysql_errno(mysql) == 0;
  if (!complete) Fail();
  mysql_free_result(result);  // has nothing left to read
  co_return complete;
}

Task<void> MySqlLoopConnection::ResetSession() {
  MYSQL* const mysql = session_->mysql();
  int failed = 0;
  int waits = mysql_reset_connection_start(&failed, mysql);
  while (waits != 0) {
    waits = mysql_reset_connection_cont(&failed, mysql, co_await Ready(this, waits));
  }
  if (failed != 0) {
    Fail();
    co_return;
  }
  co_await SetUpSession();
}

Task<void> MySqlLoopConnection::SelectSchema() {
  MYSQL* const mysql = session_->mysql();
  const std::string schema(operation_->text);
  int failed = 0;
  int waits = mysql_select_db_start(&failed, mysql, schema.c_str());
  while (waits != 0) {
    waits = mysql_select_db_cont(&failed, mysql, co_await Ready(this, waits));
  }
  if (failed != 0) Fail();
}

void MySqlLoopConnection::Fail() {
  outcome_->error = session_->LastError();
  // Of a session that was up, whatever TLS calls it.
  if (connected_ && outcome_->error.code == kTlsError) outcome_->error.code = kServerLost;
  if (!BreaksConnection(outcome_->error.code)) return;
  connected_ = false;
  id_.store(0, std::memory_order_relaxed);
}

void MySqlLoopConnection::SetDeadline(int64_t timeout_ns) {
  deadline_ns_ = loop_->NowNs() + timeout_ns;
  // A timer that comes too early is set anew then; that costs less than one for every operation.
  if (timer_.has_value() && (*timer_)->first > deadline_ns_) {
    loop_->Cancel(*timer_);
    timer_.reset();
  }
  if (!timer_.has_value()) timer_ = loop_->CallAt(deadline_ns_, [this] { OnDeadline(); });
}

void MySqlLoopConnection::OnDeadline() {
  timer_.reset();
  if (deadline_ns_ == 0) return;
  // That of an operation before this one.
  if (loop_->NowNs() < deadline_ns_) {
    timer_ = loop_->CallAt(deadline_ns_, [this] { OnDeadline(); });
    return;
  }
  timed_out_ = true;
  // Under TLS the library would only try again.
  if (connected_) CutSocket();
  GoOn(MYSQL_WAIT_TIMEOUT);
}

// So that whatever the library tries with it fails at once; the library closes it.
void MySqlLoopConnection::CutSocket() {
  if (session_ != nullptr && session_->fd() >= 0) shutdown(session_->fd(), SHUT_RDWR);
}

void MySqlLoopConnection::OnSocket(uint32_t events) {
  constexpr uint32_t kBroken = EPOLLERR | EPOLLHUP;
  constexpr uint32_t kReadable = EPOLLIN | EPOLLRDHUP | kBroken;
  constexpr uint32_t kWritable = EPOLLOUT | kBroken;
  int ready = 0;
  if ((events & kReadable) != 0) ready |= MYSQL_WAIT_READ;
  if ((events & kWritable) != 0) ready |= MYSQL_WAIT_WRITE;
  // The loop tells it once.
  const bool wanted = (ready & waits_for_) != 0;
  if ((ready & MYSQL_WAIT_READ) != 0 && (waits_for_ & MYSQL_WAIT_READ) == 0) bytes_came_ = true;
  if (wanted) GoOn(ready & waits_for_);
}

void MySqlLoopConnection::GoOn(int ready) {
  if (waits_for_ == 0) return;
  waits_for_ = 0;
  ready_for_ = ready;
  std::exchange(waiting_, nullptr).resume();
}

}  // namespace dslap

#endif  // DSLAP_CONNECTOR_C
