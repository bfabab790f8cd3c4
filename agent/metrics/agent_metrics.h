// The agent's figures in Prometheus's form; docs/agent_service.md lists the names.
//
//   const auto metrics = std::make_shared<AgentMetrics>(&figures, server.get());
//   exposer.RegisterCollectable(metrics);
#ifndef DSLAP_AGENT_METRICS_AGENT_METRICS_H_
#define DSLAP_AGENT_METRICS_AGENT_METRICS_H_

#include <prometheus/client_metric.h>
#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <vector>

#include "agent/metrics/run_figures.h"
#include "agent/service/agent_server.h"
#include "common/histogram.h"

namespace dslap {

// Thread-safe.
class AgentMetrics final : public prometheus::Collectable {
 public:
  // Both must outlive it.
  AgentMetrics(const RunFigures* figures, const AgentServer* server)
      : figures_(figures), server_(server) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const RunFigures* const figures_;
  const AgentServer* const server_;
};

// With fixed buckets from 0.1 ms to 10 s. A bucket's count is off by those values at most that are
// within 1/64 of its bound.
prometheus::ClientMetric::Histogram InSeconds(const LatencyHistogram& histogram);

}  // namespace dslap

#endif  // DSLAP_AGENT_METRICS_AGENT_METRICS_H_
