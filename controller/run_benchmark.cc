#include "controller/run_benchmark.h"

#include <unistd.h>

#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "common/clock.h"
#include "common/shutdown_signal.h"
#include "common/status_util.h"
#include "controller/agent_links.h"
#include "controller/cli/password_prompt.h"
#include "controller/coordination/agent_names.h"
#include "controller/coordination/case_sink.h"
#include "controller/coordination/coordinator.h"
#include "controller/coordination/grpc_agent_link.h"
#include "controller/find_agents.h"
#include "controller/in_process_agent.h"
#include "controller/output_pump.h"
#include "controller/plan/make_plan.h"
#include "controller/plan/only_print.h"
#include "controller/plan/stages.h"
#include "controller/report/aggregate.h"
#include "controller/report/progress_display.h"
#include "controller/report/report_writer.h"
#include "controller/report/run_message.h"
#include "controller/report/share_table.h"
#include "controller/report/terminal.h"
#include "controller/report/verbose_narrator.h"
#include "controller/shell_launcher.h"
#include "controller/system_resolver.h"

namespace dslap {
namespace {

ExitCode Fail(ExitCode code, const absl::Status& status) {
  std::cerr << "dslap: " << status.message() << std::endl;
  return code;
}

// Brings signals to the coordinator, which may not exist yet, or no more, when the first one comes.
class Interrupter {
 public:
  // `schema`: what the run makes and drops; empty when it makes none.
  explicit Interrupter(std::string schema) : schema_(std::move(schema)) {}

  void Attach(Coordinator* coordinator) {
    absl::MutexLock lock(&mu_);
    coordinator_ = coordinator;
    if (pending_ && coordinator_ != nullptr) coordinator_->Interrupt();
    over_ = coordinator_ == nullptr;
  }

  void OnSignal(int times) {
    if (times > 1) {
      // The streams break with the process, and the agents stop by themselves.
      const std::string message = absl::StrCat("\ndslap: aborted", WhatBecomesOfSchema(), "\n");
      (void)!write(STDERR_FILENO, message.data(), message.size());
      _exit(static_cast<int>(ExitCode::kInterrupted));
    }
    {
      absl::MutexLock lock(&mu_);
      // Only the report is still on its way. It may have a moment, but not wait for a reader that
      // takes its time.
      if (over_) return EndSoon();
      pending_ = true;
      if (coordinator_ != nullptr) coordinator_->Interrupt();
    }
    // Not under the lock: a terminal that is stopped must hold up nothing but this line.
    const std::string message =
        "\ndslap: interrupted: ending the run and cleaning up; once more to abort at once\n";
    (void)!write(STDERR_FILENO, message.data(), message.size());
  }

 private:
  std::string WhatBecomesOfSchema() {
    if (schema_.empty()) return "";
    absl::MutexLock lock(&mu_);
    return coordinator_ != nullptr && coordinator_->SchemaIsWilled()
               ? absl::StrCat("; an agent drops schema ", schema_, " as soon as its load has ended")
               : absl::StrCat("; schema ", schema_, " may be left behind on the server");
  }

  static void EndSoon() {
    constexpr unsigned kMomentSeconds = 2;
    std::signal(SIGALRM, [](int) { _exit(static_cast<int>(ExitCode::kInterrupted)); });
    alarm(kMomentSeconds);
  }

  const std::string schema_;
  absl::Mutex mu_;
  Coordinator* coordinator_ ABSL_GUARDED_BY(mu_) = nullptr;
  bool pending_ ABSL_GUARDED_BY(mu_) = false;
  bool over_ ABSL_GUARDED_BY(mu_) = false;
};

// `began_at_ns`: from when on --deadline counts.
CoordinatorConfig MakeConfig(const Options& options, const std::vector<AgentSpec>& agents,
                             int64_t began_at_ns) {
  CoordinatorConfig config;
  config.identity = MakeRunIdentity();
  config.target = options.target;
  config.load_engine = options.load_engine;
  for (const AgentSpec& agent : agents) config.weights.push_back(agent.weight);
  config.min_agents = options.min_agents;
  config.on_agent_loss = options.on_agent_loss;
  config.preflight = options.preflight;
  config.checks_server = true;
  config.compares_counts = options.truth_check;
  config.times.lease_ns = static_cast<int64_t>(options.lease_ms) * 1'000'000;
  config.times.heartbeat_ns = static_cast<int64_t>(options.heartbeat_ms) * 1'000'000;
  if (options.deadline_ms != 0) {
    config.deadline_ns = static_cast<int64_t>(options.deadline_ms) * 1'000'000;
    config.time_up_at_ns = began_at_ns + config.deadline_ns;
  }
  return config;
}

// Reports each case when it has finished.
class CaseReports final : public CaseSink {
 public:
  CaseReports(RunContext context, ReportWriter* writer)
      : builder_(std::move(context)), writer_(writer) {}

  void CaseFinished(const RunRecord& so_far) override {
    writer_->WriteCases(builder_.AddCases(so_far));
  }
  RunReport Finish(const RunRecord& record) { return builder_.Finish(record); }

 private:
  ReportBuilder builder_;
  ReportWriter* writer_;
};

// The plan has its statements: a file of hundreds of megabytes is not held a second time.
void DropSqlTexts(Options* options) {
  for (std::optional<std::string>* text : {&options->create_sql, &options->query_sql,
                                           &options->pre_query_sql, &options->post_query_sql}) {
    if (text->has_value()) std::string().swap(**text);  // an assignment would keep the memory
  }
}

// What a run prints while it goes on, and what may end it early.
struct Surroundings {
  int64_t began_at_ns;
  Interrupter* interrupter;
  OutputPump* pump;
  CaseSink* cases;
  Narrator* narrator;
};

// Lines of the stages would be drawn over by a live one.
ProgressDisplay::Mode ProgressMode(const Options& options) {
  const bool live = IsTerminal(STDERR_FILENO) && options.verbosity < kStagesVerbosity;
  return ProgressDisplay::Choose(options.silent, live);
}

// Runs the plan on the agents, or in this process.
absl::StatusOr<RunRecord> Coordinate(const Options& options, const Plan& plan,
                                     const std::vector<AgentSpec>& agents,
                                     const LinkSecurity& security,
                                     const Surroundings& surroundings) {
  std::unique_ptr<InProcessAgent> in_process;
  std::vector<std::unique_ptr<AgentLink>> links = MakeAgentLinks(agents, security);
  if (links.empty()) {
    absl::StatusOr<std::unique_ptr<InProcessAgent>> started = InProcessAgent::Start();
    if (!started.ok()) return started.status();
    in_process = *std::move(started);
    links.push_back(std::make_unique<GrpcAgentLink>(kInProcessAgentName, in_process->Channel()));
  }
  ProgressDisplay progress(
      ProgressMode(options), [] { return TerminalColumns(STDERR_FILENO); }, &std::cerr);
  ShellLauncher launcher([&] { surroundings.pump->Drain(); });
  const CoordinatorEnvironment environment = {SteadyClock::Get(), &progress, &launcher,
                                              surroundings.cases, surroundings.narrator};
  Coordinator coordinator(std::move(links), environment,
                          MakeConfig(options, agents, surroundings.began_at_ns));
  surroundings.interrupter->Attach(&coordinator);
  RunRecord record = coordinator.Run(plan);
  surroundings.interrupter->Attach(nullptr);
  return record;
}

}  // namespace

ExitCode RunBenchmark(Options options) {
  const absl::StatusOr<Plan> plan = MakePlan(options);
  if (!plan.ok()) return Fail(ExitCode::kUsage, plan.status());
  DropSqlTexts(&options);
  SystemResolver resolver;
  const absl::StatusOr<std::vector<AgentSpec>> agents = FindAgents(options, &resolver);
  if (!agents.ok()) return Fail(FindAgentsExitCode(agents.status()), agents.status());
  if (options.print_plan || (options.only_print && !agents->empty())) {
    std::cout << FormatShares(*plan, *agents);
    return std::cout.flush() ? ExitCode::kValid : ExitCode::kInternal;
  }
  if (options.only_print) {
    VerboseNarrator narrator(options.verbosity, &std::cout, &std::cerr);
    for (const std::string& stage : PlanningStages(options)) narrator.Stage(stage);
    PrintPlan(*plan, options.verbosity, std::cout);
    return std::cout.flush() ? ExitCode::kValid : ExitCode::kInternal;
  }
  const absl::StatusOr<LinkSecurity> security = MakeLinkSecurity(options);
  if (!security.ok()) return Fail(ExitCode::kUsage, security.status());
  if (options.ask_password) {
    absl::StatusOr<Secret> password = ReadPasswordFromTerminal();
    if (!password.ok()) return Fail(ExitCode::kUsage, password.status());
    options.target.password = *std::move(password);
  }
  const int64_t began_at_ns =
      SteadyClock::Get()->NowNs();  // a person may take time over a password
  // A reader of the report that is gone is a failed write, not the end of a run in the middle.
  std::signal(SIGPIPE, SIG_IGN);
  Interrupter interrupter(plan->schema.create && plan->schema.drop ? plan->schema.name : "");
  const ShutdownSignal signals(
      [&interrupter](int times, int /*signal*/) { interrupter.OnSignal(times); });
  OutputPump pump(STDOUT_FILENO);
  absl::StatusOr<std::unique_ptr<ReportWriter>> writer =
      ReportWriter::Open(options, &pump.stream());
  if (!writer.ok()) return Fail(ExitCode::kUsage, writer.status());

  CaseReports cases(MakeRunContext(options, absl::Now()), writer->get());
  // A JSON document on standard output is nothing but that.
  const bool json_to_stdout = options.json_file == "";
  VerboseNarrator narrator(options.verbosity, json_to_stdout ? &std::cerr : &pump.stream(),
                           &std::cerr);
  for (const std::string& stage : PlanningStages(options)) narrator.Stage(stage);
  const absl::StatusOr<RunRecord> record = Coordinate(
      options, *plan, *agents, *security, {began_at_ns, &interrupter, &pump, &cases, &narrator});
  if (!record.ok()) return Fail(ExitCode::kInternal, record.status());

  const RunReport report = cases.Finish(*record);
  absl::Status written = (*writer)->Write(report);
  if (const int error = pump.Finish(); error != 0) {
    written.Update(ErrnoToStatus(error, "cannot write the report to standard output"));
  }
  std::cerr << RunMessage(report, (*writer)->message_style()) << std::flush;
  if (!written.ok()) return Fail(ExitCode::kInternal, written);
  return report.exit_code;
}

}  // namespace dslap
