#include "controller/cli/custom_fields.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_util.h"
#include "controller/cli/agent_list.h"
#include "controller/cli/choose.h"
#include "controller/cli/value_parser.h"

namespace dslap {
namespace {

// What a case may ask for: far above what hosts can open, so that only slips of the pen are hit.
constexpr uint64_t kMostClients = 1'000'000;
// MySQL's and MariaDB's limit for one table.
constexpr uint64_t kMostColumns = 4096;

absl::StatusOr<ColumnCount> BoundedColumns(const std::string& text) {
  ASSIGN_OR_RETURN(const ColumnCount count, ParseColumnCount(text));
  if (count.columns > kMostColumns) {
    return absl::InvalidArgumentError(
        absl::StrCat("must be at most ", kMostColumns, ", the most columns a table can have"));
  }
  return count;
}

// The file of --csv and --json: none and "-" mean standard output, kept as an empty string.
absl::Status StoreOutputFile(const ParsedOption& option, std::optional<std::string>* file) {
  const std::string name = option.text.value_or("-");
  if (name.empty()) {
    return absl::InvalidArgumentError(
        "names no file; leave the '=' out, or write =-, for standard output");
  }
  *file = name == "-" ? "" : name;
  return absl::OkStatus();
}

}  // namespace

absl::Status StoreConcurrency(const ParsedOption& option, OptionDraft* draft) {
  ASSIGN_OR_RETURN(std::vector<uint64_t> clients, ParseNumberList(*option.text));
  for (const uint64_t number : clients) {
    if (number == 0) {
      return absl::InvalidArgumentError("a case needs at least 1 client");
    }
    if (number > kMostClients) {
      return absl::InvalidArgumentError(
          absl::StrCat(number, " clients are too many; the most is ", kMostClients));
    }
  }
  draft->options.concurrency = std::move(clients);
  return absl::OkStatus();
}

absl::Status StoreDelimiter(const ParsedOption& option, OptionDraft* draft) {
  if (option.text->empty()) {
    return absl::InvalidArgumentError(
        "is empty; give the text that ends a statement, as in --delimiter=';'");
  }
  draft->options.delimiter = *option.text;
  draft->options.delimiter_given = true;
  return absl::OkStatus();
}

absl::Status StoreLoadType(const ParsedOption& option, OptionDraft* draft) {
  static constexpr Choice<LoadType> kChoices[] = {{"mixed", LoadType::kMixed},
                                                  {"update", LoadType::kUpdate},
                                                  {"write", LoadType::kWrite},
                                                  {"key", LoadType::kKey},
                                                  {"read", LoadType::kRead}};
  ASSIGN_OR_RETURN(draft->options.generate.load_type, Choose(*option.text, kChoices));
  return absl::OkStatus();
}

absl::Status StoreIntColumns(const ParsedOption& option, OptionDraft* draft) {
  ASSIGN_OR_RETURN(const ColumnCount count, BoundedColumns(*option.text));
  draft->options.generate.int_columns = count.columns;
  draft->options.generate.index_int_columns = count.indexed;
  return absl::OkStatus();
}

absl::Status StoreCharColumns(const ParsedOption& option, OptionDraft* draft) {
  ASSIGN_OR_RETURN(const ColumnCount count, BoundedColumns(*option.text));
  draft->options.generate.char_columns = count.columns;
  draft->options.generate.index_char_columns = count.indexed;
  return absl::OkStatus();
}

absl::Status StoreSchema(const ParsedOption& option, OptionDraft* draft) {
  if (option.text->empty()) {
    return absl::InvalidArgumentError("is empty; give the name of the schema to work in");
  }
  draft->options.schema = *option.text;
  draft->options.schema_given = true;
  return absl::OkStatus();
}

absl::Status StoreEngines(const ParsedOption& option, OptionDraft* draft) {
  ASSIGN_OR_RETURN(draft->options.engines, ParseEngines(*option.text));
  return absl::OkStatus();
}

absl::Status StoreIgnoredErrors(const ParsedOption& option, OptionDraft* draft) {
  ASSIGN_OR_RETURN(IgnoredErrors ignored, ParseIgnoredErrors(*option.text));
  draft->options.ignore_all_errors = ignored.all;
  draft->options.ignored_errors = std::move(ignored.codes);
  return absl::OkStatus();
}

absl::Status StoreAgents(const ParsedOption& option, OptionDraft* draft) {
  ASSIGN_OR_RETURN(draft->options.agents, ParseAgents(*option.text));
  return absl::OkStatus();
}

absl::Status StoreVerbose(const ParsedOption& /*option*/, OptionDraft* draft) {
  ++draft->options.verbosity;
  return absl::OkStatus();
}

absl::Status StoreCsv(const ParsedOption& option, OptionDraft* draft) {
  return StoreOutputFile(option, &draft->options.csv_file);
}

absl::Status StoreJson(const ParsedOption& option, OptionDraft* draft) {
  return StoreOutputFile(option, &draft->options.json_file);
}

absl::Status StoreCompat(const ParsedOption& option, OptionDraft* draft) {
  static constexpr Choice<Compat> kChoices[] = {{"mysql", Compat::kMySql},
                                                {"mariadb", Compat::kMariaDb}};
  ASSIGN_OR_RETURN(draft->options.compat, Choose(*option.text, kChoices));
  return absl::OkStatus();
}

absl::Status StoreLoadEngine(const ParsedOption& option, OptionDraft* draft) {
  static constexpr Choice<LoadEngineKind> kChoices[] = {{"auto", LoadEngineKind::kAuto},
                                                        {"threads", LoadEngineKind::kThreads},
                                                        {"epoll", LoadEngineKind::kEventLoops}};
  ASSIGN_OR_RETURN(draft->options.load_engine.kind, Choose(*option.text, kChoices));
  return absl::OkStatus();
}

absl::Status StoreAgentLoss(const ParsedOption& option, OptionDraft* draft) {
  static constexpr Choice<AgentLossPolicy> kChoices[] = {{"stop", AgentLossPolicy::kStop},
                                                         {"continue", AgentLossPolicy::kContinue}};
  ASSIGN_OR_RETURN(draft->options.on_agent_loss, Choose(*option.text, kChoices));
  return absl::OkStatus();
}

absl::Status StorePreflight(const ParsedOption& option, OptionDraft* draft) {
  static constexpr Choice<PreflightPolicy> kChoices[] = {{"refuse", PreflightPolicy::kRefuse},
                                                         {"warn", PreflightPolicy::kWarn}};
  ASSIGN_OR_RETURN(draft->options.preflight, Choose(*option.text, kChoices));
  return absl::OkStatus();
}

absl::Status StoreNothing(const ParsedOption& /*option*/, OptionDraft* /*draft*/) {
  return absl::OkStatus();
}

absl::Status StoreHelp(const ParsedOption& /*option*/, OptionDraft* draft) {
  draft->options.command = Command::kHelp;
  return absl::OkStatus();
}

absl::Status StoreVersion(const ParsedOption& /*option*/, OptionDraft* draft) {
  draft->options.command = Command::kVersion;
  return absl::OkStatus();
}

}  // namespace dslap
