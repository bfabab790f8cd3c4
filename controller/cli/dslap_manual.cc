#include "controller/cli/dslap_manual.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/manual/value_kind.h"
#include "controller/cli/help_text.h"
#include "controller/cli/option_table.h"

namespace dslap {
namespace {

ValueUse UseOf(ArgumentKind argument) {
  switch (argument) {
    case ArgumentKind::kNone:
      return ValueUse::kNone;
    case ArgumentKind::kRequired:
      return ValueUse::kRequired;
    case ArgumentKind::kOptional:
      return ValueUse::kOptional;
  }
  return ValueUse::kNone;
}

OptionEntry EntryOf(const OptionSpec& spec) {
  OptionEntry entry;
  entry.group = absl::StrCat(GroupTitle(spec.group));
  entry.name = absl::StrCat(spec.name);
  entry.letter = spec.letter;
  entry.value = UseOf(spec.argument);
  entry.placeholder = absl::StrCat(spec.placeholder);
  entry.default_text = DefaultText(spec);
  entry.help = absl::StrCat(spec.help);
  entry.choices = LiteralChoices(spec.placeholder);
  if (!spec.values.empty()) entry.choices = absl::StrSplit(spec.values, '|');
  entry.may_be_skipped = IsSwitch(spec) || spec.skippable;
  entry.first_only = spec.first_only;
  return entry;
}

}  // namespace

ProgramManual DslapManual() {
  ProgramManual manual;
  manual.program = "dslap";
  for (const OptionSpec& spec : OptionTable()) manual.options.push_back(EntryOf(spec));
  for (const ExitCodeMeaning& row : ExitCodeMeanings()) {
    manual.exit_codes.push_back({static_cast<int>(row.code), absl::StrCat(row.meaning)});
  }
  manual.subcommands = {"agents"};
  manual.separate_values = true;
  return manual;
}

}  // namespace dslap
