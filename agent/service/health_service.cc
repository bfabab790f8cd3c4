#include "agent/service/health_service.h"

#include <algorithm>
#include <string>
#include <utility>

#include "common/clock.h"
#include "dslap/v1/agent.grpc.pb.h"

namespace dslap {

// One Watch: belongs to its stream, deletes itself when gRPC is done with it. The service's lock
// guards it.
class HealthWatch final : public grpc::ServerWriteReactor<HealthService::Response> {
 public:
  using Status = HealthService::Response::ServingStatus;

  HealthWatch(HealthService* service, std::string peer, bool known)
      : service_(service), peer_(std::move(peer)), known_(known) {}

  const std::string& peer() const { return peer_; }
  bool known() const { return known_; }
  bool writing() const { return writing_; }

  // With the lock held. Only the last status counts for one who reads slowly.
  void Tell(Status status) {
    wanted_ = status;
    Continue();
  }

  void OnWriteDone(bool ok) override {
    absl::MutexLock lock(&service_->mu_);
    writing_ = false;
    if (ok) {
      Continue();
    } else {
      End();
    }
  }
  void OnCancel() override {
    absl::MutexLock lock(&service_->mu_);
    End();
  }
  void OnDone() override {
    service_->Forget(this);
    delete this;
  }

 private:
  void Continue() {
    if (writing_ || ended_ || wanted_ == told_.status()) return;
    writing_ = true;
    told_.set_status(wanted_);
    StartWrite(&told_);
  }
  void End() {
    if (std::exchange(ended_, true)) return;
    Finish(grpc::Status(grpc::StatusCode::CANCELLED, "the watch has ended"));
  }

  HealthService* const service_;
  const std::string peer_;
  const bool known_;
  Status wanted_ = HealthService::Response::UNKNOWN;
  HealthService::Response told_;  // gRPC's while it is written
  bool writing_ = false;
  bool ended_ = false;
};

HealthService::~HealthService() {
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(this, &HealthService::NoWatches));
}

grpc::ServerUnaryReactor* HealthService::Check(grpc::CallbackServerContext* context,
                                               const Request* request, Response* response) {
  gate_->Asked(context->peer());
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  Response::ServingStatus status = Response::UNKNOWN;
  {
    absl::MutexLock lock(&mu_);
    status = StatusOf(*request);
  }
  if (status == Response::SERVICE_UNKNOWN) {
    reactor->Finish(grpc::Status(grpc::StatusCode::NOT_FOUND, "this agent has no such service"));
  } else {
    response->set_status(status);
    reactor->Finish(grpc::Status::OK);
  }
  return reactor;
}

grpc::ServerWriteReactor<HealthService::Response>* HealthService::Watch(
    grpc::CallbackServerContext* context, const Request* request) {
  const std::string peer = context->peer();
  gate_->Asked(peer);
  gate_->Watch(peer);
  absl::MutexLock lock(&mu_);
  const Response::ServingStatus status = StatusOf(*request);
  auto* const watch = new HealthWatch(this, peer, status != Response::SERVICE_UNKNOWN);
  watches_.insert(watch);
  watch->Tell(status);
  return watch;
}

void HealthService::StopServing() {
  absl::MutexLock lock(&mu_);
  serving_ = false;
  for (HealthWatch* const watch : watches_) {
    if (watch->known()) watch->Tell(Response::NOT_SERVING);
  }
}

void HealthService::AwaitTold(absl::Duration patience) {
  absl::MutexLock lock(&mu_);
  SteadyClock::Get()->AwaitFor(&mu_, absl::Condition(this, &HealthService::AllTold), patience);
}

bool HealthService::AllTold() const {
  return std::none_of(watches_.begin(), watches_.end(),
                      [](const HealthWatch* watch) { return watch->writing(); });
}

HealthService::Response::ServingStatus HealthService::StatusOf(const Request& request) const {
  if (!request.service().empty() && request.service() != v1::Agent::service_full_name()) {
    return Response::SERVICE_UNKNOWN;
  }
  return serving_ ? Response::SERVING : Response::NOT_SERVING;
}

void HealthService::Forget(HealthWatch* watch) {
  gate_->Unwatch(watch->peer());
  absl::MutexLock lock(&mu_);
  watches_.erase(watch);
}

}  // namespace dslap
