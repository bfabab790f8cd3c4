// One connection to the database, as the seam between the client's logic and the client library.
//
// Every operation is an awaitable, so that the logic of a client is written once, top to bottom, as
// a coroutine (agent/engine/client.h). A blocking connection finishes each operation before it
// returns; a non-blocking one keeps the coroutine's handle and resumes it on its event loop.
//
//   SqlOutcome outcome = co_await connection->Query("SELECT 1");
//   if (!outcome.ok()) tally.Add(outcome.error);
//
// Production: MySqlConnection (agent/sql/mysql_connection.h); tests:
// tests/fakes/fake_sql_connection.h.
#ifndef DSLAP_AGENT_SQL_SQL_CONNECTION_H_
#define DSLAP_AGENT_SQL_SQL_CONNECTION_H_

#include <coroutine>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "agent/sql/sql_channel.h"
#include "agent/sql/sql_target.h"
#include "common/error_tally.h"

namespace dslap {

// The client library's code for want of memory, and ours for want of a thread.
inline constexpr uint32_t kOutOfMemory = 2008;

using SqlRow = std::vector<std::optional<std::string>>;

// Takes the rows of a query's first result.
class SqlRowSink {
 public:
  virtual ~SqlRowSink() = default;
  // False: enough, the rest is dropped.
  virtual bool OnRow(SqlRow row) = 0;
};

struct SqlOutcome {
  SqlError error;         // code 0: success
  uint64_t rows = 0;      // received, over all results
  int64_t queued_ns = 0;  // of the time it took, spent waiting for a turn on this side
  bool ok() const { return error.ok(); }
};

struct SqlOperation {
  enum class Kind { kConnect, kQuery, kResetSession, kSelectSchema };
  Kind kind = Kind::kQuery;
  std::string_view text;  // the statement, or the schema's name; must outlive the operation
  SqlRowSink* rows = nullptr;
  // When it is not answered in full by then, it is given up: the outcome is QueryTimeoutError() and
  // the connection is broken, while the server may go on with it. 0: none. Connecting has the
  // target's own.
  int64_t timeout_ns = 0;
};

// What an operation that was given up gets: kQueryTimeoutCode.
SqlError QueryTimeoutError(int64_t timeout_ns);

// Used by one client at a time; only id() and Interrupt() may be called from another thread
// meanwhile. The destructor closes.
class SqlConnection {
 public:
  class Awaiter;

  virtual ~SqlConnection() = default;

  // Connects with `schema` as the default database (none when empty); closes what was open before.
  [[nodiscard]] Awaiter Connect(std::string_view schema);
  // Sends a statement, reads all its results and drops the rows. An error in any of several results
  // is the outcome. For `timeout_ns` here and below see SqlOperation.
  [[nodiscard]] Awaiter Query(std::string_view text, int64_t timeout_ns = 0);
  // Puts the session back to a fresh one's state without reconnecting (COM_RESET_CONNECTION).
  [[nodiscard]] Awaiter ResetSession(int64_t timeout_ns = 0);
  [[nodiscard]] Awaiter SelectSchema(std::string_view schema, int64_t timeout_ns = 0);

  // Says good-bye to the server and closes. No-op when not connected.
  virtual void Close() = 0;

  // False before Connect() and after an error that broke the connection.
  virtual bool connected() const = 0;

  // The server's number for this connection (KILL takes it); 0 when not connected. Thread-safe.
  virtual uint64_t id() const = 0;

  // The TCP port on this side; 0: not connected, or over a Unix socket. By the thread that uses the
  // connection.
  virtual uint16_t client_port() const { return 0; }

  // How it goes; meaningless when not connected. By the thread that uses the connection.
  virtual SqlChannel channel() const = 0;

  // Makes an operation that waits for the server fail soon, as a lost connection. Thread-safe.
  virtual void Interrupt() = 0;

  // Runs an operation. True: it is done and `outcome` is filled. False: `waiter` is resumed later,
  // when `outcome` is filled. `operation` and `outcome` live until then.
  virtual bool Start(const SqlOperation& operation, std::coroutine_handle<> waiter,
                     SqlOutcome* outcome) = 0;
};

class [[nodiscard]] SqlConnection::Awaiter {
 public:
  Awaiter(SqlConnection* connection, SqlOperation operation)
      : connection_(connection), operation_(operation) {}

  bool await_ready() const noexcept { return false; }
  // False resumes the coroutine at once.
  bool await_suspend(std::coroutine_handle<> waiter) {
    return !connection_->Start(operation_, waiter, &outcome_);
  }
  SqlOutcome await_resume() { return std::move(outcome_); }

 private:
  SqlConnection* connection_;
  SqlOperation operation_;
  SqlOutcome outcome_;
};

inline SqlConnection::Awaiter SqlConnection::Connect(std::string_view schema) {
  return {this, {SqlOperation::Kind::kConnect, schema, nullptr, 0}};
}
inline SqlConnection::Awaiter SqlConnection::Query(std::string_view text, int64_t timeout_ns) {
  return {this, {SqlOperation::Kind::kQuery, text, nullptr, timeout_ns}};
}
inline SqlConnection::Awaiter SqlConnection::ResetSession(int64_t timeout_ns) {
  return {this, {SqlOperation::Kind::kResetSession, {}, nullptr, timeout_ns}};
}
inline SqlConnection::Awaiter SqlConnection::SelectSchema(std::string_view schema,
                                                          int64_t timeout_ns) {
  return {this, {SqlOperation::Kind::kSelectSchema, schema, nullptr, timeout_ns}};
}

// For code that is no coroutine: only with connections whose Start() always finishes at once.
SqlOutcome RunBlocking(SqlConnection& connection, const SqlOperation& operation);

class EventLoop;

// Thread-safe. Makes connections to one target; connecting is the connection's first operation.
class SqlConnectionFactory {
 public:
  virtual ~SqlConnectionFactory() = default;
  // Whether this host and its client library have what the target asks for, as far as can be told
  // without connecting. Reads files. FAILED_PRECONDITION naming the option, and why it cannot be.
  virtual absl::Status Check() { return absl::OkStatus(); }
  // A connection whose operations block the calling thread.
  virtual std::unique_ptr<SqlConnection> MakeBlocking() = 0;
  // A connection whose operations suspend the coroutine that awaits them, on the thread that runs
  // `loop`; it is used there, or anywhere while the loop does not run, and goes before the loop.
  // nullptr: there is none with this client library.
  virtual std::unique_ptr<SqlConnection> MakeOnLoop(EventLoop* /*loop*/) { return nullptr; }
  // Statements that a connection sends by itself after a connect, and after a reset.
  virtual uint64_t SetUpStatements() const { return 0; }
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_SQL_CONNECTION_H_
