// All agents of a run as one: opens their streams, sends, waits for all, keeps the leases alive,
// notices losses. Below the Coordinator, above AgentLink.
//
//   group.SendToAll([&](size_t agent) { return MakePrepareRound(agent); });
//   WaitEnd end = group.Await([&] {
//     return group.AllAlive([](const AgentState& agent) { return agent.ready.has_value(); });
//   });
//
// Await() is the only place where the controller waits; heartbeats go out and silence is noticed
// while it does.
#ifndef DSLAP_CONTROLLER_COORDINATION_AGENT_GROUP_H_
#define DSLAP_CONTROLLER_COORDINATION_AGENT_GROUP_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock.h"
#include "controller/coordination/agent_inbox.h"
#include "controller/coordination/agent_link.h"
#include "controller/coordination/answer_check.h"
#include "controller/coordination/clock_map.h"
#include "controller/coordination/connection_ledger.h"
#include "controller/coordination/event_queue.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// What is known of one agent. The optional messages are the latest of their kind.
struct AgentState {
  enum class Stream { kNotOpened, kOpen, kClosed, kLost, kLeftOut };
  Stream stream = Stream::kNotOpened;
  absl::Status loss;       // why, when kLost
  bool loss_told = false;  // to who goes on after losses
  ClockMap clock;
  int64_t last_heard_ns = 0;
  uint64_t pings_answered = 0;
  bool closing = false;  // Close was sent

  std::optional<v1::Opened> opened;
  uint64_t statements_accepted = 0;
  std::optional<v1::ScriptDone> script_done;
  std::optional<v1::RoundReady> ready;
  std::optional<v1::RoundStarted> started;
  std::optional<v1::RoundDone> done;
  // Of the round that started last, mapped to the controller's clock when the message came.
  int64_t opened_at_ns = 0;
  int64_t closed_at_ns = 0;
  // Sums of the Progress of the round that started last.
  uint64_t progress_statements = 0;
  uint64_t progress_errors = 0;
  uint64_t progress_connected = 0;
  ConnectionLedger connections;

  bool alive() const { return stream == Stream::kOpen; }
  // No part of the run, or no more: nothing is to be shared out to it.
  bool absent() const { return stream == Stream::kLost || stream == Stream::kLeftOut; }
};

struct LeaseTimes {
  int64_t lease_ns = 10'000'000'000;
  int64_t heartbeat_ns = 1'000'000'000;
};

// kTimeUp: of the run (--deadline); kDeadline: of this wait.
enum class WaitEnd { kDone, kAgentLost, kInterrupted, kTimeUp, kDeadline };

// The run was told to end: an interrupt, or its time is up.
constexpr bool IsEarlyEnd(WaitEnd end) {
  return end == WaitEnd::kInterrupted || end == WaitEnd::kTimeUp;
}

// Used by one thread; only Interrupt() and Wake() are thread-safe.
class AgentGroup {
 public:
  static constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

  AgentGroup(std::vector<std::unique_ptr<AgentLink>> links, Clock* clock, LeaseTimes times);
  // Cancels every stream that is still open.
  ~AgentGroup();
  AgentGroup(const AgentGroup&) = delete;
  AgentGroup& operator=(const AgentGroup&) = delete;

  size_t size() const { return agents_.size(); }
  const AgentState& state(size_t agent) const { return agents_[agent].state; }
  AgentLink& link(size_t agent) { return *agents_[agent].link; }
  const std::string& name(size_t agent) const { return agents_[agent].link->name(); }
  // Some agent that is alive, the lowest number first.
  std::optional<size_t> AnyAlive() const;
  int64_t LongestRoundTripNs() const;

  // Opens every stream with this message, but for agents that were left out.
  void OpenAll(const v1::Open& open);
  // The run does without this agent from now on; that is no loss.
  void LeaveOut(size_t agent);
  // To an agent that is not alive, sending is a no-op.
  void Send(size_t agent, v1::RunRequest request);
  void SendToAll(const std::function<v1::RunRequest(size_t agent)>& make);
  void Ping(size_t agent);
  // Forget the answers to earlier rounds or scripts, so that Await() sees only those of the next.
  // An agent that then answers with another number is lost.
  void BeginRound(uint64_t round);
  void BeginScript(size_t agent, uint64_t script, uint64_t statements);

  bool AllAlive(const std::function<bool(const AgentState&)>& holds) const;

  // Waits until `satisfied`. Ends early when an agent is lost, an interrupt comes or the run's time
  // is up, none of them acknowledged yet, or at the deadline. A loss wins over kDone, kDone over
  // the others.
  WaitEnd Await(const std::function<bool()>& satisfied, int64_t deadline_ns = kForever);
  // Called about once a second and on news, while Await() waits.
  void SetTick(std::function<void()> tick) { tick_ = std::move(tick); }
  int64_t NowNs() const { return clock_->NowNs(); }

  // From now on a loss does not end Await() while an agent is left: `on_loss` is told of it, once,
  // and the wait goes on. Null: losses end it, as at first.
  void ContinueAfterLosses(std::function<void(size_t agent)> on_loss) {
    on_loss_ = std::move(on_loss);
  }
  bool continues_after_losses() const { return on_loss_ != nullptr; }

  // From when on the run's time is up; `reason`: "ended by --deadline=30s".
  void SetTimeUp(int64_t at_ns, std::string reason);
  int64_t time_up_at_ns() const { return time_up_at_ns_; }
  const std::string& time_up_reason() const { return time_up_reason_; }

  // From now on Await() goes on in spite of the losses, or of what else was to end the run, seen so
  // far.
  void AcknowledgeLosses();
  void AcknowledgeEarlyEnd();
  bool interrupted() const { return interrupted_; }
  // For an agent that is there, but does not do what it should.
  void GiveUp(size_t agent, absl::Status why);
  // Makes the next or the current Await() end. Thread-safe.
  void Interrupt() { events_.Push(InterruptEvent{}); }
  // Makes the current Await() look at its condition again. Thread-safe.
  void Wake() { events_.Push(WakeEvent{}); }

  // Sends Close to all, waits for their Closed until the deadline, cancels what is left.
  void CloseAll(int64_t deadline_ns);

 private:
  struct Agent {
    std::unique_ptr<AgentInbox> inbox;  // outlives the link: declared first
    std::unique_ptr<AgentLink> link;
    AgentState state;
    AnswerCheck asked;
    std::map<uint64_t, int64_t> pings_sent_ns;  // by sequence, not yet answered
    bool loss_acknowledged = false;
  };

  void Handle(Event event);
  void HandleQueued();
  void HandleResponse(ResponseEvent event);
  void HandleHeartbeatAck(Agent& agent, const v1::HeartbeatAck& ack, int64_t received_at_ns);
  void Lose(Agent& agent, absl::Status why);
  void KeepAlive();
  bool HasNewLoss() const;
  void TellLosses();
  bool TimeIsUp(int64_t now_ns) const { return now_ns >= time_up_at_ns_ && !time_up_acknowledged_; }

  Clock* clock_;
  LeaseTimes times_;
  EventQueue events_;
  std::vector<Agent> agents_;
  std::function<void()> tick_;
  std::function<void(size_t agent)> on_loss_;
  int64_t next_heartbeat_ns_ = 0;
  uint64_t next_sequence_ = 1;
  bool interrupted_ = false;
  bool interrupt_acknowledged_ = false;
  int64_t time_up_at_ns_ = kForever;
  std::string time_up_reason_;
  bool time_up_acknowledged_ = false;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_AGENT_GROUP_H_
