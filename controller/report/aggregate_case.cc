#include "controller/report/aggregate_case.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "common/histogram_codec.h"
#include "controller/report/channels.h"
#include "controller/report/count_check.h"

namespace dslap {
namespace {

constexpr double kNsPerSecond = 1e9;

// What is summed for one agent until its figures are computed.
struct AgentSums {
  LatencyHistogram latency;
  uint64_t busy_ns = 0;       // of the agent process
  uint64_t host_busy_ns = 0;  // of all its host's cores
  uint64_t core_ns = 0;       // that the cores offered meanwhile
  bool connects_seen = false;
};

// The instants of a round, over the agents that had a connected client.
class RoundSpan {
 public:
  void Add(const AgentRoundRecord& agent) {
    first_opened_ns_ = std::min(first_opened_ns_, agent.opened_at_ns);
    last_opened_ns_ = std::max(last_opened_ns_, agent.opened_at_ns);
    last_closed_ns_ = std::max(last_closed_ns_, agent.closed_at_ns);
    if (agent.mapping_error_ns >= largest_error_ns_) {
      second_error_ns_ = largest_error_ns_;
      largest_error_ns_ = agent.mapping_error_ns;
    } else {
      second_error_ns_ = std::max(second_error_ns_, agent.mapping_error_ns);
    }
    ++agents_;
  }

  bool empty() const { return agents_ == 0; }
  double seconds() const {
    return static_cast<double>(std::max<int64_t>(last_closed_ns_ - first_opened_ns_, 0)) /
           kNsPerSecond;
  }
  int64_t skew_ns() const { return last_opened_ns_ - first_opened_ns_; }
  // Two mapped instants are subtracted, so both errors count. One agent has no skew to be wrong
  // about.
  int64_t skew_error_ns() const { return agents_ < 2 ? 0 : largest_error_ns_ + second_error_ns_; }

 private:
  int64_t first_opened_ns_ = std::numeric_limits<int64_t>::max();
  int64_t last_opened_ns_ = std::numeric_limits<int64_t>::min();
  int64_t last_closed_ns_ = std::numeric_limits<int64_t>::min();
  int64_t largest_error_ns_ = 0;
  int64_t second_error_ns_ = 0;
  int agents_ = 0;
};

double Share(uint64_t part, uint64_t whole) {
  if (whole == 0) return 0;
  return std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

class CaseAggregator {
 public:
  CaseAggregator(const CaseRecord& record, const RunRecord& run, const RunContext& context,
                 std::vector<std::string>* faults)
      : record_(record), run_(run), context_(context), faults_(*faults), sums_(run.agents.size()) {
    report_.engine = record.engine;
    report_.clients_asked = record.clients;
    report_.rounds_planned = run.planned_iterations;
    for (const AgentRecord& agent : run.agents) {
      report_.agents.emplace_back();
      report_.agents.back().name = agent.name;
      report_.agents.back().missing = agent.missing;
    }
    // Until a gate has opened, how many clients connect is all there is to tell; after that, only
    // the rounds that ran tell it.
    any_started_ = std::any_of(record.rounds.begin(), record.rounds.end(),
                               [](const RoundRecord& round) { return round.started; });
    any_complete_ = std::any_of(record.rounds.begin(), record.rounds.end(),
                                [](const RoundRecord& round) { return round.complete; });
  }

  CaseReport Finish() {
    std::vector<CountCheck> counts;
    for (const RoundRecord& round : record_.rounds) {
      counts.push_back(CompareCounts(round, run_.inexact));
    }
    report_.counts = SumUp(counts);
    for (size_t i = 0; i < record_.rounds.size(); ++i) AddRound(record_.rounds[i], i + 1);
    report_.clients_connected = fewest_connected_.value_or(0);
    FinishSeconds();
    report_.queries_per_client = client_rounds_ == 0 ? 0 : report_.executed() / client_rounds_;
    report_.queries_per_second = PerSecond(report_.statements);
    for (size_t i = 0; i < sums_.size(); ++i) FinishAgent(i);
    report_.latency = Summarize(report_.latency_histogram);
    report_.connect = Summarize(connect_);
    return std::move(report_);
  }

 private:
  void AddRound(const RoundRecord& round, size_t number) {
    RoundReport out;
    out.statements_planned = record_.statements;
    out.agent_lost = round.agent_lost;
    RoundSpan span;
    bool fault = false;
    uint64_t not_tried = 0;
    bool any_ready = false;
    for (size_t i = 0; i < std::min(round.agents.size(), sums_.size()); ++i) {
      const AgentRoundRecord& agent = round.agents[i];
      if (agent.ready.has_value()) {
        any_ready = true;
        out.clients_connected += agent.ready->clients_connected();
        not_tried += agent.ready->clients_not_tried();
        if (!AddReady(*agent.ready, i, number, CountsConnects(round))) fault = true;
      }
      if (!agent.done.has_value()) {
        report_.agents[i].lost |= run_.agents[i].lost;
        continue;
      }
      if (agent.done->opened_at_ns() == 0) continue;
      if (!AddDone(*agent.done, i, number, &out)) {
        fault = true;
        continue;
      }
      if (agent.ready.has_value() && agent.ready->clients_connected() > 0) span.Add(agent);
    }
    out.measured = !span.empty();
    out.complete = out.measured && round.complete && !fault;
    if (any_ready && CountsConnects(round)) {
      fewest_connected_ =
          std::min(fewest_connected_.value_or(out.clients_connected), out.clients_connected);
      report_.clients_not_tried = std::max(report_.clients_not_tried, not_tried);
    }
    if (out.measured) AddMeasured(span, &out);
    report_.rounds.push_back(out);
  }

  bool CountsConnects(const RoundRecord& round) const { return round.started || !any_started_; }

  bool LeavesOut(const RoundReport& round) const { return round.agent_lost && any_complete_; }

  void AddMeasured(const RoundSpan& span, RoundReport* round) {
    round->seconds = span.seconds();
    round->start_skew_ns = span.skew_ns();
    round->start_skew_error_ns = span.skew_error_ns();
    if (LeavesOut(*round)) {
      ++report_.rounds_left_out;
      return;
    }
    if (round->start_skew_ns >= report_.start_skew_ns) {
      report_.start_skew_ns = round->start_skew_ns;
      report_.start_skew_error_ns = round->start_skew_error_ns;
    }
    ++report_.rounds_measured;
    if (round->complete) ++report_.rounds_complete;
    report_.measured_seconds += round->seconds;
    report_.statements_planned += round->statements_planned;
    report_.statements += round->statements;
    report_.failed += round->failed;
    report_.interrupted += round->interrupted;
    client_rounds_ += round->clients_connected;
  }

  // False: the agent's histogram cannot be read.
  bool AddReady(const v1::RoundReady& ready, size_t i, size_t number, bool counts_connects) {
    AgentCaseReport& agent = report_.agents[i];
    const auto lacking = [](uint64_t asked, uint64_t connected) {
      return asked > connected ? asked - connected : 0;
    };
    if (counts_connects) {
      if (!sums_[i].connects_seen || lacking(ready.clients_asked(), ready.clients_connected()) >=
                                         lacking(agent.clients_asked, agent.clients_connected)) {
        agent.clients_asked = ready.clients_asked();
        agent.clients_connected = ready.clients_connected();
      }
      sums_[i].connects_seen = true;
      agent.channels = ChannelsOf(ready);
    } else if (!sums_[i].connects_seen) {
      agent.clients_asked = std::max<uint64_t>(agent.clients_asked, ready.clients_asked());
    }
    report_.connect_errors.Merge(ErrorTally::FromProto(ready.connect_errors()));
    const auto connect = DecodeHistogram(ready.connect_time());
    if (!connect.ok()) return Fault(i, number, "connect times", connect.status());
    connect_.Merge(*connect);
    return true;
  }

  // False: the agent's histogram cannot be read, and nothing was added.
  bool AddDone(const v1::RoundDone& done, size_t i, size_t number, RoundReport* round) {
    const auto latency = DecodeHistogram(done.latency());
    if (!latency.ok()) return Fault(i, number, "latencies", latency.status());
    round->statements += done.statements_succeeded();
    round->failed += done.statements_failed();
    round->interrupted += done.statements_interrupted();
    report_.reconnects += done.reconnects();
    report_.reconnects_failed += done.reconnects_failed();
    for (const ErrorTally::Entry& entry : ErrorTally::FromProto(done.errors()).entries()) {
      (Ignores(entry.first.code) ? report_.ignored_errors : report_.errors)
          .Add(entry.first, entry.count);
    }
    if (!LeavesOut(*round)) AddSums(done, *latency, i);
    return true;
  }

  void AddSums(const v1::RoundDone& done, const LatencyHistogram& latency, size_t i) {
    report_.latency_histogram.Merge(latency);
    AgentCaseReport& agent = report_.agents[i];
    agent.statements += done.statements_succeeded();
    agent.failed += done.statements_failed();
    agent.interrupted += done.statements_interrupted();
    agent.cores = done.cpu().cores();
    sums_[i].latency.Merge(latency);
    sums_[i].busy_ns += done.cpu().process_ns();
    sums_[i].host_busy_ns += done.cpu().host_busy_ns();
    // Unsigned, so that instants which no clock shows overflow into a figure, not into a fault.
    const uint64_t open_ns = done.closed_at_ns() > done.opened_at_ns()
                                 ? static_cast<uint64_t>(done.closed_at_ns()) -
                                       static_cast<uint64_t>(done.opened_at_ns())
                                 : 0;
    sums_[i].core_ns += open_ns * done.cpu().cores();
  }

  bool Fault(size_t i, size_t number, const std::string& what, const absl::Status& status) {
    report_.agents[i].lost = true;
    if (faults_[i].empty()) {
      faults_[i] =
          absl::StrCat("round ", number, ": its ", what, " cannot be read: ", status.message(),
                       "; is it another version of dslap-agent?");
    }
    return false;
  }

  bool Ignores(uint32_t code) const {
    return context_.ignore_all_errors ||
           std::find(context_.ignored_errors.begin(), context_.ignored_errors.end(), code) !=
               context_.ignored_errors.end();
  }

  void FinishSeconds() {
    const bool use_complete = report_.rounds_complete > 0;
    uint64_t rounds = 0;
    double total = 0;
    for (const RoundReport& round : report_.rounds) {
      if (use_complete ? !round.complete : !round.measured) continue;
      total += round.seconds;
      report_.minimum_seconds =
          rounds == 0 ? round.seconds : std::min(report_.minimum_seconds, round.seconds);
      report_.maximum_seconds = std::max(report_.maximum_seconds, round.seconds);
      ++rounds;
    }
    if (rounds > 0) report_.average_seconds = total / static_cast<double>(rounds);
  }

  void FinishAgent(size_t i) {
    AgentCaseReport& agent = report_.agents[i];
    const AgentSums& sums = sums_[i];
    agent.queries_per_second = PerSecond(agent.statements);
    agent.latency = Summarize(sums.latency);
    agent.process_cpu = Share(sums.busy_ns, sums.core_ns);
    agent.host_cpu = Share(sums.host_busy_ns, sums.core_ns);
    MergeChannels(agent.channels, &report_.channels);
    if (agent.cores == 0) agent.cores = run_.agents[i].info.cores();
  }

  double PerSecond(uint64_t statements) const {
    return report_.measured_seconds > 0 ? static_cast<double>(statements) / report_.measured_seconds
                                        : 0;
  }

  const CaseRecord& record_;
  const RunRecord& run_;
  const RunContext& context_;
  std::vector<std::string>& faults_;
  std::vector<AgentSums> sums_;
  CaseReport report_;
  LatencyHistogram connect_;
  std::optional<uint64_t> fewest_connected_;
  uint64_t client_rounds_ = 0;
  bool any_started_ = false;
  bool any_complete_ = false;
};

}  // namespace

CaseReport AggregateCase(const CaseRecord& record, const RunRecord& run, const RunContext& context,
                         std::vector<std::string>* faults) {
  return CaseAggregator(record, run, context, faults).Finish();
}

}  // namespace dslap
