#include "controller/cli/parse_command_line.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "common/status_util.h"
#include "controller/cli/build_options.h"
#include "controller/cli/command_line.h"
#include "controller/cli/option_table.h"
#include "controller/cli/shell_quote.h"
#include "controller/cli/store_option.h"

namespace dslap {

absl::StatusOr<Options> ParseCommandLine(int argc, char** argv, const Environment& environment,
                                         std::vector<std::string>* warnings) {
  absl::Span<char* const> arguments(argv, argc < 0 ? 0 : static_cast<size_t>(argc));
  std::string echo;
  // A process may be started with no arguments at all, not even its name.
  if (!arguments.empty()) {
    echo = ShellQuote(arguments.front());
    arguments.remove_prefix(1);
  }
  const bool agents = !arguments.empty() && std::strcmp(arguments.front(), "agents") == 0;
  if (agents) {
    absl::StrAppend(&echo, " agents");
    arguments.remove_prefix(1);
  }

  const OptionVocabulary vocabulary = DslapVocabulary();
  ASSIGN_OR_RETURN(const CommandLine line, ReadCommandLine(arguments, vocabulary, warnings));
  OptionDraft draft;
  for (const ParsedOption& option : line.options) {
    RETURN_IF_ERROR(StoreOption(option, vocabulary, &draft));
  }
  draft.options.command_line = absl::StrCat(echo, line.echo.empty() ? "" : " ", line.echo);
  if (draft.options.command != Command::kRun) return std::move(draft.options);
  if (agents) return BuildAgentsOptions(std::move(draft));
  return BuildRunOptions(std::move(draft), environment, warnings);
}

}  // namespace dslap
