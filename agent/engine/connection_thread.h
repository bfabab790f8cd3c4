// Runs a few operations on a connection of their own beside the clients, so that whoever wants them
// done can stop waiting: the key query, and the killing of statements.
//
//   ConnectionThread reader(factory->MakeBlocking(), [&](SqlConnection& connection) { ... });
//   while (!reader.AwaitDone(20'000'000) && !stopped) {}
//   // the destructor interrupts what still runs
#ifndef DSLAP_AGENT_ENGINE_CONNECTION_THREAD_H_
#define DSLAP_AGENT_ENGINE_CONNECTION_THREAD_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "agent/async/small_stack_thread.h"
#include "agent/sql/sql_connection.h"

namespace dslap {

// Used by one thread, but for AwaitDone(), which any may call. `body` must return soon after an
// operation of its connection fails.
class ConnectionThread {
 public:
  ConnectionThread(std::unique_ptr<SqlConnection> connection,
                   std::function<void(SqlConnection&)> body);
  // Interrupts the connection until `body` has returned.
  ~ConnectionThread();
  ConnectionThread(const ConnectionThread&) = delete;
  ConnectionThread& operator=(const ConnectionThread&) = delete;

  // Not OK, and `body` never called, when there is no thread to be had.
  const absl::Status& status() const { return status_; }

  // True as soon as `body` has returned; false after `timeout_ns`.
  bool AwaitDone(int64_t timeout_ns);

 private:
  std::unique_ptr<SqlConnection> connection_;
  std::mutex mu_;  // std::mutex: see round_control.h
  std::condition_variable done_changed_;
  bool done_ = false;  // guarded by mu_
  absl::Status status_;
  std::optional<SmallStackThread> thread_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_CONNECTION_THREAD_H_
