#include "agent/options/agent_guard_rails.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "agent/guard/library_guard.h"
#include "agent/guard/own_files.h"
#include "agent/guard/target_guard.h"
#include "agent/guard/target_rule.h"
#include "agent/options/agent_option_table.h"
#include "agent/sql/mysql_library.h"
#include "common/host_lookup.h"
#include "common/status_util.h"

namespace dslap {
namespace {

// Of a list of rules in a message.
constexpr size_t kLongestShown = 200;

// "--max-clients=100 (/etc/dslap/agent.conf:8)"
std::string Rule(const AgentOptions& options, absl::string_view name) {
  std::string value = AgentOptionValue(*FindAgentOption(name), options);
  if (value.size() > kLongestShown) value = absl::StrCat(value.substr(0, kLongestShown), "...");
  const auto place = options.places.find(name);
  const bool in_file = place != options.places.end() && place->second != kCommandLinePlace;
  return absl::StrCat("--", name, "=", value,
                      in_file ? absl::StrCat(" (", place->second, ")") : "");
}

std::shared_ptr<const TargetGuard> MakeTargetGuard(const AgentOptions& options,
                                                   const std::string& shown) {
  if (options.allow_target.empty()) return nullptr;
  std::vector<TargetRule> rules;
  for (const std::string& text : options.allow_target) {
    rules.push_back(ParseTargetRule(text).value());
  }
  return std::make_shared<const TargetGuard>(std::move(rules), shown, &LookUpHost,
                                             DefaultSocketPath());
}

}  // namespace

GuardRails MakeGuardRails(const AgentOptions& options) {
  GuardRails rails;
  if (!options.allow_target.empty()) rails.target_rule = Rule(options, "allow-target");
  rails.admit_target =
      [targets = MakeTargetGuard(options, rails.target_rule),
       libraries = std::make_shared<const LibraryGuard>(options.allow_library_dir,
                                                        Rule(options, "allow-library-dir")),
       own_files = std::vector<OwnFile>{{"--tls-key", options.tls.key},
                                        {"--tls-cert", options.tls.certificate},
                                        {"--token-file", options.token_file}}](SqlTarget* target) {
        RETURN_IF_ERROR(libraries->Admit(*target));
        RETURN_IF_ERROR(RefuseOwnFiles(*target, own_files));
        return targets == nullptr ? absl::OkStatus() : targets->Admit(target);
      };
  if (options.max_clients != 0) {
    rails.max_clients = options.max_clients;
    rails.max_clients_rule = Rule(options, "max-clients");
  }
  if (options.max_run_time != absl::ZeroDuration()) {
    rails.max_run_time_ns = absl::ToInt64Nanoseconds(options.max_run_time);
    rails.max_run_time_rule = Rule(options, "max-run-time");
  }
  return rails;
}

}  // namespace dslap
