// The controller's view of one agent: GetInfo and the Run stream. Production: GrpcAgentLink; tests:
// tests/fakes/fake_agent_link.h.
#ifndef DSLAP_CONTROLLER_COORDINATION_AGENT_LINK_H_
#define DSLAP_CONTROLLER_COORDINATION_AGENT_LINK_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Thread-safe. Destroying a link cancels its stream and waits until no callback runs any more.
class AgentLink {
 public:
  // Receives what the stream brings, on a thread of the link's, one call at a time. Must not block.
  class Listener {
   public:
    virtual ~Listener() = default;
    // `received_at_ns`: on the controller's monotonic clock.
    virtual void OnResponse(v1::RunResponse response, int64_t received_at_ns) = 0;
    // The stream's end: the last call, exactly once after OpenStream().
    virtual void OnClosed(absl::Status status) = 0;
  };

  virtual ~AgentLink() = default;

  // "db-a:7527", or "in-process".
  virtual const std::string& name() const = 0;

  // Asks who the agent is; `done` is called once, from any thread. A connection that cannot be made
  // is UNAVAILABLE at once, silence is DEADLINE_EXCEEDED after `timeout`.
  virtual void GetInfo(absl::Duration timeout,
                       std::function<void(absl::StatusOr<v1::GetInfoResponse>)> done) = 0;

  // Begins the Run stream. Once. `listener` must outlive the link.
  virtual void OpenStream(Listener* listener) = 0;

  // Queues a message; after the stream's end it is dropped. Sending is not delivery.
  virtual void Send(v1::RunRequest request) = 0;

  // Ends the stream at once; the agent sees a cancelled run. No-op after the end.
  virtual void Cancel() = 0;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_COORDINATION_AGENT_LINK_H_
