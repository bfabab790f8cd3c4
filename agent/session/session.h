// One run on one agent: takes the controller's messages, drives the load engine, and answers
// through a sink. Knows nothing of gRPC; RunReactor (agent/service/run_reactor.h) connects the two.
//
// Receiving never blocks: heartbeats and StopRound are acted upon at once, also while a script or a
// round goes on; what takes time is done by a thread of the session's own, which starts with Open.
// However a run ends, all is released before the sink hears of it: load stopped, running statements
// killed, connections closed, the agent free for the next run.
//
//   Session session(environment, &slot, &sink);
//   session.Receive(request);                       // for each message
//   session.Tick();                                 // every 100 ms or so
#ifndef DSLAP_AGENT_SESSION_SESSION_H_
#define DSLAP_AGENT_SESSION_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/async/small_stack_thread.h"
#include "agent/session/connection_report.h"
#include "agent/session/lease.h"
#include "agent/session/progress_meter.h"
#include "agent/session/response_sink.h"
#include "agent/session/run_log.h"
#include "agent/session/session_environment.h"
#include "agent/session/session_host.h"
#include "agent/session/session_scripts.h"
#include "agent/session/session_state_machine.h"
#include "agent/session/validate_request.h"
#include "agent/session/will_term.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Thread-safe. Finish() of the sink is called exactly once, and is the last use of it.
class Session {
 public:
  // What statements that run get to finish when a run is aborted, before they are cut.
  static constexpr int64_t kAbortGraceNs = 1'000'000'000;

  // `host` and `sink` must outlive the session.
  Session(SessionEnvironment environment, SessionHost* host, ResponseSink* sink,
          RunCaller caller = {});
  // Aborts a run that is still going on, and waits for its end.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void Receive(v1::RunRequest request) ABSL_LOCKS_EXCLUDED(mu_);

  // No more messages will come: the stream ended or broke. Aborts the run unless Close was among
  // them.
  void ReceiveEnd();

  // Ends the run early with this status (not OK), and a last will that is being carried out. No-op
  // when both are ending already.
  void Abort(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mu_);

  // Sees to whatever is due by the clock: lease, Progress, a stop that is not obeyed.
  void Tick() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void Act(v1::RunRequest* request, int64_t received_at_ns) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status Check(const v1::RunRequest& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // After it, nothing is to be done to the database any more but closing: the controller has given
  // this agent up, and another may be at work there. False: it does not, and the run is ending.
  bool LeaseHolds() ABSL_LOCKS_EXCLUDED(mu_);
  bool CrossedStop(const v1::RunRequest& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ActOnOpen(v1::Open* open) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ActOnChunk(v1::StatementsChunk* chunk) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ActOnStop(const v1::StopRound& stop, bool was_ready) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ActOnStopScript(const v1::StopScript& stop) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Acknowledge(uint64_t sequence, int64_t received_at_ns) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  // Decides the stream's status; the first failure counts.
  void BeginEnd(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void TellProgress(int64_t now_ns) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void FinishNow() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Send(v1::RunResponse response) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  // The session's thread.
  void Loop() ABSL_LOCKS_EXCLUDED(mu_);
  bool JobOrEnd() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return job_ || end_; }
  absl::Status ClaimFor(const v1::Open& open, SqlTarget* target);
  void DoOpen(const v1::Open& open) ABSL_LOCKS_EXCLUDED(mu_);
  void DoScript(const v1::RunScript& script) ABSL_LOCKS_EXCLUDED(mu_);
  PrepareOutcome PrepareClients(const RoundSpec& spec, bool sole_agent) ABSL_LOCKS_EXCLUDED(mu_);
  bool StoppedWithin(absl::Duration time) ABSL_LOCKS_EXCLUDED(mu_);
  bool StopOrEnd() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return stop_at_ns_ || end_; }
  void DoPrepare(const v1::PrepareRound& prepare) ABSL_LOCKS_EXCLUDED(mu_);
  void DoRun(int64_t open_at_ns) ABSL_LOCKS_EXCLUDED(mu_);
  void OnGateOpened(int64_t opened_at_ns) ABSL_LOCKS_EXCLUDED(mu_);
  void Release() ABSL_LOCKS_EXCLUDED(mu_);
  void HonourLastWill() ABSL_LOCKS_EXCLUDED(mu_);
  void AwaitWillDelay(int64_t delay_ns) ABSL_LOCKS_EXCLUDED(mu_);
  void CutWill(const std::string& why) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void TickEnd(int64_t now_ns) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const SessionEnvironment environment_;
  SessionHost* const host_;
  ResponseSink* const sink_;
  std::optional<SmallStackThread> thread_;  // started under mu_ by Open, joined by the destructor

  absl::Mutex mu_;
  SessionStateMachine machine_ ABSL_GUARDED_BY(mu_);
  Lease lease_ ABSL_GUARDED_BY(mu_);
  RequestContext context_ ABSL_GUARDED_BY(mu_);
  RunLog log_ ABSL_GUARDED_BY(mu_);
  std::optional<v1::RunRequest> job_ ABSL_GUARDED_BY(mu_);  // for the thread; one at most
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mu_);    // set once the run is ending
  int64_t end_at_ns_ ABSL_GUARDED_BY(mu_) = 0;
  std::optional<int64_t> opened_at_ns_ ABSL_GUARDED_BY(mu_);
  bool claimed_ ABSL_GUARDED_BY(mu_) = false;

  SqlTarget target_ ABSL_GUARDED_BY(mu_);
  std::shared_ptr<StatementList> list_ ABSL_GUARDED_BY(mu_);
  ProgressMeter progress_ ABSL_GUARDED_BY(mu_);
  CpuUse cpu_at_open_ ABSL_GUARDED_BY(mu_);
  ConnectionReport connection_report_ ABSL_GUARDED_BY(mu_);
  v1::LastWill last_will_ ABSL_GUARDED_BY(mu_);  // without statements: none
  WillTerm will_term_ ABSL_GUARDED_BY(mu_);
  std::optional<int64_t> stop_at_ns_ ABSL_GUARDED_BY(mu_);  // end of StopRound's grace
  std::optional<uint64_t> last_done_round_ ABSL_GUARDED_BY(mu_);
  std::optional<uint64_t> last_done_script_ ABSL_GUARDED_BY(mu_);
  std::optional<int64_t> cut_script_at_ns_ ABSL_GUARDED_BY(mu_);  // end of StopScript's patience

  // Made by DoOpen() and dropped by Release(), under the lock; between them the thread uses them
  // without it, and others only their thread-safe parts, with it.
  std::shared_ptr<SqlConnectionFactory> connections_;
  std::unique_ptr<LoadEngine> engine_;
  std::unique_ptr<SessionScripts> scripts_;
  // The thread's own. True from when the account turned out to be too small for the clients and the
  // connection of the scripts: they take turns then.
  bool taking_turns_ = false;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_SESSION_H_
