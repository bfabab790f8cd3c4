// A ResponseSink that keeps what it is given, for the test to wait for.
//
//   RecordingSink sink;
//   ... session.Receive(...) ...
//   v1::RunResponse response = sink.Next();           // waits; fails the test after 10 s
//   absl::Status status = sink.AwaitFinish();
#ifndef DSLAP_TESTS_FAKES_RECORDING_SINK_H_
#define DSLAP_TESTS_FAKES_RECORDING_SINK_H_

#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "agent/session/response_sink.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Thread-safe.
class RecordingSink final : public ResponseSink {
 public:
  void Send(v1::RunResponse response) override {
    absl::MutexLock lock(&mu_);
    if (finished_.has_value()) ++uses_after_finish_;
    responses_.push_back(std::move(response));
  }

  void Finish(const absl::Status& status) override {
    if (on_finish_) on_finish_();
    absl::MutexLock lock(&mu_);
    if (finished_.has_value()) ++uses_after_finish_;
    finished_ = status;
  }

  // Called at the beginning of Finish(). Set before use.
  void OnFinish(std::function<void()> on_finish) { on_finish_ = std::move(on_finish); }

  // The next response; empty when none came within 10 s.
  v1::RunResponse Next() {
    auto ready = [this] { return !responses_.empty(); };
    absl::MutexLock lock(&mu_);
    if (!mu_.AwaitWithTimeout(absl::Condition(&ready), absl::Seconds(10))) return {};
    v1::RunResponse response = std::move(responses_.front());
    responses_.pop_front();
    return response;
  }

  bool HasNext() const {
    absl::MutexLock lock(&mu_);
    return !responses_.empty();
  }

  // UNKNOWN "not finished" when the end did not come within 10 s.
  absl::Status AwaitFinish() const {
    auto ready = [this] { return finished_.has_value(); };
    absl::MutexLock lock(&mu_);
    if (!mu_.AwaitWithTimeout(absl::Condition(&ready), absl::Seconds(10))) {
      return absl::UnknownError("not finished");
    }
    return *finished_;
  }

  bool finished() const {
    absl::MutexLock lock(&mu_);
    return finished_.has_value();
  }

  // Calls that should not have come.
  int uses_after_finish() const {
    absl::MutexLock lock(&mu_);
    return uses_after_finish_;
  }

 private:
  std::function<void()> on_finish_;
  mutable absl::Mutex mu_;
  std::deque<v1::RunResponse> responses_;
  std::optional<absl::Status> finished_;
  int uses_after_finish_ = 0;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_FAKES_RECORDING_SINK_H_
