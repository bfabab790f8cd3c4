#include "tests/e2e/loss_row.h"

#include <csignal>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "controller/exit_code.h"

namespace dslap {
namespace {

constexpr absl::Duration kLease = absl::Seconds(2);
// From the moment that a side may notice until the server has been rid of the statements, on a
// machine that does a dozen of these rows at once. With the lease it is well below the lease that
// dslap has by default, which is to be told apart.
constexpr absl::Duration kStopping = absl::Seconds(5);
// What ending, tearing down and printing may take beyond the lease.
constexpr absl::Duration kMargin = absl::Seconds(15);
constexpr absl::Duration kPatience = absl::Seconds(30);
constexpr char kAgentPort[] = ":7527";

std::string StateName(LossState state) {
  switch (state) {
    case LossState::kOpening:
      return "opening";
    case LossState::kPreparing:
      return "preparing";
    case LossState::kReady:
      return "ready";
    case LossState::kRunning:
      return "running";
    case LossState::kTearingDown:
      return "tearing_down";
  }
  return "";
}

std::string FaultName(LossFault fault) {
  switch (fault) {
    case LossFault::kKill:
      return "kill";
    case LossFault::kStop:
      return "stop";
    case LossFault::kCut:
      return "cut";
    case LossFault::kReset:
      return "reset";
    case LossFault::kReboot:
      return "reboot";
  }
  return "";
}

// While round trips to it are measured, the run stays in its opening.
WireQuality FirstWire(LossState state) {
  if (state != LossState::kOpening) return {};
  return {.delay = absl::Milliseconds(150)};
}

std::unique_ptr<AgentProcess> StartAgent(const NetHost& host) {
  return std::make_unique<AgentProcess>(
      std::vector<std::string>{"--insecure", absl::StrCat("--listen=", host.address(), kAgentPort)},
      host.network_fd());
}

}  // namespace

std::string LossCase::name() const {
  return absl::StrCat(victim == LossVictim::kAgent ? "agent_" : "controller_", StateName(state),
                      "_", FaultName(fault));
}

LossRow::LossRow(const LossCase& what, int number, NetLab* lab, SandboxDatabase* database)
    : what_(what),
      account_(absl::StrCat("row_", number)),
      database_(database),
      controller_host_(lab->AddHost(absl::StrCat("controller of ", what.name()))),
      first_host_(lab->AddHost(absl::StrCat("first of ", what.name()), FirstWire(what.state))),
      second_host_(lab->AddHost(absl::StrCat("second of ", what.name()))),
      probe_(database->socket()),
      holder_(database->socket()),
      wait_(absl::StrCat("select a from ", account_, "_held.t for update")) {}

std::vector<std::string> LossRow::Run() {
  probe_.Value(absl::StrCat("CREATE USER ", account_, "@'%' IDENTIFIED BY ''"));
  probe_.Value(absl::StrCat("GRANT ALL ON ", account_, ".* TO ", account_, "@'%'"));
  if (!HoldRow()) return {"the row that statements wait for cannot be locked"};
  if (!StartAgents()) return {"an agent does not listen"};
  StartDslap();
  if (!AwaitState()) {
    return {absl::StrCat("the state was not reached: ", dslap_->out(), dslap_->err(),
                         first_->process().err())};
  }
  Strike();
  CheckStopping();
  if (what_.victim == LossVictim::kAgent) CheckController();
  CheckAgents();
  CheckServer();
  Heal();
  if (what_.victim == LossVictim::kController && !controller_ends()) CheckController();
  CheckNextRun();
  return std::move(problems_);
}

// The server ends a SLEEP() by itself when its client is gone; a wait for a row it does not. What
// hangs in one stays until somebody kills it.
bool LossRow::HoldRow() {
  const std::string schema = absl::StrCat(account_, "_held");
  probe_.Value(absl::StrCat("CREATE SCHEMA ", schema));
  probe_.Value(absl::StrCat("CREATE TABLE ", schema, ".t (a INT PRIMARY KEY) ENGINE=InnoDB"));
  probe_.Value(absl::StrCat("INSERT INTO ", schema, ".t VALUES (7)"));
  probe_.Value(absl::StrCat("GRANT ALL ON ", schema, ".* TO ", account_, "@'%'"));
  holder_.Value("BEGIN");
  return holder_.Value(wait_) == "7";
}

bool LossRow::StartAgents() {
  first_ = StartAgent(first_host_);
  second_ = StartAgent(second_host_);
  return first_->WaitUntilListening() && second_->WaitUntilListening();
}

SubprocessSpec LossRow::Dslap(const std::vector<std::string>& arguments) const {
  SubprocessSpec spec;
  spec.argv = {absl::StrCat(DSLAP_BINARY_DIR, "/bin/dslap"),
               "--no-defaults",
               "--insecure",
               absl::StrCat("--agents=", first_host_.address(), kAgentPort, ",",
                            second_host_.address(), kAgentPort),
               absl::StrCat("--host=", database_->host()),
               absl::StrCat("--port=", database_->port()),
               absl::StrCat("--user=", account_)};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.network_fd = controller_host_.network_fd();
  return spec;
}

void LossRow::StartDslap() {
  std::vector<std::string> arguments = {"--lease=2s", "--heartbeat=200ms", "--concurrency=4",
                                        "--create=create table t (a int)",
                                        absl::StrCat("--create-schema=", account_)};
  switch (what_.state) {
    case LossState::kPreparing:
      arguments.push_back(absl::StrCat("--init-command=", wait_));
      arguments.emplace_back("--query=do 1");
      break;
    case LossState::kReady:
      arguments.push_back(absl::StrCat("--init-command=select a from ", account_,
                                       "_held.t where user() like '%@", second_host_.address(),
                                       "' for update"));
      arguments.emplace_back("--query=do 1");
      break;
    case LossState::kTearingDown:
      arguments.emplace_back("--query=do 1");
      arguments.push_back(absl::StrCat("--post-query=", wait_));
      break;
    default:
      arguments.push_back(absl::StrCat("--query=do 1;do 2;", wait_));
      arguments.emplace_back("--delimiter=;");
      arguments.emplace_back("--number-of-queries=12");
  }
  dslap_ = std::make_unique<Subprocess>(Dslap(arguments));
}

std::string LossRow::CountOf(const std::string& condition) const {
  return absl::StrCat("SELECT COUNT(*) FROM information_schema.processlist WHERE user = '",
                      account_, "' AND ", condition);
}

std::string LossRow::CountOfWaiting() const {
  return CountOf(absl::StrCat("info LIKE 'select a from ", account_, "\\\\_held.t %for update'"));
}

// The connections are seen for some time before: the controller is to know of them.
bool LossRow::AwaitState() {
  const std::string seasoned = " AND time_ms > 1000";
  const std::string waiting = CountOfWaiting() + seasoned;
  switch (what_.state) {
    case LossState::kOpening:
      return first_->process().WaitForErrorLine("event=run-started ", kPatience);
    case LossState::kPreparing:
    case LossState::kRunning:
      return probe_.WaitFor(waiting, "4", kPatience);
    case LossState::kReady:
      return probe_.WaitFor(waiting, "2", kPatience);
    case LossState::kTearingDown:
      return probe_.WaitFor(waiting, "1", kPatience);
  }
  return false;
}

NetHost& LossRow::victim_host() {
  return what_.victim == LossVictim::kAgent ? first_host_ : controller_host_;
}

Subprocess& LossRow::victim_process() {
  return what_.victim == LossVictim::kAgent ? first_->process() : *dslap_;
}

bool LossRow::silent() const {
  return what_.fault == LossFault::kStop || what_.fault == LossFault::kCut ||
         what_.fault == LossFault::kReboot;
}

bool LossRow::controller_ends() const {
  return what_.victim == LossVictim::kController &&
         (what_.fault == LossFault::kKill || what_.fault == LossFault::kReboot);
}

void LossRow::Strike() {
  struck_at_ = absl::Now();
  switch (what_.fault) {
    case LossFault::kKill:
      victim_process().Signal(SIGKILL);
      return;
    case LossFault::kStop:
      victim_process().Signal(SIGSTOP);
      return;
    case LossFault::kCut:
      victim_host().CutCable();
      return;
    case LossFault::kReset:
      victim_host().ResetConnections(7527);
      return;
    case LossFault::kReboot:
      victim_host().CutCable();
      victim_process().Signal(SIGKILL);
      return;
  }
}

void LossRow::Heal() {
  switch (what_.fault) {
    case LossFault::kKill:
      break;
    case LossFault::kStop:
      victim_process().Signal(SIGCONT);
      break;
    case LossFault::kCut:
      victim_host().PlugCable();
      break;
    case LossFault::kReset:
      victim_host().RemoveFilters();
      break;
    case LossFault::kReboot:
      victim_process().WaitForExit(kPatience);
      victim_host().Reboot();
      break;
  }
  const bool dead = what_.fault == LossFault::kKill || what_.fault == LossFault::kReboot;
  if (what_.victim == LossVictim::kAgent && dead) {
    first_.reset();
    first_ = StartAgent(first_host_);
    Expect(first_->WaitUntilListening(), "the agent started anew does not listen");
  }
}

void LossRow::Expect(bool holds, const std::string& what) {
  if (!holds) {
    problems_.push_back(
        absl::StrCat(absl::FormatDuration(absl::Now() - struck_at_), " after the fault: ", what));
  }
}

void LossRow::ExpectIn(const std::string& text, const std::string& part, const std::string& where) {
  Expect(absl::StrContains(text, part), absl::StrCat("no '", part, "' on ", where, ":\n", text));
}

// By the lease that was asked for, not by another.
void LossRow::CheckStopping() {
  const absl::Duration until_noticed = silent() ? kLease : absl::ZeroDuration();
  const absl::Time deadline = struck_at_ + until_noticed + kStopping;
  Expect(probe_.WaitFor(CountOfWaiting(), "0", deadline - absl::Now()),
         "statements still run on the server");
}

void LossRow::CheckController() {
  const absl::Time begin = what_.victim == LossVictim::kAgent ? struck_at_ : absl::Now();
  if (!dslap_->WaitForExit(begin + kLease + kMargin - absl::Now())) {
    Expect(false, absl::StrCat("dslap goes on: ", dslap_->err()));
    return;
  }
  const std::string out = dslap_->out();
  const std::string err = dslap_->err();
  const int code = *dslap_->exit_code();
  const bool all_lost = what_.victim == LossVictim::kController;
  if (what_.state == LossState::kOpening) {
    // By the agent's answer to Open, which may have been on its way.
    Expect(code == static_cast<int>(ExitCode::kAgentLost) ||
               code == static_cast<int>(ExitCode::kAgentUnavailable),
           absl::StrCat("exit code ", code, ": ", err));
  } else {
    // Where nobody was left to drop the schema it may be there.
    const ExitCode expected = all_lost ? ExitCode::kSetUpFailed : ExitCode::kAgentLost;
    Expect(code == static_cast<int>(expected), absl::StrCat("exit code ", code, ": ", err));
    if (all_lost) ExpectIn(err, absl::StrCat("schema `", account_, "`"), "standard error");
  }
  const std::string first = absl::StrCat("agent ", first_host_.address(), kAgentPort);
  const std::string second = absl::StrCat("agent ", second_host_.address(), kAgentPort);
  const bool first_ended_it = absl::StrContains(err, absl::StrCat(first, ": "));
  const bool second_ended_it = absl::StrContains(err, absl::StrCat(second, ": "));
  // Where both are lost, either may be the one that ends the run.
  Expect(first_ended_it || (all_lost && second_ended_it),
         absl::StrCat("no error of an agent that was lost: ", err));
  // In the opening the first that is lost ends the run.
  if (all_lost && what_.state == LossState::kOpening) return;
  ExpectIn(err, first, "standard error");
  if (all_lost) ExpectIn(err, second, "standard error");
  const bool by_lease = silent() && (!all_lost || what_.fault == LossFault::kCut);
  if (by_lease) {
    constexpr char kSilence[] = "no message from the agent for ";
    Expect(absl::StrContains(err, absl::StrCat(kSilence, "2.")) ||
               absl::StrContains(err, absl::StrCat(kSilence, "3.")),
           absl::StrCat("not noticed by the lease: ", err));
  }
  if (what_.state < LossState::kRunning) return;
  // The figures of a round come at its end: when all agents are lost in it, there are none.
  if (all_lost && what_.state == LossState::kRunning) return;
  ExpectIn(out, "Statements executed: ", "standard output");
  ExpectIn(out, "Verdict: INVALID: agent ", "standard output");
  if (silent() && !all_lost) ExpectIn(out, " on the server, which w", "standard output");
}

// Those that serve the run and can know that it is over have stopped.
void LossRow::CheckAgents() {
  const auto expect_end = [this](AgentProcess& agent, bool by_lease) {
    Expect(
        agent.process().WaitForErrorLine("event=run ", struck_at_ + kLease + kMargin - absl::Now()),
        absl::StrCat("an agent goes on: ", agent.process().err()));
    if (by_lease) {
      ExpectIn(agent.process().err(), "no message from the controller for 2 s", "an agent's log");
    }
  };
  expect_end(*second_, silent() && what_.victim == LossVictim::kController);
  const bool first_runs = what_.victim == LossVictim::kController ||
                          what_.fault == LossFault::kCut || what_.fault == LossFault::kReset;
  if (first_runs) expect_end(*first_, silent());
}

void LossRow::CheckServer() {
  Expect(probe_.WaitFor(CountOf("true"), "0", kMargin),
         absl::StrCat("connections are left: ",
                      probe_.Value(absl::StrCat(
                          "SELECT GROUP_CONCAT(host, ' ', command, ' ', IFNULL(info, '') SEPARATOR "
                          "'; ') FROM information_schema.processlist WHERE user = '",
                          account_, "'"))));
  const std::string schemata = absl::StrCat(
      "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '", account_, "'");
  Expect(probe_.WaitFor(schemata, "0", kMargin), "the schema is left");
}

void LossRow::CheckNextRun() {
  const ProcessResult next = RunProcess(
      Dslap({"--query=select 1", "--number-of-queries=6", "--concurrency=2",
             "--create=create table t (a int)", absl::StrCat("--create-schema=", account_)}),
      kPatience);
  Expect(next.exit_code == 0, absl::StrCat("the next run ended with ", next.exit_code, ": ",
                                           next.err, first_->process().err()));
  ExpectIn(next.out, "Statements executed: 6 of 6", "standard output");
}

}  // namespace dslap
