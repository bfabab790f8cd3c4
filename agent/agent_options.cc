#include "agent/agent_options.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "agent/service/listen_address.h"
#include "common/status_util.h"

namespace dslap {
namespace {

constexpr char kHelp[] =
    R"(dslap-agent: runs one host's share of the clients of a dslap benchmark.

usage: dslap-agent [OPTIONS]

  --listen=HOST:PORT  address to wait for controllers on (default 127.0.0.1:7527); port 0 picks a
                      free one; IPv6 in brackets: [::1]:7527
  --insecure          allow an address that other hosts can reach: whoever reaches it can make
                      this host load any database it can reach, and reads passwords on the wire
  --help              this text
  --version           version

When ready it logs the address. SIGTERM or SIGINT ends it: a run that is going on is ended cleanly
at both ends first; a second signal ends it at once. Exit codes: 0 ended by a signal; 1 cannot
listen; 2 wrong command line.
)";

}  // namespace

absl::StatusOr<AgentOptions> ParseAgentOptions(const std::vector<std::string>& arguments) {
  AgentOptions options;
  for (const std::string& argument : arguments) {
    absl::string_view rest = argument;
    if (absl::ConsumePrefix(&rest, "--listen=")) {
      options.listen = absl::StrCat(rest);
    } else if (argument == "--listen") {
      return absl::InvalidArgumentError("--listen needs a value: --listen=HOST:PORT");
    } else if (argument == "--insecure") {
      options.insecure = true;
    } else if (argument == "--help") {
      options.help = true;
    } else if (argument == "--version") {
      options.version = true;
    } else if (absl::StartsWith(argument, "--insecure=") || absl::StartsWith(argument, "--help=") ||
               absl::StartsWith(argument, "--version=")) {
      return absl::InvalidArgumentError(absl::StrCat(
          "'", argument, "': ", argument.substr(0, argument.find('=')), " takes no value"));
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          absl::StartsWith(argument, "-") ? "unknown option '" : "unexpected argument '", argument,
          "': see dslap-agent --help"));
    }
  }
  return options;
}

absl::StatusOr<std::string> AddressToListenOn(const AgentOptions& options) {
  absl::StatusOr<ListenAddress> address = ResolveListenAddress(options.listen);
  if (!address.ok()) return Annotate(address.status(), "--listen");
  if (!address->loopback && !options.insecure) {
    return absl::PermissionDeniedError(absl::StrCat(
        "--listen: ", address->numeric,
        " can be reached by other hosts, and whoever reaches an agent can make it load any "
        "database: listen on loopback (127.0.0.1), or say --insecure in a network you trust"));
  }
  return address->numeric;
}

std::string AgentHelpText() { return kHelp; }

}  // namespace dslap
