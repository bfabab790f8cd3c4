#include "controller/cli/build_options.h"

#include <array>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "common/message_text.h"
#include "common/status_util.h"
#include "controller/cli/agent_list.h"
#include "controller/cli/build_target.h"
#include "controller/cli/link_rules.h"
#include "controller/cli/sql_source.h"
#include "controller/cli/value_parser.h"

namespace dslap {
namespace {

using Warnings = std::vector<std::string>*;

absl::Status Refuse(absl::string_view message) { return absl::InvalidArgumentError(message); }

// Without a list of statements the number of executions would have nothing to count.
void EnableGeneratingIfImplied(OptionDraft* draft, Warnings warnings) {
  GenerateOptions& generate = draft->options.generate;
  const bool has_sql = draft->query.has_value() || draft->create.has_value();
  if (generate.enabled || generate.execute_number == 0 || has_sql) return;
  generate.enabled = true;
  warnings->push_back(
      "--auto-generate-sql-execute-number without --query: --auto-generate-sql (-a) is turned on");
}

absl::Status CheckSomethingToRun(const OptionDraft& draft) {
  if (draft.options.generate.enabled) return absl::OkStatus();
  if (draft.query.has_value()) {
    if (!absl::StripAsciiWhitespace(*draft.query).empty()) return absl::OkStatus();
    return Refuse("--query: is empty; give SQL text or the name of a file that holds it");
  }
  constexpr absl::string_view kMend =
      "give --query=SQL|FILE, or -a (--auto-generate-sql) to have statements generated";
  if (draft.options.number_of_queries != 0) {
    return Refuse(absl::StrCat("--number-of-queries: there is no query to execute; ", kMend));
  }
  return Refuse(absl::StrCat("nothing to run: ", kMend, "; --help lists all options"));
}

absl::Status CheckGenerate(const OptionDraft& draft) {
  const GenerateOptions& generate = draft.options.generate;
  if (generate.execute_number != 0 && draft.options.number_of_queries != 0) {
    return Refuse(
        "--auto-generate-sql-execute-number and --number-of-queries exclude each other: the one "
        "counts for each client, the other for all together; leave one out");
  }
  if (!generate.enabled) return absl::OkStatus();
  if (draft.create.has_value() || draft.query.has_value()) {
    return Refuse(absl::StrCat(
        "-a (--auto-generate-sql) and --", draft.create.has_value() ? "create" : "query",
        " exclude each other: the statements are either generated or given; leave one out"));
  }
  if (generate.guid_primary && generate.add_autoincrement) {
    return Refuse(
        "--auto-generate-sql-guid-primary and --auto-generate-sql-add-autoincrement exclude each "
        "other: the table has one key; leave one out");
  }
  const bool keyed = generate.guid_primary || generate.add_autoincrement;
  if (generate.load_type == LoadType::kKey && !keyed) {
    return Refuse(
        "--auto-generate-sql-load-type=key: the table has no key; add "
        "--auto-generate-sql-add-autoincrement or --auto-generate-sql-guid-primary");
  }
  if (generate.int_columns == 0 && generate.char_columns == 0) {
    return Refuse(
        "--number-int-cols=0 and --number-char-cols=0: the table needs a column to select; give "
        "one of them at least 1");
  }
  return absl::OkStatus();
}

absl::Status CheckOutput(const Options& options) {
  if (!options.csv_file.has_value() || options.csv_file != options.json_file) {
    return absl::OkStatus();
  }
  if (options.csv_file->empty()) {
    return Refuse("--csv and --json both go to standard output; give one of them a file");
  }
  return Refuse(
      absl::StrCat("--csv and --json both name ", Quoted(*options.csv_file), "; name two files"));
}

absl::Status CheckAgents(const Options& options) {
  if (options.min_agents > 0 && options.agents.empty()) {
    return Refuse("--min-agents: without --agents there is none to do without");
  }
  if (options.heartbeat_ms * 2 > options.lease_ms) {
    const auto text = [](uint64_t ms) { return absl::FormatDuration(absl::Milliseconds(ms)); };
    return Refuse(absl::StrCat("--heartbeat-interval=", text(options.heartbeat_ms),
                               ": must be at most half of --lease, which is ",
                               text(options.lease_ms)));
  }
  return CheckLinkFiles(options);
}

// Options of the command line that mean nothing without another one.
void WarnOfNoEffect(const OptionDraft& draft, Warnings warnings) {
  const Options& options = draft.options;
  if (!options.generate.enabled) {
    std::vector<std::string> idle;
    for (const std::string& name : draft.given) {
      const bool counts = name == "auto-generate-sql-execute-number" || name == "auto-generate-sql";
      const bool generates = absl::StartsWith(name, "auto-generate-sql-") ||
                             name == "number-int-cols" || name == "number-char-cols";
      if (generates && !counts) idle.push_back(absl::StrCat("--", name));
    }
    if (!idle.empty()) {
      warnings->push_back(absl::StrCat(absl::StrJoin(idle, ", "),
                                       ": without -a (--auto-generate-sql) of no effect"));
    }
  }
  // A file is for many runs; only who typed it now may have meant something by it.
  const auto idle_flag = [&](bool set, absl::string_view name) { return set && draft.Given(name); };
  const bool schema_made = options.generate.enabled || draft.create.has_value();
  if (!schema_made && idle_flag(options.drop_existing_schema, "drop-existing-schema")) {
    warnings->push_back("--drop-existing-schema: without -a or --create of no effect");
  }
  if (draft.debug_check) {
    warnings->push_back(
        "--debug-check: of no effect: dslap does not check its memory and files at the end");
  }
  if (options.agents.empty()) {
    for (const char* const name : {"insecure", "tls-ca", "tls-cert", "tls-key", "token-file"}) {
      if (idle_flag(true, name)) {
        warnings->push_back(absl::StrCat("--", name, ": without --agents of no effect"));
      }
    }
  } else if (options.link_tls.used() && idle_flag(options.insecure, "insecure")) {
    warnings->push_back("--insecure: with --tls-ca of no effect: the links use TLS");
  }
  const bool continues = options.on_agent_loss == AgentLossPolicy::kContinue;
  if (options.agents.empty() && idle_flag(continues, "on-agent-loss")) {
    warnings->push_back("--on-agent-loss: without --agents of no effect");
  }
}

absl::Status ReadSql(const OptionDraft& draft, const Environment& environment, Options* options) {
  struct Source {
    absl::string_view option;
    const std::optional<std::string>& value;
    std::optional<std::string>* sql;
  };
  const Source sources[] = {
      {"--create", draft.create, &options->create_sql},
      {"--query", draft.query, &options->query_sql},
      {"--pre-query", draft.pre_query, &options->pre_query_sql},
      {"--post-query", draft.post_query, &options->post_query_sql},
  };
  for (const Source& source : sources) {
    if (!source.value.has_value()) continue;
    ASSIGN_OR_RETURN(*source.sql, ReadSqlSource(source.option, *source.value, environment));
  }
  if (options->query_sql.has_value() && absl::StripAsciiWhitespace(*options->query_sql).empty()) {
    return Refuse(absl::StrCat("--query: the file ", Quoted(*draft.query), " is empty"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Options> BuildRunOptions(OptionDraft draft, const Environment& environment,
                                        std::vector<std::string>* warnings) {
  EnableGeneratingIfImplied(&draft, warnings);
  RETURN_IF_ERROR(CheckGenerate(draft));
  RETURN_IF_ERROR(CheckSomethingToRun(draft));
  RETURN_IF_ERROR(CheckOutput(draft.options));
  ASSIGN_OR_RETURN(draft.options.agents,
                   ReadAgentFiles(draft.options.agents, environment.read_file));
  RETURN_IF_ERROR(CheckAgents(draft.options));
  Options options = draft.options;
  RETURN_IF_ERROR(BuildTarget(draft, environment, warnings, &options));
  RETURN_IF_ERROR(CheckLinks(options, options.agents));
  RETURN_IF_ERROR(ReadSql(draft, environment, &options));
  WarnOfNoEffect(draft, warnings);
  // Nothing to log in to.
  if (options.only_print || options.print_plan) options.ask_password = false;
  return options;
}

absl::StatusOr<Options> BuildAgentsOptions(OptionDraft draft, const Environment& environment) {
  static constexpr std::array<absl::string_view, 6> kOfAgentsCommand = {
      "agents", "insecure", "tls-ca", "tls-cert", "tls-key", "token-file"};
  for (const std::string& name : draft.given) {
    if (absl::c_linear_search(kOfAgentsCommand, name)) continue;
    return Refuse(absl::StrCat("--", name, ": does not go with 'dslap agents', which takes --",
                               absl::StrJoin(kOfAgentsCommand, ", --"), " only"));
  }
  if (draft.options.agents.empty()) {
    return Refuse("--agents is missing: give the agents to ask, as in --agents=HOST[:PORT],...");
  }
  ASSIGN_OR_RETURN(draft.options.agents,
                   ReadAgentFiles(draft.options.agents, environment.read_file));
  RETURN_IF_ERROR(CheckAgents(draft.options));
  RETURN_IF_ERROR(CheckLinks(draft.options, draft.options.agents));
  draft.options.command = Command::kAgents;
  return std::move(draft.options);
}

}  // namespace dslap
