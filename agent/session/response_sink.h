// Where a session's answers go. Production: RunReactor (agent/service/run_reactor.h); tests: a
// recorder.
#ifndef DSLAP_AGENT_SESSION_RESPONSE_SINK_H_
#define DSLAP_AGENT_SESSION_RESPONSE_SINK_H_

#include "absl/status/status.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Thread-safe; never blocks and never calls back into the session.
class ResponseSink {
 public:
  virtual ~ResponseSink() = default;

  // Queues a message. Messages leave in the order of the calls.
  virtual void Send(v1::RunResponse response) = 0;

  // Ends the stream after what was queued. The last call, exactly once.
  virtual void Finish(const absl::Status& status) = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_RESPONSE_SINK_H_
