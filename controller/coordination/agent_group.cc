#include "controller/coordination/agent_group.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace dslap {

AgentGroup::AgentGroup(std::vector<std::unique_ptr<AgentLink>> links, Clock* clock,
                       LeaseTimes times)
    : clock_(clock), times_(times), events_(clock) {
  agents_.reserve(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    Agent agent;
    agent.inbox = std::make_unique<AgentInbox>(i, &events_);
    agent.link = std::move(links[i]);
    agents_.push_back(std::move(agent));
  }
}

AgentGroup::~AgentGroup() {
  // All at once first: each link's destructor then waits for its own stream only.
  for (Agent& agent : agents_) {
    if (agent.state.alive()) agent.link->Cancel();
  }
}

std::optional<size_t> AgentGroup::AnyAlive() const {
  for (size_t i = 0; i < agents_.size(); ++i) {
    if (agents_[i].state.alive()) return i;
  }
  return std::nullopt;
}

int64_t AgentGroup::LongestRoundTripNs() const {
  int64_t longest_ns = 0;
  for (const Agent& agent : agents_) {
    if (agent.state.alive()) longest_ns = std::max(longest_ns, agent.state.clock.round_trip_ns());
  }
  return longest_ns;
}

void AgentGroup::OpenAll(const v1::Open& open) {
  const int64_t now_ns = clock_->NowNs();
  next_heartbeat_ns_ = now_ns + times_.heartbeat_ns;
  for (Agent& agent : agents_) {
    if (agent.state.absent()) continue;
    agent.state.stream = AgentState::Stream::kOpen;
    agent.state.last_heard_ns = now_ns;
    agent.link->OpenStream(agent.inbox.get());
    v1::RunRequest request;
    *request.mutable_open() = open;
    agent.link->Send(std::move(request));
  }
}

void AgentGroup::LeaveOut(size_t agent) {
  const bool opened = agents_[agent].state.alive();
  agents_[agent].state.stream = AgentState::Stream::kLeftOut;
  if (opened) agents_[agent].link->Cancel();
}

void AgentGroup::Send(size_t agent, v1::RunRequest request) {
  if (agents_[agent].state.alive()) agents_[agent].link->Send(std::move(request));
}

void AgentGroup::SendToAll(const std::function<v1::RunRequest(size_t agent)>& make) {
  for (size_t i = 0; i < agents_.size(); ++i) {
    if (agents_[i].state.alive()) Send(i, make(i));
  }
}

void AgentGroup::Ping(size_t agent) {
  if (!agents_[agent].state.alive()) return;
  v1::RunRequest request;
  request.mutable_heartbeat()->set_sequence(next_sequence_);
  agents_[agent].pings_sent_ns[next_sequence_] = clock_->NowNs();
  ++next_sequence_;
  Send(agent, std::move(request));
}

void AgentGroup::BeginRound(uint64_t round) {
  for (Agent& agent : agents_) {
    agent.asked.BeginRound(round);
    agent.state.ready.reset();
    agent.state.started.reset();
    agent.state.done.reset();
    agent.state.opened_at_ns = 0;
    agent.state.closed_at_ns = 0;
    agent.state.progress_statements = 0;
    agent.state.progress_errors = 0;
    agent.state.progress_connected = 0;
  }
}

void AgentGroup::BeginScript(size_t agent, uint64_t script, uint64_t statements) {
  agents_[agent].asked.BeginScript(script, statements);
  agents_[agent].state.script_done.reset();
}

bool AgentGroup::AllAlive(const std::function<bool(const AgentState&)>& holds) const {
  return std::all_of(agents_.begin(), agents_.end(), [&](const Agent& agent) {
    return !agent.state.alive() || holds(agent.state);
  });
}

WaitEnd AgentGroup::Await(const std::function<bool()>& satisfied, int64_t deadline_ns) {
  for (;;) {
    if (HasNewLoss()) {
      if (!continues_after_losses() || !AnyAlive().has_value()) return WaitEnd::kAgentLost;
      TellLosses();
    }
    if (satisfied()) return WaitEnd::kDone;
    if (interrupted_ && !interrupt_acknowledged_) return WaitEnd::kInterrupted;
    const int64_t now_ns = clock_->NowNs();
    if (TimeIsUp(now_ns)) return WaitEnd::kTimeUp;
    if (now_ns >= deadline_ns) return WaitEnd::kDeadline;
    if (now_ns >= next_heartbeat_ns_) {
      // What waits in the queue was heard already: a controller that was held up itself must not
      // take its agents for silent.
      HandleQueued();
      KeepAlive();
      next_heartbeat_ns_ = now_ns + times_.heartbeat_ns;
      if (tick_) tick_();
      continue;
    }
    const int64_t time_up_at_ns = time_up_acknowledged_ ? kForever : time_up_at_ns_;
    if (std::optional<Event> event =
            events_.Pop(std::min({deadline_ns, next_heartbeat_ns_, time_up_at_ns}))) {
      Handle(*std::move(event));
    }
  }
}

void AgentGroup::TellLosses() {
  for (size_t i = 0; i < agents_.size(); ++i) {
    Agent& agent = agents_[i];
    if (agent.state.stream != AgentState::Stream::kLost || agent.loss_acknowledged) continue;
    agent.loss_acknowledged = true;
    agent.state.loss_told = true;
    on_loss_(i);
  }
}

void AgentGroup::AcknowledgeLosses() {
  for (Agent& agent : agents_) {
    if (agent.state.stream == AgentState::Stream::kLost) agent.loss_acknowledged = true;
  }
}

void AgentGroup::SetTimeUp(int64_t at_ns, std::string reason) {
  time_up_at_ns_ = at_ns;
  time_up_reason_ = std::move(reason);
}

void AgentGroup::AcknowledgeEarlyEnd() {
  if (interrupted_) interrupt_acknowledged_ = true;
  if (clock_->NowNs() >= time_up_at_ns_) time_up_acknowledged_ = true;
}

void AgentGroup::GiveUp(size_t agent, absl::Status why) {
  if (agents_[agent].state.alive()) Lose(agents_[agent], std::move(why));
}

void AgentGroup::CloseAll(int64_t deadline_ns) {
  AcknowledgeLosses();
  AcknowledgeEarlyEnd();
  SendToAll([](size_t) {
    v1::RunRequest request;
    request.mutable_close();
    return request;
  });
  for (Agent& agent : agents_) agent.state.closing = true;
  while (AnyAlive().has_value()) {
    const WaitEnd end = Await([this] { return !AnyAlive().has_value(); }, deadline_ns);
    AcknowledgeLosses();
    AcknowledgeEarlyEnd();
    if (end == WaitEnd::kDeadline) break;
  }
  for (Agent& agent : agents_) {
    if (agent.state.alive()) agent.link->Cancel();
  }
}

void AgentGroup::Handle(Event event) {
  if (auto* response = std::get_if<ResponseEvent>(&event)) {
    agents_[response->agent].inbox->Taken(*response);
    HandleResponse(std::move(*response));
  } else if (auto* closed = std::get_if<StreamClosedEvent>(&event)) {
    Agent& agent = agents_[closed->agent];
    if (!agent.state.alive()) return;
    if (agent.state.closing && closed->status.ok()) {
      agent.state.stream = AgentState::Stream::kClosed;
    } else {
      Lose(agent, closed->status.ok()
                      ? absl::UnavailableError("ended the stream in the middle of the run")
                      : closed->status);
    }
  } else if (std::holds_alternative<InterruptEvent>(event)) {
    interrupted_ = true;
  }
}

void AgentGroup::HandleQueued() {
  // No more than wait now: one agent that never stops talking must not keep the leases of all
  // others from being seen to.
  for (size_t left = events_.size(); left > 0; --left) {
    if (std::optional<Event> event = events_.Pop(clock_->NowNs())) Handle(*std::move(event));
  }
}

void AgentGroup::HandleResponse(ResponseEvent event) {
  Agent& agent = agents_[event.agent];
  AgentState& state = agent.state;
  if (!state.alive()) return;
  state.last_heard_ns = event.received_at_ns;
  v1::RunResponse& response = event.response;
  if (absl::Status taken = agent.asked.Take(response); !taken.ok()) {
    Lose(agent, std::move(taken));
    return;
  }
  state.connections.Take(response);
  switch (response.message_case()) {
    case v1::RunResponse::kOpened:
      state.opened = std::move(*response.mutable_opened());
      break;
    case v1::RunResponse::kStatementsAccepted:
      state.statements_accepted = response.statements_accepted().statements();
      break;
    case v1::RunResponse::kScriptDone:
      state.script_done = std::move(*response.mutable_script_done());
      break;
    case v1::RunResponse::kRoundReady:
      state.ready = std::move(*response.mutable_round_ready());
      state.progress_connected = state.ready->clients_connected();
      break;
    case v1::RunResponse::kRoundStarted:
      state.started = std::move(*response.mutable_round_started());
      state.opened_at_ns = state.clock.ToController(state.started->opened_at_ns());
      if (tick_) tick_();
      break;
    case v1::RunResponse::kProgress:
      state.progress_statements += response.progress().statements();
      state.progress_errors += response.progress().errors();
      state.progress_connected = response.progress().clients_connected();
      break;
    case v1::RunResponse::kRoundDone:
      state.done = std::move(*response.mutable_round_done());
      if (state.done->opened_at_ns() == 0) break;  // the gate never opened
      // An agent that ended the run just as its gate opened says so here only.
      if (!state.started.has_value()) {
        state.opened_at_ns = state.clock.ToController(state.done->opened_at_ns());
      }
      state.closed_at_ns = state.clock.ToController(state.done->closed_at_ns());
      break;
    case v1::RunResponse::kHeartbeatAck:
      HandleHeartbeatAck(agent, response.heartbeat_ack(), event.received_at_ns);
      break;
    case v1::RunResponse::kClosed:          // the stream's end follows
    case v1::RunResponse::MESSAGE_NOT_SET:  // not taken above
      break;
  }
}

void AgentGroup::HandleHeartbeatAck(Agent& agent, const v1::HeartbeatAck& ack,
                                    int64_t received_at_ns) {
  const auto sent = agent.pings_sent_ns.find(ack.sequence());
  if (sent == agent.pings_sent_ns.end()) return;
  agent.state.clock.AddSample(sent->second, ack.received_at_ns(), ack.sent_at_ns(), received_at_ns);
  ++agent.state.pings_answered;
  // Answers come in order: what was sent before this one will not be answered any more.
  agent.pings_sent_ns.erase(agent.pings_sent_ns.begin(), std::next(sent));
}

void AgentGroup::Lose(Agent& agent, absl::Status why) {
  agent.state.stream = AgentState::Stream::kLost;
  agent.state.loss = std::move(why);
  agent.link->Cancel();
}

void AgentGroup::KeepAlive() {
  for (size_t i = 0; i < agents_.size(); ++i) {
    Agent& agent = agents_[i];
    if (!agent.state.alive()) continue;
    // Read again for each agent: a message may have come while the ones before were handled.
    const int64_t silent_ns = clock_->NowNs() - agent.state.last_heard_ns;
    if (silent_ns > times_.lease_ns) {
      Lose(agent,
           absl::DeadlineExceededError(absl::StrFormat("no message from the agent for %.1f s",
                                                       static_cast<double>(silent_ns) / 1e9)));
    } else {
      Ping(i);
    }
  }
}

bool AgentGroup::HasNewLoss() const {
  return std::any_of(agents_.begin(), agents_.end(), [](const Agent& agent) {
    return agent.state.stream == AgentState::Stream::kLost && !agent.loss_acknowledged;
  });
}

}  // namespace dslap
