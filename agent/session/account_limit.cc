#include "agent/session/account_limit.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"

namespace dslap {
namespace {

constexpr uint32_t kTooManyUserConnections = 1203;  // the server's variable of that name
constexpr uint32_t kUserLimitReached = 1226;        // a limit of the account, one of several

}  // namespace

bool RefusedByAccountLimit(const SqlError& error) {
  if (error.code != kTooManyUserConnections && error.code != kUserLimitReached) return false;
  return absl::StrContains(error.message, "max_user_connections");
}

bool RefusedByAccountLimit(const ErrorTally& errors) {
  const std::vector<ErrorTally::Entry> entries = errors.entries();
  return std::any_of(entries.begin(), entries.end(), [](const ErrorTally::Entry& entry) {
    return RefusedByAccountLimit(entry.first);
  });
}

}  // namespace dslap
