// The controller with 200 agents, which are in this process and run no load: what it costs, and
// whether it keeps up.
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/engine/load_engine.h"
#include "agent/service/agent_server.h"
#include "common/clock.h"
#include "common/log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/fakes/fake_database.h"
#include "tests/support/dslap_process.h"
#include "tests/support/process_figures.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr int kAgents = 200;
constexpr absl::Duration kRound = absl::Seconds(4);

// Does nothing for the time of a round, and says that it did much.
class IdleEngine final : public LoadEngine {
 public:
  // `opened_ns`, `last_done_ns`: the latest of all engines.
  IdleEngine(absl::Duration round, std::atomic<int64_t>* opened_ns,
             std::atomic<int64_t>* last_done_ns)
      : round_(round), opened_ns_(*opened_ns), last_done_ns_(*last_done_ns) {}

  PrepareOutcome Prepare(const RoundSpec& spec) override {
    clients_ = spec.clients();
    PrepareOutcome outcome;
    outcome.clients_asked = clients_;
    outcome.clients_connected = clients_;
    outcome.connect_time = Histogram();
    return outcome;
  }

  RoundOutcome Run(int64_t open_at_ns, const std::function<void(int64_t)>& on_open) override {
    AwaitStopUntil(open_at_ns);
    RoundOutcome outcome;
    outcome.opened_at_ns = clock_->NowNs();
    on_open(outcome.opened_at_ns);
    opened_ns_ = outcome.opened_at_ns;
    AwaitStopUntil(open_at_ns + absl::ToInt64Nanoseconds(round_));
    outcome.closed_at_ns = clock_->NowNs();
    outcome.latency = Histogram();
    outcome.statements_succeeded = outcome.latency.count();
    outcome.clients_finished = clients_;
    last_done_ns_ = clock_->NowNs();
    return outcome;
  }

  void Stop(RoundStopCause /*cause*/, int64_t /*grace_ns*/) override {
    absl::MutexLock lock(&mu_);
    stopped_ = true;
  }
  void CloseAll() override {}
  LiveCounters Counters() const override { return {}; }

 private:
  void AwaitStopUntil(int64_t instant_ns) {
    absl::MutexLock lock(&mu_);
    clock_->AwaitUntil(&mu_, absl::Condition(&stopped_), instant_ns);
  }

  // As wide as latencies of a real load are.
  static LatencyHistogram Histogram() {
    LatencyHistogram histogram;
    for (uint64_t i = 1; i <= 1000; ++i) histogram.Record(i * i * 1000);
    return histogram;
  }

  SteadyClock* const clock_ = SteadyClock::Get();
  const absl::Duration round_;
  std::atomic<int64_t>& opened_ns_;
  std::atomic<int64_t>& last_done_ns_;
  uint64_t clients_ = 0;
  absl::Mutex mu_;
  bool stopped_ = false;
};

// Agents over real gRPC, each on a port of its own.
class LargeFleetTest : public ::testing::Test {
 protected:
  void Start(int agents) {
    SetLogLevel(LogLevel::kOff);
    database_.Answer("SELECT VERSION()", {{"10.11.0-MariaDB"}});
    for (int i = 0; i < agents; ++i) {
      AgentServer::Options options;
      options.listen_address = "127.0.0.1:0";
      options.environment.make_connections = [this](const SqlTarget&) {
        return database_.MakeFactory();
      };
      options.environment.make_engine =
          [this](const auto&...) -> absl::StatusOr<std::unique_ptr<LoadEngine>> {
        return std::make_unique<IdleEngine>(round_, &opened_ns_, &last_done_ns_);
      };
      options.environment.read_cpu = [] { return CpuUse{}; };
      absl::StatusOr<std::unique_ptr<AgentServer>> server = StartAgentServer(std::move(options));
      ASSERT_TRUE(server.ok()) << server.status();
      servers_.push_back(*std::move(server));
    }
  }

  std::string AgentsOption() const {
    return absl::StrCat("--agents=",
                        absl::StrJoin(servers_, ",", [](std::string* out, const auto& server) {
                          out->append(server->address());
                        }));
  }

  SubprocessSpec Spec(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"--no-defaults", AgentsOption(), "--query=select 1",
                      absl::StrCat("--concurrency=", 4 * servers_.size()),
                      absl::StrCat("--number-of-queries=", 1000 * servers_.size())});
    return BareDslapSpec(arguments);
  }

  FakeDatabase database_;
  std::atomic<int64_t> opened_ns_ = 0;
  std::atomic<int64_t> last_done_ns_ = 0;
  std::vector<std::unique_ptr<AgentServer>> servers_;
  absl::Duration round_ = kRound;
};

// What a run costs its controller.
struct Cost {
  ProcessFigures figures;      // late in the round
  double cores = 0;            // kept busy in the round
  absl::Duration ready_after;  // from the last agent's end to the process's
  int64_t peak_rss_bytes = 0;
  std::string out;
};

// Runs dslap to its end, with a look at the process early and late in the round.
Cost Measure(const SubprocessSpec& spec, const std::atomic<int64_t>& opened_ns,
             const std::atomic<int64_t>& last_done_ns) {
  Clock* const clock = SteadyClock::Get();
  Cost cost;
  Subprocess dslap(spec);
  const int64_t begin_ns = clock->NowNs();
  while (opened_ns == 0 && !dslap.WaitForExit(absl::Milliseconds(1))) {
    if (clock->Since(begin_ns) < absl::Seconds(60)) continue;
    ADD_FAILURE() << "no agent has begun the round: " << dslap.out() << dslap.err();
    return cost;
  }
  (void)dslap.WaitForExit(absl::Milliseconds(200));
  const int64_t early_ns = clock->NowNs();
  const ProcessFigures early = ReadProcessFigures(dslap.pid());
  (void)dslap.WaitForExit(kRound - absl::Milliseconds(500));
  cost.figures = ReadProcessFigures(dslap.pid());
  cost.cores = absl::FDivDuration(cost.figures.cpu - early.cpu, clock->Since(early_ns));
  EXPECT_TRUE(dslap.WaitForExit(absl::Seconds(60))) << dslap.err();
  cost.ready_after = clock->Since(last_done_ns);
  EXPECT_EQ(dslap.exit_code(), 0) << dslap.err();
  cost.peak_rss_bytes = dslap.peak_rss_bytes();
  cost.out = dslap.out();
  return cost;
}

// docs/performance.md has what was measured.
TEST_F(LargeFleetTest, ControllerKeepsUpAndItsMemoryIsBounded) {
  const std::string json_file =
      absl::StrCat(::testing::TempDir(), "/large-fleet-", getpid(), ".json");
  Start(kAgents);
  const Cost cost = Measure(Spec({absl::StrCat("--json=", json_file)}), opened_ns_, last_done_ns_);
  if (HasFailure()) return;
  std::cout << absl::StrFormat(
      "%d agents: %.3f cores, report after %s, %.1f MB, %d threads, %d descriptors\n", kAgents,
      cost.cores, absl::FormatDuration(cost.ready_after),
      static_cast<double>(cost.peak_rss_bytes) / 1e6, cost.figures.threads,
      cost.figures.descriptors);
  EXPECT_LT(cost.cores, 1.0);
  EXPECT_LT(cost.ready_after, absl::Seconds(2));
  // A connection each, and a few of its own.
  EXPECT_GE(cost.figures.descriptors, kAgents);
  EXPECT_LE(cost.figures.descriptors, kAgents + 50);
  EXPECT_LE(cost.figures.threads, 50);
  EXPECT_THAT(cost.out, ContainsRegex("\n\tStart skew: [^\n]* \\+/- [^\n]*s\n"));
  EXPECT_THAT(cost.out, HasSubstr(" more: --json has them all\n"));

  std::ifstream file(json_file);
  const nlohmann::json report = nlohmann::json::parse(file);
  std::filesystem::remove(json_file);
  const nlohmann::json& only_case = report["cases"][0];
  EXPECT_EQ(only_case["agents"].size(), static_cast<size_t>(kAgents));
  EXPECT_EQ(only_case["statements_succeeded"], 1000 * kAgents);
  EXPECT_GT(only_case["start_skew_ns"], 0);
  EXPECT_GT(only_case["start_skew_error_ns"], 0);

  // As the system tells it: with the pages of what was freed again.
  constexpr int kFewAgents = 20;
  servers_.resize(kFewAgents);
  round_ = absl::Seconds(1);
  const ProcessResult few = RunProcess(Spec({}), absl::Seconds(60));
  EXPECT_EQ(few.exit_code, 0) << few.err;
  const int64_t each = (cost.peak_rss_bytes - few.peak_rss_bytes) / (kAgents - kFewAgents);
  std::cout << "memory of the controller for each agent: " << each / 1000 << " KB\n";
  EXPECT_LT(each, 500'000);
}

}  // namespace
}  // namespace dslap
