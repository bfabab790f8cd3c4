#include "agent/sql/sql_connection.h"

#include <cassert>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace dslap {

SqlError QueryTimeoutError(int64_t timeout_ns) {
  return {kQueryTimeoutCode, "HYT00",
          absl::StrCat("given up after ", absl::FormatDuration(absl::Nanoseconds(timeout_ns)),
                       " without a complete answer (--query-timeout)")};
}

SqlOutcome RunBlocking(SqlConnection& connection, const SqlOperation& operation) {
  SqlOutcome outcome;
  [[maybe_unused]] const bool done = connection.Start(operation, std::noop_coroutine(), &outcome);
  assert(done && "RunBlocking() needs a connection that blocks");
  return outcome;
}

}  // namespace dslap
