#include "controller/plan/make_plan.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status_util.h"
#include "controller/plan/generated_sql.h"
#include "controller/plan/quote_identifier.h"
#include "controller/plan/statement_splitter.h"

namespace dslap {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
// What is run once may take long where what the clients run does not: loading a table, adding an
// index. It is bounded all the same, for a server that has stopped.
constexpr int64_t kOnceFactor = 10;
constexpr int64_t kLeastOnceNs = int64_t{3600} * 1'000'000'000;

// Statements of an option's SQL text; `option` is for the message.
absl::StatusOr<std::vector<std::string>> Split(const std::optional<std::string>& sql,
                                               const Options& options, absl::string_view option) {
  std::vector<std::string> statements;
  if (!sql.has_value()) return statements;
  StatementSplitter splitter(*sql, options.delimiter);
  while (const std::optional<std::string_view> statement = splitter.Next()) {
    statements.emplace_back(*statement);
  }
  RETURN_IF_ERROR(Annotate(splitter.status(), option));
  return statements;
}

// CREATE TABLE and the rows. mysqlslap counts the CREATE TABLE as the first of write_number
// statements, so that 1 leaves the table empty and 0 does not even create it.
absl::StatusOr<std::vector<std::string>> GeneratedCreate(const GenerateOptions& options,
                                                         GeneratedSql sql) {
  std::vector<std::string> statements;
  if (options.write_number == 0) return statements;
  if (options.write_number > 1 && sql.inserts.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--auto-generate-sql-unique-write-number=0 leaves no row to load, but "
        "--auto-generate-sql-write-number is ",
        options.write_number, ": give it as 1 for an empty table, or ask for unique rows"));
  }
  statements.push_back(std::move(sql.create_table));
  for (uint64_t row = 0; row + 1 < options.write_number; ++row) {
    statements.push_back(sql.inserts[row % sql.inserts.size()]);
  }
  return statements;
}

// What a run executes, before it is divided.
struct Script {
  std::vector<std::string> create;
  std::vector<PlannedStatement> queries;
};

absl::StatusOr<Script> MakeScript(const Options& options) {
  Script script;
  if (options.generate.enabled) {
    GeneratedSql sql = GenerateSql(options.generate);
    script.queries = std::move(sql.queries);
    ASSIGN_OR_RETURN(script.create, GeneratedCreate(options.generate, std::move(sql)));
    return script;
  }
  ASSIGN_OR_RETURN(script.create, Split(options.create_sql, options, "--create"));
  if (!options.query_sql.has_value()) {
    return absl::InvalidArgumentError(
        "nothing to run: give statements with --query, or have them generated with "
        "--auto-generate-sql");
  }
  ASSIGN_OR_RETURN(std::vector<std::string> queries, Split(options.query_sql, options, "--query"));
  if (queries.empty()) {
    return absl::InvalidArgumentError("--query: there is no statement in it, so nothing to run");
  }
  for (std::string& text : queries) script.queries.push_back({.text = std::move(text)});
  return script;
}

void ChooseEngine(const Options& options, const EngineSpec& engine, CasePlan* plan) {
  const std::string option = engine.option.empty() ? "" : absl::StrCat(" ", engine.option);
  if (options.compat == Compat::kMySql) {
    plan->engine_statement =
        absl::StrCat("set default_storage_engine=", QuoteIdentifier(engine.name));
    if (options.generate.enabled) plan->engine_suffix = option;
  } else {
    plan->engine_suffix = absl::StrCat(" Engine = ", engine.name, option);
  }
}

// Sets the statements of a case whose clients are known.
absl::Status CountStatements(const Options& options, size_t list_length, CasePlan* plan) {
  // Counts for statements of the user's as well, as in mysqlslap.
  const uint64_t execute_number = options.generate.execute_number;
  if (execute_number == 0 && options.number_of_queries > 0) {
    plan->statements = options.number_of_queries;
    return absl::OkStatus();
  }
  const uint64_t each = execute_number > 0 ? execute_number : list_length;
  if (plan->clients > std::numeric_limits<uint64_t>::max() / each) {
    return absl::InvalidArgumentError(
        absl::StrCat("--concurrency=", plan->clients, " clients with ", each,
                     " statements each are more than can be counted: ask for fewer"));
  }
  plan->statements = plan->clients * each;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<CasePlan>> MakeCases(const Options& options, size_t list_length,
                                                bool creates) {
  std::vector<EngineSpec> engines = options.engines;
  const bool engine_given = !engines.empty();
  if (!engine_given) engines.emplace_back();
  std::vector<CasePlan> cases;
  for (const EngineSpec& engine : engines) {
    for (const uint64_t clients : options.concurrency) {
      if (clients == 0) {
        return absl::InvalidArgumentError(
            "--concurrency: 0 clients can do nothing, give 1 or more");
      }
      CasePlan plan;
      plan.engine = engine.name;
      plan.clients = clients;
      if (creates && engine_given) ChooseEngine(options, engine, &plan);
      RETURN_IF_ERROR(CountStatements(options, list_length, &plan));
      cases.push_back(std::move(plan));
    }
    if (!cases.empty()) cases.back().last_of_engine = true;
  }
  if (cases.empty()) return absl::InvalidArgumentError("--concurrency: there is no number in it");
  return cases;
}

// A statement travels to the agents in one message.
absl::Status CheckLength(absl::string_view text, absl::string_view option, size_t number) {
  if (text.size() <= kLongestStatementBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(option, ": statement ", number, " (", text.substr(0, 40), "...) has ",
                   text.size(), " bytes; the most is ", kLongestStatementBytes,
                   ": make several of it, or load such rows beforehand"));
}

absl::Status CheckLengths(const Plan& plan) {
  for (size_t i = 0; i < plan.queries.size(); ++i) {
    RETURN_IF_ERROR(CheckLength(plan.queries[i].text, "--query", i + 1));
  }
  for (const auto& [option, list] :
       {std::pair("--create", &plan.create), std::pair("--pre-query", &plan.pre_queries),
        std::pair("--post-query", &plan.post_queries)}) {
    for (size_t i = 0; i < list->size(); ++i) {
      RETURN_IF_ERROR(CheckLength((*list)[i], option, i + 1));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Plan> MakePlan(const Options& options) {
  if (options.iterations == 0) {
    return absl::InvalidArgumentError("--iterations: 0 rounds measure nothing, give 1 or more");
  }
  const bool creates = options.generate.enabled || options.create_sql.has_value();
  ASSIGN_OR_RETURN(Script script, MakeScript(options));
  Plan plan;
  plan.schema = {.name = options.schema,
                 .create = creates,
                 .drop = creates && !options.no_drop,
                 .must_exist = options.schema_given && !creates,
                 .drop_existing = options.drop_existing_schema};
  ASSIGN_OR_RETURN(plan.cases, MakeCases(options, script.queries.size(), creates));
  plan.iterations = options.iterations;
  plan.create = std::move(script.create);
  plan.queries = std::move(script.queries);
  for (const PlannedStatement& query : plan.queries) {
    if (query.takes_key) plan.key_query = kGeneratedKeyQuery;
  }
  ASSIGN_OR_RETURN(plan.pre_queries, Split(options.pre_query_sql, options, "--pre-query"));
  ASSIGN_OR_RETURN(plan.post_queries, Split(options.post_query_sql, options, "--post-query"));
  plan.pre_system = options.pre_system;
  plan.post_system = options.post_system;
  plan.commit_every = options.commit_every;
  plan.detach_every = options.detach_every;
  plan.reconnect = options.reconnect;
  plan.init_command = options.init_command;
  plan.sql_mode = options.target.sql_mode;
  plan.ignored_errors = options.ignored_errors;
  plan.ignore_all_errors = options.ignore_all_errors;
  plan.query_timeout_ns = static_cast<int64_t>(options.query_timeout_ms) * kNsPerMs;
  if (plan.query_timeout_ns != 0) {
    plan.once_timeout_ns = std::max(kOnceFactor * plan.query_timeout_ns, kLeastOnceNs);
  }
  if (!options.only_print) RETURN_IF_ERROR(CheckLengths(plan));
  return plan;
}

}  // namespace dslap
