// What the pieces of a statement's way cost, each by itself and without a server: of these only the
// whole client loop says what dslap adds to a statement; the others say where it goes.
//
//   micro_benchmark                                  all of them
//   micro_benchmark --benchmark_filter=Record        some
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agent/async/frame_pool.h"
#include "agent/async/task.h"
#include "agent/engine/client_random.h"
#include "agent/engine/make_engine.h"
#include "benchmark/benchmark.h"
#include "common/clock.h"
#include "common/error_tally.h"
#include "common/histogram.h"
#include "common/histogram_codec.h"
#include "tests/fakes/fake_sql_connection.h"

namespace dslap {
namespace {

// Latencies as a server gives them: from 50 us up, a long tail.
std::vector<uint64_t> Latencies() {
  constexpr size_t kCount = 4096;
  std::vector<uint64_t> latencies;
  ClientRandom random(1, 1);
  for (size_t i = 0; i < kCount; ++i) {
    const uint64_t spread = uint64_t{1} << random.Below(14);
    latencies.push_back(50'000 + random.Below(50'000) * spread);
  }
  return latencies;
}

LatencyHistogram Filled() {
  LatencyHistogram histogram;
  for (const uint64_t latency : Latencies()) histogram.Record(latency);
  return histogram;
}

// ------------------------------------------------------------------------------------- recording

void RecordSample(benchmark::State& state) {
  const std::vector<uint64_t> latencies = Latencies();
  LatencyHistogram histogram;
  histogram.Reserve();
  size_t next = 0;
  for (auto _ : state) {
    histogram.Record(latencies[next]);
    next = (next + 1) % latencies.size();
  }
  benchmark::DoNotOptimize(histogram.count());
}
BENCHMARK(RecordSample);

// Each sample into another histogram, as a thread for each client has them: out of the cache.
void RecordSampleAmongClients(benchmark::State& state) {
  const std::vector<uint64_t> latencies = Latencies();
  std::vector<LatencyHistogram> histograms(static_cast<size_t>(state.range(0)));
  for (LatencyHistogram& histogram : histograms) histogram.Reserve();
  size_t next = 0;
  size_t client = 0;
  for (auto _ : state) {
    histograms[client].Record(latencies[next]);
    next = (next + 1) % latencies.size();
    if (++client == histograms.size()) client = 0;
  }
}
BENCHMARK(RecordSampleAmongClients)->Arg(64)->Arg(1000);

void ReadClock(benchmark::State& state) {
  Clock* const clock = SteadyClock::Get();
  for (auto _ : state) benchmark::DoNotOptimize(clock->NowNs());
}
BENCHMARK(ReadClock);

void MergeHistogram(benchmark::State& state) {
  const LatencyHistogram part = Filled();
  LatencyHistogram merged;
  for (auto _ : state) merged.Merge(part);
  benchmark::DoNotOptimize(merged.count());
}
BENCHMARK(MergeHistogram);

void EncodeFilledHistogram(benchmark::State& state) {
  const LatencyHistogram histogram = Filled();
  for (auto _ : state) benchmark::DoNotOptimize(EncodeHistogram(histogram).SerializeAsString());
}
BENCHMARK(EncodeFilledHistogram);

void TallyError(benchmark::State& state) {
  const std::array<SqlError, 3> errors = {SqlError{1213, "40001", "Deadlock found"},
                                          SqlError{1205, "HY000", "Lock wait timeout exceeded"},
                                          SqlError{1062, "23000", "Duplicate entry"}};
  ErrorTally tally;
  size_t next = 0;
  for (auto _ : state) {
    tally.Add(errors[next]);
    next = (next + 1) % errors.size();
  }
  benchmark::DoNotOptimize(tally.total());
}
BENCHMARK(TallyError);

// ------------------------------------------------------------------------------------- coroutines

void TakeAndGiveFrame(benchmark::State& state) {
  constexpr size_t kBytes = 300;
  for (auto _ : state) {
    void* const frame = TakeFrame(kBytes);
    benchmark::DoNotOptimize(frame);
    GiveFrame(frame, kBytes);
  }
}
BENCHMARK(TakeAndGiveFrame);

Task<uint64_t> Callee(uint64_t number) { co_return number + 1; }

Task<void> CallAgainAndAgain(benchmark::State* state) {
  uint64_t number = 0;
  for (auto _ : *state) number = co_await Callee(number);
  benchmark::DoNotOptimize(number);
}

void CallCoroutine(benchmark::State& state) {
  Task<void> caller = CallAgainAndAgain(&state);
  caller.Start();
}
BENCHMARK(CallCoroutine);

// A keyed statement's text: the draw and the copying.
void DrawKey(benchmark::State& state) {
  const std::vector<std::string> keys(1000, "11111111-2222-3333-4444-555555555555");
  const std::string statement = "SELECT intcol1,charcol1 FROM t1 WHERE id =";
  ClientRandom random(1, 1);
  std::string text;
  text.reserve(200);
  for (auto _ : state) {
    text.assign(statement);
    text.append(" '");
    text.append(keys[random.Below(keys.size())]);
    text.push_back('\'');
    benchmark::DoNotOptimize(text.data());
  }
}
BENCHMARK(DrawKey);

// --------------------------------------------------------------------------------- the client loop

constexpr uint64_t kStatementsOfARound = 100'000;

// Rounds of clients over connections that answer at once: what a statement costs beside the client
// library and the system calls.
void ExecuteStatement(benchmark::State& state, EngineKind kind) {
  auto server = std::make_shared<FakeSqlServer>();
  server->set_logging(false);
  const std::unique_ptr<LoadEngine> engine =
      MakeEngine({.kind = kind, .loops = 1}, server, SteadyClock::Get()).value();
  auto list = std::make_shared<StatementList>();
  list->statements = {{"SELECT 1", false}};
  RoundSpec spec;
  const auto clients = static_cast<uint64_t>(state.range(0));
  const uint64_t each = std::max<uint64_t>(kStatementsOfARound / clients, 1);
  spec.groups = {{clients, each}};
  spec.statements = list;
  for (auto _ : state) {
    engine->Prepare(spec);
    const RoundOutcome outcome = engine->Run(0, [](int64_t) {});
    state.SetIterationTime(static_cast<double>(outcome.closed_at_ns - outcome.opened_at_ns) * 1e-9);
    if (outcome.statements_succeeded != clients * each)
      state.SkipWithError("statements are missing");
  }
  state.counters["per_statement"] = benchmark::Counter(
      static_cast<double>(clients * each),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(ExecuteStatement, threads, EngineKind::kThreads)
    ->Arg(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ExecuteStatement, loops, EngineKind::kLoops)
    ->Arg(1)
    ->Arg(64)
    ->Arg(1000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dslap

BENCHMARK_MAIN();
