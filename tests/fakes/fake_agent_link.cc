#include "tests/fakes/fake_agent_link.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "common/histogram.h"
#include "common/histogram_codec.h"
#include "common/version.h"

namespace dslap {

FakeAgentLink::FakeAgentLink(std::string name, Clock* clock)
    : name_(std::move(name)), clock_(clock) {
  v1::GetInfoResponse response;
  *response.mutable_protocol() = OwnProtocol();
  response.set_build("test");
  info = response;
}

std::vector<std::string> FakeAgentLink::kinds() const {
  std::vector<std::string> kinds;
  for (const v1::RunRequest& request : requests_) {
    const auto* field = v1::RunRequest::descriptor()->FindFieldByNumber(request.message_case());
    kinds.push_back(field->message_type()->name());
  }
  return kinds;
}

std::vector<std::string> FakeAgentLink::sql_seen() const {
  std::vector<std::string> statements;
  for (const v1::RunRequest& request : requests_) {
    for (const v1::ScriptStatement& statement : request.run_script().statements()) {
      statements.push_back(statement.text());
    }
  }
  return statements;
}

void FakeAgentLink::GetInfo(absl::Duration,
                            std::function<void(absl::StatusOr<v1::GetInfoResponse>)> done) {
  if (answers_get_info) done(info);
}

void FakeAgentLink::Send(v1::RunRequest request) {
  if (ended_ || listener_ == nullptr) return;
  if (request.has_heartbeat()) {
    ++heartbeats_;
  } else {
    requests_.push_back(request);
  }
  if (on_request) on_request(request);
  if (ended_ || ignore.count(request.message_case()) > 0) return;
  if (break_on.count(request.message_case()) > 0) {
    End(break_status);
    return;
  }
  Answer(request);
}

void FakeAgentLink::Cancel() {
  cancelled_ = true;
  End(absl::CancelledError("cancelled"));
}

void FakeAgentLink::Answer(const v1::RunRequest& request) {
  v1::RunResponse response;
  switch (request.message_case()) {
    case v1::RunRequest::kOpen:
      *response.mutable_opened()->mutable_protocol() = OwnProtocol();
      Reply(std::move(response));
      break;
    case v1::RunRequest::kStatementsChunk:
      if (request.statements_chunk().first()) statements_held_ = 0;
      statements_held_ += static_cast<uint64_t>(request.statements_chunk().statements_size());
      response.mutable_statements_accepted()->set_statements(statements_held_);
      Reply(std::move(response));
      break;
    case v1::RunRequest::kRunScript:
      RunScript(request.run_script());
      break;
    case v1::RunRequest::kStopScript:
      StopScript();
      break;
    case v1::RunRequest::kPrepareRound:
      Prepare(request.prepare_round());
      break;
    case v1::RunRequest::kStartRound:
      Start(request.start_round());
      break;
    case v1::RunRequest::kStopRound:
      if (round_open_) FinishRound(v1::STOP_CAUSE_CONTROLLER);
      break;
    case v1::RunRequest::kHeartbeat:
      response.mutable_heartbeat_ack()->set_sequence(request.heartbeat().sequence());
      response.mutable_heartbeat_ack()->set_received_at_ns(AgentNowNs());
      response.mutable_heartbeat_ack()->set_sent_at_ns(AgentNowNs());
      Reply(std::move(response));
      break;
    case v1::RunRequest::kClose:
      response.mutable_closed();
      Reply(std::move(response));
      End(absl::OkStatus());
      break;
    case v1::RunRequest::MESSAGE_NOT_SET:
      End(absl::InvalidArgumentError("empty message"));
      break;
  }
}

void FakeAgentLink::RunScript(const v1::RunScript& script) {
  v1::RunResponse response;
  v1::ScriptDone& done = *response.mutable_script_done();
  done.set_script(script.script());
  if (script_connect_error.has_value()) {
    *done.mutable_error() = ToProto(*script_connect_error);
    done.set_failed_stage(v1::SCRIPT_STAGE_CONNECT);
    Reply(std::move(response));
    return;
  }
  for (const v1::ScriptStatement& statement : script.statements()) {
    if (!hanging_sql.empty() && absl::StrContains(statement.text(), hanging_sql)) {
      hanging_script_ = done;
      return;
    }
    const FakeSqlAnswer answer = sql ? sql(statement.text()) : FakeSqlAnswer{};
    if (!answer.error.ok()) {
      *done.mutable_error() = ToProto(answer.error);
      done.set_failed_stage(v1::SCRIPT_STAGE_STATEMENT);
      break;
    }
    v1::ScriptResult& result = *done.add_results();
    for (int i = 0; i < answer.rows; ++i) result.add_rows()->add_cells()->set_value("1");
    for (const std::vector<std::string>& cells : answer.more_rows) {
      v1::Row& row = *result.add_rows();
      for (const std::string& cell : cells) row.add_cells()->set_value(cell);
    }
  }
  for (int i = 0; i < results_held_back && !done.has_error() && done.results_size() > 0; ++i) {
    done.mutable_results()->RemoveLast();
  }
  Reply(std::move(response));
}

void FakeAgentLink::StopScript() {
  if (!hanging_script_.has_value()) return;
  v1::RunResponse response;
  *response.mutable_script_done() = *std::exchange(hanging_script_, std::nullopt);
  *response.mutable_script_done()->mutable_error() = ToProto(stop_error);
  response.mutable_script_done()->set_failed_stage(v1::SCRIPT_STAGE_STATEMENT);
  Reply(std::move(response));
}

void FakeAgentLink::Prepare(const v1::PrepareRound& prepare) {
  prepared_ = prepare;
  round_open_ = true;
  opened_at_ns_ = 0;
  v1::RunResponse response;
  v1::RoundReady& ready = *response.mutable_round_ready();
  ready.set_round(prepare.round());
  uint64_t asked = 0;
  for (const v1::ClientGroup& group : prepare.groups()) asked += group.clients();
  const uint64_t refused = std::min(refused_clients, asked);
  ready.set_clients_asked(asked);
  ready.set_clients_connected(asked - refused);
  *ready.mutable_connections() = EncodeConnections(connections);
  if (refused > 0) {
    v1::ErrorCount& entry = *ready.add_connect_errors();
    *entry.mutable_first() = ToProto(connect_error);
    entry.set_count(refused);
    if (connect_error_is_hopeless) *ready.mutable_hopeless_error() = entry.first();
  }
  Reply(std::move(response));
}

void FakeAgentLink::Start(const v1::StartRound& start) {
  opened_at_ns_ = std::max(start.open_at_ns(), AgentNowNs()) + opens_late_ns;
  v1::RunResponse response;
  response.mutable_round_started()->set_round(start.round());
  response.mutable_round_started()->set_opened_at_ns(opened_at_ns_);
  if (says_round_started) Reply(std::move(response));
  if (statement_error.has_value()) {
    FinishRound(v1::STOP_CAUSE_ERROR);
  } else if (!round_runs_until_stopped) {
    FinishRound(v1::STOP_CAUSE_UNSPECIFIED);
  }
}

void FakeAgentLink::FinishRound(v1::StopCause cause) {
  round_open_ = false;
  v1::RunResponse response;
  v1::RoundDone& done = *response.mutable_round_done();
  done.set_round(prepared_.round());
  done.set_stop_cause(cause);
  if (opened_at_ns_ != 0) {
    done.set_opened_at_ns(opened_at_ns_);
    done.set_closed_at_ns(opened_at_ns_ + round_takes_ns);
    uint64_t statements = 0;
    LatencyHistogram latency;
    for (const v1::ClientGroup& group : prepared_.groups()) {
      statements += group.clients() * group.statements();
    }
    if (cause != v1::STOP_CAUSE_UNSPECIFIED) statements /= 2;
    for (uint64_t i = 0; i < statements; ++i) latency.Record(1'000'000);
    done.set_statements_succeeded(statements);
    *done.mutable_latency() = EncodeHistogram(latency);
    if (error_beside.has_value()) {
      done.set_session_errors(1);
      v1::ErrorCount& entry = *done.add_errors();
      *entry.mutable_first() = ToProto(*error_beside);
      entry.set_count(1);
    }
    if (statement_error.has_value()) {
      done.set_statements_failed(1);
      v1::ErrorCount& entry = *done.add_errors();
      *entry.mutable_first() = ToProto(*statement_error);
      entry.set_count(1);
    }
  }
  Reply(std::move(response));
}

void FakeAgentLink::Reply(v1::RunResponse response) {
  if (!ended_) listener_->OnResponse(std::move(response), clock_->NowNs());
}

void FakeAgentLink::End(absl::Status status) {
  if (ended_ || listener_ == nullptr) return;
  ended_ = true;
  listener_->OnClosed(std::move(status));
}

}  // namespace dslap
