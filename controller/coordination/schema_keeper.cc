#include "controller/coordination/schema_keeper.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "controller/coordination/server_outage.h"
#include "controller/plan/quote_identifier.h"

namespace dslap {
namespace {

// A string literal that means the same in every sql_mode: 'it''s' and '\' do not.
std::string HexLiteral(const std::string& text) {
  return absl::StrCat("_utf8 0x", absl::BytesToHexString(text));
}

// In the server's data dictionary from the moment that the marker is there.
std::string MarkerComment(const std::string& run_id) { return absl::StrCat("dslap run ", run_id); }

// Whether it is not known if the server carried out a script whose step ended so.
bool IsUnclear(const Step& step) {
  return (step.code == ExitCode::kAgentLost && !step.answered) || AnswerWasLost(step.sql_code);
}

}  // namespace

// Brings a row as long as the schema has the mark of this run: whoever has made it anew since then
// has marked it with another.
std::string SchemaKeeper::OursSql() const {
  return absl::StrCat("SELECT 1 FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = ",
                      HexLiteral(plan_.name), " AND TABLE_NAME = ", HexLiteral(kMarkerTable),
                      " AND TABLE_COMMENT = ", HexLiteral(MarkerComment(run_id_)));
}

v1::LastWill SchemaKeeper::Will() const {
  const std::string quoted = QuoteIdentifier(plan_.name);
  v1::LastWill will;
  will.set_what(absl::StrCat("drop schema ", quoted));
  will.set_only_if(OursSql());
  will.add_statements(absl::StrCat("DROP SCHEMA IF EXISTS ", quoted));
  will.set_delay_ns(kWillDelayNs);
  will.set_statement_timeout_ns(kWillTimeoutNs);
  return will;
}

Step SchemaKeeper::Exists(const std::string& table_schema, const std::string& table, bool* exists) {
  ScriptRequest request;
  request.what = absl::StrCat("look up schema ", QuoteIdentifier(table_schema));
  request.return_rows = true;
  request.statements = {
      table.empty()
          ? absl::StrCat("SELECT 1 FROM INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME = ",
                         HexLiteral(table_schema))
          : absl::StrCat("SELECT 1 FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = ",
                         HexLiteral(table_schema), " AND TABLE_NAME = ", HexLiteral(table))};
  std::vector<v1::ScriptResult> results;
  Step step = scripts_->Run(request, &results);
  *exists = step.ok() && !results.empty() && results.front().rows_size() > 0;
  return step;
}

Step SchemaKeeper::Check() {
  const std::string quoted = QuoteIdentifier(plan_.name);
  bool exists = false;
  if (Step step = Exists(plan_.name, "", &exists); !step.ok()) return step;
  if (!plan_.create) {
    if (exists) {
      default_schema_ = plan_.name;
    } else if (plan_.must_exist) {
      return Step::Failed(
          ExitCode::kSetUpFailed,
          absl::NotFoundError(absl::StrCat("schema ", quoted,
                                           " does not exist: create it, or let dslap make a "
                                           "temporary one with --create=... or -a")));
    }
    return Step::Done();
  }
  default_schema_ = plan_.name;
  if (!exists) return Step::Done();
  bool marked = false;
  if (Step step = Exists(plan_.name, kMarkerTable, &marked); !step.ok()) return step;
  if (!marked && !plan_.drop_existing) {
    return Step::Failed(
        ExitCode::kSetUpFailed,
        absl::AlreadyExistsError(absl::StrCat(
            "schema ", quoted,
            " exists and was not made by dslap, so it is not dropped: choose another name with "
            "--create-schema=NAME, or allow its loss with --drop-existing-schema")));
  }
  drop_first_ = true;
  drop_note_ = absl::StrCat(
      "schema ", quoted,
      marked ? " was left over from an earlier run of dslap" : " existed (--drop-existing-schema)",
      ": dropped and made anew");
  return Step::Done();
}

Step SchemaKeeper::SetUp(std::vector<std::string> set_up, std::vector<std::string>* notes) {
  ScriptRequest request;
  request.what = "set-up";
  if (plan_.create) {
    if (maybe_created_) {
      if (Step step = LookAgain(); !step.ok()) return step;
    }
    const std::string quoted = QuoteIdentifier(plan_.name);
    ScriptRequest create;
    create.what = absl::StrCat("create schema ", quoted);
    if (drop_first_) create.statements.push_back(absl::StrCat("DROP SCHEMA IF EXISTS ", quoted));
    create.statements.push_back(absl::StrCat("CREATE SCHEMA ", quoted));
    std::vector<v1::ScriptResult> results;
    Step created = scripts_->Run(create, &results);
    if (!drop_note_.empty() && !results.empty()) {
      notes->push_back(std::exchange(drop_note_, std::string()));
    }
    // What was reached counts, also when an interrupt ended the step afterwards.
    if (results.size() == create.statements.size()) {
      created_ = true;
      drop_first_ = true;
    } else if (drop_first_ && !results.empty()) {
      created_ = false;  // dropped: what is there now, if anything is, somebody else has made
    }
    const bool unclear = IsUnclear(created);
    maybe_created_ = !created_ && unclear;
    maybe_dropped_ = created_ && unclear;
    if (!created.ok()) return created;
    ScriptRequest mark;
    mark.what = absl::StrCat("mark schema ", quoted);
    mark.statements = {
        absl::StrCat("CREATE TABLE ", quoted, ".", QuoteIdentifier(kMarkerTable),
                     " (run_id VARCHAR(64) COMMENT 'dslap made this schema and may drop it')"
                     " COMMENT = '",
                     MarkerComment(run_id_), "'"),
    };
    if (leave_will_ && plan_.drop) mark.last_will = Will();
    Step step = scripts_->Run(mark);
    willed_ = mark.last_will.has_value() && step.ok();
    if (!step.ok()) return step;
  }
  if (set_up.empty()) return Step::Done();
  request.statements = std::move(set_up);
  request.default_schema = default_schema_;
  return scripts_->Run(request);
}

// What an agent that was lost has left of the schema it was to create.
Step SchemaKeeper::LookAgain() {
  bool exists = false;
  bool marked = false;
  if (Step step = Exists(plan_.name, "", &exists); !step.ok()) return step;
  if (exists) {
    if (Step step = Exists(plan_.name, kMarkerTable, &marked); !step.ok()) return step;
    if (!marked) {
      return Step::Failed(
          ExitCode::kSetUpFailed,
          absl::AlreadyExistsError(absl::StrCat(
              "schema ", QuoteIdentifier(plan_.name), " is there after the loss of the agent that ",
              "was to create it, and without dslap's mark: it may be somebody's")));
    }
  }
  maybe_created_ = false;
  drop_first_ = exists;
  return Step::Done();
}

Step SchemaKeeper::Drop() {
  if (!plan_.drop) return Step::Done();
  if (maybe_created_) {
    // Without the marker it could be somebody's who was quicker: not dropped on a guess.
    return Step::Failed(ExitCode::kSetUpFailed,
                        absl::UnknownError("the answer to its CREATE SCHEMA was lost"));
  }
  if (!created_) return Step::Done();
  if (maybe_dropped_) {
    bool ours = false;
    if (Step step = IsOurs(&ours); !step.ok()) return step;
    if (!ours) {
      // What bears the name now, if anything does, somebody else has made.
      Forget();
      return Step::Done();
    }
  }
  ScriptRequest request;
  request.what = absl::StrCat("drop schema ", QuoteIdentifier(plan_.name));
  request.statements = {absl::StrCat("DROP SCHEMA IF EXISTS ", QuoteIdentifier(plan_.name))};
  request.cleans_up = true;
  request.last_will = v1::LastWill();
  std::vector<v1::ScriptResult> results;
  Step step = scripts_->Run(request, &results);
  // What was reached counts, also when an interrupt ended the step afterwards.
  if (!results.empty()) Forget();
  maybe_dropped_ = created_ && IsUnclear(step);
  return step;
}

void SchemaKeeper::Forget() {
  willed_ = false;
  created_ = false;
  drop_first_ = false;
  maybe_dropped_ = false;
}

Step SchemaKeeper::IsOurs(bool* ours) {
  ScriptRequest request;
  request.what = absl::StrCat("look for the mark of this run in ", name());
  request.cleans_up = true;
  request.return_rows = true;
  request.statements = {OursSql()};
  std::vector<v1::ScriptResult> results;
  Step step = scripts_->Run(request, &results);
  *ours = !results.empty() && results.front().rows_size() > 0;
  return results.empty() ? step : Step::Done();
}

std::string SchemaKeeper::name() const {
  return absl::StrCat("schema ", QuoteIdentifier(plan_.name));
}

}  // namespace dslap
