#include "agent/service/production_environment.h"

#include <memory>
#include <utility>

#include "agent/engine/cpu_meter.h"
#include "agent/engine/make_engine.h"
#include "agent/service/host_info.h"
#include "agent/sql/mysql_connection_factory.h"

namespace dslap {

void FillInProduction(SessionEnvironment* environment) {
  const HostInfo host = ReadHostInfo();
  if (environment->hostname.empty()) environment->hostname = host.hostname;
  if (environment->cores == 0) environment->cores = host.cores;
  if (!environment->make_connections) {
    environment->make_connections = [](SqlTarget target) {
      return std::make_shared<MySqlConnectionFactory>(std::move(target));
    };
  }
  if (!environment->make_engine) {
    environment->make_engine = MakeEngine;
    environment->loops_from_clients = MySqlConnectionFactory::HasLoops() ? kLoopsFromClients : 0;
  }
  if (!environment->read_cpu) {
    environment->read_cpu = [meter = std::make_shared<const CpuMeter>()] { return meter->Read(); };
  }
}

}  // namespace dslap
