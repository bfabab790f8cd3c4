// What the load engine must not do to what it measures: add to the latencies, or hold the results.
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/engine/make_engine.h"
#include "agent/sql/mysql_connection_factory.h"
#include "common/clock.h"
#include "common/histogram.h"
#include "gtest/gtest.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

std::shared_ptr<SqlConnectionFactory> Factory() {
  SqlTarget target;
  target.host = Sandbox().host();
  target.port = Sandbox().port();
  target.user = Sandbox().user();
  target.password = Secret(Sandbox().password());
  return std::make_shared<MySqlConnectionFactory>(std::move(target));
}

class EngineLoadTest : public ::testing::TestWithParam<EngineKind> {
 protected:
  // Connects `clients`, and has them wait at the gate.
  void Prepare(uint64_t clients, uint64_t statements_each, const std::string& text) {
    auto list = std::make_shared<StatementList>();
    list->statements = {{text, false}};
    RoundSpec spec;
    spec.groups = {{clients, statements_each}};
    spec.statements = list;
    ASSERT_EQ(engine_->Prepare(spec).clients_connected, clients);
  }
  RoundOutcome Run() {
    return engine_->Run(0, [](int64_t) {});
  }

 private:
  const std::unique_ptr<LoadEngine> engine_ =
      MakeEngine({.kind = GetParam()}, Factory(), SteadyClock::Get()).value();
};

// ----------------------------------------------------------------------------------------- latency

constexpr uint64_t kFewClients = 4;
constexpr uint64_t kStatementsEach = 100;
// Long enough for four clients to leave the machine idle, short enough for a tenth of a millisecond
// to show.
constexpr char kShortStatement[] = "DO SLEEP(0.002)";

// The median that the same clients measure with nothing but blocking connections.
double BlockingMedianNs() {
  const std::shared_ptr<SqlConnectionFactory> factory = Factory();
  std::array<LatencyHistogram, kFewClients> latencies;
  {
    std::latch connected(kFewClients);
    std::vector<std::jthread> threads;
    for (LatencyHistogram& latency : latencies) {
      threads.emplace_back([&factory, &connected, &latency] {
        const std::unique_ptr<SqlConnection> connection = factory->MakeBlocking();
        EXPECT_TRUE(RunBlocking(*connection, {SqlOperation::Kind::kConnect, {}, nullptr}).ok());
        connected.arrive_and_wait();
        for (uint64_t i = 0; i < kStatementsEach; ++i) {
          const int64_t sent_ns = SteadyClock::Get()->NowNs();
          EXPECT_TRUE(
              RunBlocking(*connection, {SqlOperation::Kind::kQuery, kShortStatement, nullptr})
                  .ok());
          latency.Record(static_cast<uint64_t>(SteadyClock::Get()->NowNs() - sent_ns));
        }
      });
    }
  }
  LatencyHistogram merged;
  for (const LatencyHistogram& latency : latencies) merged.Merge(latency);
  EXPECT_EQ(merged.count(), kFewClients * kStatementsEach);
  return merged.ValueAtPercentile(50);
}

TEST_P(EngineLoadTest, MedianLatencyIsThatOfBlockingConnections) {
  constexpr int kPairs = 8;  // whatever else runs on the machine meets not all of them
  constexpr double kTolerance = 0.05;
  std::string pairs;
  for (int pair = 0; pair < kPairs; ++pair) {
    const double blocking_ns = BlockingMedianNs();
    ASSERT_NO_FATAL_FAILURE(Prepare(kFewClients, kStatementsEach, kShortStatement));
    const RoundOutcome outcome = Run();
    ASSERT_EQ(outcome.latency.count(), kFewClients * kStatementsEach);
    const double ratio = outcome.latency.ValueAtPercentile(50) / blocking_ns;
    if (ratio > 1 - kTolerance && ratio < 1 + kTolerance) return;
    absl::StrAppend(&pairs, " ", ratio);
  }
  ADD_FAILURE() << "median through the engine / median of blocking connections, each pair:"
                << pairs;
}

// ------------------------------------------------------------------------------------------ memory

// A line of /proc/self/status, e.g. "VmHWM", in bytes.
int64_t MemoryOf(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name + ":", 0) != 0) continue;
    const size_t digits = line.find_first_of("0123456789");
    int64_t kilobytes = 0;
    std::from_chars(line.data() + digits, line.data() + line.size(), kilobytes);
    return kilobytes * 1024;
  }
  return -1;
}

// VmHWM begins anew.
bool ForgetPeak() { return static_cast<bool>(std::ofstream("/proc/self/clear_refs") << "5\n"); }

TEST_P(EngineLoadTest, ResultsAreReadAsTheyComeAndNotHeld) {
  constexpr uint64_t kClients = 50;
  constexpr int64_t kRowBytes = 10'000;
  constexpr uint64_t kRows = 1'000;  // 10 MB for each client, 500 MB in all
  constexpr int64_t kMostBytes = kRowBytes * static_cast<int64_t>(kRows);  // one result of the 50
  ASSERT_NO_FATAL_FAILURE(
      Prepare(kClients, 1,
              absl::StrCat("SELECT REPEAT('x', ", kRowBytes, ") FROM ", SequenceTable(kRows))));
  ASSERT_TRUE(ForgetPeak());
  const int64_t before_bytes = MemoryOf("VmRSS");
  ASSERT_GT(before_bytes, 0);
  EXPECT_EQ(Run().statements_succeeded, kClients);
  EXPECT_LT(MemoryOf("VmHWM") - before_bytes, kMostBytes);
}

INSTANTIATE_TEST_SUITE_P(Carriers, EngineLoadTest,
                         ::testing::Values(EngineKind::kThreads, EngineKind::kLoops),
                         [](const ::testing::TestParamInfo<EngineKind>& kind) {
                           return kind.param == EngineKind::kThreads ? "Threads" : "Loops";
                         });

}  // namespace
}  // namespace dslap
