#include "agent/sql/sql_connection.h"

#include <cassert>

namespace dslap {

SqlOutcome RunBlocking(SqlConnection& connection, const SqlOperation& operation) {
  SqlOutcome outcome;
  [[maybe_unused]] const bool done = connection.Start(operation, std::noop_coroutine(), &outcome);
  assert(done && "RunBlocking() needs a connection that blocks");
  return outcome;
}

}  // namespace dslap
