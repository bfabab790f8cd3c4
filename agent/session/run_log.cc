#include "agent/session/run_log.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace dslap {
namespace {

std::string Outcome(const absl::Status& status) {
  if (status.ok()) return "closed by the controller";
  return absl::StrCat(absl::StatusCodeToString(status.code()), ": ",
                      absl::Utf8SafeCEscape(status.message()));
}

}  // namespace

void RunLog::Opened(const std::string& run_id, const std::string& controller, std::string target,
                    int64_t now_ns) {
  who_ = absl::StrCat("run ", absl::Utf8SafeCEscape(run_id), " of ",
                      controller.empty() ? "unknown" : absl::Utf8SafeCEscape(controller));
  target_ = absl::Utf8SafeCEscape(target);
  opened_at_ns_ = now_ns;
}

void RunLog::RoundPrepared(uint64_t clients) { most_clients_ = std::max(most_clients_, clients); }

std::string RunLog::StartLine() const { return absl::StrCat(who_, " started: target ", target_); }

std::string RunLog::EndLine(const absl::Status& status, int64_t now_ns) const {
  return absl::StrFormat("%s ended after %.1f s: target %s, %d rounds, at most %d clients: %s",
                         who_, static_cast<double>(now_ns - opened_at_ns_) / 1e9, target_, rounds_,
                         most_clients_, Outcome(status));
}

std::string RunLog::WillLine(const std::string& outcome) const {
  return absl::StrCat(who_, ": ", outcome);
}

std::string RunLog::RefusedLine(const absl::Status& status) const {
  return absl::StrCat(who_, " refused: ", Outcome(status));
}

}  // namespace dslap
