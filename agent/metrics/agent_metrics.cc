#include "agent/metrics/agent_metrics.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "agent/metrics/self_figures.h"
#include "agent/service/refusal_log.h"
#include "common/version.h"

namespace dslap {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr uint64_t kBoundsNs[] = {100'000,       250'000,       500'000,       1'000'000,
                                  2'500'000,     5'000'000,     10'000'000,    25'000'000,
                                  50'000'000,    100'000'000,   250'000'000,   500'000'000,
                                  1'000'000'000, 2'500'000'000, 5'000'000'000, 10'000'000'000};

MetricFamily Family(absl::string_view name, absl::string_view help, MetricType type) {
  MetricFamily family;
  family.name = absl::StrCat(name);
  family.help = absl::StrCat(help);
  family.type = type;
  return family;
}

void AddValue(MetricFamily* family, double value, absl::string_view label = "",
              absl::string_view label_value = "") {
  ClientMetric metric;
  if (!label.empty()) metric.label.push_back({absl::StrCat(label), absl::StrCat(label_value)});
  if (family->type == MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  family->metric.push_back(std::move(metric));
}

MetricFamily One(absl::string_view name, absl::string_view help, MetricType type, double value) {
  MetricFamily family = Family(name, help, type);
  AddValue(&family, value);
  return family;
}

MetricFamily Counter(absl::string_view name, absl::string_view help, uint64_t value) {
  return One(name, help, MetricType::Counter, static_cast<double>(value));
}

MetricFamily Gauge(absl::string_view name, absl::string_view help, uint64_t value) {
  return One(name, help, MetricType::Gauge, static_cast<double>(value));
}

MetricFamily BuildInfo() {
  MetricFamily family =
      Family("dslap_agent_build_info", "Always 1; which build this is.", MetricType::Gauge);
  AddValue(&family, 1, "version", BuildVersion());
  return family;
}

MetricFamily Runs(const RunFigures::Totals& totals) {
  MetricFamily family = Family("dslap_agent_runs_total",
                               "Runs that had the agent, by how they ended.", MetricType::Counter);
  for (size_t i = 0; i < kRunEnds; ++i) {
    AddValue(&family, static_cast<double>(totals.runs[i]), "end", NameOf(static_cast<RunEnd>(i)));
  }
  return family;
}

MetricFamily Statements(const RunFigures::Totals& totals) {
  MetricFamily family = Family("dslap_agent_statements_total",
                               "Statements of clients, by what became of them; those that failed "
                               "or were interrupted when their round has ended.",
                               MetricType::Counter);
  AddValue(&family, static_cast<double>(totals.statements_succeeded), "outcome", "succeeded");
  AddValue(&family, static_cast<double>(totals.statements_failed), "outcome", "failed");
  AddValue(&family, static_cast<double>(totals.statements_interrupted), "outcome", "interrupted");
  return family;
}

MetricFamily Errors(const RunFigures::Totals& totals) {
  MetricFamily family =
      Family("dslap_agent_errors_total",
             "Errors of statements and connects, by class; when their round has ended.",
             MetricType::Counter);
  for (size_t i = 0; i < kErrorClasses; ++i) {
    AddValue(&family, static_cast<double>(totals.errors[i]), "class",
             NameOf(static_cast<ErrorClass>(i)));
  }
  return family;
}

MetricFamily Durations(const RunFigures::Totals& totals) {
  MetricFamily family =
      Family("dslap_agent_statement_duration_seconds",
             "Latency of the statements that succeeded, of ended rounds.", MetricType::Histogram);
  ClientMetric metric;
  metric.histogram = InSeconds(totals.latency);
  family.metric.push_back(std::move(metric));
  return family;
}

MetricFamily Refused(const AgentServer& server) {
  MetricFamily family = Family("dslap_agent_refused_total",
                               "Callers that were turned away, by reason.", MetricType::Counter);
  for (size_t i = 0; i < kRefusalKinds; ++i) {
    const auto kind = static_cast<Refusal>(i);
    AddValue(&family, static_cast<double>(server.Refused(kind)), "reason", RefusalName(kind));
  }
  return family;
}

// Named as Prometheus's own client libraries name them.
void AddProcess(std::vector<MetricFamily>* families) {
  const SelfFigures self = ReadSelfFigures();
  families->push_back(One("process_cpu_seconds_total", "User and system time.", MetricType::Counter,
                          self.cpu_seconds));
  families->push_back(One("process_start_time_seconds", "When the agent started, since 1970.",
                          MetricType::Gauge, self.start_time_seconds));
  families->push_back(
      Gauge("process_resident_memory_bytes", "Resident memory.", self.resident_bytes));
  families->push_back(Gauge("process_virtual_memory_bytes", "Virtual memory.", self.virtual_bytes));
  families->push_back(Gauge("process_threads", "Threads.", self.threads));
  families->push_back(Gauge("process_open_fds", "Descriptors in use.", self.open_files));
  families->push_back(Gauge("process_max_fds", "Descriptors allowed.", self.max_open_files));
}

}  // namespace

ClientMetric::Histogram InSeconds(const LatencyHistogram& histogram) {
  ClientMetric::Histogram out;
  out.sample_count = histogram.count();
  out.sample_sum = static_cast<double>(histogram.sum_ns()) / 1e9;
  uint64_t cumulative = 0;
  size_t bucket = 0;
  for (const uint64_t bound_ns : kBoundsNs) {
    for (; bucket < LatencyHistogram::kBuckets &&
           LatencyHistogram::LowestOf(bucket) + LatencyHistogram::WidthOf(bucket) - 1 <= bound_ns;
         ++bucket) {
      cumulative += histogram.bucket_count(bucket);
    }
    out.bucket.push_back({cumulative, static_cast<double>(bound_ns) / 1e9});
  }
  out.bucket.push_back({histogram.count(), std::numeric_limits<double>::infinity()});
  return out;
}

std::vector<MetricFamily> AgentMetrics::Collect() const {
  const RunFigures::Totals totals = figures_->Read();
  std::vector<MetricFamily> families;
  families.push_back(BuildInfo());
  families.push_back(Gauge("dslap_agent_busy", "1 while a run has the agent.", totals.busy));
  families.push_back(Runs(totals));
  families.push_back(
      Counter("dslap_agent_rounds_total", "Rounds whose gate opened.", totals.rounds));
  families.push_back(
      Gauge("dslap_agent_clients", "Clients of the round that is ready or runs.", totals.clients));
  families.push_back(Gauge("dslap_agent_clients_connected",
                           "Clients with a connection, or kept connections between rounds.",
                           totals.clients_connected));
  families.push_back(Statements(totals));
  families.push_back(Errors(totals));
  families.push_back(Counter("dslap_agent_reconnects_total",
                             "Connects of clients within rounds that have ended.",
                             totals.reconnects));
  families.push_back(Durations(totals));
  families.push_back(Refused(*server_));
  families.push_back(Gauge("dslap_agent_connections", "Connections of callers to the agent.",
                           server_->Connections()));
  AddProcess(&families);
  return families;
}

}  // namespace dslap
