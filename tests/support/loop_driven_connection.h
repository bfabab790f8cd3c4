// A connection of an event loop as one that blocks: each operation runs the loop until it is done.
// So a test of connections can be run over both kinds.
//
//   MySqlConnectionFactory factory(target);
//   LoopDrivenConnection connection(&factory);
//   SqlOutcome outcome = RunBlocking(connection, {SqlOperation::Kind::kConnect, "shop"});
#ifndef DSLAP_TESTS_SUPPORT_LOOP_DRIVEN_CONNECTION_H_
#define DSLAP_TESTS_SUPPORT_LOOP_DRIVEN_CONNECTION_H_

#include <coroutine>
#include <cstdint>
#include <memory>

#include "agent/async/event_loop.h"
#include "agent/async/task.h"
#include "agent/sql/sql_connection.h"
#include "common/clock.h"

namespace dslap {

// Thread-safety: see SqlConnection. Needs nothing of the factory afterwards.
class LoopDrivenConnection final : public SqlConnection {
 public:
  explicit LoopDrivenConnection(SqlConnectionFactory* factory)
      : loop_(EventLoop::Create(SteadyClock::Get()).value()),
        connection_(factory->MakeOnLoop(loop_.get())) {}

  void Close() override { connection_->Close(); }
  bool connected() const override { return connection_->connected(); }
  uint64_t id() const override { return connection_->id(); }
  SqlChannel channel() const override { return connection_->channel(); }
  void Interrupt() override { connection_->Interrupt(); }
  bool Start(const SqlOperation& operation, std::coroutine_handle<> /*waiter*/,
             SqlOutcome* outcome) override {
    Task<void> task = CarryOut(&operation, outcome);
    task.Start();
    loop_->RunUntil([&] { return task.done(); });
    return true;
  }

 private:
  Task<void> CarryOut(const SqlOperation* operation, SqlOutcome* outcome) {
    *outcome = co_await Awaiter(connection_.get(), *operation);
  }

  const std::unique_ptr<EventLoop> loop_;
  const std::unique_ptr<SqlConnection> connection_;
};

// The connection that a test program is about: it is built once for each kind.
inline std::unique_ptr<SqlConnection> MakeConnectionUnderTest(SqlConnectionFactory* factory) {
#ifdef DSLAP_TEST_LOOP_CONNECTION
  return std::make_unique<LoopDrivenConnection>(factory);
#else
  return factory->MakeBlocking();
#endif
}

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_LOOP_DRIVEN_CONNECTION_H_
