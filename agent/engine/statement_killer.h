// Kills on the server what clients have given up waiting for, over a control connection of its own
// on a thread of its own, for any engine.
//
//   StatementKiller killer(factory);
//   killer.KillOnServer(connection_id);                  // by any client's thread, at any time
//   ErrorTally not_killed = killer.Finish(timeout_ns);   // when the last client is done
//
// A server that does not answer is tried again until Finish() gives up: it may come back, and would
// then go on with the statements. Thread and connection are there from the first kill on.
#ifndef DSLAP_AGENT_ENGINE_STATEMENT_KILLER_H_
#define DSLAP_AGENT_ENGINE_STATEMENT_KILLER_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "agent/engine/connection_thread.h"
#include "agent/engine/kill_requests.h"
#include "agent/engine/server_traffic.h"
#include "agent/sql/sql_connection.h"
#include "common/error_tally.h"

namespace dslap {

// KillOnServer() is thread-safe; Finish() and the destructor come after its last call.
class StatementKiller final : public KillRequests {
 public:
  // What is requested beyond this is not killed, and told as an error.
  static constexpr size_t kMostWaiting = 10'000;

  explicit StatementKiller(std::shared_ptr<SqlConnectionFactory> factory);
  // What is not killed yet is given up.
  ~StatementKiller() override;

  void KillOnServer(uint64_t connection_id) override;

  // Waits until all is killed, or `timeout_ns` has passed. One error, saying why, for each that was
  // not. Once.
  ErrorTally Finish(int64_t timeout_ns);

  // All that was sent for it, once Finish() is through.
  const ServerTraffic& traffic() const { return traffic_; }

 private:
  void Run(SqlConnection& control);
  bool AwaitRequest(uint64_t* connection_id);
  bool NoteOutcome(uint64_t connection_id, const SqlError& error, bool connected);
  void GiveUp(uint64_t connection_id, const SqlError& why);  // mu_ held
  void End();

  const std::shared_ptr<SqlConnectionFactory> factory_;

  std::mutex mu_;  // std::mutex: see round_control.h; guards all below
  std::condition_variable changed_;
  std::deque<uint64_t> waiting_;  // the first may be under way
  SqlError last_error_;           // of the control connection
  ErrorTally not_killed_;
  bool ending_ = false;
  ServerTraffic traffic_;  // the thread's own while that lives
  std::optional<ConnectionThread> thread_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_STATEMENT_KILLER_H_
