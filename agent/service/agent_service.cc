#include "agent/service/agent_service.h"

#include <grpc/grpc_security_constants.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "agent/service/held_slot.h"
#include "agent/service/host_info.h"
#include "agent/service/run_reactor.h"
#include "common/certificate.h"
#include "common/grpc_status.h"
#include "common/link_security.h"
#include "common/status_util.h"
#include "common/version.h"

namespace dslap {

namespace {

// Ends a stream that is not let in before anything was read from it.
class RefusedStream final : public grpc::ServerBidiReactor<v1::RunRequest, v1::RunResponse> {
 public:
  explicit RefusedStream(const absl::Status& why) { Finish(ToGrpcStatus(why)); }
  void OnDone() override { delete this; }
};

// A session together with the slot as it has it.
struct SlottedSession {
  SlottedSession(const SessionEnvironment& environment, SessionSlot* slot, ConnectionGate* gate,
                 RefusalLog* refusals, const RunCaller& caller, ResponseSink* sink)
      : held(slot, gate, refusals, caller.peer), session(environment, &held, sink, caller) {}

  HeldSlot held;
  Session session;
};

void FillInGuardRails(const GuardRails& rails, v1::GetInfoResponse* response) {
  if (rails.target_rule.empty() && rails.max_clients == 0 && rails.max_run_time_ns == 0) return;
  v1::GuardRails& told = *response->mutable_guard_rails();
  told.set_target_rule(rails.target_rule);
  told.set_max_clients(rails.max_clients);
  told.set_max_clients_rule(rails.max_clients_rule);
  told.set_max_run_time_ns(static_cast<uint64_t>(rails.max_run_time_ns));
  told.set_max_run_time_rule(rails.max_run_time_rule);
}

RunCaller CallerOf(const grpc::CallbackServerContext& context) {
  RunCaller caller;
  caller.peer = context.peer();
  const std::shared_ptr<const grpc::AuthContext> auth = context.auth_context();
  if (auth == nullptr) return caller;
  const auto names = auth->FindPropertyValues(GRPC_X509_CN_PROPERTY_NAME);
  if (!names.empty()) caller.certificate.assign(names[0].data(), names[0].size());
  return caller;
}

}  // namespace

AgentService::AgentService(SessionEnvironment environment, Access access, ConnectionGate* gate,
                           RefusalLog* refusals)
    : environment_(std::move(environment)),
      certificate_(std::move(access.certificate)),
      gate_(gate),
      refusals_(refusals),
      guard_(std::move(access.token_file), refusals),
      slot_(environment_.clock) {}

absl::Status AgentService::LetIn(const grpc::CallbackServerContext& context) {
  const auto& metadata = context.client_metadata();
  const auto token = metadata.find(kTokenMetadata);
  const std::string peer = context.peer();
  RETURN_IF_ERROR(
      guard_.Check(peer, token == metadata.end()
                             ? absl::string_view()
                             : absl::string_view(token->second.data(), token->second.size())));
  gate_->Called(peer);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* AgentService::GetInfo(grpc::CallbackServerContext* context,
                                                const v1::GetInfoRequest* /*request*/,
                                                v1::GetInfoResponse* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  if (const absl::Status let_in = LetIn(*context); !let_in.ok()) {
    reactor->Finish(ToGrpcStatus(let_in));
    return reactor;
  }
  const HostInfo host = ReadHostInfo();
  *response->mutable_protocol() = OwnProtocol();
  response->set_build(BuildVersion());
  response->set_hostname(host.hostname);
  response->set_cores(host.cores);
  response->set_memory_bytes(host.memory_bytes);
  response->set_max_open_files(host.max_open_files);
  response->set_load_average(host.load_average);
  response->set_max_open_files_hard(host.max_open_files_hard);
  response->set_open_files(host.open_files);
  response->set_free_threads(host.threads.free);
  response->set_threads_limit(host.threads.limit);
  response->set_local_ports(host.local_ports);
  response->set_loops_from_clients(environment_.loops_from_clients);
  FillInGuardRails(environment_.guard_rails, response);
  if (const std::optional<SessionSlot::Holder> holder = slot_.holder()) {
    v1::ActiveRun& run =
        holder->ending ? *response->mutable_ending_run() : *response->mutable_active_run();
    run.set_run_id(holder->run_id);
    run.set_controller(holder->controller);
    run.set_age_ns(static_cast<uint64_t>(holder->age_ns));
  }
  if (!certificate_.empty()) {
    const absl::StatusOr<CertificateInfo> certificate = ReadCertificate(certificate_);
    if (certificate.ok()) response->set_certificate_expires_at(certificate->valid_until_unix);
  }
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerBidiReactor<v1::RunRequest, v1::RunResponse>* AgentService::Run(
    grpc::CallbackServerContext* context) {
  if (const absl::Status let_in = LetIn(*context); !let_in.ok()) return new RefusedStream(let_in);
  {
    absl::MutexLock lock(&mu_);
    ++streams_;
  }
  return new RunReactor(
      [this, caller = CallerOf(*context)](ResponseSink* sink) { return MakeSession(caller, sink); },
      [this] {
        absl::MutexLock lock(&mu_);
        --streams_;
      });
}

void AgentService::Tick() {
  bool shut = false;
  {
    absl::MutexLock lock(&mu_);
    shut = shut_;
  }
  // Streams that came after Shut() and say nothing.
  if (shut) AbortSessions();
  for (const std::shared_ptr<Session>& session : Sessions()) session->Tick();
}

std::string AgentService::Activity() const {
  const std::optional<SessionSlot::Holder> holder = slot_.holder();
  if (!holder.has_value()) return "idle";
  return absl::StrCat(holder->ending ? "cleaning up after run " : "run ", holder->run_id, " of ",
                      holder->controller);
}

void AgentService::Shut() {
  slot_.Shut();
  {
    absl::MutexLock lock(&mu_);
    shut_ = true;
  }
  AbortSessions();
}

void AgentService::AbortSessions() {
  for (const std::shared_ptr<Session>& session : Sessions()) {
    session->Abort(absl::UnavailableError("agent is shutting down"));
  }
}

void AgentService::AwaitStreamsEnd(absl::Duration patience) {
  absl::MutexLock lock(&mu_);
  SteadyClock::Get()->AwaitFor(&mu_, absl::Condition(this, &AgentService::NoStreams), patience);
}

std::shared_ptr<Session> AgentService::MakeSession(const RunCaller& caller, ResponseSink* sink) {
  const auto slotted =
      std::make_shared<SlottedSession>(environment_, &slot_, gate_, refusals_, caller, sink);
  std::shared_ptr<Session> session(slotted, &slotted->session);
  absl::MutexLock lock(&mu_);
  sessions_.erase(std::remove_if(sessions_.begin(), sessions_.end(),
                                 [](const auto& each) { return each.expired(); }),
                  sessions_.end());
  sessions_.push_back(session);
  return session;
}

std::vector<std::shared_ptr<Session>> AgentService::Sessions() {
  std::vector<std::shared_ptr<Session>> sessions;
  absl::MutexLock lock(&mu_);
  for (const std::weak_ptr<Session>& each : sessions_) {
    if (std::shared_ptr<Session> session = each.lock()) sessions.push_back(std::move(session));
  }
  return sessions;
}

}  // namespace dslap
