#include "controller/cli/option_markdown.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "controller/cli/help_text.h"
#include "controller/cli/option_table.h"

namespace dslap {
namespace {

// A bar ends a table's cell, also inside code.
std::string Cell(absl::string_view text) { return absl::StrReplaceAll(text, {{"|", "\\|"}}); }

std::string OptionRow(const OptionSpec& spec) {
  const std::string initial = DefaultText(spec);
  return absl::StrCat("| `", Cell(OptionSyntax(spec)), "` | ", Cell(initial), " | ",
                      Cell(spec.help), spec.own ? " *(not in mysqlslap)*" : "", " |\n");
}

}  // namespace

std::string OptionMarkdown() {
  std::string text;
  std::optional<OptionGroup> group;
  for (const OptionSpec& spec : OptionTable()) {
    if (group != spec.group) {
      absl::StrAppend(&text, "\n### ", GroupTitle(spec.group),
                      "\n\n| Option | Default | Meaning |\n|---|---|---|\n");
    }
    group = spec.group;
    absl::StrAppend(&text, OptionRow(spec));
  }
  absl::StrAppend(&text, "\n### Exit codes\n\n| Code | Meaning |\n|---|---|\n");
  for (const ExitCodeMeaning& row : ExitCodeMeanings()) {
    absl::StrAppend(&text, "| ", static_cast<int>(row.code), " | ", row.meaning, " |\n");
  }
  absl::StrAppend(&text, "\n### Options of mysqlslap that are refused\n\n",
                  "| Option | Why |\n|---|---|\n");
  for (const AbsentOption& option : AbsentOptions()) {
    const std::string letter =
        option.letter == 0 ? "" : absl::StrCat("-", std::string(1, option.letter), ", ");
    absl::StrAppend(&text, "| `", letter, "--", option.name, "` | ", Cell(option.reason), " |\n");
  }
  text.push_back('\n');
  return text;
}

absl::StatusOr<std::string> ReplaceGeneratedPart(absl::string_view page) {
  const size_t begin = page.find(kGeneratedBegin);
  const size_t end = page.find(kGeneratedEnd);
  if (begin == absl::string_view::npos || end == absl::string_view::npos || end < begin ||
      page.find(kGeneratedBegin, begin + 1) != absl::string_view::npos ||
      page.find(kGeneratedEnd, end + 1) != absl::string_view::npos) {
    return absl::FailedPreconditionError(
        absl::StrCat("the page must hold these two lines, each once and in this order:\n",
                     kGeneratedBegin, kGeneratedEnd));
  }
  return absl::StrCat(page.substr(0, begin + kGeneratedBegin.size()), OptionMarkdown(),
                      page.substr(end));
}

}  // namespace dslap
