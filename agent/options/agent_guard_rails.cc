#include "agent/options/agent_guard_rails.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "agent/guard/target_guard.h"
#include "agent/guard/target_rule.h"
#include "agent/options/agent_option_table.h"
#include "agent/sql/mysql_library.h"

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

}  // namespace

GuardRails MakeGuardRails(const AgentOptions& options) {
  GuardRails rails;
  if (!options.allow_target.empty()) {
    std::vector<TargetRule> rules;
    for (const std::string& text : options.allow_target) {
      rules.push_back(ParseTargetRule(text).value());
    }
    rails.target_rule = Rule(options, "allow-target");
    rails.admit_target = [guard = std::make_shared<const TargetGuard>(
                              std::move(rules), rails.target_rule, &LookUpHost,
                              DefaultSocketPath())](SqlTarget* target) {
      return guard->Admit(target);
    };
  }
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
