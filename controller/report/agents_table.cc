#include "controller/report/agents_table.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "common/version.h"
#include "controller/report/terminal_text.h"
#include "controller/report/text_table.h"
#include "controller/report/units.h"

namespace dslap {
namespace {

constexpr int64_t kExpiryWarningSeconds = 30 * 24 * 3600;

std::string WhyNot(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
      return "unreachable";
    case absl::StatusCode::kDeadlineExceeded:
      return "no answer";
    case absl::StatusCode::kUnimplemented:
      return "no agent";
    case absl::StatusCode::kUnauthenticated:
      return "refused";
    default:
      return "failed";
  }
}

absl::Status Compatible(const AgentStatus& agent) {
  return CheckProtocol(agent.info->protocol(), agent.info->build(),
                       absl::StrCat("agent ", agent.name));
}

std::string State(const AgentStatus& agent) {
  if (!agent.info.ok()) return WhyNot(agent.info.status());
  if (!Compatible(agent).ok()) return "incompatible";
  return agent.info->has_active_run() ? "busy" : agent.info->has_ending_run() ? "ending" : "idle";
}

std::string CertificateLine(int64_t expires_unix, int64_t now_unix) {
  const int64_t left = expires_unix - now_unix;
  return absl::StrCat(
      "  TLS, its certificate ", left < 0 ? "expired on " : "is valid until ",
      absl::FormatTime("%Y-%m-%d", absl::FromUnixSeconds(expires_unix), absl::UTCTimeZone()),
      left < kExpiryWarningSeconds ? ": renew it" : "");
}

void AddAgent(const AgentStatus& agent, int64_t now_unix, TextTable* table) {
  if (!agent.info.ok()) {
    table->AddRow({ForTerminal(agent.name), State(agent)});
    table->AddLine(absl::StrCat("  ", ForTerminal(agent.info.status().message())));
    return;
  }
  const v1::GetInfoResponse& info = *agent.info;
  table->AddRow({ForTerminal(agent.name), State(agent), ForTerminal(info.build()),
                 absl::StrCat(info.protocol().major(), ".", info.protocol().minor()),
                 ForTerminal(info.hostname()), absl::StrCat(info.cores()),
                 FormatBytes(info.memory_bytes()), absl::StrCat(info.max_open_files()),
                 absl::StrFormat("%.2f", info.load_average()),
                 FormatDuration(static_cast<double>(agent.round_trip_ns))});
  if (const absl::Status compatible = Compatible(agent); !compatible.ok()) {
    table->AddLine(absl::StrCat("  ", ForTerminal(compatible.message())));
  }
  if (info.has_ending_run()) {
    table->AddLine(absl::StrCat("  cleaning up after run ", ForTerminal(info.ending_run().run_id()),
                                " of ", ForTerminal(info.ending_run().controller())));
  }
  if (info.certificate_expires_at() != 0) {
    table->AddLine(CertificateLine(info.certificate_expires_at(), now_unix));
  }
  for (const std::string& rule :
       {info.guard_rails().target_rule(), info.guard_rails().max_clients_rule(),
        info.guard_rails().max_run_time_rule()}) {
    if (!rule.empty()) table->AddLine(absl::StrCat("  ", ForTerminal(rule)));
  }
  if (info.has_active_run()) {
    const v1::ActiveRun& run = info.active_run();
    table->AddLine(absl::StrCat("  busy for ", FormatDuration(static_cast<double>(run.age_ns())),
                                " with run ", ForTerminal(run.run_id()), ", held by ",
                                ForTerminal(run.controller())));
  }
}

}  // namespace

std::string FormatAgentsTable(const std::vector<AgentStatus>& agents, int64_t now_unix) {
  constexpr auto kLeft = TextTable::kLeft;
  constexpr auto kRight = TextTable::kRight;
  TextTable table({kLeft, kLeft, kLeft, kLeft, kLeft, kRight, kRight, kRight, kRight, kRight});
  table.AddRow({"AGENT", "STATE", "VERSION", "PROTO", "HOST", "CORES", "MEMORY", "FILES", "LOAD",
                "ROUND TRIP"});
  for (const AgentStatus& agent : agents) AddAgent(agent, now_unix, &table);
  return table.Format("");
}

ExitCode AgentsExitCode(const std::vector<AgentStatus>& agents) {
  const bool all = std::all_of(agents.begin(), agents.end(), [](const AgentStatus& agent) {
    return agent.info.ok() && Compatible(agent).ok();
  });
  return all ? ExitCode::kValid : ExitCode::kAgentUnavailable;
}

}  // namespace dslap
