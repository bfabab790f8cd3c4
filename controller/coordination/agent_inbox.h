// What one agent's stream brings, on its way into the event queue: so much may wait there and no
// more. An agent that sends faster than its messages are looked at costs itself the run, and not
// the controller its memory.
//
//   AgentInbox inbox(agent, &events);            // the link's listener
//   inbox.Taken(event);                          // when an event of it was taken out of the queue
#ifndef DSLAP_CONTROLLER_COORDINATION_AGENT_INBOX_H_
#define DSLAP_CONTROLLER_COORDINATION_AGENT_INBOX_H_

#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "controller/coordination/agent_link.h"
#include "controller/coordination/event_queue.h"

namespace dslap {

// Thread-safe.
class AgentInbox final : public AgentLink::Listener {
 public:
  // An agent answers what it is asked, and says one thing a second by itself: only while the
  // controller is held up do they pile up, an hour's (the longest lease) to a third of this.
  static constexpr size_t kMaxMessages = 10'000;
  // Two of the largest messages.
  static constexpr size_t kMaxBytes = size_t{128} << 20;

  // `events` outlives the inbox.
  AgentInbox(size_t agent, EventQueue* events) : agent_(agent), events_(events) {}

  void OnResponse(v1::RunResponse response, int64_t received_at_ns) override;
  void OnClosed(absl::Status status) override;

  void Taken(const ResponseEvent& event);

 private:
  const size_t agent_;
  EventQueue* const events_;
  absl::Mutex mu_;
  size_t messages_ ABSL_GUARDED_BY(mu_) = 0;
  size_t bytes_ ABSL_GUARDED_BY(mu_) = 0;
  bool overflowed_ ABSL_GUARDED_BY(mu_) = false;  // then all that follows is dropped
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_AGENT_INBOX_H_
