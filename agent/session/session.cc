#include "agent/session/session.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "agent/async/small_stack_thread.h"
#include "agent/session/account_limit.h"
#include "agent/session/convert.h"
#include "agent/session/last_will.h"
#include "common/log.h"
#include "common/status_util.h"
#include "common/version.h"

namespace dslap {

Session::Session(SessionEnvironment environment, SessionHost* host, ResponseSink* sink,
                 RunCaller caller)
    : environment_(std::move(environment)),
      host_(host),
      sink_(sink),
      lease_(environment_.clock->NowNs()),
      log_(std::move(caller)) {}

Session::~Session() {
  Abort(absl::CancelledError("the session was dropped"));
  thread_.reset();  // joins
}

void Session::Receive(v1::RunRequest request) {
  const int64_t received_at_ns = environment_.clock->NowNs();
  // A password lives on in target_ only, whatever becomes of the message.
  absl::Cleanup wipe = [&request] {
    if (request.has_open())
      WipeString(request.mutable_open()->mutable_target()->mutable_password());
  };
  absl::MutexLock lock(&mu_);
  if (machine_.state() == SessionState::kEnded) return;
  // A process that was frozen, or its host, finds old messages when it wakes up, sent before its
  // controller gave it up: they renew nothing.
  if (lease_.Expired(received_at_ns)) {
    if (!end_.has_value()) BeginEnd(lease_.ExpiredStatus());
    return;
  }
  lease_.Renew(received_at_ns);
  if (CrossedStop(request)) return;
  const bool was_ready = machine_.state() == SessionState::kReady;
  if (const absl::Status checked = Check(request); !checked.ok()) {
    BeginEnd(checked);
    return;
  }
  if (request.has_stop_round()) {
    ActOnStop(request.stop_round(), was_ready);
  } else {
    Act(&request, received_at_ns);
  }
}

void Session::ReceiveEnd() {
  absl::MutexLock lock(&mu_);
  if (end_.has_value()) return;
  BeginEnd(absl::CancelledError("the controller went away without Close"));
}

void Session::Abort(const absl::Status& status) {
  absl::MutexLock lock(&mu_);
  CutWill(absl::StrCat(status.message()));
  if (!end_.has_value()) BeginEnd(status);
}

void Session::Tick() {
  absl::MutexLock lock(&mu_);
  const int64_t now_ns = environment_.clock->NowNs();
  if (machine_.state() == SessionState::kEnded) return;
  if (end_.has_value()) return TickEnd(now_ns);
  if (lease_.Expired(now_ns)) {
    BeginEnd(lease_.ExpiredStatus());
    return;
  }
  const int64_t run_time_ns = opened_at_ns_.has_value() ? now_ns - *opened_at_ns_ : 0;
  const absl::Status in_time = environment_.guard_rails.AdmitRunTime(run_time_ns);
  if (!in_time.ok()) return BeginEnd(in_time);
  if (cut_script_at_ns_.has_value() && now_ns >= *cut_script_at_ns_) scripts_->Cut();
  // A stop that came a moment before Prepare() began was forgotten by it: say it again.
  if (stop_at_ns_.has_value()) {
    engine_->Stop(RoundStopCause::kController, std::max<int64_t>(*stop_at_ns_ - now_ns, 0));
  }
  if (progress_.Due(now_ns)) TellProgress(now_ns);
}

void Session::TickEnd(int64_t now_ns) {
  if (will_term_.begun()) {
    if (will_term_.Expired(now_ns)) {
      CutWill(absl::StrCat("given up after ", WillTerm::kLongestNs / 1'000'000'000, " s"));
    }
    if (will_term_.SinceCut(now_ns) >= kAbortGraceNs && scripts_ != nullptr) scripts_->Cut();
    return;
  }
  if (now_ns - end_at_ns_ < kAbortGraceNs) return;
  if (scripts_ != nullptr) scripts_->Cut();
  if (engine_ != nullptr) engine_->Stop(RoundStopCause::kController, 0);
}

void Session::TellProgress(int64_t now_ns) {
  const LiveCounters counters = engine_->Counters();
  if (progress_.connecting()) {
    environment_.observer->Connecting(counters.clients_connected);
  } else {
    environment_.observer->RoundRunning(counters);
  }
  v1::RunResponse response;
  *response.mutable_progress() = progress_.Take(now_ns, counters);
  const bool news = connection_report_.Tell(engine_->Connections(), response.mutable_progress());
  if (news || !progress_.connecting()) Send(std::move(response));
}

bool Session::LeaseHolds() {
  absl::MutexLock lock(&mu_);
  if (!lease_.Expired(environment_.clock->NowNs())) return true;
  if (!end_.has_value()) BeginEnd(lease_.ExpiredStatus());
  return false;
}

bool Session::CrossedStop(const v1::RunRequest& request) const {
  if (request.has_stop_script()) return request.stop_script().script() == last_done_script_;
  return request.has_stop_round() && last_done_round_.has_value() &&
         request.stop_round().round() <= *last_done_round_;
}

absl::Status Session::Check(const v1::RunRequest& request) {
  if (request.message_case() == v1::RunRequest::MESSAGE_NOT_SET) {
    return ValidateRequest(request, context_);
  }
  RETURN_IF_ERROR(machine_.Receive(request.message_case()));
  if (request.has_open()) {
    RETURN_IF_ERROR(
        CheckProtocol(request.open().protocol(), request.open().build(), "the controller"));
  }
  RETURN_IF_ERROR(ValidateRequest(request, context_));
  if (!request.has_prepare_round()) return absl::OkStatus();
  uint64_t clients = 0;
  for (const v1::ClientGroup& group : request.prepare_round().groups()) clients += group.clients();
  return environment_.guard_rails.AdmitClients(clients);
}

void Session::Act(v1::RunRequest* request, int64_t received_at_ns) {
  switch (request->message_case()) {
    case v1::RunRequest::kHeartbeat:
      Acknowledge(request->heartbeat().sequence(), received_at_ns);
      return;
    case v1::RunRequest::kStatementsChunk:
      ActOnChunk(request->mutable_statements_chunk());
      return;
    case v1::RunRequest::kClose:
      BeginEnd(absl::OkStatus());
      return;
    case v1::RunRequest::kStopScript:
      ActOnStopScript(request->stop_script());
      return;
    case v1::RunRequest::kOpen:
      ActOnOpen(request->mutable_open());
      break;
    case v1::RunRequest::kRunScript:
      context_.last_script = request->run_script().script();
      break;
    case v1::RunRequest::kPrepareRound:
      context_.last_round = request->prepare_round().round();
      stop_at_ns_.reset();
      break;
    default:
      break;
  }
  job_ = std::move(*request);
}

void Session::ActOnOpen(v1::Open* open) {
  lease_.SetLength(static_cast<int64_t>(open->lease_ns()));
  target_ = TakeTarget(open->mutable_target());
  opened_at_ns_ = environment_.clock->NowNs();
  log_.Opened(open->run_id(), open->controller(), target_, *opened_at_ns_);
  absl::StatusOr<SmallStackThread> thread = SmallStackThread::Start([this] { Loop(); });
  if (thread.ok()) {
    thread_.emplace(*std::move(thread));
  } else {
    BeginEnd(absl::ResourceExhaustedError(thread.status().message()));
  }
}

void Session::ActOnChunk(v1::StatementsChunk* chunk) {
  if (chunk->first()) {
    list_ = std::make_shared<StatementList>();
    context_.list_takes_keys = false;
  }
  for (const v1::Statement& statement : chunk->statements()) {
    context_.list_takes_keys = context_.list_takes_keys || statement.takes_key();
  }
  AppendStatements(chunk, list_.get());
  context_.list_begun = !chunk->last();
  context_.list_complete = chunk->last();
  context_.list_statements = list_->statements.size();
  v1::RunResponse response;
  response.mutable_statements_accepted()->set_statements(context_.list_statements);
  Send(std::move(response));
}

void Session::ActOnStop(const v1::StopRound& stop, bool was_ready) {
  const int64_t now_ns = environment_.clock->NowNs();
  const auto grace_ns = static_cast<int64_t>(stop.grace_ns());
  stop_at_ns_ = std::min(stop_at_ns_.value_or(INT64_MAX), now_ns + grace_ns);
  engine_->Stop(RoundStopCause::kController, grace_ns);
  // The thread is idle; the gate stays shut, but the round has an outcome.
  if (was_ready) job_.emplace().mutable_stop_round();
}

void Session::ActOnStopScript(const v1::StopScript& stop) {
  const int64_t cut_at_ns = environment_.clock->NowNs() + static_cast<int64_t>(stop.patience_ns());
  cut_script_at_ns_ = std::min(cut_script_at_ns_.value_or(INT64_MAX), cut_at_ns);
  scripts_->Stop(stop.script());
}

void Session::Acknowledge(uint64_t sequence, int64_t received_at_ns) {
  v1::RunResponse response;
  v1::HeartbeatAck* ack = response.mutable_heartbeat_ack();
  ack->set_sequence(sequence);
  ack->set_received_at_ns(received_at_ns);
  ack->set_sent_at_ns(environment_.clock->NowNs());
  Send(std::move(response));
}

void Session::BeginEnd(const absl::Status& status) {
  if (end_.has_value() && !end_->ok()) return;
  end_ = status;
  end_at_ns_ = environment_.clock->NowNs();
  machine_.Happened(SessionEvent::kAborted);
  if (claimed_) host_->AnnounceEnd();
  if (!thread_.has_value()) {
    FinishNow();
    return;
  }
  if (status.ok()) return;
  if (engine_ != nullptr) engine_->Stop(RoundStopCause::kController, kAbortGraceNs);
  if (scripts_ != nullptr) scripts_->Cancel();
}

void Session::FinishNow() {
  const std::string line = log_.EndLine(*end_, environment_.clock->NowNs());
  if (claimed_) {
    LogInfo(line);
    environment_.observer->RunEnded(*end_);
    host_->Release();
  } else {
    host_->TurnedAway(line);
  }
  if (end_->ok()) {
    v1::RunResponse response;
    response.mutable_closed();
    Send(std::move(response));
  }
  machine_.Happened(SessionEvent::kClosed);
  sink_->Finish(*end_);
}

void Session::Send(v1::RunResponse response) { sink_->Send(std::move(response)); }

void Session::Loop() {
  for (;;) {
    v1::RunRequest job;
    {
      absl::MutexLock lock(&mu_);
      mu_.Await(absl::Condition(this, &Session::JobOrEnd));
      if (end_.has_value()) break;
      job = std::move(*job_);
      job_.reset();
    }
    switch (job.message_case()) {
      case v1::RunRequest::kOpen:
        DoOpen(job.open());
        break;
      case v1::RunRequest::kRunScript:
        DoScript(job.run_script());
        break;
      case v1::RunRequest::kPrepareRound:
        DoPrepare(job.prepare_round());
        break;
      case v1::RunRequest::kStartRound:
        DoRun(job.start_round().open_at_ns());
        break;
      default:
        DoRun(environment_.clock->NowNs());
        break;
    }
  }
  Release();
}

// The agent first: while it is busy, callers without end would have a look-up each, and a thread.
absl::Status Session::ClaimFor(const v1::Open& open, SqlTarget* target) {
  RETURN_IF_ERROR(host_->Claim(open.run_id(), open.controller()));
  absl::Status admitted = environment_.guard_rails.AdmitTarget(target);
  if (!admitted.ok()) host_->Release();
  return admitted;
}

void Session::DoOpen(const v1::Open& open) {
  SqlTarget target;
  {
    absl::MutexLock lock(&mu_);
    target = std::move(target_);
  }
  absl::Status usable = ClaimFor(open, &target);
  std::shared_ptr<SqlConnectionFactory> connections;
  if (usable.ok()) {
    {
      absl::MutexLock lock(&mu_);
      claimed_ = true;
    }
    environment_.observer->RunBegan();
    connections = environment_.make_connections(std::move(target));
    usable = connections->Check();
  }
  std::unique_ptr<LoadEngine> engine;
  if (usable.ok()) {
    absl::StatusOr<std::unique_ptr<LoadEngine>> made = environment_.make_engine(
        ToEngineOptions(open.load_engine()), connections, environment_.clock);
    usable = made.status();
    if (made.ok()) engine = *std::move(made);
  }
  absl::MutexLock lock(&mu_);
  if (!usable.ok() && !end_.has_value()) BeginEnd(usable);
  if (end_.has_value()) return;
  LogInfo(log_.StartLine());
  connections_ = std::move(connections);
  engine_ = std::move(engine);
  scripts_ = std::make_unique<SessionScripts>(connections_.get());
  scripts_->SetMayBegin([this](const v1::ScriptDone&) { return LeaseHolds(); });
  machine_.Happened(SessionEvent::kOpened);
  v1::RunResponse response;
  v1::Opened* opened = response.mutable_opened();
  *opened->mutable_protocol() = OwnProtocol();
  opened->set_build(BuildVersion());
  opened->set_hostname(environment_.hostname);
  opened->set_cores(environment_.cores);
  Send(std::move(response));
}

void Session::DoScript(const v1::RunScript& script) {
  const bool new_will = script.has_last_will();
  if (new_will && script.last_will().statements_size() > 0) {
    absl::MutexLock lock(&mu_);
    last_will_ = script.last_will();
  }
  v1::RunResponse response;
  *response.mutable_script_done() = scripts_->Run(script);
  absl::MutexLock lock(&mu_);
  cut_script_at_ns_.reset();
  last_done_script_ = script.script();
  if (new_will && script.last_will().statements_size() == 0 &&
      !response.script_done().has_error()) {
    last_will_.Clear();
  }
  if (machine_.Happened(SessionEvent::kScriptDone)) Send(std::move(response));
}

// With an account that may hold few connections, the idle one of the scripts would take the place
// of a client. Beside other agents it stays: one of theirs might take its place for the whole run.
PrepareOutcome Session::PrepareClients(const RoundSpec& spec, bool sole_agent) {
  // The server counts a closed connection for a moment longer.
  constexpr std::array<int, 5> kPausesMs = {10, 20, 40, 80, 160};
  PrepareOutcome outcome = engine_->Prepare(spec);
  if (!sole_agent || !scripts_->connected() || !RefusedByAccountLimit(outcome.connect_errors))
    return outcome;
  scripts_->GiveWay();
  taking_turns_ = true;
  const uint64_t connected_beside_it = outcome.clients_connected;
  for (const int pause_ms : kPausesMs) {
    // All anew: MariaDB no longer counts a connection for its account once it was reset.
    engine_->CloseAll();
    if (StoppedWithin(absl::Milliseconds(pause_ms))) break;
    outcome = engine_->Prepare(spec);
    if (outcome.clients_connected > connected_beside_it) break;
  }
  return outcome;
}

bool Session::StoppedWithin(absl::Duration time) {
  absl::MutexLock lock(&mu_);
  return SteadyClock::Get()->AwaitFor(&mu_, absl::Condition(this, &Session::StopOrEnd), time);
}

void Session::DoPrepare(const v1::PrepareRound& prepare) {
  if (!LeaseHolds()) return;
  RoundSpec spec;
  {
    absl::MutexLock lock(&mu_);
    spec = ToRoundSpec(prepare, list_);
    // A process that was frozen before the gate wakes up after its time.
    spec.may_open = [this] { return LeaseHolds(); };
    log_.RoundPrepared(spec.clients());
    progress_.Begin(spec.round, environment_.clock->NowNs(), ProgressMeter::kConnectingIntervalNs);
  }
  const PrepareOutcome outcome = PrepareClients(spec, prepare.sole_agent());
  environment_.observer->RoundPrepared(outcome);
  v1::RunResponse response;
  *response.mutable_round_ready() = ToRoundReady(spec.round, outcome);
  {
    absl::MutexLock lock(&mu_);
    progress_.End();
    if (!machine_.Happened(SessionEvent::kClientsReady)) return;
    *response.mutable_round_ready()->mutable_connections() =
        connection_report_.TellAll(engine_->Connections());
    Send(std::move(response));
    if (machine_.state() != SessionState::kStopping) return;
    engine_->Stop(RoundStopCause::kController,
                  std::max<int64_t>(*stop_at_ns_ - environment_.clock->NowNs(), 0));
  }
  DoRun(environment_.clock->NowNs());
}

void Session::DoRun(int64_t open_at_ns) {
  if (!LeaseHolds()) return;
  const RoundOutcome outcome =
      engine_->Run(open_at_ns, [this](int64_t opened_at_ns) { OnGateOpened(opened_at_ns); });
  const CpuUse cpu_at_close = environment_.read_cpu();
  if (taking_turns_) engine_->CloseAll();
  absl::MutexLock lock(&mu_);
  progress_.End();
  // After the last of RoundRunning(), which comes under the lock.
  environment_.observer->RoundEnded(outcome);
  stop_at_ns_.reset();
  last_done_round_ = context_.last_round;
  log_.RoundDone(outcome.statements_succeeded + outcome.statements_failed,
                 outcome.statements_failed);
  machine_.Happened(SessionEvent::kRoundDone);
  // An aborted run says what it measured, too.
  if (end_.has_value() && outcome.opened_at_ns == 0) return;
  v1::RunResponse response;
  v1::RoundDone* done = response.mutable_round_done();
  *done = ToRoundDone(*context_.last_round, outcome);
  if (taking_turns_) done->set_connections_kept(0);
  if (outcome.opened_at_ns != 0) *done->mutable_cpu() = ToCpuUse(cpu_at_open_, cpu_at_close);
  Send(std::move(response));
}

void Session::OnGateOpened(int64_t opened_at_ns) {
  const CpuUse cpu = environment_.read_cpu();
  absl::MutexLock lock(&mu_);
  cpu_at_open_ = cpu;
  if (!machine_.Happened(SessionEvent::kGateOpened)) return;
  progress_.Begin(*context_.last_round, opened_at_ns);
  v1::RunResponse response;
  v1::RoundStarted* started = response.mutable_round_started();
  started->set_round(*context_.last_round);
  started->set_opened_at_ns(opened_at_ns);
  Send(std::move(response));
}

// Only for a controller that is gone. One that is told of the end tears down by itself, and other
// agents may still be at work until then; the delay is for one that notices, too.
void Session::HonourLastWill() {
  v1::LastWill will;
  SessionScripts* scripts = nullptr;
  {
    absl::MutexLock lock(&mu_);
    const bool gone = absl::IsDeadlineExceeded(*end_) || absl::IsCancelled(*end_);
    if (!gone || last_will_.statements_size() == 0) return;
    will = std::move(last_will_);
    // In the place of the run's own, which were cancelled: Tick() and Abort() reach them there.
    scripts_ = std::make_unique<SessionScripts>(connections_.get());
    scripts = scripts_.get();
    will_term_.Begin(environment_.clock->NowNs(), static_cast<int64_t>(will.delay_ns()));
  }
  const std::string outcome = CarryOut(
      will, scripts, environment_.clock,
      [&] { AwaitWillDelay(static_cast<int64_t>(will.delay_ns())); },
      [this] {
        absl::MutexLock lock(&mu_);
        return will_term_.why();
      });
  scripts->Close();
  absl::MutexLock lock(&mu_);
  LogInfo(log_.WillLine(outcome));
}

void Session::AwaitWillDelay(int64_t delay_ns) {
  const int64_t until_ns = environment_.clock->NowNs() + delay_ns;
  absl::MutexLock lock(&mu_);
  environment_.clock->AwaitUntil(&mu_,
                                 absl::Condition(
                                     +[](WillTerm* term) { return term->cut(); }, &will_term_),
                                 until_ns);
}

// What still runs is killed at once and cut a little later, by Tick().
void Session::CutWill(const std::string& why) {
  if (will_term_.cut()) return;
  will_term_.Cut(why, environment_.clock->NowNs());
  if (will_term_.begun() && scripts_ != nullptr) scripts_->Cancel();
}

void Session::Release() {
  if (engine_ != nullptr) engine_->CloseAll();
  if (scripts_ != nullptr) scripts_->Close();
  if (connections_ != nullptr) HonourLastWill();
  std::shared_ptr<SqlConnectionFactory> connections;
  std::unique_ptr<LoadEngine> engine;
  std::unique_ptr<SessionScripts> scripts;
  {
    absl::MutexLock lock(&mu_);
    connections = std::move(connections_);
    engine = std::move(engine_);
    scripts = std::move(scripts_);
    list_.reset();
    target_ = SqlTarget();
  }
  scripts.reset();
  engine.reset();
  connections.reset();
  absl::MutexLock lock(&mu_);
  FinishNow();
}

}  // namespace dslap
