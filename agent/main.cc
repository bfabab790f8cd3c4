// dslap-agent: composes the agent's server and waits for a signal.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "agent/metrics/metrics_endpoint.h"
#include "agent/metrics/run_figures.h"
#include "agent/options/agent_guard_rails.h"
#include "agent/options/agent_option_checks.h"
#include "agent/options/agent_option_text.h"
#include "agent/options/parse_agent_options.h"
#include "agent/service/agent_server.h"
#include "agent/service/grpc_log.h"
#include "agent/service/host_info.h"
#include "agent/service/link_reflection.h"
#include "agent/supervision/service_manager.h"
#include "agent/supervision/service_reporter.h"
#include "common/log.h"
#include "common/shutdown_signal.h"
#include "common/standard_streams.h"
#include "common/status_util.h"
#include "common/version.h"

namespace dslap {
namespace {

int Fail(const absl::Status& status, int exit_code) {
  if (LogsToJournal()) {
    LogError(status.message());
    return exit_code;
  }
  std::fprintf(stderr, "dslap-agent: %s\n", absl::StrCat(status.message()).c_str());
  return exit_code;
}

int64_t NowUnix() { return absl::ToUnixSeconds(absl::Now()); }

int Print(const std::string& text) { return std::fputs(text.c_str(), stdout) < 0 ? 1 : 0; }

// Says all that is wrong.
int CheckConfig(const ParsedAgentOptions& parsed) {
  std::vector<absl::Status> errors = parsed.errors;
  std::string address;
  for (absl::Status& error : FindConfigErrors(parsed.options, NowUnix(), &address)) {
    errors.push_back(std::move(error));
  }
  for (const absl::Status& error : errors) Fail(error, 2);
  if (!errors.empty()) return 2;
  return Print(
      absl::StrCat("ok: would listen on ", address, DescribeLinkSecurity(parsed.options), "\n"));
}

// For systemctl status.
std::string Describe(const AgentServer& server, const RunFigures& figures) {
  const uint64_t clients = figures.Read().clients;
  return clients == 0 ? server.Activity()
                      : absl::StrCat(server.Activity(), ", ", clients, " clients");
}

int Serve(const AgentOptions& options) {
  // Before anything that starts a thread.
  const auto passed = TakePassedSocket();
  if (!passed.ok()) return Fail(passed.status(), 2);
  absl::Notification stop;
  const ShutdownSignal signals([&stop](int times, int /*signal*/) {
    if (times > 1) _exit(EXIT_FAILURE);
    stop.Notify();
  });
  GrpcLog::Install();
  RaiseOpenFilesLimit();
  const absl::Status secured = CheckLinkSecurity(options, NowUnix());
  if (!secured.ok()) return Fail(secured, 2);
  const absl::StatusOr<std::string> address =
      AddressToListenOn(options, *passed ? std::make_optional((*passed)->address) : std::nullopt);
  if (!address.ok()) return Fail(address.status(), 2);
  const absl::StatusOr<std::string> metrics_address = AddressOfMetrics(options);
  if (!metrics_address.ok()) return Fail(metrics_address.status(), 2);
  LinkReflection();
  RunFigures figures;
  AgentServer::Options server_options;
  server_options.environment.observer = &figures;
  server_options.reflection = options.reflection;
  server_options.listen_address = *address;
  if (passed->has_value()) server_options.listening_fd = (*passed)->fd;
  server_options.tls = options.tls;
  server_options.token_file = options.token_file;
  server_options.environment.guard_rails = MakeGuardRails(options);
  const auto server = StartAgentServer(std::move(server_options));
  if (!server.ok()) return Fail(server.status(), 1);
  const auto metrics = MetricsEndpoint::Start(*metrics_address, &figures, server->get());
  if (!metrics.ok()) return Fail(Annotate(metrics.status(), "--metrics"), 1);
  if (options.insecure) LogWarning(kInsecureWarning);
  LogInfo(absl::StrCat("dslap-agent ", BuildVersion(), " listening on ", (*server)->address(),
                       DescribeLinkSecurity(options)));
  ServiceReporter reporter(
      {.notify = NotifyServiceManager,
       .describe = [&] { return Describe(**server, figures); },
       .check = [&](absl::Duration patience) { return (*server)->CheckAlive(patience); },
       .watchdog = WatchdogPeriod()});
  stop.WaitForNotification();
  LogInfo("shutting down");
  reporter.Stopping("ending what goes on");
  if ((*server)->Drain(absl::Seconds(10))) return EXIT_SUCCESS;
  LogError("a run did not end within 10 s: leaving it behind");
  _exit(EXIT_FAILURE);
}

}  // namespace
}  // namespace dslap

int main(int argc, char** argv) {
  dslap::OpenMissingStandardStreams();
  const dslap::ParsedAgentOptions parsed =
      dslap::ReadAgentOptions({argv + 1, argv + argc}, [](const std::string& path) {
        return dslap::ReadBeginning(path, dslap::kLongestConfFile + 1);
      });
  const dslap::AgentOptions& options = parsed.options;
  if (options.check_config) return dslap::CheckConfig(parsed);
  if (!parsed.errors.empty()) return dslap::Fail(parsed.errors.front(), 2);
  if (options.help) return dslap::Print(dslap::AgentHelpText());
  if (options.version) {
    return dslap::Print(absl::StrCat("dslap-agent ", dslap::BuildVersion(), ", agent protocol ",
                                     dslap::kProtocolMajor, ".", dslap::kProtocolMinor, "\n"));
  }
  if (options.print_config) return dslap::Print(dslap::AgentConfigText(options));
  return dslap::Serve(options);
}
