#include "agent/options/agent_option_table.h"

#include <algorithm>

#include "common/status_util.h"

namespace dslap {
namespace {

constexpr AgentOption kOptions[] = {
    {.name = "config",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.config; }},
     .help = "Read options from this file, too; what the command line says counts more.",
     .details = "A line is NAME = VALUE, or NAME alone for an option without a value; the names "
                "are those of the command line without the dashes. Empty lines count for nothing, "
                "nor does what follows a # that begins a line or stands after a blank. No option "
                "may be set twice.",
     .command_line_only = true},
    {.name = "listen",
     .placeholder = "HOST:PORT",
     .field = AgentTextField{[](AgentOptions& o) { return &o.listen; }},
     .help = "Address to wait for controllers on; port 0 picks a free one; IPv6 in brackets: "
             "[::1]:7527.",
     .details = "A name with several addresses stands for its first, IPv4 before IPv6. An address "
                "that other hosts can reach needs --tls-cert and --tls-key, and --tls-ca or "
                "--token-file, or else --insecure."},
    {.name = "tls-cert",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.tls.certificate; }},
     .help = "This agent's certificate (PEM): controllers call over TLS, and check that it bears "
             "the name they call; dslap-make-certs makes one. A file that changes is read "
             "anew."},
    {.name = "tls-key",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.tls.key; }},
     .help = "Its private key, without a pass phrase."},
    {.name = "tls-ca",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.tls.ca; }},
     .help = "A controller must show a certificate of this authority."},
    {.name = "token-file",
     .placeholder = "FILE",
     .field = AgentTextField{[](AgentOptions& o) { return &o.token_file; }},
     .help = "A controller must know the token in this file: one line of 16 or more characters, "
             "the same file at both ends."},
    {.name = "insecure",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.insecure; }},
     .help = "Allow an address that other hosts can reach without TLS and a check of who calls: "
             "whoever reaches it can make this host load any database it can reach."},
    {.name = "metrics",
     .placeholder = "HOST:PORT",
     .field = AgentTextField{[](AgentOptions& o) { return &o.metrics; }},
     .help = "Serve metrics for Prometheus at http://HOST:PORT/metrics, such as 127.0.0.1:9527; "
             "loopback only.",
     .details = "They are plain HTTP, for whoever asks; docs/agent_service.md lists them."},
    {.name = "reflection",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.reflection; }},
     .help = "Tell callers what can be called (gRPC server reflection), for tools such as "
             "grpcurl.",
     .details = "Whoever gets a connection may ask, also without the token."},
    {.name = "check-config",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.check_config; }},
     .help = "Check all options and the files they name, say 'ok' or all that is wrong, and end "
             "with 0 or 2.",
     .details = "Nothing is listened on: it may run beside the agent, before a restart.",
     .command_line_only = true},
    {.name = "print-config",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.print_config; }},
     .help = "Print every option with its value and where that was said, as a configuration file, "
             "and end.",
     .command_line_only = true},
    {.name = "help",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.help; }},
     .help = "Print this text.",
     .command_line_only = true},
    {.name = "version",
     .field = AgentFlagField{[](AgentOptions& o) { return &o.version; }},
     .help = "Print the version.",
     .command_line_only = true},
};

struct ValueText {
  AgentOptions& options;
  std::string operator()(const AgentFlagField& /*flag*/) const { return {}; }
  std::string operator()(const AgentTextField& text) const { return *text.field(options); }
};

struct Storer {
  absl::string_view value;
  AgentOptions& options;
  absl::Status operator()(const AgentFlagField& flag) const {
    *flag.field(options) = true;
    return absl::OkStatus();
  }
  absl::Status operator()(const AgentTextField& text) const {
    *text.field(options) = std::string(value);
    return absl::OkStatus();
  }
};

}  // namespace

absl::Span<const AgentOption> AgentOptionTable() { return kOptions; }

const AgentOption* FindAgentOption(absl::string_view name) {
  const auto* const found = std::find_if(std::begin(kOptions), std::end(kOptions),
                                         [&](const AgentOption& o) { return o.name == name; });
  return found == std::end(kOptions) ? nullptr : found;
}

std::string AgentOptionValue(const AgentOption& option, const AgentOptions& options) {
  // The fields are reached through functions that may write.
  AgentOptions copy = options;
  return std::visit(ValueText{copy}, option.field);
}

absl::Status StoreAgentOption(const AgentOption& option, absl::string_view value,
                              AgentOptions* options) {
  return std::visit(Storer{value, *options}, option.field);
}

}  // namespace dslap
