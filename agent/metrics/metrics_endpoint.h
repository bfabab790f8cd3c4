// Serves the agent's metrics over HTTP at /metrics, for Prometheus to fetch. In plain text and to
// whoever asks: on loopback only.
//
//   ASSIGN_OR_RETURN(auto endpoint, MetricsEndpoint::Start("127.0.0.1:9527", &figures,
//   server.get()));
#ifndef DSLAP_AGENT_METRICS_METRICS_ENDPOINT_H_
#define DSLAP_AGENT_METRICS_METRICS_ENDPOINT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "agent/metrics/run_figures.h"
#include "agent/service/agent_server.h"

namespace prometheus {
class Exposer;
}  // namespace prometheus

namespace dslap {

class AgentMetrics;

// Serves until it is destroyed.
class MetricsEndpoint {
 public:
  // `numeric`: "127.0.0.1:9527", "[::1]:0"; empty: nothing is served. Logs what is. `figures` and
  // `server` must outlive the endpoint. The error of an address that cannot be listened on names
  // it.
  static absl::StatusOr<std::unique_ptr<MetricsEndpoint>> Start(const std::string& numeric,
                                                                const RunFigures* figures,
                                                                const AgentServer* server);
  ~MetricsEndpoint();
  MetricsEndpoint(const MetricsEndpoint&) = delete;
  MetricsEndpoint& operator=(const MetricsEndpoint&) = delete;

 private:
  MetricsEndpoint();

  std::shared_ptr<AgentMetrics> metrics_;
  std::unique_ptr<prometheus::Exposer> exposer_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_METRICS_METRICS_ENDPOINT_H_
