#include "controller/cli/build_target.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_util.h"

namespace dslap {
namespace {

using Warnings = std::vector<std::string>*;

absl::Status Refuse(absl::string_view message) { return absl::InvalidArgumentError(message); }

bool IsLocalHost(const std::string& host) { return host.empty() || host == "localhost"; }

absl::Status ReadPasswordFile(const std::string& path, const Environment& environment,
                              Warnings warnings, Options* options) {
  absl::StatusOr<std::string> content = environment.read_file(path);
  if (!content.ok()) {
    return Refuse(absl::StrCat("--password-file: cannot be read: ", content.status().message()));
  }
  std::string first = content->substr(0, content->find('\n'));
  WipeString(&*content);
  if (absl::EndsWith(first, "\r")) first.pop_back();
  options->target.password = Secret(first);
  const bool empty = first.empty();
  WipeString(&first);
  if (empty) {
    return Refuse(absl::StrCat("--password-file=", path,
                               ": its first line is empty; put the password there"));
  }
  const absl::StatusOr<FileInfo> info = environment.inspect_file(path);
  if (info.ok() && info->readable_by_all) {
    warnings->push_back(absl::StrCat("--password-file=", path,
                                     ": every user of this host may read it; chmod 600 it"));
  }
  return absl::OkStatus();
}

absl::Status FinishPassword(const OptionDraft& draft, const Environment& environment,
                            Warnings warnings, Options* options) {
  if (!draft.password_file.has_value()) return absl::OkStatus();
  for (const absl::string_view other : {"password", "password1"}) {
    if (!draft.Given(other)) continue;
    return Refuse(absl::StrCat("--", other,
                               " and --password-file exclude each other; leave one "
                               "out"));
  }
  return ReadPasswordFile(*draft.password_file, environment, warnings, options);
}

absl::Status FinishTransport(const OptionDraft& draft, Warnings warnings, Options* options) {
  TargetOptions& target = options->target;
  const bool local = IsLocalHost(target.host);
  if (target.protocol == TransportProtocol::kSocket && !local) {
    return Refuse(
        absl::StrCat("--protocol=socket: reaches a server on the same host only, but "
                     "--host is ",
                     target.host, "; leave one out"));
  }
  // A host that is named counts for more than a socket.
  if (options->compat == Compat::kMariaDb && target.protocol == TransportProtocol::kDefault &&
      (local || draft.implied_protocol == TransportProtocol::kTcp)) {
    target.protocol = draft.implied_protocol;
  }
  // A port of an option file is there for other programs as well: nothing to warn of.
  if (target.protocol == TransportProtocol::kDefault && local && target.port != 0 &&
      draft.Given("port")) {
    warnings->push_back(absl::StrCat("--port=", target.port,
                                     " has no effect: localhost means the Unix socket; give "
                                     "--protocol=tcp or --host=127.0.0.1"));
  }
  return absl::OkStatus();
}

// The options that mean something only when there is TLS, as far as they were given.
std::vector<std::string> TlsNeeds(const OptionDraft& draft) {
  const TlsOptions& tls = draft.options.target.tls;
  const std::pair<absl::string_view, const std::string&> texts[] = {
      {"--ssl-ca", tls.ca},
      {"--ssl-capath", tls.ca_path},
      {"--ssl-cert", tls.certificate},
      {"--ssl-key", tls.key},
      {"--ssl-crl", tls.crl},
      {"--ssl-crlpath", tls.crl_path},
      {"--ssl-cipher", tls.cipher},
      {"--tls-ciphersuites", tls.cipher_suites},
      {"--tls-version", tls.versions}};
  std::vector<std::string> given;
  for (const auto& [option, text] : texts) {
    if (!text.empty()) given.emplace_back(option);
  }
  if (draft.verify_server_cert) given.emplace_back("--ssl-verify-server-cert");
  return given;
}

// What --ssl and --ssl-mode say; without them, what the other options need.
TlsMode AskedTlsMode(const OptionDraft& draft, Compat compat, bool needed) {
  if (draft.tls_mode.has_value()) return *draft.tls_mode;
  if (needed) return TlsMode::kRequired;
  return compat == Compat::kMySql ? TlsMode::kPreferred : TlsMode::kOff;
}

absl::Status CheckTrust(const OptionDraft& draft, const TlsOptions& tls) {
  const bool ca = !tls.ca.empty() || !tls.ca_path.empty();
  // --ssl-verify-server-cert alone trusts the CAs of the agents' systems.
  if (tls.mode >= TlsMode::kVerifyCa && !ca && !draft.verify_server_cert) {
    return Refuse(absl::StrCat(
        "--ssl-mode=", tls.mode == TlsMode::kVerifyCa ? "VERIFY_CA" : "VERIFY_IDENTITY",
        ": needs to know which CA to trust; give --ssl-ca=FILE or --ssl-capath=DIR"));
  }
  const bool crl = !tls.crl.empty() || !tls.crl_path.empty();
  if (crl && !ca && tls.mode < TlsMode::kVerifyCa) {
    return Refuse(absl::StrCat(
        tls.crl.empty() ? "--ssl-crlpath" : "--ssl-crl",
        ": is looked at only where the server's certificate is verified; give --ssl-ca=FILE, too"));
  }
  return absl::OkStatus();
}

absl::Status FinishTls(const OptionDraft& draft, Warnings warnings, Options* options) {
  TlsOptions& tls = options->target.tls;
  const std::vector<std::string> needs = TlsNeeds(draft);
  tls.mode = AskedTlsMode(draft, options->compat, !needs.empty());
  if (tls.mode == TlsMode::kOff) {
    if (!needs.empty()) {
      warnings->push_back(
          absl::StrCat(absl::StrJoin(needs, ", "), ": of no effect, as TLS is switched off"));
    }
    tls = {};
    return absl::OkStatus();
  }
  const bool ca = !tls.ca.empty() || !tls.ca_path.empty();
  if (tls.mode == TlsMode::kRequired && ca) tls.mode = TlsMode::kVerifyCa;
  if (tls.mode == TlsMode::kPreferred && draft.verify_server_cert) {
    return Refuse(
        "--ssl-mode=PREFERRED goes without TLS where there is none, and --ssl-verify-server-cert "
        "does not; give --ssl-mode=VERIFY_IDENTITY, or leave one out");
  }
  if (draft.verify_server_cert) tls.mode = TlsMode::kVerifyIdentity;
  return CheckTrust(draft, tls);
}

absl::Status FinishAuthentication(const OptionDraft& draft) {
  if (draft.get_server_public_key.value_or(true)) return absl::OkStatus();
  return Refuse(
      "--skip-get-server-public-key: MariaDB Connector/C, the client library of the agents, asks "
      "for the key whenever it needs one; give --server-public-key-path=FILE or "
      "--ssl-mode=REQUIRED, so that it does not");
}

void FinishCompression(const OptionDraft& draft, Warnings warnings, Options* options) {
  CompressionOptions& compression = options->target.compression;
  if (draft.compression_algorithms.has_value()) {
    const uint64_t level = compression.zstd_level;
    compression = *draft.compression_algorithms;
    compression.zstd_level = level;
  } else if (draft.compress) {
    compression.zlib = true;
    compression.zstd = true;
  }
  if (compression.zstd_level == 0 || compression.zstd) return;
  warnings->push_back(
      "--zstd-compression-level: without --compression-algorithms=zstd of no "
      "effect");
  compression.zstd_level = 0;
}

}  // namespace

absl::Status BuildTarget(const OptionDraft& draft, const Environment& environment,
                         std::vector<std::string>* warnings, Options* options) {
  TargetOptions& target = options->target;
  if (target.user.empty()) {
    target.user = options->compat == Compat::kMariaDb ? environment.login_name : "root";
  }
  RETURN_IF_ERROR(FinishTransport(draft, warnings, options));
  RETURN_IF_ERROR(FinishTls(draft, warnings, options));
  RETURN_IF_ERROR(FinishAuthentication(draft));
  FinishCompression(draft, warnings, options);
  return FinishPassword(draft, environment, warnings, options);
}

}  // namespace dslap
