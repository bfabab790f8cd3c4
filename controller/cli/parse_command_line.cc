#include "controller/cli/parse_command_line.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "common/status_util.h"
#include "controller/cli/build_options.h"
#include "controller/cli/command_line.h"
#include "controller/cli/file_options.h"
#include "controller/cli/option_table.h"
#include "controller/cli/read_defaults.h"
#include "controller/cli/shell_quote.h"

namespace dslap {
namespace {

// --help and --version need none, and must work whatever stands in them.
bool ReadsFiles(const CommandLine& line) {
  const bool stops = !line.options.empty() && line.options.back().spec->stops;
  return !stops || HasOption(line, "print-defaults");
}

}  // namespace

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
  OptionPlaces places;
  if (ReadsFiles(line)) {
    ASSIGN_OR_RETURN(const std::vector<OptionFileEntry> entries,
                     ReadDefaults(line, vocabulary, environment.option_files, warnings));
    if (HasOption(line, "print-defaults")) {
      draft.options.command = Command::kPrintDefaults;
      draft.options.printed_defaults = PrintedDefaults(entries, line, vocabulary);
      return std::move(draft.options);
    }
    ASSIGN_OR_RETURN(const std::vector<ParsedOption> options,
                     ReadFileOptions(entries, vocabulary, warnings));
    ASSIGN_OR_RETURN(places, StoreFileOptions(options, vocabulary, &draft));
  }
  RETURN_IF_ERROR(StoreCommandLine(line.options, vocabulary, &draft));
  draft.options.command_line = absl::StrCat(echo, line.echo.empty() ? "" : " ", line.echo);
  if (draft.options.command != Command::kRun) return std::move(draft.options);
  const std::vector<std::string> given = draft.given;
  absl::StatusOr<Options> options = agents
                                        ? BuildAgentsOptions(std::move(draft), environment)
                                        : BuildRunOptions(std::move(draft), environment, warnings);
  if (!options.ok()) return WithPlaces(options.status(), places, given);
  return options;
}

}  // namespace dslap
