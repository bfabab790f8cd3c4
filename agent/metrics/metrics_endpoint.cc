#include "agent/metrics/metrics_endpoint.h"

#include <prometheus/exposer.h>
#include <unistd.h>

#include <exception>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/metrics/agent_metrics.h"
#include "agent/service/listen_address.h"
#include "common/log.h"
#include "common/status_util.h"

namespace dslap {
namespace {

// The library says of an address that it does not like only that it does not. A port that is free
// is found here, too.
absl::StatusOr<std::string> TryAddress(const std::string& numeric) {
  ASSIGN_OR_RETURN(const ListeningSocket socket, ListenOn(numeric));
  std::string address = AddressOf(socket.fd);
  close(socket.fd);
  return address;
}

}  // namespace

MetricsEndpoint::MetricsEndpoint() = default;
MetricsEndpoint::~MetricsEndpoint() = default;

absl::StatusOr<std::unique_ptr<MetricsEndpoint>> MetricsEndpoint::Start(const std::string& numeric,
                                                                        const RunFigures* figures,
                                                                        const AgentServer* server) {
  std::unique_ptr<MetricsEndpoint> made(new MetricsEndpoint());
  if (numeric.empty()) return made;
  ASSIGN_OR_RETURN(const std::string address, TryAddress(numeric));
  made->metrics_ = std::make_shared<AgentMetrics>(figures, server);
  // Whoever asks slowly, or not at all, keeps one of the threads for as long.
  const std::vector<std::string> options = {"listening_ports",    address, "num_threads", "4",
                                            "request_timeout_ms", "5000"};
  try {
    made->exposer_ = std::make_unique<prometheus::Exposer>(options);
    made->exposer_->RegisterCollectable(made->metrics_);
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("listen on ", address, ": ", error.what()));
  }
  LogInfo(absl::StrCat("metrics at http://", address, "/metrics"));
  return made;
}

}  // namespace dslap
