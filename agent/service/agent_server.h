// The agent as a gRPC server: what dslap-agent runs, and what the controller starts inside its own
// process when no --agents are given (controller/in_process_agent.h).
//
//   AgentServer::Options options;
//   options.listen_address = "127.0.0.1:0";
//   ASSIGN_OR_RETURN(std::unique_ptr<AgentServer> server, StartAgentServer(std::move(options)));
//   LogInfo(absl::StrCat("port ", server->port()));
//   ...
//   server->Drain(absl::Seconds(5));
#ifndef DSLAP_AGENT_SERVICE_AGENT_SERVER_H_
#define DSLAP_AGENT_SERVICE_AGENT_SERVER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "agent/service/connection_book.h"
#include "agent/service/refusal_log.h"
#include "agent/session/session_environment.h"
#include "common/link_security.h"

namespace grpc {
class Channel;
class Server;
}  // namespace grpc

namespace dslap {

class AgentService;
class ConnectionGate;
class HealthService;
class Ticker;

// Thread-safe. Serves from construction on; the destructor drains, however
// long that takes.
class AgentServer {
 public:
  // Largest message taken or sent; larger statement lists come in pieces.
  static constexpr int kMaxMessageBytes = 64 << 20;
  // Calls at a time over one connection; more wait at the caller's.
  static constexpr int kMaxCallsPerConnection = 32;
  // What callers' messages may take while they come in, all together.
  static constexpr size_t kMaxBufferedBytes = size_t{512} << 20;

  struct Options {
    // Numeric "127.0.0.1:7527" or "[::1]:0" (port 0 picks a free one); empty: in-process only.
    std::string listen_address;
    // A socket that listens already (from whoever supervises this program), to be taken over in the
    // place of `listen_address`; -1: none.
    int listening_fd = -1;
    ConnectionLimits connection_limits = DefaultConnectionLimits();
    LinkTls tls;              // unused: plain text. Its files were checked: CheckLinkTls()
    std::string token_file;   // empty: who got as far as this is let in
    bool reflection = false;  // callers may ask what is served; needs gRPC's library for it linked
    // Parts that are left empty are the production ones.
    SessionEnvironment environment;
  };

  // What this process's limit of descriptors allows.
  static ConnectionLimits DefaultConnectionLimits();

  ~AgentServer();
  AgentServer(const AgentServer&) = delete;
  AgentServer& operator=(const AgentServer&) = delete;

  // A channel that reaches this server without a socket. The server must outlive its use.
  std::shared_ptr<grpc::Channel> InProcessChannel();

  // The port that is listened on, 0 when in-process only; and with its host, "127.0.0.1:41234".
  int port() const { return port_; }
  const std::string& address() const { return address_; }

  // Since the start; and connections of callers now.
  uint64_t Refused(Refusal kind) const { return refusals_->count(kind); }
  size_t Connections() const;

  // What the agent does now, in a line: "idle", or which run it carries out.
  std::string Activity() const;

  // Whether what a run cannot do without works: the threads that see to leases and take
  // connections are not late by `patience`, and a call is answered within it. DEADLINE_EXCEEDED
  // names what does not.
  absl::Status CheckAlive(absl::Duration patience);

  // Refuses new runs, aborts those that are going on (their streams end UNAVAILABLE "agent is
  // shutting down"), and waits for their end, at most `patience`. True: all ended, and nothing is
  // served any more. False: a run is stuck, and the destructor would wait for it. Idempotent.
  bool Drain(absl::Duration patience);

 private:
  friend absl::StatusOr<std::unique_ptr<AgentServer>> StartAgentServer(Options options);
  AgentServer();

  std::unique_ptr<RefusalLog> refusals_;
  std::unique_ptr<ConnectionGate> gate_;
  std::unique_ptr<HealthService> health_;
  std::unique_ptr<AgentService> service_;
  std::atomic<int64_t> ticked_at_ns_ = 0;
  std::unique_ptr<Ticker> ticker_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
  std::string address_;
};

// The error of an address that cannot be listened on names the address and the reason.
absl::StatusOr<std::unique_ptr<AgentServer>> StartAgentServer(AgentServer::Options options);

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_AGENT_SERVER_H_
