// What can be said of dslap-agent's options only by looking around on the host: files, certificates
// and addresses.
//
//   RETURN_IF_ERROR(CheckLinkSecurity(options, now_unix));
#ifndef DSLAP_AGENT_OPTIONS_AGENT_OPTION_CHECKS_H_
#define DSLAP_AGENT_OPTIONS_AGENT_OPTION_CHECKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/options/agent_options.h"
#include "agent/service/listen_address.h"

namespace dslap {

// Whether the files for TLS and the token are complete and can be used at `now_unix` (seconds since
// 1970). The error names the option and the file.
absl::Status CheckLinkSecurity(const AgentOptions& options, int64_t now_unix);

// The numeric address to listen on: that of `passed`, a socket that a service manager made, or that
// of --listen. INVALID_ARGUMENT when it is malformed; NOT_FOUND when the name
// is unknown; PERMISSION_DENIED when others than this host could reach it, and neither TLS with a
// check of who calls (certificate or token) nor --insecure was given.
absl::StatusOr<std::string> AddressToListenOn(
    const AgentOptions& options, const std::optional<ListenAddress>& passed = std::nullopt);

// The numeric address to serve metrics on; empty: none. Errors as above: PERMISSION_DENIED when
// others than this host could reach it.
absl::StatusOr<std::string> AddressOfMetrics(const AgentOptions& options);

// All that those above find wrong, not only the first; without an error of it, `*listen_address` is
// what AddressToListenOn() gives.
std::vector<absl::Status> FindConfigErrors(const AgentOptions& options, int64_t now_unix,
                                           std::string* listen_address = nullptr);

// For the log: " (TLS with client certificates, token)"; empty in plain text without a token.
std::string DescribeLinkSecurity(const AgentOptions& options);

// For the log of an agent that was started with --insecure.
inline constexpr char kInsecureWarning[] =
    "--insecure: whoever reaches this port can load any database that this host can reach, and "
    "what is sent here may be read on the way";

}  // namespace dslap

#endif  // DSLAP_AGENT_OPTIONS_AGENT_OPTION_CHECKS_H_
