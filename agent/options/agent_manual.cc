#include "agent/options/agent_manual.h"

#include "absl/strings/str_cat.h"
#include "agent/options/agent_option_table.h"
#include "agent/options/agent_option_text.h"
#include "common/manual/value_kind.h"

namespace dslap {
namespace {

OptionEntry EntryOf(const AgentOption& option) {
  OptionEntry entry;
  entry.name = absl::StrCat(option.name);
  if (!option.placeholder.empty()) entry.value = ValueUse::kRequired;
  entry.placeholder = absl::StrCat(option.placeholder);
  entry.default_text = AgentOptionDefault(option);
  entry.help = absl::StrCat(option.help, option.details.empty() ? "" : " ", option.details);
  entry.choices = LiteralChoices(option.placeholder);
  entry.command_line_only = option.command_line_only;
  return entry;
}

}  // namespace

ProgramManual AgentManual() {
  ProgramManual manual;
  manual.program = "dslap-agent";
  for (const AgentOption& option : AgentOptionTable()) manual.options.push_back(EntryOf(option));
  for (const AgentExitCode& row : AgentExitCodes()) {
    manual.exit_codes.push_back({row.code, absl::StrCat(row.meaning)});
  }
  return manual;
}

}  // namespace dslap
