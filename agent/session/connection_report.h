// Which connections of the clients the controller has been told of, and what is new since then, for
// RoundReady and Progress. Pure.
//
//   if (report.Tell(engine->Connections(), &progress)) ...   // there was news
#ifndef DSLAP_AGENT_SESSION_CONNECTION_REPORT_H_
#define DSLAP_AGENT_SESSION_CONNECTION_REPORT_H_

#include "common/server_connections.h"
#include "dslap/v1/agent.pb.h"

namespace dslap {

// Not thread-safe.
class ConnectionReport {
 public:
  // All that are open, whatever was told before.
  v1::ServerConnections TellAll(const ConnectionMap& open);

  // Adds the differences to what was told. False: there are none.
  bool Tell(const ConnectionMap& open, v1::Progress* progress);

 private:
  ConnectionMap told_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SESSION_CONNECTION_REPORT_H_
