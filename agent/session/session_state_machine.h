// Which message of a run is legal when, and what state it leads to. The table of docs/protocol.md,
// as code. Pure: no thread, no clock, no gRPC.
//
//   SessionStateMachine machine;
//   RETURN_IF_ERROR(machine.Receive(v1::RunRequest::kOpen));     // kNew -> kOpening
//   machine.Happened(SessionEvent::kOpened);                     // -> kIdle
#ifndef DSLAP_AGENT_SESSION_SESSION_STATE_MACHINE_H_
#define DSLAP_AGENT_SESSION_SESSION_STATE_MACHINE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

enum class SessionState {
  kNew,            // nothing received yet
  kOpening,        // Open received, Opened not yet sent
  kIdle,           // between rounds and scripts
  kRunningScript,  // RunScript received, ScriptDone not yet sent
  kPreparing,      // PrepareRound received, RoundReady not yet sent
  kReady,          // the clients wait at the gate
  kArmed,          // StartRound received, the gate not yet open
  kRunning,        // the gate is open
  kStopping,       // StopRound received, RoundDone not yet sent
  kClosing,        // Close received, or the run is being aborted
  kEnded,          // the stream's status is decided and everything is released
};

// What the session itself brings about.
enum class SessionEvent {
  kOpened,
  kScriptDone,
  kClientsReady,
  kGateOpened,
  kRoundDone,
  kAborted,
  kClosed,
};

// "running a script": completes "while the session is ...".
absl::string_view StateText(SessionState state);

// "StartRound"; "empty message" when no kind is set.
absl::string_view MessageName(v1::RunRequest::MessageCase kind);

// Not thread-safe.
class SessionStateMachine {
 public:
  SessionState state() const { return state_; }

  // Takes a message of the controller and moves on. FAILED_PRECONDITION that names message, state
  // and what to do when it is illegal now; the state stays.
  absl::Status Receive(v1::RunRequest::MessageCase kind);

  // Moves on after an event. An event that cannot happen in this state is a fault of the session
  // and changes nothing: false.
  bool Happened(SessionEvent event);

 private:
  SessionState state_ = SessionState::kNew;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_SESSION_STATE_MACHINE_H_
