// The command line of dslap-agent.
//
//   absl::StatusOr<AgentOptions> options = ParseAgentOptions({"--listen=127.0.0.1:0"});
#ifndef DSLAP_AGENT_AGENT_OPTIONS_H_
#define DSLAP_AGENT_AGENT_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace dslap {

struct AgentOptions {
  std::string listen = "127.0.0.1:7527";  // HOST:PORT as given; may be a name
  bool insecure = false;
  bool help = false;
  bool version = false;
};

// `arguments` without the program's name. INVALID_ARGUMENT, in one line, for what is unknown or
// malformed. Looks nothing up.
absl::StatusOr<AgentOptions> ParseAgentOptions(const std::vector<std::string>& arguments);

// The numeric address to listen on. INVALID_ARGUMENT when it is malformed; NOT_FOUND when the name
// is unknown; PERMISSION_DENIED when others than this host could reach it and --insecure was not
// given. That is also what keeps a database password off the network: an agent takes it from
// whoever reaches it, in plain text.
absl::StatusOr<std::string> AddressToListenOn(const AgentOptions& options);

std::string AgentHelpText();

// For the log of an agent that was started with --insecure.
inline constexpr char kInsecureWarning[] =
    "--insecure: connections are neither encrypted nor checked; whoever reaches this port can load "
    "any database this host can reach, and read the passwords sent here";

}  // namespace dslap

#endif  // DSLAP_AGENT_AGENT_OPTIONS_H_
