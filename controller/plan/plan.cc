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

}  // namespace dslap
