#include "controller/coordination/coordinator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/secret.h"
#include "controller/coordination/preflight.h"
#include "controller/coordination/round_runner.h"
#include "controller/coordination/script_runner.h"
#include "controller/plan/shares.h"
#include "controller/plan/stages.h"

namespace dslap {
namespace {

constexpr absl::Duration kInfoTimeout = absl::Seconds(5);

}  // namespace

Coordinator::Coordinator(std::vector<std::unique_ptr<AgentLink>> links,
                         const CoordinatorEnvironment& environment, CoordinatorConfig config)
    : clock_(environment.clock),
      config_(std::move(config)),
      progress_sink_(environment.progress),
      case_sink_(environment.cases),
      narrator_(environment.narrator),
      group_(std::move(links), environment.clock, config_.times),
      scripts_(&group_, DescribeTarget(config_.target), environment.narrator),
      hooks_(&group_, environment.commands) {
  config_.weights.resize(group_.size(), 1);
  group_.SetTick([this] { ShowProgress(); });
  record_.run_id = config_.identity.run_id;
  for (size_t i = 0; i < group_.size(); ++i) {
    AgentRecord agent;
    agent.name = group_.name(i);
    record_.agents.push_back(std::move(agent));
  }
}

Coordinator::~Coordinator() = default;

RunRecord Coordinator::Run(const Plan& plan) {
  record_.planned_cases = plan.cases.size();
  record_.planned_iterations = plan.iterations;
  scripts_.set_statement_timeout_ns(plan.once_timeout_ns);
  schema_ = std::make_unique<SchemaKeeper>(plan.schema, config_.identity.run_id, &scripts_);

  Step step = Preflight();
  if (step.ok()) step = OpenStreams();
  if (step.ok()) {
    step = MeasureRoundTrips();
    if (step.ok()) step = SendStatements(plan.queries);
    if (step.ok()) step = schema_->Check();
    if (step.ok()) step = RunCases(plan);
    TearDown();
  }
  group_.CloseAll(clock_->NowNs() + kCloseBoundNs);
  progress_sink_->Clear();

  record_.failure = step.status;
  record_.failure_code = step.code;
  record_.interrupted = step.code == ExitCode::kInterrupted;
  record_.stopped_by_error =
      step.code == ExitCode::kFailures && step.status.code() == absl::StatusCode::kAborted;
  return std::move(record_);
}

Step Coordinator::Preflight() {
  std::vector<AgentLink*> links;
  links.reserve(group_.size());
  for (size_t i = 0; i < group_.size(); ++i) links.push_back(&group_.link(i));
  const std::vector<AgentAnswer> answers = AskAll(links, kInfoTimeout, clock_);
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].info.ok()) record_.agents[i].info = *answers[i].info;
  }
  absl::Status status = JoinProblems(CheckAnswers(answers));
  return status.ok() ? Step::Done() : Step::Failed(ExitCode::kAgentUnavailable, std::move(status));
}

Step Coordinator::OpenStreams() {
  v1::Open open = MakeOpen(config_.identity, config_.target, config_.times.lease_ns);
  *open.mutable_load_engine() = MakeLoadEngine(config_.load_engine, group_.size());
  group_.OpenAll(open);
  WipeString(open.mutable_target()->mutable_password());
  const WaitEnd end = group_.Await(
      [this] {
        return group_.AllAlive([](const AgentState& agent) { return agent.opened.has_value(); });
      },
      clock_->NowNs() + kOpenBoundNs);
  if (end == WaitEnd::kDone) return Step::Done();
  if (end == WaitEnd::kDeadline) return NotOpened();
  Step step = StepFromWait(group_, end, "the opening of the run");
  // Nothing was measured and nothing touched yet: refused, rather than lost.
  if (step.code == ExitCode::kAgentLost) step.code = ExitCode::kAgentUnavailable;
  return step;
}

Step Coordinator::NotOpened() const {
  std::vector<std::string> late;
  for (size_t i = 0; i < group_.size(); ++i) {
    if (group_.state(i).opened.has_value()) continue;
    late.push_back(absl::StrFormat("agent %s: did not open the run within %d s", group_.name(i),
                                   kOpenBoundNs / 1'000'000'000));
  }
  return Step::Failed(ExitCode::kAgentUnavailable,
                      absl::DeadlineExceededError(absl::StrJoin(late, "; ")));
}

Step Coordinator::MeasureRoundTrips() {
  for (uint64_t ping = 1; ping <= kOpeningPings; ++ping) {
    for (size_t i = 0; i < group_.size(); ++i) group_.Ping(i);
    const WaitEnd end = group_.Await([&] {
      return group_.AllAlive([&](const AgentState& agent) { return agent.pings_answered >= ping; });
    });
    if (end != WaitEnd::kDone) return StepFromWait(group_, end, "the measuring of round trips");
  }
  return Step::Done();
}

Step Coordinator::SendStatements(const std::vector<PlannedStatement>& statements) {
  StatementChunker chunker(&statements);
  uint64_t sent = 0;
  while (!chunker.done()) {
    const v1::StatementsChunk chunk = chunker.Next();
    sent += static_cast<uint64_t>(chunk.statements_size());
    group_.SendToAll([&](size_t) {
      v1::RunRequest request;
      *request.mutable_statements_chunk() = chunk;
      return request;
    });
    const WaitEnd end = group_.Await([&] {
      return group_.AllAlive(
          [&](const AgentState& agent) { return agent.statements_accepted >= sent; });
    });
    if (end != WaitEnd::kDone) return StepFromWait(group_, end, "the sending of the statements");
  }
  return Step::Done();
}

Step Coordinator::RunCases(const Plan& plan) {
  progress_.cases = plan.cases.size();
  progress_.rounds = plan.iterations;
  bool first_of_engine = true;
  for (const CasePlan& case_plan : plan.cases) {
    if (first_of_engine) narrator_->Stage(kConcurrencyStage);
    first_of_engine = case_plan.last_of_engine;
    if (Step step = RunCase(plan, case_plan); !step.ok()) return step;
    if (case_plan.last_of_engine) {
      if (Step step = schema_->Drop(); !step.ok()) return step;
    }
  }
  return Step::Done();
}

Step Coordinator::RunCase(const Plan& plan, const CasePlan& case_plan) {
  ++progress_.case_number;
  progress_.engine = case_plan.engine;
  progress_.clients = case_plan.clients;
  progress_.planned = case_plan.statements;
  CaseRecord case_record;
  case_record.engine = case_plan.engine;
  case_record.clients = case_plan.clients;
  case_record.statements = case_plan.statements;
  record_.cases.push_back(std::move(case_record));
  for (uint64_t iteration = 1; iteration <= plan.iterations; ++iteration) {
    progress_.round_number = iteration;
    RoundRecord round;
    Step step = RunRound(plan, case_plan, &round);
    if (!round.agents.empty()) record_.cases.back().rounds.push_back(std::move(round));
    if (!step.ok()) return step;
  }
  NoteLosses();
  progress_sink_->Clear();
  narrator_->Stage(kStatsStage);
  case_sink_->CaseFinished(record_);
  return Step::Done();
}

Step Coordinator::RunRound(const Plan& plan, const CasePlan& case_plan, RoundRecord* record) {
  Enter(RunProgress::Phase::kSetUp);
  if (plan.schema.create) narrator_->Stage(kLoadStage);
  if (Step step = schema_->SetUp(SetUpStatements(plan, case_plan), &record_.notes); !step.ok())
    return step;
  if (Step step = RunHook(RunProgress::Phase::kPreSystem, plan.pre_system); !step.ok()) return step;
  if (Step step = RunQueries("pre-query", plan.pre_queries); !step.ok()) return step;

  RoundRunner runner(&group_, &plan);
  Enter(RunProgress::Phase::kConnecting);
  narrator_->Stage(kKeysStage);
  if (!plan.key_query.empty()) narrator_->Statement(plan.key_query);
  if (Step step =
          runner.Prepare(Shares(case_plan), schema_->default_schema(), next_round_++, record);
      !step.ok()) {
    return step;
  }
  TellConnected(plan);
  Enter(RunProgress::Phase::kRunning);
  if (Step step = runner.Run(record); !step.ok()) return step;
  Enter(RunProgress::Phase::kTearDown);
  if (Step step = RunQueries("post-query", plan.post_queries); !step.ok()) return step;
  return RunHook(RunProgress::Phase::kPostSystem, plan.post_system);
}

// Over the agents that are alive now.
std::vector<AgentShare> Coordinator::Shares(const CasePlan& case_plan) const {
  std::vector<uint64_t> weights = config_.weights;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!group_.state(i).alive()) weights[i] = 0;
  }
  return ShareOut(case_plan, weights);
}

Step Coordinator::RunQueries(const char* what, const std::vector<std::string>& queries) {
  if (queries.empty()) return Step::Done();
  ScriptRequest request;
  request.what = what;
  request.statements = queries;
  request.default_schema = schema_->default_schema();
  return scripts_.Run(request);
}

Step Coordinator::RunHook(RunProgress::Phase phase, const std::string& command) {
  if (command.empty()) return Step::Done();
  Enter(phase);
  narrator_->Detail(absl::StrCat("system ", command));
  return hooks_.Run(phase == RunProgress::Phase::kPreSystem ? "--pre-system" : "--post-system",
                    command);
}

// What each client executes is told once, however many there are: the list is the same for all, and
// nobody has the time to send each statement back.
void Coordinator::TellConnected(const Plan& plan) {
  uint64_t asked = 0;
  uint64_t connected = 0;
  for (size_t i = 0; i < group_.size(); ++i) {
    const std::optional<v1::RoundReady>& ready = group_.state(i).ready;
    if (!ready.has_value()) continue;
    asked += ready->clients_asked();
    connected += ready->clients_connected();
  }
  narrator_->Detail(absl::StrCat(kConnectedDetail, " (", connected, " of ", asked, " clients)"));
  if (std::exchange(list_told_, true)) return;
  if (plan.commit_every > 0) narrator_->Statement("SET AUTOCOMMIT=0");
  for (const PlannedStatement& statement : plan.queries) {
    narrator_->Statement(statement.takes_key ? absl::StrCat(statement.text, " '<key>'")
                                             : statement.text);
  }
}

void Coordinator::Enter(RunProgress::Phase phase) {
  progress_.phase = phase;
  ShowProgress();
}

void Coordinator::TearDown() {
  Enter(RunProgress::Phase::kTearDown);
  group_.AcknowledgeLosses();
  group_.AcknowledgeInterrupt();
  // A loss during the tear-down itself is no loss of the run: everything was measured.
  NoteLosses();
  Step step = schema_->Drop();
  // Each agent lost over it leaves a survivor to try.
  while (step.code == ExitCode::kAgentLost && group_.AnyAlive().has_value()) step = schema_->Drop();
  if (!step.ok()) {
    record_.tear_down = absl::Status(
        step.status.code(), absl::StrCat(step.status.message(), ": the schema was left behind on ",
                                         DescribeTarget(config_.target), ", drop it by hand"));
  }
}

void Coordinator::NoteLosses() {
  for (size_t i = 0; i < group_.size(); ++i) {
    const AgentState& state = group_.state(i);
    record_.agents[i].lost = state.stream == AgentState::Stream::kLost;
    record_.agents[i].loss_reason = std::string(state.loss.message());
  }
}

void Coordinator::ShowProgress() {
  const int64_t now_ns = clock_->NowNs();
  progress_.connected = 0;
  progress_.statements = 0;
  progress_.errors = 0;
  int64_t first_opened_ns = 0;
  for (size_t i = 0; i < group_.size(); ++i) {
    const AgentState& agent = group_.state(i);
    progress_.connected += agent.progress_connected;
    progress_.statements += agent.progress_statements;
    progress_.errors += agent.progress_errors;
    if (agent.opened_at_ns != 0 && (first_opened_ns == 0 || agent.opened_at_ns < first_opened_ns)) {
      first_opened_ns = agent.opened_at_ns;
    }
  }
  progress_.elapsed_ns = first_opened_ns == 0 ? 0 : std::max<int64_t>(0, now_ns - first_opened_ns);
  progress_sink_->Update(progress_, now_ns);
}

}  // namespace dslap
