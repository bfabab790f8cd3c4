#include "agent/guard/target_guard.h"

#include <algorithm>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace dslap {
namespace {

// Looks each host up once, so that a rule and a target of the same name mean the same addresses.
class LookUps {
 public:
  explicit LookUps(const HostLookUp& look_up) : look_up_(look_up) {}

  const absl::StatusOr<std::vector<std::string>>& Of(const std::string& host) {
    const std::string key = absl::AsciiStrToLower(host);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    return known_.emplace(key, look_up_(host)).first->second;
  }

 private:
  const HostLookUp& look_up_;
  std::map<std::string, absl::StatusOr<std::vector<std::string>>> known_;
};

bool Stands(const std::vector<std::string>& addresses, const IpAddress& wanted) {
  return std::any_of(addresses.begin(), addresses.end(),
                     [&](const std::string& each) { return ParseIpAddress(each) == wanted; });
}

bool Allows(const TargetRule& rule, const IpAddress& address, uint32_t port, LookUps* look_ups) {
  if (rule.kind == TargetRule::Kind::kSocket || !rule.AllowsPort(port)) return false;
  if (rule.kind != TargetRule::Kind::kName) return rule.AllowsAddress(address);
  const auto& named = look_ups->Of(rule.name);
  return named.ok() && Stands(*named, address);
}

std::string Escaped(const SqlTarget& target) { return absl::Utf8SafeCEscape(target.Describe()); }

}  // namespace

absl::Status TargetGuard::Admit(SqlTarget* target) const {
  return target->GoesOverSocket() ? AdmitSocket(target) : AdmitHost(target);
}

absl::Status TargetGuard::AdmitSocket(SqlTarget* target) const {
  // With a host the client library would go over TCP in spite of all.
  target->host.clear();
  target->transport = SqlTransport::kSocket;
  if (target->socket.empty()) target->socket = default_socket_;
  if (std::any_of(rules_.begin(), rules_.end(),
                  [&](const TargetRule& rule) { return rule.AllowsSocket(target->socket); })) {
    return absl::OkStatus();
  }
  return absl::PermissionDeniedError(
      absl::StrCat("refuses the target ", Escaped(*target), ": ", shown_, " does not include it"));
}

absl::Status TargetGuard::AdmitHost(SqlTarget* target) const {
  if (target->host.empty()) target->host = "localhost";
  if (target->port == 0) target->port = kDefaultPort;
  LookUps look_ups(look_up_);
  const auto& addresses = look_ups.Of(target->host);
  if (!addresses.ok() || addresses->empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the target ", Escaped(*target), " cannot be looked up here (",
                     addresses.ok() ? "it has no address" : addresses.status().message(), "), and ",
                     shown_, " is about addresses: correct the name, or give the address"));
  }
  target->transport = SqlTransport::kTcp;
  target->addresses.clear();
  for (const std::string& address : *addresses) {
    const std::optional<IpAddress> ip = ParseIpAddress(address);
    if (ip.has_value() && std::any_of(rules_.begin(), rules_.end(), [&](const TargetRule& rule) {
          return Allows(rule, *ip, target->port, &look_ups);
        })) {
      target->addresses.push_back(address);
    }
  }
  if (!target->addresses.empty()) return absl::OkStatus();
  const bool numeric = addresses->size() == 1 && addresses->front() == target->host;
  return absl::PermissionDeniedError(
      absl::StrCat("refuses the target ", Escaped(*target),
                   numeric ? "" : absl::StrCat(" (", absl::StrJoin(*addresses, ", "), ")"), ": ",
                   shown_, " does not include it"));
}

}  // namespace dslap
