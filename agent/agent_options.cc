#include "agent/agent_options.h"

#include <array>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "agent/service/listen_address.h"
#include "common/status_util.h"

namespace dslap {
namespace {

// Where an option's value goes; a bool is an option that takes none.
using Field = std::variant<std::string* (*)(AgentOptions&), bool* (*)(AgentOptions&)>;

struct AgentOption {
  absl::string_view name;
  absl::string_view value;  // its name in the help; empty: takes none
  Field field;
  absl::string_view help;  // lines are broken by hand
};

constexpr std::array<AgentOption, 8> kOptions = {{
    {"listen", "HOST:PORT", [](AgentOptions& o) { return &o.listen; },
     "address to wait for controllers on (default 127.0.0.1:7527);\n"
     "port 0 picks a free one; IPv6 in brackets: [::1]:7527"},
    {"tls-cert", "FILE", [](AgentOptions& o) { return &o.tls.certificate; },
     "this agent's certificate (PEM): controllers call over TLS, and\n"
     "check that it bears the name they call; deploy/make-certs.sh\n"
     "makes one. A file that changes is read anew"},
    {"tls-key", "FILE", [](AgentOptions& o) { return &o.tls.key; },
     "its private key, without a pass phrase"},
    {"tls-ca", "FILE", [](AgentOptions& o) { return &o.tls.ca; },
     "a controller must show a certificate of this authority"},
    {"token-file", "FILE", [](AgentOptions& o) { return &o.token_file; },
     "a controller must know the token in this file: one line of 16\n"
     "or more characters, the same file at both ends"},
    {"insecure", "", [](AgentOptions& o) { return &o.insecure; },
     "allow an address that other hosts can reach without TLS and a\n"
     "check of who calls: whoever reaches it can make this host load\n"
     "any database it can reach"},
    {"help", "", [](AgentOptions& o) { return &o.help; }, "this text"},
    {"version", "", [](AgentOptions& o) { return &o.version; }, "version"},
}};

constexpr char kHelpHead[] =
    R"(dslap-agent: runs one host's share of the clients of a dslap benchmark.

usage: dslap-agent [OPTIONS]

)";

constexpr char kHelpTail[] = R"(
An address that other hosts can reach needs --tls-cert and --tls-key, and --tls-ca or --token-file,
or else --insecure.

When ready it logs the address. SIGTERM or SIGINT ends it: a run that is going on is ended cleanly
at both ends first; a second signal ends it at once. Exit codes: 0 ended by a signal; 1 cannot
listen; 2 wrong command line.
)";

constexpr size_t kHelpColumn = 22;

absl::Status Apply(const AgentOption& option, absl::string_view argument, bool has_value,
                   absl::string_view value, AgentOptions* options) {
  if (const auto* flag = std::get_if<bool* (*)(AgentOptions&)>(&option.field)) {
    if (has_value) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", argument, "': --", option.name, " takes no value"));
    }
    *(*flag)(*options) = true;
    return absl::OkStatus();
  }
  if (value.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", option.name, " needs a value: --", option.name, "=", option.value));
  }
  *std::get<std::string* (*)(AgentOptions&)>(option.field)(*options) = std::string(value);
  return absl::OkStatus();
}

absl::Status ApplyArgument(absl::string_view argument, AgentOptions* options) {
  if (!absl::StartsWith(argument, "--")) {
    return absl::InvalidArgumentError(
        absl::StrCat(absl::StartsWith(argument, "-") ? "unknown option '" : "unexpected argument '",
                     argument, "': see dslap-agent --help"));
  }
  const size_t equals = argument.find('=');
  const bool has_value = equals != absl::string_view::npos;
  const absl::string_view name =
      argument.substr(2, has_value ? equals - 2 : absl::string_view::npos);
  for (const AgentOption& option : kOptions) {
    if (option.name != name) continue;
    return Apply(option, argument, has_value, has_value ? argument.substr(equals + 1) : "",
                 options);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown option '", argument, "': see dslap-agent --help"));
}

absl::Status Missing(absl::string_view given, absl::string_view wanted) {
  return absl::InvalidArgumentError(
      absl::StrCat("--", given, " without --", wanted, ": give both"));
}

}  // namespace

absl::StatusOr<AgentOptions> ParseAgentOptions(const std::vector<std::string>& arguments) {
  AgentOptions options;
  for (const std::string& argument : arguments) RETURN_IF_ERROR(ApplyArgument(argument, &options));
  return options;
}

absl::Status CheckLinkSecurity(const AgentOptions& options, int64_t now_unix) {
  const LinkTls& tls = options.tls;
  if (!tls.certificate.empty() && tls.key.empty()) return Missing("tls-cert", "tls-key");
  if (!tls.key.empty() && tls.certificate.empty()) return Missing("tls-key", "tls-cert");
  if (!tls.ca.empty() && tls.certificate.empty()) return Missing("tls-ca", "tls-cert");
  RETURN_IF_ERROR(Annotate(CheckLinkTls(tls, now_unix), "TLS"));
  if (options.token_file.empty()) return absl::OkStatus();
  return Annotate(ReadTokenFile(options.token_file).status(), "--token-file");
}

absl::StatusOr<std::string> AddressToListenOn(const AgentOptions& options) {
  absl::StatusOr<ListenAddress> address = ResolveListenAddress(options.listen);
  if (!address.ok()) return Annotate(address.status(), "--listen");
  if (address->loopback) return address->numeric;
  if (!options.tls.used() && !options.token_file.empty()) {
    return absl::PermissionDeniedError(
        absl::StrCat("--token-file: without TLS the token is readable on its way to ",
                     address->numeric, ": give --tls-cert and --tls-key"));
  }
  if (options.insecure) return address->numeric;
  if (!options.tls.used()) {
    return absl::PermissionDeniedError(absl::StrCat(
        "--listen: ", address->numeric,
        " can be reached by other hosts, and whoever reaches an agent can make it load any "
        "database: give --tls-cert, --tls-key and --tls-ca (deploy/make-certs.sh makes them), "
        "listen on loopback (127.0.0.1), or say --insecure in a network you trust"));
  }
  if (options.tls.ca.empty() && options.token_file.empty()) {
    return absl::PermissionDeniedError(absl::StrCat(
        "--listen: ", address->numeric,
        " can be reached by other hosts, and TLS alone does not check who calls: give --tls-ca, or "
        "--token-file, or say --insecure in a network you trust"));
  }
  return address->numeric;
}

std::string DescribeLinkSecurity(const AgentOptions& options) {
  std::vector<absl::string_view> parts;
  if (options.tls.used()) {
    parts.emplace_back(options.tls.ca.empty() ? "TLS" : "TLS with client certificates");
  }
  if (!options.token_file.empty()) parts.emplace_back("token");
  return parts.empty() ? "" : absl::StrCat(" (", absl::StrJoin(parts, ", "), ")");
}

std::string AgentHelpText() {
  std::string text = kHelpHead;
  for (const AgentOption& option : kOptions) {
    std::string left =
        absl::StrCat("  --", option.name, option.value.empty() ? "" : "=", option.value);
    left.resize(kHelpColumn, ' ');
    absl::StrAppend(&text, left);
    for (const char c : option.help) {
      text += c;
      if (c == '\n') text.append(kHelpColumn, ' ');
    }
    text += '\n';
  }
  return absl::StrCat(text, kHelpTail);
}

}  // namespace dslap
