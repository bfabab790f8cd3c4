#include "controller/coordination/coordinator.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "common/secret.h"
#include "controller/coordination/agent_capacity.h"
#include "controller/coordination/agent_names.h"
#include "controller/coordination/preflight.h"
#include "controller/coordination/round_runner.h"
#include "controller/coordination/script_runner.h"
#include "controller/coordination/server_count_reader.h"
#include "controller/coordination/server_preflight.h"
#include "controller/coordination/wind_up.h"
#include "controller/plan/run_demand.h"
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
      lost_connections_(&group_, &scripts_),
      hooks_(&group_, environment.commands) {
  config_.weights.resize(group_.size(), 1);
  group_.SetTick([this] { ShowProgress(); });
  if (config_.deadline_ns != 0) {
    group_.SetTimeUp(config_.time_up_at_ns,
                     absl::StrCat("ended by --deadline=",
                                  absl::FormatDuration(absl::Nanoseconds(config_.deadline_ns))));
  }
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
  scripts_.set_give_up_at_ns(TornDownByNs(group_));
  // An agent that loses only its controller must not drop what the others go on with; one in this
  // process does not outlive it.
  const bool leave_will = group_.name(0) != kInProcessAgentName &&
                          (config_.on_agent_loss == AgentLossPolicy::kStop || group_.size() == 1);
  schema_ =
      std::make_unique<SchemaKeeper>(plan.schema, config_.identity.run_id, leave_will, &scripts_);
  shared_schema_ = schema_.get();
  tear_down_ = std::make_unique<TearDown>(&group_, &scripts_, &lost_connections_, schema_.get(),
                                          DescribeTarget(config_.target));

  Step step = Preflight(plan);
  if (step.ok()) step = OpenStreams(plan);
  if (step.ok()) {
    if (config_.on_agent_loss == AgentLossPolicy::kContinue) {
      group_.ContinueAfterLosses([&](size_t agent) { GoOnWithout(agent, plan); });
    }
    step = MeasureRoundTrips();
    if (step.ok()) step = SendStatements(plan.queries);
    if (step.ok()) step = OnSurvivors([&] { return CheckServer(plan); });
    if (step.ok()) step = OnSurvivors([this] { return schema_->Check(); });
    if (step.ok()) step = RunCases(plan);
    CleanUp(!step.ok());
    NameFurtherLosses(&step);
  }
  group_.CloseAll(std::min(clock_->NowNs() + kCloseBoundNs, ClosedByNs(group_)));
  progress_sink_->Clear();

  record_.failure = step.status;
  record_.failure_code = step.code;
  record_.interrupted = group_.interrupted();
  if (record_.failure_code == ExitCode::kFailures && absl::IsDeadlineExceeded(step.status)) {
    record_.ended_by = group_.time_up_reason();
  }
  record_.stopped_by_error =
      step.code == ExitCode::kFailures && step.status.code() == absl::StatusCode::kAborted;
  return std::move(record_);
}

Step Coordinator::Preflight(const Plan& plan) {
  std::vector<AgentLink*> links;
  links.reserve(group_.size());
  for (size_t i = 0; i < group_.size(); ++i) links.push_back(&group_.link(i));
  WaitEnd end = WaitEnd::kDone;
  const std::vector<AgentAnswer> answers =
      AskAll(links, kInfoTimeout, clock_,
             {[this] { group_.Wake(); },
              [&](const std::function<bool()>& all_answered, int64_t deadline_ns) {
                end = group_.Await(all_answered, deadline_ns);
              }});
  if (IsEarlyEnd(end)) {
    return StepFromWait(group_, end, "the asking of the agents");
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].info.ok()) record_.agents[i].info = *answers[i].info;
  }
  if (Step step = LeaveOut(CheckAnswers(answers)); !step.ok()) return step;
  Step step = CheckCapacities(plan);
  if (step.ok()) KeepToRunTimes();
  return step;
}

// Agents end runs that take longer than their owners allow. To end before that leaves time for the
// tear-down and the report.
void Coordinator::KeepToRunTimes() {
  for (size_t i = 0; i < group_.size(); ++i) {
    const v1::GuardRails& rails = record_.agents[i].info.guard_rails();
    if (rails.max_run_time_ns() == 0 || group_.state(i).absent()) continue;
    const auto most_ns =
        static_cast<int64_t>(std::min<uint64_t>(rails.max_run_time_ns(), AgentGroup::kForever / 2));
    const int64_t at_ns = clock_->NowNs() + std::max<int64_t>(most_ns - kWoundUpWithinNs, 0);
    if (at_ns >= group_.time_up_at_ns()) continue;
    group_.SetTimeUp(
        at_ns, absl::StrCat("ended by ", rails.max_run_time_rule(), " of agent ", group_.name(i)));
  }
}

// What the agents that are there cannot carry of their shares, in the order of the agents.
std::vector<absl::Status> Coordinator::CapacityProblems(const Plan& plan) const {
  const std::vector<uint64_t> weights = PresentWeights();
  const std::vector<AgentLoad> loads = LoadsOf(plan, weights, config_.load_engine, config_.target);
  std::vector<absl::Status> of_agents(group_.size());
  for (size_t i = 0; i < group_.size(); ++i) {
    if (weights[i] == 0) continue;
    of_agents[i] = CheckCapacity(group_.name(i), record_.agents[i].info, loads[i]);
  }
  return of_agents;
}

// Each agent that is left out makes the shares of the others larger.
Step Coordinator::CheckCapacities(const Plan& plan) {
  for (;;) {
    const std::vector<absl::Status> of_agents = CapacityProblems(plan);
    const absl::Status problems = JoinProblems(of_agents);
    if (config_.preflight == PreflightPolicy::kWarn) {
      if (!problems.ok()) record_.notes.emplace_back(problems.message());
      return Step::Done();
    }
    if (problems.ok()) return Step::Done();
    if (Step step = LeaveOut(of_agents); !step.ok()) return step;
  }
}

Step Coordinator::CheckServer(const Plan& plan) {
  if (!config_.checks_server || plan.cases.empty()) return Step::Done();
  const auto largest = absl::c_max_element(
      plan.cases, [](const CasePlan& a, const CasePlan& b) { return a.clients < b.clients; });
  const auto agents = absl::c_count_if(
      Shares(*largest), [](const AgentShare& share) { return !share.groups.empty(); });
  ServerPreflight preflight(&scripts_);
  Step step = preflight.Check(DemandOf(plan, static_cast<size_t>(agents)), config_.preflight,
                              &record_.notes);
  if (preflight.limits().init_connect) {
    record_.inexact = "the server runs statements of its own (init_connect)";
  }
  if (MayHoldSeveral(plan)) {
    record_.inexact = "a text with a ';' inside may be several statements";
  }
  return step;
}

// Goes on without the agents that have a problem, or says why it cannot: in the order of the
// agents.
Step Coordinator::LeaveOut(const std::vector<absl::Status>& of_agents) {
  absl::Status joined = JoinProblems(of_agents);
  if (joined.ok()) return Step::Done();
  uint64_t left = 0;
  for (size_t i = 0; i < group_.size(); ++i) {
    if (of_agents[i].ok() && !group_.state(i).absent()) ++left;
  }
  if (config_.min_agents == 0) return Step::Failed(ExitCode::kAgentUnavailable, std::move(joined));
  if (left < config_.min_agents) {
    return Step::Failed(
        ExitCode::kAgentUnavailable,
        absl::Status(joined.code(), absl::StrCat(joined.message(), "; that leaves ", left, " of ",
                                                 group_.size(), " agents, and --min-agents=",
                                                 config_.min_agents, " asks for more")));
  }
  for (size_t i = 0; i < group_.size(); ++i) {
    if (of_agents[i].ok()) continue;
    group_.LeaveOut(i);
    AgentRecord& agent = record_.agents[i];
    agent.missing = true;
    agent.missing_reason = std::string(
        absl::StripPrefix(of_agents[i].message(), absl::StrCat("agent ", agent.name, ": ")));
    Warn(absl::StrCat("agent ", agent.name, " is missing (", agent.missing_reason, ")"));
  }
  Warn(absl::StrCat("running on ", left, " of ", group_.size(), " agents (--min-agents)"));
  return Step::Done();
}

Step Coordinator::OpenStreams(const Plan& plan) {
  size_t present = 0;
  for (size_t i = 0; i < group_.size(); ++i) present += group_.state(i).absent() ? 0 : 1;
  v1::Open open = MakeOpen(config_.identity, config_.target, config_.times.lease_ns);
  *open.mutable_load_engine() = MakeLoadEngine(config_.load_engine, present);
  group_.OpenAll(open);
  WipeString(open.mutable_target()->mutable_password());
  const int64_t deadline_ns = clock_->NowNs() + kOpenBoundNs;
  for (;;) {
    const WaitEnd end = group_.Await(
        [this] {
          return group_.AllAlive([](const AgentState& agent) { return agent.opened.has_value(); });
        },
        deadline_ns);
    if (end == WaitEnd::kDone) return Step::Done();
    if (IsEarlyEnd(end)) {
      return StepFromWait(group_, end, "the opening of the run");
    }
    // Nothing was measured and nothing touched yet: missing, rather than lost.
    if (Step step = LeaveOut(WhyNotOpened(end == WaitEnd::kDeadline)); !step.ok()) return step;
    if (Step step = CheckCapacities(plan); !step.ok()) return step;
  }
}

// Of each agent; those that may still open are fine before the deadline.
std::vector<absl::Status> Coordinator::WhyNotOpened(bool late) const {
  std::vector<absl::Status> of_agents(group_.size());
  for (size_t i = 0; i < group_.size(); ++i) {
    const AgentState& state = group_.state(i);
    if (state.stream == AgentState::Stream::kLost) {
      of_agents[i] = DescribeLoss(group_, i, "the opening of the run");
    } else if (late && state.alive() && !state.opened.has_value()) {
      of_agents[i] = absl::DeadlineExceededError(
          absl::StrFormat("agent %s: did not open the run within %d s", group_.name(i),
                          kOpenBoundNs / 1'000'000'000));
    }
  }
  return of_agents;
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
      if (Step step = OnSurvivors([this] { return tear_down_->Drop(); }); !step.ok()) return step;
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
  if (Step step = OnSurvivors([&] { return SetUpRound(plan, case_plan); }); !step.ok()) return step;

  RoundRunner runner(&group_, &plan);
  Enter(RunProgress::Phase::kConnecting);
  narrator_->Stage(kKeysStage);
  if (!plan.key_query.empty()) narrator_->Statement(plan.key_query);
  ServerCountReader counts(&scripts_, clock_);
  const auto prepare = [&] {
    // What an agent left that was lost since the last attempt holds places the clients need.
    if (Step step = lost_connections_.KillOfLost(); !step.ok()) return step;
    if (Step step = ReadCountsBefore(&counts, record); !step.ok()) return step;
    return runner.Prepare(Shares(case_plan), schema_->default_schema(), next_round_++, record);
  };
  if (Step step = OnSurvivors(prepare); !step.ok()) return step;
  TellConnected(plan);
  Enter(RunProgress::Phase::kRunning);
  if (Step step = runner.Run(record); !step.ok()) return step;
  Enter(RunProgress::Phase::kTearDown);
  if (Step step = OnSurvivors([&] { return counts.After(&record->server); }); !step.ok()) {
    return step;
  }
  const auto after = [&] {
    if (Step step = lost_connections_.KillOfLost(); !step.ok()) return step;
    return RunQueries("post-query", plan.post_queries);
  };
  if (Step step = OnSurvivors(after); !step.ok()) return step;
  return RunHook(RunProgress::Phase::kPostSystem, plan.post_system);
}

Step Coordinator::ReadCountsBefore(ServerCountReader* counts, RoundRecord* record) {
  record->server = {};
  if (!config_.compares_counts) return Step::Done();
  record->server.own_connections = 1;
  for (size_t i = 0; i < group_.size(); ++i) {
    const AgentState& agent = group_.state(i);
    if (agent.alive() && agent.done.has_value()) {
      record->server.own_connections += agent.done->connections_kept();
    }
  }
  return counts->Before(&record->server);
}

// All that comes before the clients.
Step Coordinator::SetUpRound(const Plan& plan, const CasePlan& case_plan) {
  Enter(RunProgress::Phase::kSetUp);
  if (Step step = lost_connections_.KillOfLost(); !step.ok()) return step;
  if (plan.schema.create) narrator_->Stage(kLoadStage);
  if (Step step = schema_->SetUp(SetUpStatements(plan, case_plan), &record_.notes); !step.ok())
    return step;
  if (Step step = RunHook(RunProgress::Phase::kPreSystem, plan.pre_system); !step.ok()) return step;
  return RunQueries("pre-query", plan.pre_queries);
}

// What an agent that was lost has begun, the next begins anew, if the run goes on after losses.
Step Coordinator::OnSurvivors(const std::function<Step()>& attempt) {
  Step step = attempt();
  while (step.code == ExitCode::kAgentLost && group_.continues_after_losses() &&
         group_.AnyAlive().has_value()) {
    step = attempt();
  }
  return step;
}

// 0 for those that are not there.
std::vector<uint64_t> Coordinator::PresentWeights() const {
  std::vector<uint64_t> weights = config_.weights;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (group_.state(i).absent()) weights[i] = 0;
  }
  return weights;
}

// Over the agents that are there.
std::vector<AgentShare> Coordinator::Shares(const CasePlan& case_plan) const {
  return ShareOut(case_plan, PresentWeights());
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

void Coordinator::CleanUp(bool early) {
  Enter(RunProgress::Phase::kTearDown);
  group_.AcknowledgeLosses();
  group_.AcknowledgeEarlyEnd();
  // A loss during the tear-down itself is no loss of the run: everything was measured.
  NoteLosses();
  group_.ContinueAfterLosses(nullptr);
  const bool lost = std::any_of(record_.agents.begin(), record_.agents.end(),
                                [](const AgentRecord& agent) { return agent.lost; });
  record_.tear_down = tear_down_->Run(early, lost);
  NoteLeftConnections();
}

void Coordinator::NoteLeftConnections() {
  for (size_t i = 0; i < group_.size(); ++i) {
    record_.agents[i].left_connections = lost_connections_.left(i);
  }
}

// Of agents that were lost after the one that ended the run: together with it, mostly, and noticed
// only when they were needed.
void Coordinator::NameFurtherLosses(Step* step) const {
  if (step->code != ExitCode::kAgentLost) return;
  std::string message(step->status.message());
  for (size_t i = 0; i < group_.size(); ++i) {
    const AgentState& state = group_.state(i);
    const std::string who = absl::StrCat("agent ", group_.name(i), ": ");
    if (state.stream != AgentState::Stream::kLost || record_.agents[i].lost) continue;
    if (absl::StrContains(message, who)) continue;
    absl::StrAppend(&message, "; ", who, "lost during the tear-down: ", state.loss.message());
  }
  step->status = absl::Status(step->status.code(), message);
}

void Coordinator::NoteLosses() {
  for (size_t i = 0; i < group_.size(); ++i) {
    const AgentState& state = group_.state(i);
    AgentRecord& agent = record_.agents[i];
    if (state.stream != AgentState::Stream::kLost || agent.lost) continue;
    agent.lost = true;
    agent.loss_reason = std::string{state.loss.message()};
    agent.lost_case = progress_.case_number;
    agent.lost_round = progress_.round_number;
  }
}

void Coordinator::GoOnWithout(size_t agent, const Plan& plan) {
  NoteLosses();
  size_t left = 0;
  for (size_t i = 0; i < group_.size(); ++i) left += group_.state(i).alive() ? 1 : 0;
  Warn(absl::StrCat("agent ", group_.name(agent), " was lost (", record_.agents[agent].loss_reason,
                    "); going on with ", left, left == 1 ? " agent" : " agents"));
  if (left == 0) return;
  const absl::Status problems = JoinProblems(CapacityProblems(plan));
  if (!problems.ok()) Warn(absl::StrCat(problems.message()));
}

void Coordinator::Warn(const std::string& text) {
  progress_sink_->Clear();
  narrator_->Warning(text);
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
