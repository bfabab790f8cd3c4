#include "agent/session/run_log.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace dslap {
namespace {

// Of a value; what comes over the wire may have any length.
constexpr size_t kLongestValue = 512;

bool IsPlain(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
         absl::StrContains("-_.:/@+,[]()%*", absl::string_view(&c, 1));
}

absl::string_view Outcome(const absl::Status& status, bool started) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return "finished";
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kDeadlineExceeded:
      return "lost-controller";
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kPermissionDenied:
      return started ? "stopped" : "refused";
    default:
      return started ? "failed" : "refused";
  }
}

void Append(absl::string_view key, absl::string_view value, std::string* line) {
  absl::StrAppend(line, " ", key, "=", LogValue(value));
}

}  // namespace

std::string LogValue(absl::string_view text) {
  if (text.empty()) return "-";
  if (text.size() <= kLongestValue && text != "-" &&
      std::all_of(text.begin(), text.end(), IsPlain)) {
    return absl::StrCat(text);
  }
  // Bytes beyond ASCII are escaped, too: control characters are among them.
  return absl::StrCat("\"", absl::CEscape(text.substr(0, kLongestValue)),
                      text.size() > kLongestValue ? "..." : "", "\"");
}

void RunLog::Opened(const std::string& run_id, const std::string& controller,
                    const SqlTarget& target, int64_t now_ns) {
  opened_ = true;
  run_id_ = run_id.substr(0, kLongestValue + 1);
  controller_ = controller.substr(0, kLongestValue + 1);
  target_ = target.Describe().substr(0, kLongestValue + 1);
  user_ = target.user.substr(0, kLongestValue + 1);
  opened_at_ns_ = now_ns;
}

void RunLog::RoundPrepared(uint64_t clients) { most_clients_ = std::max(most_clients_, clients); }

void RunLog::RoundDone(uint64_t statements, uint64_t errors) {
  ++rounds_;
  statements_ += statements;
  errors_ += errors;
}

std::string RunLog::Who() const {
  std::string line;
  Append("id", run_id_, &line);
  Append("controller", controller_, &line);
  Append("peer", caller_.peer, &line);
  Append("certificate", caller_.certificate, &line);
  Append("target", target_, &line);
  Append("user", user_, &line);
  return line;
}

std::string RunLog::StartLine() {
  started_ = true;
  return absl::StrCat("event=run-started", Who());
}

std::string RunLog::EndLine(const absl::Status& status, int64_t now_ns) const {
  std::string line = absl::StrCat("event=run", Who(), " clients=", most_clients_,
                                  " rounds=", rounds_, " statements=", statements_,
                                  " errors=", errors_, " outcome=", Outcome(status, started_));
  if (!status.ok()) {
    Append("code", absl::StatusCodeToString(status.code()), &line);
    Append("reason", status.message(), &line);
  }
  const int64_t took_ns = opened_ ? now_ns - opened_at_ns_ : 0;
  absl::StrAppendFormat(&line, " duration=%.3fs", static_cast<double>(took_ns) / 1e9);
  return line;
}

std::string RunLog::WillLine(const std::string& outcome) const {
  std::string line = "event=last-will";
  Append("id", run_id_, &line);
  Append("outcome", outcome, &line);
  return line;
}

}  // namespace dslap
