#include "agent/supervision/service_reporter.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/message_text.h"

namespace dslap {
namespace {

bool Watched(absl::Duration watchdog) { return watchdog > absl::ZeroDuration(); }

// A sign is due after half of a period, and its check has a quarter: a check that gives up leaves
// time for another before the period is over.
absl::Duration SignInterval(absl::Duration watchdog) { return watchdog / 2; }
absl::Duration CheckPatience(absl::Duration watchdog) { return watchdog / 4; }

absl::Duration TickInterval(absl::Duration watchdog) {
  if (!Watched(watchdog)) return ServiceReporter::kStatusInterval;
  // A tick is late by up to its own length: short ones keep the signs near their time.
  return std::min(ServiceReporter::kStatusInterval, watchdog / 8);
}

}  // namespace

ServiceReporter::ServiceReporter(Parts parts) : parts_(std::move(parts)) {
  told_ = Describe();
  parts_.notify(absl::StrCat("READY=1\nSTATUS=", told_));
  ticker_ =
      std::make_unique<Ticker>("service-report", TickInterval(parts_.watchdog), [this] { Tick(); });
}

void ServiceReporter::Stopping(const std::string& why) {
  const absl::MutexLock lock(&mu_);
  stopping_ = true;
  parts_.notify(absl::StrCat("STOPPING=1\nSTATUS=", why));
}

void ServiceReporter::Tick() {
  TellStatus();
  if (Watched(parts_.watchdog)) GiveSign();
}

// A line end in it would begin an assignment of whoever has put it there.
std::string ServiceReporter::Describe() const {
  std::string status = parts_.describe();
  std::replace_if(status.begin(), status.end(), IsControl, '?');
  return status;
}

void ServiceReporter::TellStatus() {
  std::string status = Describe();
  const absl::MutexLock lock(&mu_);
  if (stopping_ || status == told_) return;
  parts_.notify(absl::StrCat("STATUS=", status));
  told_ = std::move(status);
}

void ServiceReporter::GiveSign() {
  const int64_t now_ns = SteadyClock::Get()->NowNs();
  if (now_ns < next_sign_ns_) return;
  {
    const absl::MutexLock lock(&mu_);
    if (stopping_) return;
  }
  const absl::Status answer = parts_.check(CheckPatience(parts_.watchdog));
  if (answer.ok()) {
    parts_.notify("WATCHDOG=1");
    next_sign_ns_ = now_ns + absl::ToInt64Nanoseconds(SignInterval(parts_.watchdog));
    if (!answers_) LogWarning("all parts answer again: going on with signs of life");
  } else if (answers_) {
    LogError(absl::StrCat(answer.message(), ": giving no sign of life until it does"));
  }
  answers_ = answer.ok();
}

}  // namespace dslap
