#include "agent/session/session_state_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

using Kind = v1::RunRequest::MessageCase;
using State = SessionState;
using Event = SessionEvent;

const std::vector<Kind> kKinds = {Kind::kOpen,          Kind::kStatementsChunk, Kind::kRunScript,
                                  Kind::kPrepareRound,  Kind::kStartRound,      Kind::kStopRound,
                                  Kind::kHeartbeat,     Kind::kClose,           Kind::kStopScript,
                                  Kind::MESSAGE_NOT_SET};

const std::vector<State> kStates = {State::kNew,           State::kOpening,   State::kIdle,
                                    State::kRunningScript, State::kPreparing, State::kReady,
                                    State::kArmed,         State::kRunning,   State::kStopping,
                                    State::kClosing,       State::kEnded};

const std::vector<Event> kEvents = {Event::kOpened,     Event::kScriptDone, Event::kClientsReady,
                                    Event::kGateOpened, Event::kRoundDone,  Event::kAborted,
                                    Event::kClosed};

// A machine brought into a state by the shortest legal way.
SessionStateMachine In(State state) {
  SessionStateMachine machine;
  auto receive = [&](Kind kind) { EXPECT_TRUE(machine.Receive(kind).ok()); };
  auto happened = [&](Event event) { EXPECT_TRUE(machine.Happened(event)); };
  if (state == State::kNew) return machine;
  receive(Kind::kOpen);
  if (state == State::kOpening) return machine;
  happened(Event::kOpened);
  switch (state) {
    case State::kRunningScript:
      receive(Kind::kRunScript);
      break;
    case State::kPreparing:
      receive(Kind::kPrepareRound);
      break;
    case State::kReady:
    case State::kArmed:
    case State::kRunning:
    case State::kStopping:
      receive(Kind::kPrepareRound);
      happened(Event::kClientsReady);
      if (state == State::kReady) break;
      receive(state == State::kStopping ? Kind::kStopRound : Kind::kStartRound);
      if (state == State::kRunning) happened(Event::kGateOpened);
      break;
    case State::kClosing:
      receive(Kind::kClose);
      break;
    case State::kEnded:
      receive(Kind::kClose);
      happened(Event::kClosed);
      break;
    default:
      break;
  }
  EXPECT_EQ(machine.state(), state);
  return machine;
}

// The table of docs/protocol.md, written down a second time: all that is not here is refused.
const std::map<std::pair<Kind, State>, State> kLegal = {
    {{Kind::kOpen, State::kNew}, State::kOpening},
    {{Kind::kStatementsChunk, State::kIdle}, State::kIdle},
    {{Kind::kRunScript, State::kIdle}, State::kRunningScript},
    {{Kind::kStopScript, State::kRunningScript}, State::kRunningScript},
    {{Kind::kPrepareRound, State::kIdle}, State::kPreparing},
    {{Kind::kStartRound, State::kReady}, State::kArmed},
    {{Kind::kStopRound, State::kPreparing}, State::kStopping},
    {{Kind::kStopRound, State::kReady}, State::kStopping},
    {{Kind::kStopRound, State::kArmed}, State::kStopping},
    {{Kind::kStopRound, State::kRunning}, State::kStopping},
    {{Kind::kStopRound, State::kStopping}, State::kStopping},
    {{Kind::kHeartbeat, State::kOpening}, State::kOpening},
    {{Kind::kHeartbeat, State::kIdle}, State::kIdle},
    {{Kind::kHeartbeat, State::kRunningScript}, State::kRunningScript},
    {{Kind::kHeartbeat, State::kPreparing}, State::kPreparing},
    {{Kind::kHeartbeat, State::kReady}, State::kReady},
    {{Kind::kHeartbeat, State::kArmed}, State::kArmed},
    {{Kind::kHeartbeat, State::kRunning}, State::kRunning},
    {{Kind::kHeartbeat, State::kStopping}, State::kStopping},
    {{Kind::kHeartbeat, State::kClosing}, State::kClosing},
    {{Kind::kClose, State::kIdle}, State::kClosing},
};

TEST(SessionStateMachineTest, EveryMessageInEveryState) {
  for (const State state : kStates) {
    for (const Kind kind : kKinds) {
      SCOPED_TRACE(absl::StrCat(MessageName(kind), " while ", StateText(state)));
      SessionStateMachine machine = In(state);
      const absl::Status status = machine.Receive(kind);
      if (auto legal = kLegal.find({kind, state}); legal != kLegal.end()) {
        EXPECT_EQ(status, absl::OkStatus());
        EXPECT_EQ(machine.state(), legal->second);
        continue;
      }
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_THAT(
          absl::StrCat(status.message()),
          testing::StartsWith(absl::StrCat(
              MessageName(kind), " is not allowed while the session is ", StateText(state))));
      EXPECT_EQ(machine.state(), state) << "a refused message must change nothing";
    }
  }
}

const std::map<std::pair<Event, State>, State> kFollows = {
    {{Event::kOpened, State::kOpening}, State::kIdle},
    {{Event::kScriptDone, State::kRunningScript}, State::kIdle},
    {{Event::kClientsReady, State::kPreparing}, State::kReady},
    {{Event::kClientsReady, State::kStopping}, State::kStopping},
    {{Event::kGateOpened, State::kArmed}, State::kRunning},
    {{Event::kGateOpened, State::kStopping}, State::kStopping},
    {{Event::kRoundDone, State::kArmed}, State::kIdle},
    {{Event::kRoundDone, State::kRunning}, State::kIdle},
    {{Event::kRoundDone, State::kStopping}, State::kIdle},
};

TEST(SessionStateMachineTest, EveryEventInEveryState) {
  for (const State state : kStates) {
    for (const Event event : kEvents) {
      SCOPED_TRACE(absl::StrCat("event ", static_cast<int>(event), " while ", StateText(state)));
      SessionStateMachine machine = In(state);
      std::optional<State> expected;
      if (auto rule = kFollows.find({event, state}); rule != kFollows.end()) {
        expected = rule->second;
      }
      if (state != State::kEnded && event == Event::kAborted) expected = State::kClosing;
      if (state != State::kEnded && event == Event::kClosed) expected = State::kEnded;
      EXPECT_EQ(machine.Happened(event), expected.has_value());
      EXPECT_EQ(machine.state(), expected.value_or(state));
    }
  }
}

TEST(SessionStateMachineTest, RefusalSaysWhatToDoInstead) {
  const std::vector<std::pair<std::pair<Kind, State>, std::string>> texts = {
      {{Kind::kStartRound, State::kIdle},
       "StartRound is not allowed while the session is idle; send PrepareRound first"},
      {{Kind::kStopRound, State::kIdle},
       "StopRound is not allowed while the session is idle; send PrepareRound first"},
      {{Kind::kRunScript, State::kNew},
       "RunScript is not allowed while the session is new; send Open first"},
      {{Kind::kOpen, State::kReady},
       "Open is not allowed while the session is ready; Open is the first message of a "
       "stream, once"},
      {{Kind::kStatementsChunk, State::kOpening},
       "StatementsChunk is not allowed while the session is opening; wait for Opened"},
      {{Kind::kPrepareRound, State::kRunningScript},
       "PrepareRound is not allowed while the session is running a script; wait for ScriptDone"},
      {{Kind::kStartRound, State::kPreparing},
       "StartRound is not allowed while the session is preparing; wait for RoundReady"},
      {{Kind::kClose, State::kReady},
       "Close is not allowed while the session is ready; send StartRound or StopRound "
       "first"},
      {{Kind::kStartRound, State::kArmed},
       "StartRound is not allowed while the session is armed; wait for RoundDone"},
      {{Kind::kClose, State::kRunning},
       "Close is not allowed while the session is running; wait for RoundDone"},
      {{Kind::kRunScript, State::kStopping},
       "RunScript is not allowed while the session is stopping; wait for RoundDone"},
      {{Kind::kRunScript, State::kClosing},
       "RunScript is not allowed while the session is closing"},
      {{Kind::kHeartbeat, State::kEnded}, "Heartbeat is not allowed while the session is ended"},
  };
  for (const auto& [where, text] : texts) {
    SessionStateMachine machine = In(where.second);
    EXPECT_EQ(machine.Receive(where.first), absl::FailedPreconditionError(text));
  }
}

TEST(SessionStateMachineTest, RunsRoundAfterRound) {
  SessionStateMachine machine = In(State::kIdle);
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(machine.Receive(Kind::kRunScript).ok());
    EXPECT_TRUE(machine.Happened(Event::kScriptDone));
    EXPECT_TRUE(machine.Receive(Kind::kPrepareRound).ok());
    EXPECT_TRUE(machine.Happened(Event::kClientsReady));
    EXPECT_TRUE(machine.Receive(Kind::kStartRound).ok());
    EXPECT_TRUE(machine.Happened(Event::kGateOpened));
    EXPECT_TRUE(machine.Happened(Event::kRoundDone));
    EXPECT_EQ(machine.state(), State::kIdle);
  }
}

}  // namespace
}  // namespace dslap
