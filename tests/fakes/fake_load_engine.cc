#include "tests/fakes/fake_load_engine.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace dslap {

void FakeLoadEngineControl::HoldPrepare() {
  absl::MutexLock lock(&mu_);
  hold_prepare_ = true;
}
void FakeLoadEngineControl::ReleasePrepare() {
  absl::MutexLock lock(&mu_);
  hold_prepare_ = false;
}
void FakeLoadEngineControl::HoldGate() {
  absl::MutexLock lock(&mu_);
  hold_gate_ = true;
}
void FakeLoadEngineControl::ReleaseGate() {
  absl::MutexLock lock(&mu_);
  hold_gate_ = false;
}
void FakeLoadEngineControl::HoldRun() {
  absl::MutexLock lock(&mu_);
  hold_run_ = true;
}
void FakeLoadEngineControl::ReleaseRun() {
  absl::MutexLock lock(&mu_);
  hold_run_ = false;
}
void FakeLoadEngineControl::HoldClose() {
  absl::MutexLock lock(&mu_);
  hold_close_ = true;
}
void FakeLoadEngineControl::ReleaseClose() {
  absl::MutexLock lock(&mu_);
  hold_close_ = false;
}
void FakeLoadEngineControl::IgnoreStops(bool ignore) {
  absl::MutexLock lock(&mu_);
  ignore_stops_ = ignore;
}

void FakeLoadEngineControl::set_prepare_outcome(PrepareOutcome outcome) {
  absl::MutexLock lock(&mu_);
  prepare_outcome_ = std::move(outcome);
}
void FakeLoadEngineControl::set_run_outcome(RoundOutcome outcome) {
  absl::MutexLock lock(&mu_);
  run_outcome_ = std::move(outcome);
}
void FakeLoadEngineControl::set_counters(LiveCounters counters) {
  absl::MutexLock lock(&mu_);
  counters_ = counters;
}

std::vector<RoundSpec> FakeLoadEngineControl::specs() const {
  absl::MutexLock lock(&mu_);
  return specs_;
}
std::vector<FakeLoadEngineControl::StopCall> FakeLoadEngineControl::stops() const {
  absl::MutexLock lock(&mu_);
  return stops_;
}
std::vector<int64_t> FakeLoadEngineControl::open_at_ns() const {
  absl::MutexLock lock(&mu_);
  return open_at_ns_;
}
std::vector<std::string> FakeLoadEngineControl::calls() const {
  absl::MutexLock lock(&mu_);
  return calls_;
}

bool FakeLoadEngineControl::AwaitCall(const std::string& call, int count) const {
  auto made = [&] { return std::count(calls_.begin(), calls_.end(), call) >= count; };
  absl::MutexLock lock(&mu_);
  return mu_.AwaitWithTimeout(absl::Condition(&made), absl::Seconds(10));
}

bool FakeLoadEngineControl::AwaitStop() const {
  auto made = [&] { return !stops_.empty(); };
  absl::MutexLock lock(&mu_);
  return mu_.AwaitWithTimeout(absl::Condition(&made), absl::Seconds(10));
}

FakeLoadEngine::~FakeLoadEngine() {
  absl::MutexLock lock(&control_->mu_);
  control_->calls_.push_back("destroyed");
}

PrepareOutcome FakeLoadEngine::Prepare(const RoundSpec& spec) {
  absl::MutexLock lock(&control_->mu_);
  // As the contract says: a stop before is forgotten.
  control_->stopped_ = false;
  control_->stop_cause_ = RoundStopCause::kNone;
  control_->specs_.push_back(spec);
  control_->calls_.push_back(absl::StrCat("prepare ", spec.round));
  auto go_on = [this] { return !control_->hold_prepare_ || control_->stopped_; };
  control_->mu_.Await(absl::Condition(&go_on));
  return control_->prepare_outcome_;
}

RoundOutcome FakeLoadEngine::Run(int64_t open_at_ns, const std::function<void(int64_t)>& on_open) {
  {
    absl::MutexLock lock(&control_->mu_);
    control_->open_at_ns_.push_back(open_at_ns);
    control_->calls_.push_back("run");
    auto go_on = [this] { return !control_->hold_gate_ || control_->stopped_; };
    control_->mu_.Await(absl::Condition(&go_on));
    if (control_->stopped_) {
      RoundOutcome outcome;
      outcome.stop_cause = control_->stop_cause_;
      return outcome;
    }
  }
  if (const RoundSpec spec = control_->specs().back(); spec.may_open && !spec.may_open()) {
    absl::MutexLock lock(&control_->mu_);
    control_->calls_.push_back("kept shut");
    RoundOutcome outcome;
    outcome.stop_cause = RoundStopCause::kController;
    return outcome;
  }
  const int64_t opened_at_ns = clock_->NowNs();
  on_open(opened_at_ns);
  absl::MutexLock lock(&control_->mu_);
  auto go_on = [this] { return !control_->hold_run_ || control_->stopped_; };
  control_->mu_.Await(absl::Condition(&go_on));
  RoundOutcome outcome = control_->run_outcome_;
  outcome.opened_at_ns = opened_at_ns;
  outcome.closed_at_ns = clock_->NowNs();
  outcome.stop_cause = control_->stop_cause_;
  return outcome;
}

void FakeLoadEngine::Stop(RoundStopCause cause, int64_t grace_ns) {
  absl::MutexLock lock(&control_->mu_);
  control_->stops_.push_back({cause, grace_ns});
  if (control_->ignore_stops_) return;
  control_->stopped_ = true;
  control_->stop_cause_ = cause;
}

void FakeLoadEngine::CloseAll() {
  absl::MutexLock lock(&control_->mu_);
  control_->calls_.push_back("close all");
  auto go_on = [this] { return !control_->hold_close_; };
  control_->mu_.Await(absl::Condition(&go_on));
}

LiveCounters FakeLoadEngine::Counters() const {
  absl::MutexLock lock(&control_->mu_);
  return control_->counters_;
}

}  // namespace dslap
