// A connection over the client library: MariaDB Connector/C or Oracle's libmysqlclient. Only
// the mysql_*.cc files of this folder know either.
//
//   auto target = std::make_shared<SqlTarget>();
//   target->host = "10.0.0.5";
//   MySqlConnection connection(target);
//   SqlOutcome outcome = RunBlocking(connection, {SqlOperation::Kind::kConnect, "shop"});
//
// Every operation blocks the calling thread. Rows are read as they come and dropped: a result of
// any size costs no memory. Statements may be several in one text. The library never reconnects by
// itself, and no server gets a local file, whatever it asks for. A connect succeeds only if the
// connection is what the target asks for: encrypted, compressed, its session set up.
#ifndef DSLAP_AGENT_SQL_MYSQL_CONNECTION_H_
#define DSLAP_AGENT_SQL_MYSQL_CONNECTION_H_

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "agent/sql/deadline_watch.h"
#include "agent/sql/server_pin.h"
#include "agent/sql/socket_wait.h"
#include "agent/sql/sql_connection.h"

namespace dslap {

class MySqlSession;

// Thread-safety: see SqlConnection. The destructor closes.
class MySqlConnection final : public SqlConnection {
 public:
  // The first one in the process initialises the library and, unless the program handles it, has
  // SIGPIPE ignored: a lost server must be an error, not the end of the program.
  // `watch` may be shared by many connections, `pin` by those of a run.
  explicit MySqlConnection(std::shared_ptr<const SqlTarget> target,
                           std::shared_ptr<DeadlineWatch> watch = std::make_shared<DeadlineWatch>(),
                           std::shared_ptr<ServerPin> pin = std::make_shared<ServerPin>());
  ~MySqlConnection() override;

  void Close() override;
  bool connected() const override { return connected_; }
  uint64_t id() const override { return id_.load(std::memory_order_relaxed); }
  uint16_t client_port() const override;
  SqlChannel channel() const override;
  // Also ends a connect that is under way, host name look-up excepted.
  void Interrupt() override;
  // Always true: the operation is done on return. A query that succeeds allocates nothing here.
  bool Start(const SqlOperation& operation, std::coroutine_handle<> waiter,
             SqlOutcome* outcome) override;

  // Gives away what was connected, for use through the library's non-blocking calls; afterwards
  // this connection is closed. nullptr when it is not connected, or the library has no such calls.
  std::unique_ptr<MySqlSession> TakeSession();

 private:
  void Run(const SqlOperation& operation, SqlOutcome* outcome);
  void Connect(std::string_view schema, SqlOutcome* outcome);
  void ConnectTo(const std::string& address, const std::string& schema, SqlOutcome* outcome);
  bool ConnectLibrary(const std::string& schema, SqlOutcome* outcome);
  bool WaitsThroughHook() const;
  bool SettleTls(int fd);
  bool BoundHandshake(int fd);
  void BearName();
  void SetUpSession(SqlOutcome* outcome);
  void Query(const SqlOperation& operation, SqlOutcome* outcome);
  bool DrainResult(SqlRowSink* rows, SqlOutcome* outcome);
  void CutOff();
  void Finish(int failed, SqlOutcome* outcome);
  void Fail(SqlOutcome* outcome);
  int MillisecondsLeft() const;
  int WaitForSocket(int fd, SocketWait::Direction direction, int timeout_ms);
  // The library's call when it must wait; finds the connection that runs on this thread.
  static int OnLibraryWait(int fd, char is_read, int timeout_ms);

  const std::shared_ptr<const SqlTarget> target_;
  const std::shared_ptr<ServerPin> pin_;
  std::unique_ptr<MySqlSession> session_;
  bool connected_ = false;
  // What the library knows the server by; see BearName().
  std::string library_host_;
  bool name_pending_ = false;
  bool greeting_awaited_ = false;      // TLS is to be settled by it
  bool tls_without_greeting_ = false;  // it is to begin, whatever the greeting says
  bool tls_refused_ = false;           // by the server, where it is required
  int64_t deadline_ns_ = 0;            // of the current operation, on the monotonic clock; 0: none
  bool timed_out_ = false;             // a wait of the current operation met it
  bool cut_ = false;                   // the connection was cut off because of it
  std::atomic<uint64_t> id_{0};
  SocketWait wait_;
  DeadlineWatch::Bound bound_;  // the same deadline, where the library waits by itself
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_MYSQL_CONNECTION_H_
