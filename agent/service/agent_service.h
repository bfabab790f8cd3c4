// The rpcs of an agent: GetInfo is answered here, Run by a session of its own for each stream.
//
//   AgentService service(environment);
//   grpc::ServerBuilder().RegisterService(&service) ...
//   Ticker ticker("leases", absl::Milliseconds(100), [&] { service.Tick(); });
#ifndef DSLAP_AGENT_SERVICE_AGENT_SERVICE_H_
#define DSLAP_AGENT_SERVICE_AGENT_SERVICE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/service/caller_guard.h"
#include "agent/service/connection_gate.h"
#include "agent/service/refusal_log.h"
#include "agent/service/session_slot.h"
#include "agent/session/session.h"
#include "agent/session/session_environment.h"
#include "dslap/v1/agent.grpc.pb.h"

namespace dslap {

// Thread-safe. The server that it is registered with must be gone before the service, and
// AwaitStreamsEnd() must have returned. What it is given must outlive it.
class AgentService final : public v1::Agent::CallbackService {
 public:
  struct Access {
    std::string certificate;  // path; empty: no TLS. GetInfo says when it expires
    std::string token_file;   // empty: everybody is let in
  };
  AgentService(SessionEnvironment environment, Access access, ConnectionGate* gate,
               RefusalLog* refusals);

  grpc::ServerUnaryReactor* GetInfo(grpc::CallbackServerContext* context,
                                    const v1::GetInfoRequest* request,
                                    v1::GetInfoResponse* response) override;
  grpc::ServerBidiReactor<v1::RunRequest, v1::RunResponse>* Run(
      grpc::CallbackServerContext* context) override ABSL_LOCKS_EXCLUDED(mu_);

  // Passes the time on to all sessions.
  void Tick() ABSL_LOCKS_EXCLUDED(mu_);

  // What the agent does now, in a line.
  std::string Activity() const;

  // What lets this process's own calls in: the value of kTokenMetadata.
  const std::string& own_authorization() const { return guard_.own_authorization(); }

  // Refuses new runs and aborts those that are going on, with UNAVAILABLE. Does not wait.
  void Shut() ABSL_LOCKS_EXCLUDED(mu_);

  // Waits until no run holds the agent, at most `patience`. False: one still does.
  bool AwaitRunEnd(absl::Duration patience) { return slot_.AwaitFree(patience); }

  // Waits until gRPC has let go of every stream, at most `patience`.
  void AwaitStreamsEnd(absl::Duration patience) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  std::shared_ptr<Session> MakeSession(const RunCaller& caller, ResponseSink* sink)
      ABSL_LOCKS_EXCLUDED(mu_);
  std::vector<std::shared_ptr<Session>> Sessions() ABSL_LOCKS_EXCLUDED(mu_);
  void AbortSessions() ABSL_LOCKS_EXCLUDED(mu_);
  bool NoStreams() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return streams_ == 0; }

  absl::Status LetIn(const grpc::CallbackServerContext& context);

  const SessionEnvironment environment_;
  const std::string certificate_;
  ConnectionGate* const gate_;
  RefusalLog* const refusals_;
  CallerGuard guard_;
  SessionSlot slot_;
  absl::Mutex mu_;
  std::vector<std::weak_ptr<Session>> sessions_ ABSL_GUARDED_BY(mu_);
  int streams_ ABSL_GUARDED_BY(mu_) = 0;
  bool shut_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_AGENT_SERVICE_H_
