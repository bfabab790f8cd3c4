#include "controller/plan/only_print.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "controller/plan/quote_identifier.h"
#include "controller/plan/shares.h"
#include "controller/plan/stages.h"

namespace dslap {
namespace {

constexpr char kStandInKey[] = " '796c4422-1d94-102a-9d6d-00e0812d'";
constexpr char kNoAutocommit[] = "SET AUTOCOMMIT=0;\n";
constexpr char kCommit[] = "COMMIT;\n";

// `name` as mysqlslap prints it after "use", where that is a name without quotes; else quoted.
// Reserved words are not known here: `use` is also a command of the client programs, which take
// them, and this text is never sent.
std::string NameAfterUse(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_plain = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return absl::ascii_isalnum(byte) || c == '_' || c == '$' || byte > 127;
  };
  const bool plain = std::all_of(name.begin(), name.end(), is_plain) &&
                     !std::all_of(name.begin(), name.end(), is_digit);
  return plain ? name : QuoteIdentifier(name);
}

class Printer {
 public:
  Printer(const Plan& plan, int verbosity, std::ostream& out)
      : plan_(plan), verbosity_(verbosity), out_(out), schema_(QuoteIdentifier(plan.schema.name)) {}

  void Print() {
    if (plan_.sql_mode.has_value()) {
      out_ << "SET sql_mode = " << QuoteIdentifier(*plan_.sql_mode) << ";\n";
    }
    bool first_of_engine = true;
    for (const CasePlan& each : plan_.cases) {
      if (first_of_engine) PrintIf(kStagesVerbosity, kConcurrencyStage);
      for (uint64_t round = 0; round < plan_.iterations; ++round) PrintRound(each);
      PrintIf(kStagesVerbosity, kStatsStage);
      if (each.last_of_engine) PrintDrop();
      first_of_engine = each.last_of_engine;
    }
  }

 private:
  void PrintRound(const CasePlan& each) {
    PrintDrop();
    if (plan_.schema.create) {
      PrintIf(kStagesVerbosity, kLoadStage);
      out_ << "CREATE SCHEMA " << schema_ << ";\n";
      out_ << "use " << NameAfterUse(plan_.schema.name) << ";\n";
      PrintAll(SetUpStatements(plan_, each));
    }
    PrintIf(kStagesVerbosity, kKeysStage);
    if (plan_.commit_every > 0) out_ << kNoAutocommit;
    PrintAll(plan_.pre_queries);
    for (const AgentShare& share : ShareOut(each, {1})) {
      for (const ClientGroup& group : share.groups) {
        for (uint64_t client = 0; client < group.clients; ++client) PrintClient(group.statements);
      }
    }
    PrintAll(plan_.post_queries);
  }

  void PrintClient(uint64_t statements) {
    PrintIf(kDetailsVerbosity, kConnectedDetail);
    if (plan_.commit_every > 0) out_ << kNoAutocommit;
    size_t next = 0;
    for (uint64_t done = 1; done <= statements; ++done) {
      const PlannedStatement& query = plan_.queries[next];
      next = next + 1 == plan_.queries.size() ? 0 : next + 1;
      out_ << query.text << (query.takes_key ? kStandInKey : "") << ";\n";
      if (plan_.commit_every > 0 && done % plan_.commit_every == 0) out_ << kCommit;
    }
    // Also right after the one before: mysqlslap ends every client with it.
    if (plan_.commit_every > 0) out_ << kCommit;
  }

  void PrintIf(int verbosity, absl::string_view line) {
    if (verbosity_ >= verbosity) out_ << line << "\n";
  }

  void PrintDrop() {
    if (plan_.schema.drop) out_ << "DROP SCHEMA IF EXISTS " << schema_ << ";\n";
  }

  void PrintAll(const std::vector<std::string>& statements) {
    for (const std::string& statement : statements) out_ << statement << ";\n";
  }

  const Plan& plan_;
  const int verbosity_;
  std::ostream& out_;
  const std::string schema_;
};

}  // namespace

void PrintPlan(const Plan& plan, int verbosity, std::ostream& out) {
  Printer(plan, verbosity, out).Print();
}

}  // namespace dslap
