// The command line of dslap-agent.
//
//   ASSIGN_OR_RETURN(const AgentOptions options, ParseAgentOptions({"--listen=127.0.0.1:0"}));
//   RETURN_IF_ERROR(CheckLinkSecurity(options, now_unix));
#ifndef DSLAP_AGENT_AGENT_OPTIONS_H_
#define DSLAP_AGENT_AGENT_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/link_security.h"

namespace dslap {

struct AgentOptions {
  std::string listen = "127.0.0.1:7527";  // HOST:PORT as given; may be a name
  LinkTls tls;                            // unused: plain text
  std::string token_file;                 // empty: whoever TLS lets in is let in
  bool insecure = false;
  bool help = false;
  bool version = false;
};

// `arguments` without the program's name. INVALID_ARGUMENT, in one line, for what is unknown or
// malformed. Looks nothing up.
absl::StatusOr<AgentOptions> ParseAgentOptions(const std::vector<std::string>& arguments);

// Whether the files for TLS and the token are complete and can be used at `now_unix` (seconds since
// 1970). The error names the option and the file.
absl::Status CheckLinkSecurity(const AgentOptions& options, int64_t now_unix);

// The numeric address to listen on. INVALID_ARGUMENT when it is malformed; NOT_FOUND when the name
// is unknown; PERMISSION_DENIED when others than this host could reach it, and neither TLS with a
// check of who calls (certificate or token) nor --insecure was given.
absl::StatusOr<std::string> AddressToListenOn(const AgentOptions& options);

// For the log: " (TLS with client certificates, token)"; empty in plain text without a token.
std::string DescribeLinkSecurity(const AgentOptions& options);

std::string AgentHelpText();

// For the log of an agent that was started with --insecure.
inline constexpr char kInsecureWarning[] =
    "--insecure: whoever reaches this port can load any database that this host can reach, and "
    "what "
    "is sent here may be read on the way";

}  // namespace dslap

#endif  // DSLAP_AGENT_AGENT_OPTIONS_H_
