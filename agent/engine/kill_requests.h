// Where a client says that it has given up waiting for a statement (--query-timeout), so that the
// server gives it up too. A seam: StatementKiller does it, tests take it down.
#ifndef DSLAP_AGENT_ENGINE_KILL_REQUESTS_H_
#define DSLAP_AGENT_ENGINE_KILL_REQUESTS_H_

#include <cstdint>

namespace dslap {

class KillRequests {
 public:
  virtual ~KillRequests() = default;

  // Has the server end what it does for this connection, and the connection; soon, not within this
  // call, which does not block. Thread-safe. Once for each statement that was given up.
  virtual void KillOnServer(uint64_t connection_id) = 0;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_ENGINE_KILL_REQUESTS_H_
