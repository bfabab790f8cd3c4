#include "agent/service/run_reactor.h"

#include <utility>

#include "common/grpc_status.h"

namespace dslap {

RunReactor::RunReactor(const std::function<std::shared_ptr<Session>(ResponseSink*)>& make_session,
                       std::function<void()> on_done)
    : on_done_(std::move(on_done)), session_(make_session(this)) {
  ReadNext();
}

void RunReactor::Send(v1::RunResponse response) {
  absl::MutexLock lock(&mu_);
  if (broken_) return;
  queue_.push_back(std::move(response));
  Continue();
}

void RunReactor::Finish(const absl::Status& status) {
  absl::MutexLock lock(&mu_);
  finish_ = ToGrpcStatus(status);
  Continue();
}

void RunReactor::OnReadDone(bool ok) {
  if (!ok) {
    session_->ReceiveEnd();
    return;
  }
  session_->Receive(std::move(request_));
  ReadNext();
}

void RunReactor::OnWriteDone(bool ok) {
  absl::MutexLock lock(&mu_);
  writing_ = false;
  queue_.pop_front();
  if (!ok) {
    broken_ = true;
    queue_.clear();
  }
  Continue();
  if (read_wanted_ && queue_.size() < kMaxQueued && !finish_.has_value()) {
    read_wanted_ = false;
    StartRead(&request_);
  }
}

void RunReactor::OnCancel() { session_->ReceiveEnd(); }

void RunReactor::OnDone() {
  // Whoever finished the stream may still be on the way out of Finish().
  { const absl::MutexLock lock(&mu_); }
  const std::function<void()> on_done = on_done_;
  delete this;
  on_done();
}

void RunReactor::Continue() {
  if (writing_) return;
  if (!queue_.empty()) {
    writing_ = true;
    StartWrite(&queue_.front());
  } else if (finish_.has_value()) {
    Base::Finish(*finish_);
  }
}

void RunReactor::ReadNext() {
  absl::MutexLock lock(&mu_);
  if (finish_.has_value()) return;
  if (queue_.size() < kMaxQueued) {
    StartRead(&request_);
  } else {
    read_wanted_ = true;
  }
}

}  // namespace dslap
