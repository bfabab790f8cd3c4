#include "controller/plan/plan.h"

namespace dslap {

uint64_t AgentShare::clients() const {
  uint64_t sum = 0;
  for (const ClientGroup& group : groups) sum += group.clients;
  return sum;
}

uint64_t AgentShare::statements() const {
  uint64_t sum = 0;
  for (const ClientGroup& group : groups) sum += group.clients * group.statements;
  return sum;
}

std::vector<std::string> SetUpStatements(const Plan& plan, const CasePlan& case_plan) {
  std::vector<std::string> statements;
  statements.reserve(plan.create.size() + 1);
  if (!case_plan.engine_statement.empty()) statements.push_back(case_plan.engine_statement);
  const size_t first_create = statements.size();
  statements.insert(statements.end(), plan.create.begin(), plan.create.end());
  if (first_create < statements.size()) statements[first_create] += case_plan.engine_suffix;
  return statements;
}

}  // namespace dslap
