#include "agent/service/refusal_log.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/log.h"

namespace dslap {

absl::string_view RefusalName(Refusal kind) {
  switch (kind) {
    case Refusal::kToken:
      return "token";
    case Refusal::kHandshake:
      return "handshake";
    case Refusal::kNoCall:
      return "no_call";
    case Refusal::kUnused:
      return "unused";
    case Refusal::kCrowd:
      return "crowd";
    case Refusal::kDescriptors:
      return "descriptors";
    case Refusal::kRun:
      break;
  }
  return "run";
}

void RefusalLog::Refused(Refusal kind, absl::string_view peer, absl::string_view why) {
  std::string more;
  {
    absl::MutexLock lock(&mu_);
    Tally& tally = tallies_[static_cast<size_t>(kind)];
    ++tally.count;
    const int64_t now_ns = clock_->NowNs();
    if (now_ns < tally.next_log_ns) {
      ++tally.unlogged;
      return;
    }
    if (tally.unlogged > 0) more = absl::StrCat(" (", tally.unlogged, " more since)");
    tally.unlogged = 0;
    tally.next_log_ns = now_ns + kIntervalNs;
  }
  LogWarning(absl::StrCat("refused ", peer, ": ", why, more));
}

uint64_t RefusalLog::count(Refusal kind) const {
  absl::MutexLock lock(&mu_);
  return tallies_[static_cast<size_t>(kind)].count;
}

}  // namespace dslap
