#include "controller/report/share_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "controller/plan/quote_identifier.h"
#include "controller/plan/shares.h"
#include "controller/report/terminal_text.h"
#include "controller/report/text_table.h"
#include "controller/report/units.h"

namespace dslap {
namespace {

std::string Numbers(const AgentShare& share) {
  const uint64_t clients = share.clients();
  const uint64_t first = share.first_client + 1;
  if (clients == 0) return "-";
  return clients == 1 ? absl::StrCat(first) : absl::StrCat(first, " - ", first + clients - 1);
}

// Statements of one client: "4", or "3 - 4" where some execute one more.
std::string OfEach(const AgentShare& share) {
  if (share.groups.empty()) return "-";
  const auto [fewest, most] = std::minmax_element(
      share.groups.begin(), share.groups.end(),
      [](const ClientGroup& a, const ClientGroup& b) { return a.statements < b.statements; });
  return fewest->statements == most->statements
             ? absl::StrCat(fewest->statements)
             : absl::StrCat(fewest->statements, " - ", most->statements);
}

class ShareTable {
 public:
  ShareTable(const Plan& plan, std::vector<AgentSpec> agents)
      : plan_(plan), agents_(std::move(agents)) {
    if (agents_.empty()) agents_.emplace_back().address = "inside dslap";
    first_ = ForTerminal(agents_.front().address);
  }

  std::string Format() const {
    std::string out =
        absl::StrCat("Plan: ", Count(plan_.cases.size(), "case"), ", ",
                     Count(plan_.iterations, "round"), plan_.cases.size() > 1 ? " each" : "", ", ",
                     Count(agents_.size(), "agent"), ". Nothing was contacted.\n");
    for (size_t i = 0; i < plan_.cases.size(); ++i) {
      absl::StrAppend(&out, "\n", FormatCase(plan_.cases[i], i + 1));
    }
    return absl::StrCat(out, "\nIn each round\n", FormatRound(), FormatSchema(), FormatOnce());
  }

 private:
  std::string FormatCase(const CasePlan& one, size_t number) const {
    std::vector<uint64_t> weights;
    for (const AgentSpec& agent : agents_) weights.push_back(agent.weight);
    const std::vector<AgentShare> shares = ShareOut(one, weights);
    std::vector<TextTable::Alignment> columns(6, TextTable::kRight);
    columns[0] = TextTable::kLeft;
    TextTable table(columns);
    table.AddRow({"Agent", "weight", "clients", "numbers", "statements", "of each"});
    for (size_t i = 0; i < agents_.size(); ++i) {
      table.AddRow({ForTerminal(agents_[i].address), absl::StrCat(agents_[i].weight),
                    absl::StrCat(shares[i].clients()), Numbers(shares[i]),
                    absl::StrCat(shares[i].statements()), OfEach(shares[i])});
    }
    table.AddRow({"total", "", absl::StrCat(one.clients), "", absl::StrCat(one.statements)});
    return absl::StrCat("Case ", number, " of ", plan_.cases.size(), ": ",
                        one.engine.empty() ? "" : absl::StrCat(ForTerminal(one.engine), ", "),
                        Count(one.clients, "client"), ", ", Count(one.statements, "statement"),
                        " in each round\n", table.Format("  "));
  }

  // What the round consists of, in its order.
  std::string FormatRound() const {
    TextTable table({TextTable::kLeft, TextTable::kLeft, TextTable::kLeft});
    const auto on_first = [&](const char* what, const std::vector<std::string>& statements) {
      if (statements.empty()) return;
      table.AddRow({what, first_, Count(statements.size(), "statement")});
    };
    on_first("set-up", SetUpStatements(plan_, plan_.cases.front()));
    if (!plan_.pre_system.empty()) {
      table.AddRow({"--pre-system", "this host", ForTerminal(plan_.pre_system)});
    }
    on_first("--pre-query", plan_.pre_queries);
    table.AddRow({"load", "all agents", "as above, started together"});
    on_first("--post-query", plan_.post_queries);
    if (!plan_.post_system.empty()) {
      table.AddRow({"--post-system", "this host", ForTerminal(plan_.post_system)});
    }
    return table.Format("  ");
  }

  std::string FormatSchema() const {
    const SchemaPlan& schema = plan_.schema;
    const std::string name = absl::StrCat("\nSchema ", ForTerminal(QuoteIdentifier(schema.name)));
    if (!schema.create) {
      return absl::StrCat(name, schema.must_exist
                                    ? "\n  must exist, and is used as it is\n"
                                    : "\n  the clients' default if it exists, and left as it is\n");
    }
    return absl::StrCat(
        name, "\n  made anew before every round, ",
        schema.drop ? "dropped after the last case of each engine" : "kept at the end (--no-drop)",
        "\n  one of that name that dslap did not make is ",
        schema.drop_existing ? "dropped (--drop-existing-schema)\n"
                             : "left alone, and ends the run\n");
  }

  // Where there is a choice.
  std::string FormatOnce() const {
    if (agents_.size() == 1) return "";
    return absl::StrCat(
        "\nWhat is run once is run by ", first_,
        ";\nif that agent is lost, the next one tears down, and goes on in its place\n"
        "with --on-agent-loss=continue.\n");
  }

  const Plan& plan_;
  std::vector<AgentSpec> agents_;
  std::string first_;
};

}  // namespace

std::string FormatShares(const Plan& plan, const std::vector<AgentSpec>& agents) {
  return ShareTable(plan, agents).Format();
}

}  // namespace dslap
