// The gRPC end of one Run stream: hands what arrives to a session and writes what it answers, one
// message after another. No logic of a run is here.
//
// A reactor belongs to its stream: it deletes itself when gRPC is done with it.
#ifndef DSLAP_AGENT_SERVICE_RUN_REACTOR_H_
#define DSLAP_AGENT_SERVICE_RUN_REACTOR_H_

#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "agent/session/response_sink.h"
#include "agent/session/session.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Thread-safe.
class RunReactor final : public grpc::ServerBidiReactor<v1::RunRequest, v1::RunResponse>,
                         public ResponseSink {
 public:
  // So many answers may wait before no more messages are taken from a controller that does not
  // read; its lease then runs out.
  static constexpr size_t kMaxQueued = 1000;

  // `make_session` makes the session that answers to the sink given; `on_done` is the last call,
  // after the reactor's end.
  RunReactor(const std::function<std::shared_ptr<Session>(ResponseSink*)>& make_session,
             std::function<void()> on_done);

  void Send(v1::RunResponse response) override ABSL_LOCKS_EXCLUDED(mu_);
  void Finish(const absl::Status& status) override ABSL_LOCKS_EXCLUDED(mu_);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override ABSL_LOCKS_EXCLUDED(mu_);
  void OnCancel() override;
  void OnDone() override;

 private:
  using Base = grpc::ServerBidiReactor<v1::RunRequest, v1::RunResponse>;

  void Continue() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ReadNext() ABSL_LOCKS_EXCLUDED(mu_);

  const std::function<void()> on_done_;
  v1::RunRequest request_;  // gRPC's between StartRead() and OnReadDone()

  absl::Mutex mu_;
  std::deque<v1::RunResponse> queue_ ABSL_GUARDED_BY(mu_);  // the first is being written
  bool writing_ ABSL_GUARDED_BY(mu_) = false;
  bool broken_ ABSL_GUARDED_BY(mu_) = false;  // a write failed: so will all others
  bool read_wanted_ ABSL_GUARDED_BY(mu_) = false;
  std::optional<grpc::Status> finish_ ABSL_GUARDED_BY(mu_);

  // Last: as soon as it is made it may be ended, and answer through the members above.
  const std::shared_ptr<Session> session_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_RUN_REACTOR_H_
