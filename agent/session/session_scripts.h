// Runs the scripts of a session, one after another, on one connection of its own that is kept from
// script to script and made anew when it broke in between.
//
//   SessionScripts runner(connections);
//   v1::ScriptDone done = runner.Run(script);      // blocks
//   runner.Cancel();                               // from another thread: the run is over
#ifndef DSLAP_AGENT_SESSION_SESSION_SCRIPTS_H_
#define DSLAP_AGENT_SESSION_SESSION_SCRIPTS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/async/small_stack_thread.h"
#include "agent/sql/sql_connection.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Stop(), Cancel() and Cut() may be called by any thread, the rest belongs to one.
class SessionScripts {
 public:
  // What one ScriptResult may bring back; more is an error of the script.
  static constexpr int kMaxRows = 10'000;
  // All rows of a script together, 16 bytes for each row and each cell included; keeps ScriptDone
  // below the largest message.
  static constexpr uint64_t kMaxRowBytes = 32 << 20;
  // For finding out whether a kept connection still works: one that does not is replaced. And,
  // where statements have a timeout, for selecting the schema.
  static constexpr int64_t kReadyTimeoutNs = 5'000'000'000;
  // For the KILL of a statement that was given up, after its connect.
  static constexpr int64_t kKillTimeoutNs = 5'000'000'000;

  // `connections` must outlive the runner.
  explicit SessionScripts(SqlConnectionFactory* connections) : connections_(connections) {}
  ~SessionScripts() { Close(); }
  SessionScripts(const SessionScripts&) = delete;
  SessionScripts& operator=(const SessionScripts&) = delete;

  // Asked before each statement, with what those of the script before it returned: false, and it
  // does not begin. By the thread of Run(), between scripts.
  using MayBegin = std::function<bool(const v1::ScriptDone& so_far)>;
  void SetMayBegin(MayBegin may_begin) { may_begin_ = std::move(may_begin); }

  v1::ScriptDone Run(const v1::RunScript& script);

  void Close();

  bool connected() const { return connection_ != nullptr && connection_->connected(); }

  // Closes the connection because the account may hold no more and a client needs it. The next
  // script opens a new one, and waits a little for its turn: a server counts connections that were
  // just closed for a moment longer.
  void GiveWay();

  // No further statement of this script begins; the one that runs is killed on the server, over a
  // second connection on a thread of its own. Does not block. Of use before Run() has begun, too.
  void Stop(uint64_t script);

  // For good: no further statement begins; the one that runs is killed in the same way. Does not
  // block.
  void Cancel();

  // Breaks the connections, for when killing did not help. May be called again and again.
  void Cut();

 private:
  void RunStatements(const v1::RunScript& script, v1::ScriptDone* done);
  // False: connecting or selecting failed, and `done` says so.
  bool MakeReady(const v1::RunScript& script, v1::ScriptDone* done);
  bool RunStatement(const v1::ScriptStatement& statement, int64_t timeout_ns, uint64_t* bytes_left,
                    v1::ScriptDone* done);
  SqlOutcome Connect();
  SqlOutcome Operate(const SqlOperation& operation);
  bool Stopped() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void KillRunning() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void EndKill() ABSL_LOCKS_EXCLUDED(mu_);
  bool StoppedWithin(absl::Duration time) ABSL_LOCKS_EXCLUDED(mu_);
  SqlOutcome Kill(absl::string_view what, uint64_t connection_id);
  void KillGivenUp(uint64_t connection_id, SqlError* error);

  SqlConnectionFactory* const connections_;
  MayBegin may_begin_;
  // Made and dropped by the thread of Run(), under the lock; used by it without.
  std::unique_ptr<SqlConnection> connection_;
  std::optional<SmallStackThread> killer_;
  bool gave_way_ = false;
  bool kept_only_ = false;  // of the script that runs: no other connection, not even for a KILL

  absl::Mutex mu_;
  SqlConnection* shared_ ABSL_GUARDED_BY(mu_) = nullptr;  // connection_, for Cancel() and Cut()
  bool operating_ ABSL_GUARDED_BY(mu_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mu_) = false;
  uint64_t running_script_ ABSL_GUARDED_BY(mu_) = 0;
  std::optional<uint64_t> script_to_stop_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<SqlConnection> killing_ ABSL_GUARDED_BY(mu_);
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_SESSION_SCRIPTS_H_
