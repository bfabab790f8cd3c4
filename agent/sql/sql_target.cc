#include "agent/sql/sql_target.h"

#include "absl/strings/str_cat.h"

namespace dslap {

bool SqlTarget::GoesOverSocket() const {
  if (transport == SqlTransport::kSocket) return true;
  if (transport == SqlTransport::kTcp) return false;
  return host.empty() || host == "localhost";
}

std::string SqlTarget::Describe() const {
  if (GoesOverSocket()) return socket.empty() ? "localhost" : absl::StrCat("socket ", socket);
  const std::string name = host.empty() ? "localhost" : host;
  const bool is_ipv6 = name.find(':') != std::string::npos;
  return absl::StrCat(is_ipv6 ? "[" : "", name, is_ipv6 ? "]" : "", ":",
                      port == 0 ? kDefaultPort : port);
}

}  // namespace dslap
