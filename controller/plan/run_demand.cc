#include "controller/plan/run_demand.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"

namespace dslap {
namespace {

// How many of the first `executed` statements of a client, which walks through the list again and
// again, are updates. `updates[i]`: among the first i of the list.
uint64_t UpdatesOf(const std::vector<uint64_t>& updates, uint64_t executed) {
  const uint64_t list = updates.size() - 1;
  if (list == 0) return 0;
  return executed / list * updates.back() + updates[executed % list];
}

uint64_t ReconnectsOf(const Plan& plan, uint64_t executed) {
  return plan.detach_every == 0 || executed == 0 ? 0 : (executed - 1) / plan.detach_every;
}

}  // namespace

bool IsUpdate(absl::string_view statement) {
  static constexpr absl::string_view kVerbs[] = {
      "INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER", "TRUNCATE", "LOAD"};
  const absl::string_view text = absl::StripLeadingAsciiWhitespace(statement);
  return std::any_of(std::begin(kVerbs), std::end(kVerbs), [&](absl::string_view verb) {
    return absl::StartsWithIgnoreCase(text, verb) && text.size() > verb.size() &&
           absl::ascii_isspace(static_cast<unsigned char>(text[verb.size()]));
  });
}

bool MayHoldSeveral(absl::string_view text) {
  const size_t end = text.find(';');
  return end != absl::string_view::npos &&
         !absl::StripLeadingAsciiWhitespace(text.substr(end + 1)).empty();
}

bool MayHoldSeveral(const Plan& plan) {
  return MayHoldSeveral(plan.init_command) || MayHoldSeveral(plan.key_query) ||
         std::any_of(plan.queries.begin(), plan.queries.end(),
                     [](const PlannedStatement& query) { return MayHoldSeveral(query.text); });
}

RunDemand DemandOf(const Plan& plan, size_t agents) {
  std::vector<uint64_t> updates = {0};
  for (const PlannedStatement& query : plan.queries) {
    updates.push_back(updates.back() + (IsUpdate(query.text) ? 1 : 0));
  }
  RunDemand demand;
  uint64_t connected = 0;  // once, and kept from round to round
  for (const CasePlan& one : plan.cases) {
    demand.clients = std::max(demand.clients, one.clients);
    connected = plan.reconnect ? connected + plan.iterations * one.clients
                               : std::max(connected, one.clients);
    if (one.clients == 0) continue;
    // The first `more` clients execute one statement more than the others.
    const uint64_t each = one.statements / one.clients;
    const uint64_t more = one.statements % one.clients;
    const uint64_t fewer = one.clients - more;
    demand.statements += plan.iterations * one.statements;
    demand.updates +=
        plan.iterations * (more * UpdatesOf(updates, each + 1) + fewer * UpdatesOf(updates, each));
    demand.connections +=
        plan.iterations * (more * ReconnectsOf(plan, each + 1) + fewer * ReconnectsOf(plan, each));
  }
  demand.connections += connected + 1;  // and that of the scripts
  demand.scripts_stay = agents > 1;
  return demand;
}

}  // namespace dslap
