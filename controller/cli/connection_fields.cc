#include "controller/cli/connection_fields.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/status_util.h"
#include "controller/cli/choose.h"
#include "controller/cli/value_parser.h"

namespace dslap {
namespace {

constexpr uint64_t kMostPort = 65535;

std::vector<absl::string_view> SplitList(absl::string_view text) {
  std::vector<absl::string_view> items = absl::StrSplit(text, ',');
  for (absl::string_view& item : items) item = absl::StripAsciiWhitespace(item);
  return items;
}

}  // namespace

absl::Status StorePort(const ParsedOption& option, OptionDraft* draft) {
  ASSIGN_OR_RETURN(const uint64_t port, ParseNumber(*option.text));
  if (port > kMostPort) {
    return absl::InvalidArgumentError(absl::StrCat("must be at most ", kMostPort));
  }
  draft->options.target.port = static_cast<uint32_t>(port);
  draft->implied_protocol = TransportProtocol::kTcp;
  return absl::OkStatus();
}

absl::Status StoreSocket(const ParsedOption& option, OptionDraft* draft) {
  draft->options.target.socket = *option.text;
  draft->implied_protocol = TransportProtocol::kSocket;
  return absl::OkStatus();
}

absl::Status StoreProtocol(const ParsedOption& option, OptionDraft* draft) {
  static constexpr Choice<TransportProtocol> kChoices[] = {{"tcp", TransportProtocol::kTcp},
                                                           {"socket", TransportProtocol::kSocket}};
  for (const absl::string_view windows : {"pipe", "memory"}) {
    if (!absl::EqualsIgnoreCase(*option.text, windows)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("only clients on Windows have it; give tcp, or socket for a server on the "
                     "same host"));
  }
  ASSIGN_OR_RETURN(draft->options.target.protocol, Choose(*option.text, kChoices));
  return absl::OkStatus();
}

absl::Status StorePassword(const ParsedOption& option, OptionDraft* draft) {
  draft->options.ask_password = option.enabled && !option.secret.has_value();
  draft->options.target.password = option.secret.value_or(Secret());
  return absl::OkStatus();
}

absl::Status StoreCompressionAlgorithms(const ParsedOption& option, OptionDraft* draft) {
  static constexpr Choice<bool CompressionOptions::*> kChoices[] = {
      {"zlib", &CompressionOptions::zlib},
      {"zstd", &CompressionOptions::zstd},
      {"uncompressed", &CompressionOptions::optional}};
  CompressionOptions chosen;
  for (const absl::string_view name : SplitList(*option.text)) {
    ASSIGN_OR_RETURN(bool CompressionOptions::*const field, Choose(name, kChoices));
    chosen.*field = true;
  }
  draft->compression_algorithms = chosen;
  return absl::OkStatus();
}

// Not less than an --ssl-mode before it asks for.
void StoreSsl(bool on, OptionDraft* draft) {
  const TlsMode before = draft->tls_mode.value_or(TlsMode::kOff);
  draft->tls_mode = on ? std::max(before, TlsMode::kRequired) : TlsMode::kOff;
}

void StoreGetServerPublicKey(bool on, OptionDraft* draft) { draft->get_server_public_key = on; }

absl::Status StoreTlsMode(const ParsedOption& option, OptionDraft* draft) {
  static constexpr Choice<TlsMode> kChoices[] = {{"DISABLED", TlsMode::kOff},
                                                 {"PREFERRED", TlsMode::kPreferred},
                                                 {"REQUIRED", TlsMode::kRequired},
                                                 {"VERIFY_CA", TlsMode::kVerifyCa},
                                                 {"VERIFY_IDENTITY", TlsMode::kVerifyIdentity}};
  ASSIGN_OR_RETURN(draft->tls_mode, Choose(*option.text, kChoices));
  return absl::OkStatus();
}

absl::Status StoreTlsVersions(const ParsedOption& option, OptionDraft* draft) {
  // The client library passes over what it does not know.
  static constexpr Choice<absl::string_view> kChoices[] = {{"TLSv1.0", "TLSv1.0"},
                                                           {"TLSv1.1", "TLSv1.1"},
                                                           {"TLSv1.2", "TLSv1.2"},
                                                           {"TLSv1.3", "TLSv1.3"}};
  std::vector<absl::string_view> versions;
  for (absl::string_view name : SplitList(*option.text)) {
    if (absl::EqualsIgnoreCase(name, "TLSv1")) name = "TLSv1.0";
    ASSIGN_OR_RETURN(const absl::string_view version, Choose(name, kChoices));
    versions.push_back(version);
  }
  draft->options.target.tls.versions = absl::StrJoin(versions, ",");
  return absl::OkStatus();
}

absl::Status StoreFipsMode(const ParsedOption& option, OptionDraft* /*draft*/) {
  static constexpr Choice<bool> kChoices[] = {{"OFF", false}, {"ON", true}, {"STRICT", true}};
  ASSIGN_OR_RETURN(const bool on, Choose(*option.text, kChoices));
  if (!on) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "MariaDB Connector/C, the client library of the agents, cannot switch it on; set up OpenSSL "
      "on their hosts for it, and leave the option out");
}

}  // namespace dslap
