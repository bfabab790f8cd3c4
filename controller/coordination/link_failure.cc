#include "controller/coordination/link_failure.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace dslap {
namespace {

// Of a connection that never came to a call, gRPC 1.51 begins so.
constexpr absl::string_view kNeverConnected = "failed to connect to all addresses";
constexpr absl::string_view kConnect = "Failed to connect to remote host: ";

absl::string_view ExplainTls(absl::string_view message) {
  if (absl::StrContains(message, "certificate verify failed")) {
    return "TLS: its certificate is not of the authority in --tls-ca, or is not valid now";
  }
  if (absl::StrContains(message, "Hostname Verification Check failed")) {
    return "TLS: its certificate does not bear the name or address that is called: write it in "
           "--agents as in the certificate, or make one with it";
  }
  if (absl::StrContains(message, "wrong version number")) {
    return "TLS: it does not speak TLS: start it with --tls-cert, or leave --tls-ca out";
  }
  // With TLS 1.3 an agent judges the certificate after the handshake, and only hangs up.
  if (absl::StrContains(message, "Socket closed")) {
    return "TLS: it did not accept the certificate of this side: give --tls-cert and --tls-key, of "
           "an authority that it trusts";
  }
  return "";
}

}  // namespace

absl::Status ExplainLinkFailure(const absl::Status& status, bool tls) {
  const absl::string_view message = status.message();
  // The last of gRPC's layers is what the system said.
  if (const size_t at = message.rfind(kConnect); at != absl::string_view::npos) {
    return absl::Status(status.code(),
                        absl::StrCat("connect: ", message.substr(at + kConnect.size()),
                                     " (is dslap-agent running there?)"));
  }
  if (absl::StrContains(message, "DNS resolution failed")) {
    return absl::Status(status.code(), "the host name cannot be resolved");
  }
  if (status.code() != absl::StatusCode::kUnavailable) return status;
  if (absl::StartsWith(message, kNeverConnected)) {
    const absl::string_view why = tls ? ExplainTls(message) : "";
    if (!why.empty()) return absl::UnavailableError(why);
    if (!tls && absl::StrContains(message, "Socket closed")) {
      return absl::UnavailableError(
          "it closed the connection at once: does it want TLS? Give --tls-ca");
    }
  }
  if (message == "Socket closed") {
    return absl::UnavailableError("the connection was closed by the agent's host");
  }
  return status;
}

}  // namespace dslap
