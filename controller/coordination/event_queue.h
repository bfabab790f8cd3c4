// What happens to a run from outside, in one queue: messages of agents, ends of streams,
// interrupts, news from elsewhere. Other threads put in; the coordinator's thread takes out.
#ifndef DSLAP_CONTROLLER_COORDINATION_EVENT_QUEUE_H_
#define DSLAP_CONTROLLER_COORDINATION_EVENT_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <variant>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "common/clock.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

struct ResponseEvent {
  size_t agent = 0;
  v1::RunResponse response;
  int64_t received_at_ns = 0;
  size_t bytes = 0;  // on the wire; of those that wait, see agent_inbox.h
};

struct StreamClosedEvent {
  size_t agent = 0;
  absl::Status status;
};

struct InterruptEvent {};

// Something that a condition of Await() looks at has changed.
struct WakeEvent {};

using Event = std::variant<ResponseEvent, StreamClosedEvent, InterruptEvent, WakeEvent>;

// Thread-safe.
class EventQueue {
 public:
  explicit EventQueue(Clock* clock) : clock_(clock) {}

  void Push(Event event);
  // The oldest event; waits for one until `deadline_ns`.
  std::optional<Event> Pop(int64_t deadline_ns);
  size_t size() const;

 private:
  Clock* clock_;
  mutable absl::Mutex mu_;
  std::deque<Event> events_ ABSL_GUARDED_BY(mu_);
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_EVENT_QUEUE_H_
