#include "controller/coordination/grpc_agent_link.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <deque>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "common/clock.h"
#include "common/grpc_status.h"
#include "common/link_security.h"
#include "common/secret.h"
#include "common/version.h"
#include "controller/coordination/link_failure.h"
#include "dslap/v1/agent.grpc.pb.h"

namespace dslap {
namespace {

constexpr int kMaxMessageBytes = 64 << 20;

void AddToken(const Secret& token, grpc::ClientContext* context) {
  if (token.empty()) return;
  context->AddMetadata(kTokenMetadata, absl::StrCat(kTokenScheme, token.Reveal()));
}

}  // namespace

std::shared_ptr<grpc::Channel> MakeAgentChannel(const std::string& address,
                                                const LinkSecurity& security,
                                                const std::string& server_name) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // An http_proxy of the environment is not meant for load hosts.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  if (security.credentials == nullptr) {
    return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  }
  if (!server_name.empty()) arguments.SetSslTargetNameOverride(server_name);
  return grpc::CreateCustomChannel(address, security.credentials, arguments);
}

struct GrpcAgentLink::Rpc {
  explicit Rpc(const std::shared_ptr<grpc::Channel>& channel) : stub(v1::Agent::NewStub(channel)) {}
  std::unique_ptr<v1::Agent::Stub> stub;
};

// Destroyed only when its callback is over, and never by it: the context holds the channel, and the
// last to let go of a channel waits for gRPC's callback threads, which must not be one of them.
class GrpcAgentLink::InfoCall {
 public:
  ~InfoCall() {
    context.TryCancel();
    over.WaitForNotification();
  }

  absl::Notification over;
  grpc::ClientContext context;
  v1::GetInfoRequest request;
  v1::GetInfoResponse response;
};

// The stream's reactor. Destroyed only after OnDone().
class GrpcAgentLink::RunStream final
    : public grpc::ClientBidiReactor<v1::RunRequest, v1::RunResponse> {
 public:
  RunStream(v1::Agent::Stub* stub, const LinkSecurity& security, Listener* listener)
      : listener_(listener), tls_(security.tls()) {
    AddToken(security.token, &context_);
    stub->async()->Run(&context_, this);
    // Writes start outside of reactions; the hold keeps the call open for them.
    AddHold();
    StartRead(&response_);
    StartCall();
  }

  ~RunStream() override {
    context_.TryCancel();
    done_.WaitForNotification();
  }

  void Send(v1::RunRequest request) {
    absl::MutexLock lock(&mu_);
    if (ended_) return;
    queue_.push_back(std::move(request));
    if (queue_.size() == 1) StartWrite(&queue_.front());
  }

  void Cancel() { context_.TryCancel(); }

  void OnReadDone(bool ok) override {
    if (!ok) {
      {
        absl::MutexLock lock(&mu_);
        ended_ = true;
      }
      RemoveHold();
      return;
    }
    const int64_t now_ns = SteadyClock::Get()->NowNs();
    listener_->OnResponse(std::exchange(response_, {}), now_ns);
    StartRead(&response_);
  }

  void OnWriteDone(bool ok) override {
    absl::MutexLock lock(&mu_);
    // A password is on its way now and is not to stay here as well.
    if (queue_.front().has_open()) {
      WipeString(queue_.front().mutable_open()->mutable_target()->mutable_password());
    }
    queue_.pop_front();
    if (ok && !ended_ && !queue_.empty()) StartWrite(&queue_.front());
  }

  void OnDone(const grpc::Status& status) override {
    listener_->OnClosed(ExplainLinkFailure(FromGrpcStatus(status), tls_));
    done_.Notify();
  }

 private:
  Listener* listener_;
  const bool tls_;
  grpc::ClientContext context_;
  v1::RunResponse response_;
  absl::Notification done_;
  absl::Mutex mu_;
  std::deque<v1::RunRequest> queue_ ABSL_GUARDED_BY(mu_);  // front: being written
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
};

GrpcAgentLink::GrpcAgentLink(std::string name, std::shared_ptr<grpc::Channel> channel,
                             LinkSecurity security)
    : name_(std::move(name)),
      security_(std::move(security)),
      rpc_(std::make_unique<Rpc>(channel)) {}

GrpcAgentLink::~GrpcAgentLink() = default;

void GrpcAgentLink::GetInfo(absl::Duration timeout,
                            std::function<void(absl::StatusOr<v1::GetInfoResponse>)> done) {
  InfoCall* const call = info_calls_.emplace_back(std::make_unique<InfoCall>()).get();
  call->context.set_deadline(std::chrono::system_clock::now() +
                             absl::ToChronoMilliseconds(timeout));
  AddToken(security_.token, &call->context);
  *call->request.mutable_protocol() = OwnProtocol();
  call->request.set_build(BuildVersion());
  rpc_->stub->async()->GetInfo(
      &call->context, &call->request, &call->response,
      [call, timeout, tls = security_.tls(), done = std::move(done)](const grpc::Status& status) {
        if (status.ok()) {
          done(std::move(call->response));
        } else if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
          done(absl::DeadlineExceededError(
              absl::StrCat("no answer within ", absl::FormatDuration(timeout))));
        } else {
          done(ExplainLinkFailure(FromGrpcStatus(status), tls));
        }
        call->over.Notify();
      });
}

void GrpcAgentLink::OpenStream(Listener* listener) {
  stream_ = std::make_unique<RunStream>(rpc_->stub.get(), security_, listener);
}

void GrpcAgentLink::Send(v1::RunRequest request) {
  if (stream_ != nullptr) stream_->Send(std::move(request));
}

void GrpcAgentLink::Cancel() {
  if (stream_ != nullptr) stream_->Cancel();
}

}  // namespace dslap
