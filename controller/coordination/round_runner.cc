#include "controller/coordination/round_runner.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "common/error_tally.h"
#include "controller/coordination/requests.h"
#include "controller/coordination/script_runner.h"
#include "controller/coordination/wind_up.h"

namespace dslap {

Step RoundRunner::Prepare(const std::vector<AgentShare>& shares, const std::string& default_schema,
                          uint64_t round, RoundRecord* record) {
  round_ = round;
  shares_ = shares;
  record->agents.assign(group_->size(), {});
  group_->BeginRound(round);
  group_->SendToAll([&](size_t agent) {
    v1::RunRequest request;
    *request.mutable_prepare_round() =
        MakePrepareRound(*plan_, shares, agent, round, default_schema);
    return request;
  });
  const char* const what = "the connecting of the clients";
  const WaitEnd end = group_->Await([this] {
    return LostParticipant().has_value() ||
           group_->AllAlive([](const AgentState& agent) { return agent.ready.has_value(); });
  });
  if (end != WaitEnd::kDone) return StopAfter(end, what, record);
  if (const std::optional<size_t> lost = LostParticipant(); lost.has_value()) {
    Step step = Step::Failed(ExitCode::kAgentLost, DescribeLoss(*group_, *lost, what));
    StopAndCollect(0, record);
    return step;
  }
  return CheckReady(record);
}

// The first agent that has clients of this round and is lost.
std::optional<size_t> RoundRunner::LostParticipant() const {
  for (size_t i = 0; i < shares_.size(); ++i) {
    if (!shares_[i].groups.empty() && !group_->state(i).alive()) return i;
  }
  return std::nullopt;
}

// Whether all clients of the round did what they were to do. An agent that was lost after it had
// said so counts.
bool RoundRunner::Complete() const {
  for (size_t i = 0; i < shares_.size(); ++i) {
    const AgentState& agent = group_->state(i);
    if (shares_[i].groups.empty() && !agent.alive()) continue;
    if (!agent.done.has_value() || agent.done->stop_cause() != v1::STOP_CAUSE_UNSPECIFIED) {
      return false;
    }
  }
  return true;
}

Step RoundRunner::CheckReady(RoundRecord* record) {
  uint64_t asked = 0;
  uint64_t connected = 0;
  std::string problem;
  bool hopeless = false;
  for (size_t i = 0; i < group_->size(); ++i) {
    if (!group_->state(i).alive()) continue;
    const v1::RoundReady& ready = *group_->state(i).ready;
    asked += ready.clients_asked();
    connected += ready.clients_connected();
    if (ready.has_key_error()) {
      const SqlError error = FromProto(ready.key_error());
      StopAndCollect(0, record);
      return Step::Failed(
          ExitCode::kSetUpFailed,
          absl::FailedPreconditionError(absl::StrCat(AgentPrefix(*group_, i), "read the key list (",
                                                     plan_->key_query, "): ", error.ToString())));
    }
    const bool first_hopeless = ready.has_hopeless_error() && !hopeless;
    if (first_hopeless || (problem.empty() && ready.connect_errors_size() > 0)) {
      const v1::SqlError& error =
          first_hopeless ? ready.hopeless_error() : ready.connect_errors(0).first();
      problem = absl::StrCat(AgentPrefix(*group_, i), "connect: ", FromProto(error).ToString());
    }
    hopeless = hopeless || first_hopeless;
  }
  if (!hopeless && (connected > 0 || asked == 0)) return Step::Done();
  StopAndCollect(0, record);
  return Step::Failed(ExitCode::kFailures,
                      absl::UnavailableError(absl::StrCat(
                          connected, " of ", asked,
                          " clients connected, so the round was not started: ", problem)));
}

Step RoundRunner::Run(RoundRecord* record) {
  const int64_t open_at_ns = group_->NowNs() + group_->LongestRoundTripNs() + kStartMarginNs;
  record->started = true;
  group_->SendToAll([&](size_t agent) {
    v1::RunRequest request;
    request.mutable_start_round()->set_round(round_);
    request.mutable_start_round()->set_open_at_ns(group_->state(agent).clock.ToAgent(open_at_ns));
    return request;
  });
  bool failed_statement = false;
  const WaitEnd end = group_->Await([&] {
    failed_statement = !group_->AllAlive([](const AgentState& agent) {
      return !agent.done.has_value() || agent.done->stop_cause() != v1::STOP_CAUSE_ERROR;
    });
    return failed_statement ||
           group_->AllAlive([](const AgentState& agent) { return agent.done.has_value(); });
  });
  if (end != WaitEnd::kDone) return StopAfter(end, "the load", record);
  if (failed_statement) {
    StopAndCollect(0, record);
    return Step::Failed(ExitCode::kFailures, absl::AbortedError(WhyStopped()));
  }
  Collect(record);
  record->complete = Complete();
  // Nobody was told to stop: who did so all the same is on its way out.
  const bool leaving = !group_->AllAlive([](const AgentState& agent) {
    return agent.done->stop_cause() != v1::STOP_CAUSE_CONTROLLER;
  });
  record->agent_lost = !record->complete && (leaving || LostParticipant().has_value());
  return Step::Done();
}

// The error that stopped an agent's clients, as far as can be told from what was counted.
std::string RoundRunner::WhyStopped() const {
  for (size_t i = 0; i < group_->size(); ++i) {
    const std::optional<v1::RoundDone>& done = group_->state(i).done;
    if (!done.has_value() || done->stop_cause() != v1::STOP_CAUSE_ERROR) continue;
    const v1::SqlError* cause = nullptr;
    for (const v1::ErrorCount& entry : done->errors()) {
      const uint32_t code = entry.first().code();
      if (plan_->ignore_all_errors || absl::c_linear_search(plan_->ignored_errors, code)) continue;
      // What could not be killed on the server follows from what was given up.
      if (cause == nullptr || code == kQueryTimeoutCode) cause = &entry.first();
    }
    if (cause == nullptr) continue;
    return absl::StrCat(AgentPrefix(*group_, i),
                        "a statement failed and ended the run: ", FromProto(*cause).ToString(),
                        ": to count such errors and go on, add it to --ignore-errors");
  }
  return "a statement failed and ended the run";
}

Step RoundRunner::StopAfter(WaitEnd end, const std::string& what, RoundRecord* record) {
  Step step = StepFromWait(*group_, end, what);
  group_->AcknowledgeLosses();
  group_->AcknowledgeEarlyEnd();
  StopAndCollect(IsEarlyEnd(end) ? kDrainNs : 0, record);
  // Others may have been lost meanwhile: each is named.
  return end == WaitEnd::kAgentLost ? StepFromWait(*group_, end, what) : step;
}

void RoundRunner::StopAndCollect(int64_t grace_ns, RoundRecord* record) {
  group_->SendToAll([&](size_t) {
    v1::RunRequest request;
    request.mutable_stop_round()->set_round(round_);
    request.mutable_stop_round()->set_grace_ns(static_cast<uint64_t>(grace_ns));
    return request;
  });
  const int64_t deadline_ns =
      std::min(group_->NowNs() + grace_ns + kStopBoundNs, LoadStoppedByNs(*group_));
  for (;;) {
    const WaitEnd end = group_->Await(
        [this] {
          return group_->AllAlive([](const AgentState& agent) { return agent.done.has_value(); });
        },
        deadline_ns);
    if (end == WaitEnd::kDone || end == WaitEnd::kDeadline) break;
    // The stop goes on: the step that asked for it has said why.
    group_->AcknowledgeLosses();
    group_->AcknowledgeEarlyEnd();
  }
  // One that still runs clients could take no further order.
  for (size_t i = 0; i < group_->size(); ++i) {
    if (!group_->state(i).alive() || group_->state(i).done.has_value()) continue;
    group_->GiveUp(i, absl::DeadlineExceededError("did not stop its clients when it was told to"));
  }
  group_->AcknowledgeLosses();
  Collect(record);
}

void RoundRunner::Collect(RoundRecord* record) {
  for (size_t i = 0; i < group_->size(); ++i) {
    const AgentState& state = group_->state(i);
    AgentRoundRecord& agent = record->agents[i];
    agent.ready = state.ready;
    agent.done = state.done;
    agent.opened_at_ns = state.opened_at_ns;
    agent.closed_at_ns = state.closed_at_ns;
    agent.mapping_error_ns = state.clock.error_ns();
  }
}

}  // namespace dslap
