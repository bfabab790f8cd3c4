#include "controller/coordination/agent_inbox.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace dslap {

void AgentInbox::OnResponse(v1::RunResponse response, int64_t received_at_ns) {
  const size_t bytes = response.ByteSizeLong();
  absl::MutexLock lock(&mu_);
  if (overflowed_) return;
  if (messages_ == kMaxMessages || bytes_ + bytes > kMaxBytes) {
    overflowed_ = true;
    events_->Push(
        StreamClosedEvent{agent_, absl::ResourceExhaustedError(absl::StrCat(
                                      "sent faster than could be looked at: ", messages_,
                                      " messages with ", bytes_, " bytes were waiting"))});
    return;
  }
  ++messages_;
  bytes_ += bytes;
  events_->Push(ResponseEvent{agent_, std::move(response), received_at_ns, bytes});
}

void AgentInbox::OnClosed(absl::Status status) {
  events_->Push(StreamClosedEvent{agent_, std::move(status)});
}

void AgentInbox::Taken(const ResponseEvent& event) {
  absl::MutexLock lock(&mu_);
  --messages_;
  bytes_ -= event.bytes;
}

}  // namespace dslap
