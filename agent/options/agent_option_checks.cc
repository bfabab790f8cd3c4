#include "agent/options/agent_option_checks.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "agent/service/listen_address.h"
#include "common/link_security.h"
#include "common/status_util.h"

namespace dslap {
namespace {

absl::Status Missing(const AgentOptions& options, absl::string_view given,
                     absl::string_view wanted) {
  return absl::InvalidArgumentError(
      absl::StrCat(ShownOption(options, given), " without --", wanted, ": give both"));
}

std::vector<absl::Status> LinkSecurityErrors(const AgentOptions& options, int64_t now_unix) {
  std::vector<absl::Status> errors;
  const LinkTls& tls = options.tls;
  if (!tls.certificate.empty() && tls.key.empty()) {
    errors.push_back(Missing(options, "tls-cert", "tls-key"));
  }
  if (!tls.key.empty() && tls.certificate.empty()) {
    errors.push_back(Missing(options, "tls-key", "tls-cert"));
  }
  if (!tls.ca.empty() && tls.certificate.empty()) {
    errors.push_back(Missing(options, "tls-ca", "tls-cert"));
  }
  // Files are looked at only as a whole.
  if (errors.empty()) errors.push_back(Annotate(CheckLinkTls(tls, now_unix), "TLS"));
  if (!options.token_file.empty()) {
    errors.push_back(
        Annotate(ReadTokenFile(options.token_file).status(), ShownOption(options, "token-file")));
  }
  errors.erase(std::remove(errors.begin(), errors.end(), absl::OkStatus()), errors.end());
  return errors;
}

}  // namespace

absl::Status CheckLinkSecurity(const AgentOptions& options, int64_t now_unix) {
  const std::vector<absl::Status> errors = LinkSecurityErrors(options, now_unix);
  return errors.empty() ? absl::OkStatus() : errors.front();
}

std::vector<absl::Status> FindConfigErrors(const AgentOptions& options, int64_t now_unix,
                                           std::string* listen_address) {
  std::vector<absl::Status> errors = LinkSecurityErrors(options, now_unix);
  absl::StatusOr<std::string> address = AddressToListenOn(options);
  if (!address.ok()) {
    errors.push_back(address.status());
  } else if (listen_address != nullptr) {
    *listen_address = *std::move(address);
  }
  if (absl::Status metrics = AddressOfMetrics(options).status(); !metrics.ok()) {
    errors.push_back(std::move(metrics));
  }
  return errors;
}

absl::StatusOr<std::string> AddressToListenOn(const AgentOptions& options,
                                              const std::optional<ListenAddress>& passed) {
  absl::StatusOr<ListenAddress> address =
      passed.has_value() ? *passed : ResolveListenAddress(options.listen);
  const std::string listen =
      passed.has_value() ? "the socket passed on start" : ShownOption(options, "listen");
  if (!address.ok()) return Annotate(address.status(), listen);
  if (address->loopback) return address->numeric;
  if (!options.tls.used() && !options.token_file.empty()) {
    return absl::PermissionDeniedError(absl::StrCat(
        ShownOption(options, "token-file"), ": without TLS the token is readable on its way to ",
        address->numeric, ": give --tls-cert and --tls-key"));
  }
  if (options.insecure) return address->numeric;
  if (!options.tls.used()) {
    return absl::PermissionDeniedError(absl::StrCat(
        listen, ": ", address->numeric,
        " can be reached by other hosts, and whoever reaches an agent can make it load any "
        "database: give --tls-cert, --tls-key and --tls-ca (dslap-make-certs makes them), "
        "listen on loopback (127.0.0.1), or say --insecure in a network you trust"));
  }
  if (options.tls.ca.empty() && options.token_file.empty()) {
    return absl::PermissionDeniedError(absl::StrCat(
        listen, ": ", address->numeric,
        " can be reached by other hosts, and TLS alone does not check who calls: give --tls-ca, or "
        "--token-file, or say --insecure in a network you trust"));
  }
  return address->numeric;
}

absl::StatusOr<std::string> AddressOfMetrics(const AgentOptions& options) {
  if (options.metrics.empty()) return "";
  absl::StatusOr<ListenAddress> address = ResolveListenAddress(options.metrics);
  const std::string metrics = ShownOption(options, "metrics");
  if (!address.ok()) return Annotate(address.status(), metrics);
  if (address->loopback) return address->numeric;
  return absl::PermissionDeniedError(absl::StrCat(
      metrics, ": ", address->numeric,
      " can be reached by other hosts, and metrics are plain HTTP for whoever asks: "
      "give an address of loopback (127.0.0.1:9527), and have a proxy of this host serve others"));
}

std::string DescribeLinkSecurity(const AgentOptions& options) {
  std::vector<absl::string_view> parts;
  if (options.tls.used()) {
    parts.emplace_back(options.tls.ca.empty() ? "TLS" : "TLS with client certificates");
  }
  if (!options.token_file.empty()) parts.emplace_back("token");
  return parts.empty() ? "" : absl::StrCat(" (", absl::StrJoin(parts, ", "), ")");
}

}  // namespace dslap
