#include "controller/report/aggregate.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "common/histogram_codec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kMs = 1'000'000;

v1::Histogram HistogramOf(const std::vector<uint64_t>& values) {
  LatencyHistogram histogram;
  for (const uint64_t value : values) histogram.Record(value);
  return EncodeHistogram(histogram);
}

// An agent that connected `clients` and executed one statement for each of `latencies`, from
// `opened_ms` to `closed_ms` on the controller's clock.
AgentRoundRecord AgentRound(uint64_t clients, const std::vector<uint64_t>& latencies,
                            int64_t opened_ms, int64_t closed_ms) {
  AgentRoundRecord agent;
  agent.ready.emplace();
  agent.ready->set_clients_asked(clients);
  agent.ready->set_clients_connected(clients);
  agent.done.emplace();
  // The agent's own clock has another origin.
  agent.done->set_opened_at_ns(opened_ms * kMs + 77);
  agent.done->set_closed_at_ns(closed_ms * kMs + 77);
  agent.done->set_statements_succeeded(latencies.size());
  *agent.done->mutable_latency() = HistogramOf(latencies);
  agent.done->mutable_cpu()->set_cores(2);
  agent.opened_at_ns = opened_ms * kMs;
  agent.closed_at_ns = closed_ms * kMs;
  return agent;
}

RoundRecord Round(std::vector<AgentRoundRecord> agents) {
  RoundRecord round;
  round.agents = std::move(agents);
  round.started = true;
  round.complete = true;
  return round;
}

// One case of `rounds` by agents "a", "b", ...: as many as the first round has.
RunRecord RunOf(uint64_t clients, uint64_t statements, std::vector<RoundRecord> rounds) {
  RunRecord record;
  record.run_id = "r1";
  record.planned_cases = 1;
  record.planned_iterations = rounds.size();
  for (size_t i = 0; i < rounds.front().agents.size(); ++i) {
    record.agents.emplace_back();
    record.agents.back().name = std::string(1, static_cast<char>('a' + i));
  }
  CaseRecord one;
  one.engine = "innodb";
  one.clients = clients;
  one.statements = statements;
  one.rounds = std::move(rounds);
  record.cases.push_back(std::move(one));
  return record;
}

void AddError(v1::RoundDone* done, uint32_t code, uint64_t count, const std::string& message) {
  v1::ErrorCount* entry = done->add_errors();
  entry->mutable_first()->set_code(code);
  entry->mutable_first()->set_sqlstate("HY000");
  entry->mutable_first()->set_message(message);
  entry->set_count(count);
}

void AddChannel(AgentRoundRecord* agent, const std::string& cipher, uint64_t clients) {
  v1::ChannelCount* const count = agent->ready->add_channels();
  count->mutable_channel()->set_tls_cipher(cipher);
  if (!cipher.empty()) count->mutable_channel()->set_tls_version("TLSv1.3");
  count->set_clients(clients);
}

// Agents may go different ways; of an agent's rounds the last one counts.
TEST(AggregateTest, WaysOfTheConnections) {
  AgentRoundRecord a = AgentRound(3, {10}, 100, 200);
  AgentRoundRecord b = AgentRound(5, {10}, 100, 200);
  AddChannel(&a, "C1", 3);
  AddChannel(&b, "C1", 1);
  AddChannel(&b, "", 4);
  AgentRoundRecord a2 = AgentRound(3, {10}, 300, 400);
  AddChannel(&a2, "C1", 2);
  AddChannel(&a2, "", 1);
  const RunReport report = Aggregate(RunOf(8, 2, {Round({a, b}), Round({a2, b})}), RunContext());
  const CaseReport& one = report.cases.at(0);
  ASSERT_EQ(one.channels.size(), 2u);
  EXPECT_EQ(one.channels[0].tls_cipher, "");
  EXPECT_EQ(one.channels[0].tls_version, "");
  EXPECT_EQ(one.channels[0].clients, 5u);
  EXPECT_EQ(one.channels[1].tls_cipher, "C1");
  EXPECT_EQ(one.channels[1].tls_version, "TLSv1.3");
  EXPECT_EQ(one.channels[1].clients, 3u);
  ASSERT_EQ(one.agents.at(1).channels.size(), 2u);
  EXPECT_EQ(one.agents[1].channels[0].clients, 4u);
  EXPECT_EQ(one.agents[0].channels[0].clients, 2u);
}

// Two agents, two rounds, all by hand: round 1 from 100 to 300 ms, round 2 from 1000 to 1400 ms.
TEST(AggregateTest, TwoAgentsTwoRounds) {
  RunRecord record = RunOf(
      5, 6,
      {Round({AgentRound(3, {10, 20, 30}, 100, 250), AgentRound(2, {40, 50, 60}, 104, 300)}),
       Round({AgentRound(3, {10, 20, 30}, 1002, 1400), AgentRound(2, {40, 50, 100}, 1000, 1390)})});
  record.cases[0].rounds[0].agents[0].mapping_error_ns = 30;
  record.cases[0].rounds[0].agents[1].mapping_error_ns = 50;
  const RunReport report = Aggregate(record, RunContext());

  ASSERT_EQ(report.cases.size(), 1U);
  const CaseReport& one = report.cases[0];
  EXPECT_EQ(one.engine, "innodb");
  EXPECT_EQ(one.clients_asked, 5U);
  EXPECT_EQ(one.clients_connected, 5U);
  EXPECT_EQ(one.rounds_planned, 2U);
  EXPECT_EQ(one.rounds_measured, 2U);
  EXPECT_EQ(one.rounds_complete, 2U);
  ASSERT_EQ(one.rounds.size(), 2U);
  EXPECT_DOUBLE_EQ(one.rounds[0].seconds, 0.2);
  EXPECT_DOUBLE_EQ(one.rounds[1].seconds, 0.4);
  EXPECT_DOUBLE_EQ(one.average_seconds, 0.3);
  EXPECT_DOUBLE_EQ(one.minimum_seconds, 0.2);
  EXPECT_DOUBLE_EQ(one.maximum_seconds, 0.4);
  EXPECT_DOUBLE_EQ(one.measured_seconds, 0.6);
  EXPECT_EQ(one.statements_planned, 12U);
  EXPECT_EQ(one.statements, 12U);
  EXPECT_EQ(one.queries_per_client, 1U);  // 12 statements / (5 clients x 2 rounds), rounded down
  EXPECT_DOUBLE_EQ(one.queries_per_second, 20);
  EXPECT_EQ(one.rounds[0].start_skew_ns, 4 * kMs);
  EXPECT_EQ(one.rounds[0].start_skew_error_ns, 80);
  EXPECT_EQ(one.rounds[1].start_skew_ns, 2 * kMs);
  EXPECT_EQ(one.start_skew_ns, 4 * kMs);
  EXPECT_EQ(one.start_skew_error_ns, 80);
  EXPECT_EQ(one.latency.count, 12U);
  EXPECT_DOUBLE_EQ(one.latency.mean_ns, 460.0 / 12);
  EXPECT_EQ(one.latency.min_ns, 10U);
  EXPECT_EQ(one.latency.p50_ns, 30U);  // 10 10 20 20 30 30 | 40 40 50 50 60 100
  EXPECT_EQ(one.latency.p95_ns, 100U);
  EXPECT_EQ(one.latency.max_ns, 100U);

  ASSERT_EQ(one.agents.size(), 2U);
  EXPECT_EQ(one.agents[0].name, "a");
  EXPECT_EQ(one.agents[0].clients_asked, 3U);
  EXPECT_EQ(one.agents[0].clients_connected, 3U);
  EXPECT_EQ(one.agents[0].statements, 6U);
  EXPECT_DOUBLE_EQ(one.agents[0].queries_per_second, 10);
  EXPECT_EQ(one.agents[0].latency.max_ns, 30U);
  EXPECT_EQ(one.agents[1].latency.max_ns, 100U);
  EXPECT_EQ(report.verdict, Verdict::kValid);
  EXPECT_EQ(report.exit_code, ExitCode::kValid);
}

// What was told of a case while the run went on must not change at its end.
TEST(ReportBuilderTest, CasesAreComputedOnceAsTheyFinish) {
  RunRecord record = RunOf(2, 2, {Round({AgentRound(2, {10, 20}, 100, 200)})});
  record.planned_cases = 2;
  RunContext context;
  context.load_type = "mixed";
  context.distributed = true;
  ReportBuilder builder(context);
  const RunReport& so_far = builder.AddCases(record);
  ASSERT_EQ(so_far.cases.size(), 1u);
  EXPECT_EQ(so_far.run_id, "r1");
  EXPECT_EQ(so_far.load_type, "mixed");
  EXPECT_TRUE(so_far.distributed);
  EXPECT_EQ(so_far.cases_planned, 2u);
  EXPECT_EQ(so_far.cases[0].statements, 2u);

  record.cases[0].rounds.clear();
  record.cases.push_back(RunOf(4, 3, {Round({AgentRound(4, {10, 20, 30}, 300, 400)})}).cases[0]);
  EXPECT_EQ(builder.AddCases(record).cases.size(), 2u);
  record.interrupted = true;
  record.ended_by = "ended by --deadline=1s";
  record.agents[0].lost = true;
  const RunReport report = builder.Finish(record);
  ASSERT_EQ(report.cases.size(), 2u);
  EXPECT_EQ(report.cases[0].statements, 2u);
  EXPECT_FALSE(report.cases[0].agents[0].lost);
  EXPECT_EQ(report.cases[1].statements, 3u);
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.ended_by, "ended by --deadline=1s");
  ASSERT_EQ(report.agents.size(), 1u);
  EXPECT_TRUE(report.agents[0].lost);
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
}

TEST(AggregateTest, ContextAndAgentsAreCarriedOver) {
  RunRecord record = RunOf(1, 1, {Round({AgentRound(1, {10}, 1, 2)})});
  record.agents[0].info.set_hostname("load-a");
  record.agents[0].info.set_build("0.1.0");
  record.agents[0].info.set_cores(4);
  record.agents[0].info.set_memory_bytes(123);
  record.agents[0].info.set_max_open_files(1024);
  record.notes = {"a note"};
  RunContext context;
  context.build = "0.2.0";
  context.command_line = "dslap -a";
  context.started_at = "2024-05-01T12:00:00Z";
  context.load_type = "key";
  context.insecure = true;
  context.distributed = true;
  const RunReport report = Aggregate(record, context);
  EXPECT_EQ(report.run_id, "r1");
  EXPECT_EQ(report.build, "0.2.0");
  EXPECT_EQ(report.command_line, "dslap -a");
  EXPECT_EQ(report.started_at, "2024-05-01T12:00:00Z");
  EXPECT_EQ(report.load_type, "key");
  EXPECT_TRUE(report.insecure);
  EXPECT_TRUE(report.distributed);
  EXPECT_THAT(report.notes, ElementsAre("a note"));
  ASSERT_EQ(report.agents.size(), 1U);
  EXPECT_EQ(report.agents[0].hostname, "load-a");
  EXPECT_EQ(report.agents[0].build, "0.1.0");
  EXPECT_EQ(report.agents[0].cores, 4U);
  EXPECT_EQ(report.agents[0].memory_bytes, 123U);
  EXPECT_EQ(report.agents[0].max_open_files, 1024U);
  EXPECT_FALSE(report.agents[0].lost);
}

// Percentiles of the merged report against those of all raw samples, over uneven agents whose
// latencies differ by an order of magnitude: an average of percentiles would be far off.
TEST(AggregateTest, MergedPercentilesAreThoseOfTheRawSamplesWithinOnePercent) {
  std::mt19937_64 random(20240501);  // NOLINT(cert-msc32-c,cert-msc51-cpp): repeatable
  std::vector<uint64_t> raw;
  const auto samples = [&](size_t count, double median_ns) {
    std::lognormal_distribution<double> distribution(std::log(median_ns), 0.8);
    std::vector<uint64_t> values(count);
    for (uint64_t& value : values) value = static_cast<uint64_t>(distribution(random));
    raw.insert(raw.end(), values.begin(), values.end());
    return values;
  };
  const RunRecord record = RunOf(6, 26'000,
                                 {Round({AgentRound(2, samples(20'000, 4e5), 0, 900),
                                         AgentRound(2, samples(5'000, 5e6), 0, 950),
                                         AgentRound(2, samples(1'000, 9e7), 0, 990)}),
                                  Round({AgentRound(2, samples(20'000, 5e5), 1000, 1900),
                                         AgentRound(2, samples(5'000, 6e6), 1000, 1950),
                                         AgentRound(2, samples(1'000, 8e7), 1000, 1990)})});
  const LatencySummary latency = Aggregate(record, RunContext()).cases[0].latency;

  std::sort(raw.begin(), raw.end());
  const auto exact = [&raw](double percentile) {
    const auto rank =
        static_cast<size_t>(std::ceil(percentile / 100 * static_cast<double>(raw.size())));
    return static_cast<double>(raw[rank - 1]);
  };
  ASSERT_EQ(latency.count, raw.size());
  for (const auto& [percentile, got] : {std::pair{50.0, latency.p50_ns},
                                        {95.0, latency.p95_ns},
                                        {99.0, latency.p99_ns},
                                        {99.9, latency.p999_ns}}) {
    EXPECT_NEAR(static_cast<double>(got), exact(percentile), 0.01 * exact(percentile))
        << "p" << percentile;
  }
  EXPECT_EQ(latency.min_ns, raw.front());
  EXPECT_EQ(latency.max_ns, raw.back());
}

TEST(AggregateTest, FailuresAreSplitByWhatIsIgnored) {
  RunRecord record = RunOf(1, 10, {Round({AgentRound(1, {10, 20}, 0, 100)})});
  v1::RoundDone& done = *record.cases[0].rounds[0].agents[0].done;
  done.set_statements_failed(8);
  done.set_reconnects(4);
  done.set_reconnects_failed(1);
  AddError(&done, 1213, 5, "deadlock");
  AddError(&done, 1146, 3, "no such table");
  RunContext context;
  context.ignored_errors = {1213};
  const CaseReport one = Aggregate(record, context).cases[0];
  EXPECT_EQ(one.statements, 2U);
  EXPECT_EQ(one.failed, 8U);
  EXPECT_EQ(one.executed(), 10U);
  EXPECT_EQ(one.queries_per_client, 10U);
  EXPECT_DOUBLE_EQ(one.queries_per_second, 20);  // of those that succeeded
  EXPECT_EQ(one.reconnects, 4U);
  EXPECT_EQ(one.reconnects_failed, 1U);
  ASSERT_EQ(one.errors.entries().size(), 1U);
  EXPECT_EQ(one.errors.entries()[0].first.code, 1146U);
  EXPECT_EQ(one.errors.total(), 3U);
  EXPECT_EQ(one.ignored_errors.total(), 5U);
  EXPECT_EQ(one.agents[0].failed, 8U);

  context.ignore_all_errors = true;
  const CaseReport all = Aggregate(record, context).cases[0];
  EXPECT_TRUE(all.errors.empty());
  EXPECT_EQ(all.ignored_errors.total(), 8U);
}

TEST(AggregateTest, ClientsThatDidNotConnect) {
  RunRecord record = RunOf(10, 100,
                           {Round({AgentRound(5, {10}, 0, 100), AgentRound(5, {10}, 0, 100)}),
                            Round({AgentRound(5, {10}, 0, 100), AgentRound(5, {10}, 0, 100)})});
  v1::RoundReady& ready = *record.cases[0].rounds[0].agents[1].ready;
  ready.set_clients_connected(2);
  ready.set_clients_not_tried(1);
  v1::ErrorCount* entry = ready.add_connect_errors();
  entry->mutable_first()->set_code(1226);
  entry->set_count(2);
  *ready.mutable_connect_time() = HistogramOf({100, 110});
  const CaseReport one = Aggregate(record, RunContext()).cases[0];
  EXPECT_EQ(one.clients_asked, 10U);
  EXPECT_EQ(one.clients_connected, 7U);  // the worse of the two rounds
  EXPECT_EQ(one.clients_not_tried, 1U);
  EXPECT_EQ(one.rounds[0].clients_connected, 7U);
  EXPECT_EQ(one.rounds[1].clients_connected, 10U);
  EXPECT_EQ(one.connect_errors.total(), 2U);
  EXPECT_EQ(one.connect.count, 2U);
  EXPECT_EQ(one.connect.max_ns, 110U);
  EXPECT_EQ(one.agents[0].clients_connected, 5U);
  EXPECT_EQ(one.agents[1].clients_connected, 2U);
}

TEST(AggregateTest, NoClientConnectedIsNotMeasured) {
  RunRecord record = RunOf(2, 10, {Round({AgentRound(2, {}, 0, 1)})});
  RoundRecord& round = record.cases[0].rounds[0];
  round.started = round.complete = false;
  round.agents[0].ready->set_clients_connected(0);
  round.agents[0].done->set_opened_at_ns(0);
  const RunReport report = Aggregate(record, RunContext());
  EXPECT_FALSE(report.cases[0].measured());
  EXPECT_EQ(report.cases[0].clients_connected, 0U);
  EXPECT_EQ(report.cases[0].statements_planned, 0U);
  EXPECT_EQ(report.cases[0].average_seconds, 0);
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
}

// An agent without a client opens its gate too; neither its start nor its end counts.
TEST(AggregateTest, AgentsWithoutClientsDoNotStretchTheRound) {
  const RunRecord record =
      RunOf(1, 1, {Round({AgentRound(1, {10}, 100, 300), AgentRound(0, {}, 50, 900)})});
  const CaseReport one = Aggregate(record, RunContext()).cases[0];
  EXPECT_DOUBLE_EQ(one.average_seconds, 0.2);
  EXPECT_EQ(one.start_skew_ns, 0);
  EXPECT_EQ(one.start_skew_error_ns, 0);
}

TEST(AggregateTest, LostAgentLeavesWhatTheOthersMeasured) {
  RunRecord record =
      RunOf(4, 4,
            {Round({AgentRound(2, {10, 20}, 0, 100), AgentRound(2, {30, 40}, 0, 200)}),
             Round({AgentRound(2, {50}, 500, 800), AgentRound(2, {}, 0, 0)})});
  RoundRecord& second = record.cases[0].rounds[1];
  second.complete = false;
  second.agents[1].done.reset();
  record.agents[1].lost = true;
  record.agents[1].loss_reason = "connection reset";
  const RunReport report = Aggregate(record, RunContext());
  const CaseReport& one = report.cases[0];
  EXPECT_EQ(one.rounds_measured, 2U);
  EXPECT_EQ(one.rounds_complete, 1U);
  EXPECT_FALSE(one.rounds[1].complete);
  EXPECT_DOUBLE_EQ(one.rounds[1].seconds, 0.3);
  // Seconds are of the complete round; counts and latencies of all that was measured.
  EXPECT_DOUBLE_EQ(one.average_seconds, 0.2);
  EXPECT_DOUBLE_EQ(one.maximum_seconds, 0.2);
  EXPECT_DOUBLE_EQ(one.measured_seconds, 0.5);
  EXPECT_EQ(one.statements, 5U);
  EXPECT_DOUBLE_EQ(one.queries_per_second, 10);
  EXPECT_EQ(one.latency.max_ns, 50U);
  EXPECT_FALSE(one.agents[0].lost);
  EXPECT_TRUE(one.agents[1].lost);
  EXPECT_TRUE(report.agents[1].lost);
  EXPECT_EQ(report.agents[1].loss_reason, "connection reset");
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
  EXPECT_EQ(report.exit_code, ExitCode::kAgentLost);
}

TEST(AggregateTest, AgentLostLaterIsNotMarkedInTheCaseItFinished) {
  RunRecord record =
      RunOf(2, 2, {Round({AgentRound(1, {10}, 0, 100), AgentRound(1, {10}, 0, 100)})});
  record.agents[1].lost = true;
  EXPECT_FALSE(Aggregate(record, RunContext()).cases[0].agents[1].lost);
}

TEST(AggregateTest, OnlyRoundCutShortGivesItsOwnSeconds) {
  RunRecord record = RunOf(1, 100, {Round({AgentRound(1, {10, 20}, 0, 250)})});
  record.cases[0].rounds[0].complete = false;
  record.cases[0].rounds[0].agents[0].done->set_statements_interrupted(1);
  record.interrupted = true;
  const RunReport report = Aggregate(record, RunContext());
  EXPECT_DOUBLE_EQ(report.cases[0].average_seconds, 0.25);
  EXPECT_EQ(report.cases[0].interrupted, 1U);
  EXPECT_EQ(report.cases[0].agents[0].interrupted, 1U);
  EXPECT_EQ(report.exit_code, ExitCode::kInterrupted);
}

// A round that was stopped while its clients were connecting says nothing of how many would have.
TEST(AggregateTest, RoundStoppedWhileConnectingDoesNotLowerTheClients) {
  RunRecord record =
      RunOf(4, 4, {Round({AgentRound(4, {10}, 0, 100)}), Round({AgentRound(4, {}, 0, 0)})});
  RoundRecord& second = record.cases[0].rounds[1];
  second.started = second.complete = false;
  second.agents[0].ready->set_clients_connected(1);
  second.agents[0].done->set_opened_at_ns(0);
  const CaseReport one = Aggregate(record, RunContext()).cases[0];
  EXPECT_EQ(one.clients_connected, 4U);
  EXPECT_EQ(one.agents[0].clients_connected, 4U);
  EXPECT_EQ(one.rounds_measured, 1U);
}

TEST(AggregateTest, HistogramThatCannotBeReadIsTheAgentsFailure) {
  RunRecord record =
      RunOf(2, 2, {Round({AgentRound(1, {10}, 0, 100), AgentRound(1, {20}, 0, 900)})});
  v1::Histogram* latency = record.cases[0].rounds[0].agents[1].done->mutable_latency();
  latency->clear_bucket_gap();
  latency->add_bucket_gap(4'000'000'000U);
  const RunReport report = Aggregate(record, RunContext());
  const CaseReport& one = report.cases[0];
  EXPECT_EQ(one.statements, 1U);
  EXPECT_DOUBLE_EQ(one.average_seconds, 0.1);
  EXPECT_EQ(one.rounds_complete, 0U);
  EXPECT_TRUE(one.agents[1].lost);
  EXPECT_TRUE(report.agents[1].lost);
  EXPECT_THAT(report.agents[1].loss_reason,
              HasSubstr("round 1: its latencies cannot be read: histogram bucket 4000000000"));
  EXPECT_EQ(report.exit_code, ExitCode::kAgentLost);
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
}

TEST(AggregateTest, ConnectTimesThatCannotBeReadAreTheAgentsFailure) {
  RunRecord record = RunOf(1, 1, {Round({AgentRound(1, {10}, 0, 100)})});
  record.cases[0].rounds[0].agents[0].ready->mutable_connect_time()->add_bucket_gap(1);
  const RunReport report = Aggregate(record, RunContext());
  EXPECT_THAT(report.agents[0].loss_reason, HasSubstr("round 1: its connect times cannot be read"));
  EXPECT_EQ(report.cases[0].rounds_complete, 0U);
}

TEST(AggregateTest, CpuShareIsOverTheCasesRounds) {
  RunRecord record =
      RunOf(1, 2, {Round({AgentRound(1, {10}, 0, 100)}), Round({AgentRound(1, {10}, 500, 800)})});
  for (RoundRecord& round : record.cases[0].rounds) {
    v1::CpuUse* cpu = round.agents[0].done->mutable_cpu();
    cpu->set_process_ns(100 * kMs);
    cpu->set_host_busy_ns(1000 * kMs);  // coarse counters can say more than there was
  }
  const AgentCaseReport agent = Aggregate(record, RunContext()).cases[0].agents[0];
  EXPECT_EQ(agent.cores, 2U);
  EXPECT_DOUBLE_EQ(agent.process_cpu, 0.25);  // 200 ms of 2 cores x 400 ms
  EXPECT_DOUBLE_EQ(agent.host_cpu, 1);
}

TEST(AggregateTest, RunThatFailedBeforeAnything) {
  RunRecord record;
  record.agents.emplace_back();
  record.agents[0].name = "a";
  record.planned_cases = 2;
  record.planned_iterations = 3;
  record.failure = absl::UnavailableError("agent a: connection refused");
  record.failure_code = ExitCode::kAgentUnavailable;
  const RunReport report = Aggregate(record, RunContext());
  EXPECT_TRUE(report.cases.empty());
  EXPECT_EQ(report.rounds_planned, 6U);
  EXPECT_EQ(report.failure.message(), "agent a: connection refused");
  EXPECT_EQ(report.exit_code, ExitCode::kAgentUnavailable);
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
  EXPECT_THAT(report.reasons, ElementsAre("nothing was measured"));
}

// Two agents of three clients and of two, the second of which is lost in the second round of three.
std::vector<RoundRecord> RoundsWithALoss() {
  const std::vector<uint64_t> fast(6, 10 * kMs);
  const std::vector<uint64_t> slow(4, 900 * kMs);
  std::vector<RoundRecord> rounds = {
      Round({AgentRound(3, fast, 0, 100), AgentRound(2, fast, 0, 100)}),
      Round({AgentRound(3, slow, 200, 1200), AgentRound(2, {}, 200, 200)}),
      Round({AgentRound(5, fast, 2000, 2100), AgentRoundRecord()})};
  rounds[1].agents[1].done.reset();
  rounds[1].complete = false;
  rounds[1].agent_lost = true;
  AddError(&*rounds[1].agents[0].done, 1146, 2, "no table");
  return rounds;
}

TEST(AggregateTest, RoundInWhichAnAgentWasLostIsInNoneOfTheSums) {
  RunRecord record = RunOf(5, 12, RoundsWithALoss());
  record.agents[1].lost = true;
  record.agents[1].lost_case = 1;
  record.agents[1].lost_round = 2;
  const RunReport report = Aggregate(record, RunContext());
  const CaseReport& one = report.cases.at(0);
  EXPECT_EQ(one.rounds_measured, 2u);
  EXPECT_EQ(one.rounds_complete, 2u);
  EXPECT_EQ(one.rounds_left_out, 1u);
  EXPECT_DOUBLE_EQ(one.measured_seconds, 0.2);
  EXPECT_DOUBLE_EQ(one.maximum_seconds, 0.1);
  EXPECT_EQ(one.statements, 18u);
  EXPECT_EQ(one.statements_planned, 24u);
  EXPECT_DOUBLE_EQ(one.queries_per_second, 90);
  EXPECT_EQ(one.latency.count, 18u);
  EXPECT_EQ(one.latency.max_ns, 10u * kMs);
  EXPECT_EQ(one.agents[0].statements, 12u);
  EXPECT_EQ(one.agents[1].statements, 6u);
  // What happened in it is told all the same.
  ASSERT_EQ(one.rounds.size(), 3u);
  EXPECT_TRUE(one.rounds[1].agent_lost);
  EXPECT_EQ(one.rounds[1].statements, 4u);
  EXPECT_DOUBLE_EQ(one.rounds[1].seconds, 1.0);
  EXPECT_EQ(one.errors.total(), 2u);
  EXPECT_EQ(report.agents[1].lost_round, 2u);
}

TEST(AggregateTest, RoundsWithALossAreAllThereIsWhenNoneIsComplete) {
  std::vector<RoundRecord> rounds = RoundsWithALoss();
  rounds[0].complete = rounds[2].complete = false;
  const CaseReport one = Aggregate(RunOf(5, 12, std::move(rounds)), RunContext()).cases.at(0);
  EXPECT_EQ(one.rounds_measured, 3u);
  EXPECT_EQ(one.rounds_left_out, 0u);
  EXPECT_EQ(one.statements, 22u);
}

// Its fewest clients stood beside the most it was ever asked for: "3 of 5".
TEST(AggregateTest, AgentThatGotMoreClientsLaterLacksNone) {
  const CaseReport one = Aggregate(RunOf(5, 12, RoundsWithALoss()), RunContext()).cases.at(0);
  EXPECT_EQ(one.agents[0].clients_asked, 5u);
  EXPECT_EQ(one.agents[0].clients_connected, 5u);
  EXPECT_EQ(one.agents[1].clients_asked, 2u);
  EXPECT_EQ(one.agents[1].clients_connected, 2u);
}

TEST(AggregateTest, RoundThatLackedTheMostClientsIsTheOneShown) {
  std::vector<RoundRecord> rounds = RoundsWithALoss();
  rounds[0].agents[0].ready->set_clients_connected(1);
  const CaseReport one = Aggregate(RunOf(5, 12, std::move(rounds)), RunContext()).cases.at(0);
  EXPECT_EQ(one.agents[0].clients_asked, 3u);
  EXPECT_EQ(one.agents[0].clients_connected, 1u);
}

TEST(AggregateTest, MissingAgentIsNamedWithItsReason) {
  RunRecord record = RunOf(5, 12, RoundsWithALoss());
  record.agents[1].missing = true;
  record.agents[1].missing_reason = "busy";
  const RunReport report = Aggregate(record, RunContext());
  EXPECT_TRUE(report.agents[1].missing);
  EXPECT_EQ(report.agents[1].missing_reason, "busy");
  EXPECT_TRUE(report.cases[0].agents[1].missing);
  EXPECT_FALSE(report.cases[0].agents[0].missing);
}

}  // namespace
}  // namespace dslap
