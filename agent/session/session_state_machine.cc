#include "agent/session/session_state_machine.h"

#include <array>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

using Kind = v1::RunRequest::MessageCase;
using State = SessionState;
using Event = SessionEvent;

struct MessageRule {
  Kind kind;
  State from;
  State to;
};

// A StopRound or StopScript that crossed with the end of what it is to stop does not come here: the
// session passes it over.
constexpr std::array kMessageRules = {
    MessageRule{Kind::kOpen, State::kNew, State::kOpening},

    MessageRule{Kind::kHeartbeat, State::kOpening, State::kOpening},
    MessageRule{Kind::kHeartbeat, State::kIdle, State::kIdle},
    MessageRule{Kind::kHeartbeat, State::kRunningScript, State::kRunningScript},
    MessageRule{Kind::kHeartbeat, State::kPreparing, State::kPreparing},
    MessageRule{Kind::kHeartbeat, State::kReady, State::kReady},
    MessageRule{Kind::kHeartbeat, State::kArmed, State::kArmed},
    MessageRule{Kind::kHeartbeat, State::kRunning, State::kRunning},
    MessageRule{Kind::kHeartbeat, State::kStopping, State::kStopping},
    MessageRule{Kind::kHeartbeat, State::kClosing, State::kClosing},

    MessageRule{Kind::kStatementsChunk, State::kIdle, State::kIdle},
    MessageRule{Kind::kRunScript, State::kIdle, State::kRunningScript},
    MessageRule{Kind::kStopScript, State::kRunningScript, State::kRunningScript},
    MessageRule{Kind::kPrepareRound, State::kIdle, State::kPreparing},
    MessageRule{Kind::kStartRound, State::kReady, State::kArmed},

    MessageRule{Kind::kStopRound, State::kPreparing, State::kStopping},
    MessageRule{Kind::kStopRound, State::kReady, State::kStopping},
    MessageRule{Kind::kStopRound, State::kArmed, State::kStopping},
    MessageRule{Kind::kStopRound, State::kRunning, State::kStopping},
    MessageRule{Kind::kStopRound, State::kStopping, State::kStopping},

    MessageRule{Kind::kClose, State::kIdle, State::kClosing},
};

struct EventRule {
  Event event;
  State from;
  State to;
};

constexpr std::array kEventRules = {
    EventRule{Event::kOpened, State::kOpening, State::kIdle},
    EventRule{Event::kScriptDone, State::kRunningScript, State::kIdle},
    EventRule{Event::kClientsReady, State::kPreparing, State::kReady},
    EventRule{Event::kClientsReady, State::kStopping, State::kStopping},
    EventRule{Event::kGateOpened, State::kArmed, State::kRunning},
    // StopRound came in the same moment.
    EventRule{Event::kGateOpened, State::kStopping, State::kStopping},
    EventRule{Event::kRoundDone, State::kArmed, State::kIdle},
    EventRule{Event::kRoundDone, State::kRunning, State::kIdle},
    EventRule{Event::kRoundDone, State::kStopping, State::kIdle},
};

// What a controller should have done instead; empty when the state text says it all.
absl::string_view Advice(Kind kind, State state) {
  if (state == State::kNew) return "; send Open first";
  if (kind == Kind::kOpen) return "; Open is the first message of a stream, once";
  switch (state) {
    case State::kOpening:
      return "; wait for Opened";
    case State::kIdle:
      return "; send PrepareRound first";
    case State::kRunningScript:
      return "; wait for ScriptDone";
    case State::kPreparing:
      return "; wait for RoundReady";
    case State::kReady:
      return "; send StartRound or StopRound first";
    case State::kArmed:
    case State::kRunning:
    case State::kStopping:
      return "; wait for RoundDone";
    default:
      return "";
  }
}

}  // namespace

absl::string_view StateText(State state) {
  switch (state) {
    case State::kNew:
      return "new";
    case State::kOpening:
      return "opening";
    case State::kIdle:
      return "idle";
    case State::kRunningScript:
      return "running a script";
    case State::kPreparing:
      return "preparing";
    case State::kReady:
      return "ready";
    case State::kArmed:
      return "armed";
    case State::kRunning:
      return "running";
    case State::kStopping:
      return "stopping";
    case State::kClosing:
      return "closing";
    case State::kEnded:
      return "ended";
  }
  return "unknown";
}

absl::string_view MessageName(Kind kind) {
  switch (kind) {
    case Kind::kOpen:
      return "Open";
    case Kind::kStatementsChunk:
      return "StatementsChunk";
    case Kind::kRunScript:
      return "RunScript";
    case Kind::kPrepareRound:
      return "PrepareRound";
    case Kind::kStartRound:
      return "StartRound";
    case Kind::kStopRound:
      return "StopRound";
    case Kind::kHeartbeat:
      return "Heartbeat";
    case Kind::kClose:
      return "Close";
    case Kind::kStopScript:
      return "StopScript";
    case Kind::MESSAGE_NOT_SET:
      break;
  }
  return "empty message";
}

absl::Status SessionStateMachine::Receive(Kind kind) {
  for (const MessageRule& rule : kMessageRules) {
    if (rule.kind == kind && rule.from == state_) {
      state_ = rule.to;
      return absl::OkStatus();
    }
  }
  return absl::FailedPreconditionError(absl::StrCat(MessageName(kind),
                                                    " is not allowed while the session is ",
                                                    StateText(state_), Advice(kind, state_)));
}

bool SessionStateMachine::Happened(Event event) {
  if (state_ == State::kEnded) return false;
  if (event == Event::kAborted || event == Event::kClosed) {
    state_ = event == Event::kAborted ? State::kClosing : State::kEnded;
    return true;
  }
  for (const EventRule& rule : kEventRules) {
    if (rule.event == event && rule.from == state_) {
      state_ = rule.to;
      return true;
    }
  }
  return false;
}

}  // namespace dslap
