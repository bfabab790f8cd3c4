#include "agent/options/agent_manual.h"

#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
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
  for (const absl::string_view line : absl::StrSplit(AgentExitCodes(), '\n', absl::SkipEmpty())) {
    const std::pair<absl::string_view, std::string> row =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    ExitCodeEntry code;
    if (absl::SimpleAtoi(row.first, &code.code)) {
      code.meaning = row.second;
      manual.exit_codes.push_back(std::move(code));
    }
  }
  return manual;
}

}  // namespace dslap
