// A connection over the non-blocking calls of MariaDB Connector/C: while it waits for the server,
// its coroutine is suspended and the event loop carries others on. Oracle's library has no such
// calls; a build against it has this connection only as a declaration.
//
//   MySqlLoopConnection connection(target, aids, loop);
//   SqlOutcome outcome = co_await connection.Query("SELECT 1");   // resumed by loop->RunUntil()
//
// What it promises is what MySqlConnection promises: rows are read as they come and dropped, no
// reconnect by itself, no local file for any server, and a connect succeeds only if the connection
// is what the target asks for. A connect that may come to
// a TLS handshake, which blocks in the library, is made by another thread. The look-up of a host
// name blocks the loop.
//
// A statement is sent, its answer waited for, and only then read: the library's own query call
// reads at once and pays a system call to be told that nothing is there yet.
#ifndef DSLAP_AGENT_SQL_MYSQL_LOOP_CONNECTION_H_
#define DSLAP_AGENT_SQL_MYSQL_LOOP_CONNECTION_H_

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "agent/async/aside_threads.h"
#include "agent/async/event_loop.h"
#include "agent/async/task.h"
#include "agent/sql/deadline_watch.h"
#include "agent/sql/server_pin.h"
#include "agent/sql/sql_connection.h"

namespace dslap {

class MySqlConnection;
class MySqlSession;

// What the connections of a run have in common.
struct LoopConnectionAids {
  // Enough for handshakes, which cost mostly CPU.
  static constexpr size_t kThreads = 8;

  LoopConnectionAids(std::shared_ptr<DeadlineWatch> deadline_watch,
                     std::shared_ptr<ServerPin> server_pin)
      : watch(std::move(deadline_watch)), pin(std::move(server_pin)), threads(kThreads) {}

  const std::shared_ptr<DeadlineWatch> watch;
  const std::shared_ptr<ServerPin> pin;
  AsideThreads threads;
};

// Thread-safety: see SqlConnection and SqlConnectionFactory::MakeOnLoop(). The destructor closes.
class MySqlLoopConnection final : public SqlConnection, private EventLoop::Handler {
 public:
  // The loop outlives the connection. As to the process, see MySqlConnection.
  MySqlLoopConnection(std::shared_ptr<const SqlTarget> target,
                      std::shared_ptr<LoopConnectionAids> aids, EventLoop* loop);
  ~MySqlLoopConnection() override;

  // Not while an operation is under way.
  void Close() override;
  bool connected() const override { return connected_; }
  uint64_t id() const override { return id_.load(std::memory_order_relaxed); }
  uint16_t client_port() const override;
  SqlChannel channel() const override;
  void Interrupt() override;
  // A query that succeeds allocates nothing here.
  bool Start(const SqlOperation& operation, std::coroutine_handle<> waiter,
             SqlOutcome* outcome) override;

 private:
  class NextOperation;
  class Ready;
  class OtherTurns;
  class Aside;

  // Carries out one operation after the other, for as long as the connection object lives.
  Task<void> Serve();
  Task<void> Connect();
  Task<void> ConnectAside();
  Task<void> ConnectHere();
  Task<void> ConnectTo(const std::string& address);
  void WatchForGood();
  Task<void> SetUpSession();
  Task<void> Query(std::string_view text, SqlRowSink* rows);
  Task<bool> DrainResult(SqlRowSink* rows);
  Task<void> ResetSession();
  Task<void> SelectSchema();

  void Fail();
  void SetDeadline(int64_t timeout_ns);
  void OnDeadline();
  void CutSocket();
  void GoOn(int ready);

  void OnSocket(uint32_t events) override;
  void OnNotify() override;

  const std::shared_ptr<const SqlTarget> target_;
  const std::shared_ptr<LoopConnectionAids> aids_;
  EventLoop* const loop_;
  std::unique_ptr<MySqlSession> session_;
  bool connected_ = false;
  std::atomic<uint64_t> id_{0};

  // The operation under way; nullptr: none.
  const SqlOperation* operation_ = nullptr;
  SqlOutcome* outcome_ = nullptr;
  std::coroutine_handle<> waiter_;
  bool in_start_ = false;
  Task<void> serve_;
  std::coroutine_handle<> idle_;  // of serve_, when no operation is under way

  // What the coroutine that is suspended waits for, as the library says it; 0: nothing.
  int waits_for_ = 0;
  int ready_for_ = 0;
  std::coroutine_handle<> waiting_;
  bool bytes_came_ = false;  // and nobody was waiting for them
  bool wants_writable_ = false;

  // A connect that another thread makes, and the coroutine that waits for it.
  std::unique_ptr<MySqlConnection> aside_;
  std::coroutine_handle<> waiting_aside_;
  enum class AsideState : uint8_t { kBusy, kDone, kLeft };
  std::atomic<AsideState> aside_state_{AsideState::kLeft};

  std::atomic<bool> interrupted_{false};
  int64_t deadline_ns_ = 0;  // of the operation; 0: none
  bool timed_out_ = false;
  std::optional<EventLoop::TimerId> timer_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_MYSQL_LOOP_CONNECTION_H_
