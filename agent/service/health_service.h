// grpc.health.v1: whether the agent takes runs, for probes and load balancers. An agent that has a
// run serves, as it answers whoever asks for the next; one that is shutting down does not. Asking
// takes no token, as probes have none, and tells nothing else.
//
//   HealthService health(&gate);
//   builder.RegisterService(&health);
//   ...
//   health.StopServing();
#ifndef DSLAP_AGENT_SERVICE_HEALTH_SERVICE_H_
#define DSLAP_AGENT_SERVICE_HEALTH_SERVICE_H_

#include <grpcpp/support/server_callback.h>

#include <set>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/service/connection_gate.h"
#include "grpc/health/v1/health.grpc.pb.h"

namespace dslap {

class HealthWatch;

// Thread-safe. The server that it is registered with must be gone before it; the destructor waits
// until gRPC has let go of every watch.
class HealthService final : public grpc::health::v1::Health::CallbackService {
 public:
  using Request = grpc::health::v1::HealthCheckRequest;
  using Response = grpc::health::v1::HealthCheckResponse;

  // `gate` must outlive the service.
  explicit HealthService(ConnectionGate* gate) : gate_(gate) {}
  ~HealthService() override;

  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context, const Request* request,
                                  Response* response) override ABSL_LOCKS_EXCLUDED(mu_);
  grpc::ServerWriteReactor<Response>* Watch(grpc::CallbackServerContext* context,
                                            const Request* request) override
      ABSL_LOCKS_EXCLUDED(mu_);

  // NOT_SERVING from now on, also for those who watch.
  void StopServing() ABSL_LOCKS_EXCLUDED(mu_);
  // Waits until they have been sent it, at most `patience`.
  void AwaitTold(absl::Duration patience) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  friend class HealthWatch;
  Response::ServingStatus StatusOf(const Request& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Forget(HealthWatch* watch) ABSL_LOCKS_EXCLUDED(mu_);
  bool AllTold() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool NoWatches() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return watches_.empty(); }

  ConnectionGate* const gate_;
  absl::Mutex mu_;
  bool serving_ ABSL_GUARDED_BY(mu_) = true;
  std::set<HealthWatch*> watches_ ABSL_GUARDED_BY(mu_);
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_HEALTH_SERVICE_H_
