#include "agent/sql/sql_connection.h"

#include <cassert>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

constexpr uint32_t kDefaultPort = 3306;

// The client libraries go over the Unix socket for no host and for the literal name "localhost".
bool GoesOverSocket(const SqlTarget& target) {
  if (target.transport == SqlTransport::kSocket) return true;
  if (target.transport == SqlTransport::kTcp) return false;
  return target.host.empty() || target.host == "localhost";
}

}  // namespace

std::string SqlTarget::Describe() const {
  if (GoesOverSocket(*this)) {
    return socket.empty() ? "localhost" : absl::StrCat("socket ", socket);
  }
  const std::string name = host.empty() ? "localhost" : host;
  const bool is_ipv6 = name.find(':') != std::string::npos;
  return absl::StrCat(is_ipv6 ? "[" : "", name, is_ipv6 ? "]" : "", ":",
                      port == 0 ? kDefaultPort : port);
}

SqlOutcome RunBlocking(SqlConnection& connection, const SqlOperation& operation) {
  SqlOutcome outcome;
  [[maybe_unused]] const bool done = connection.Start(operation, std::noop_coroutine(), &outcome);
  assert(done && "RunBlocking() needs a connection that blocks");
  return outcome;
}

}  // namespace dslap
