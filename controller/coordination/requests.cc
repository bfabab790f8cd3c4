#include "controller/coordination/requests.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <random>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/version.h"

namespace dslap {
namespace {

v1::Transport TransportOf(TransportProtocol protocol) {
  switch (protocol) {
    case TransportProtocol::kTcp:
      return v1::TRANSPORT_TCP;
    case TransportProtocol::kSocket:
      return v1::TRANSPORT_SOCKET;
    case TransportProtocol::kDefault:
      break;
  }
  return v1::TRANSPORT_UNSPECIFIED;
}

v1::TlsMode ModeOf(TlsMode mode) {
  switch (mode) {
    case TlsMode::kPreferred:
      return v1::TLS_MODE_PREFERRED;
    case TlsMode::kRequired:
      return v1::TLS_MODE_REQUIRED;
    case TlsMode::kVerifyCa:
      return v1::TLS_MODE_VERIFY_CA;
    case TlsMode::kVerifyIdentity:
      return v1::TLS_MODE_VERIFY_IDENTITY;
    case TlsMode::kOff:
      break;
  }
  return v1::TLS_MODE_UNSPECIFIED;
}

void FillTls(const TlsOptions& tls, v1::Tls* message) {
  message->set_mode(ModeOf(tls.mode));
  message->set_ca(tls.ca);
  message->set_ca_path(tls.ca_path);
  message->set_certificate(tls.certificate);
  message->set_key(tls.key);
  message->set_crl(tls.crl);
  message->set_crl_path(tls.crl_path);
  message->set_cipher(tls.cipher);
  message->set_cipher_suites(tls.cipher_suites);
  message->set_versions(tls.versions);
}

void FillTarget(const TargetOptions& target, v1::Target* message) {
  message->set_host(target.host);
  message->set_port(target.port);
  message->set_socket(target.socket);
  message->set_user(target.user);
  message->set_password(target.password.Reveal());
  message->set_transport(TransportOf(target.protocol));
  FillTls(target.tls, message->mutable_tls());
  v1::Compression& compression = *message->mutable_compression();
  compression.set_zlib(target.compression.zlib);
  compression.set_zstd(target.compression.zstd);
  compression.set_optional(target.compression.optional);
  compression.set_zstd_level(static_cast<uint32_t>(target.compression.zstd_level));
  message->set_default_auth(target.default_auth);
  message->set_plugin_dir(target.plugin_dir);
  message->set_character_sets_dir(target.character_sets_dir);
  message->set_server_public_key_path(target.server_public_key_path);
  message->set_cleartext_password(target.cleartext_password);
  if (target.sql_mode.has_value()) message->set_sql_mode(*target.sql_mode);
}

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string LoginName() {
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr ? entry->pw_name : absl::StrCat("uid ", geteuid());
}

}  // namespace

RunIdentity MakeRunIdentity() {
  std::random_device random;
  return {absl::StrFormat("%08x%08x", random(), random()),
          absl::StrCat(LoginName(), "@", HostName(), " pid ", getpid())};
}

v1::Open MakeOpen(const RunIdentity& identity, const TargetOptions& target, int64_t lease_ns) {
  v1::Open open;
  *open.mutable_protocol() = OwnProtocol();
  open.set_build(BuildVersion());
  open.set_run_id(identity.run_id);
  open.set_controller(identity.controller);
  open.set_lease_ns(static_cast<uint64_t>(lease_ns));
  FillTarget(target, open.mutable_target());
  return open;
}

v1::LoadEngine MakeLoadEngine(const LoadEngineOptions& options, size_t agents) {
  constexpr uint64_t kNsPerSecond = 1'000'000'000;
  v1::LoadEngine engine;
  switch (options.kind) {
    case LoadEngineKind::kAuto:
      break;
    case LoadEngineKind::kThreads:
      engine.set_kind(v1::LOAD_ENGINE_KIND_THREADS);
      break;
    case LoadEngineKind::kEventLoops:
      engine.set_kind(v1::LOAD_ENGINE_KIND_EVENT_LOOPS);
      break;
  }
  engine.set_event_loops(static_cast<uint32_t>(options.threads));
  engine.set_connect_parallelism(static_cast<uint32_t>(options.connect_parallelism));
  if (options.connect_rate != 0) {
    engine.set_connect_interval_ns(kNsPerSecond * agents / options.connect_rate);
  }
  return engine;
}

v1::PrepareRound MakePrepareRound(const Plan& plan, const std::vector<AgentShare>& shares,
                                  size_t agent, uint64_t round, const std::string& default_schema) {
  v1::PrepareRound prepare;
  const AgentShare& share = shares[agent];
  prepare.set_round(round);
  prepare.set_first_client(share.first_client);
  for (const ClientGroup& group : share.groups) {
    v1::ClientGroup& message = *prepare.add_groups();
    message.set_clients(group.clients);
    message.set_statements(group.statements);
  }
  prepare.set_default_schema(default_schema);
  prepare.set_init_command(plan.init_command);
  prepare.set_commit_every(plan.commit_every);
  prepare.set_detach_every(plan.detach_every);
  prepare.set_key_query(plan.key_query);
  for (const uint32_t code : plan.ignored_errors) {
    prepare.mutable_error_policy()->add_ignored_codes(code);
  }
  prepare.mutable_error_policy()->set_ignore_all(plan.ignore_all_errors);
  prepare.set_reconnect(plan.reconnect);
  prepare.set_sole_agent(
      absl::c_count_if(shares, [](const AgentShare& any) { return !any.groups.empty(); }) == 1);
  prepare.set_query_timeout_ns(static_cast<uint64_t>(plan.query_timeout_ns));
  prepare.set_key_query_timeout_ns(static_cast<uint64_t>(plan.once_timeout_ns));
  return prepare;
}

v1::StatementsChunk StatementChunker::Next() {
  v1::StatementsChunk chunk;
  chunk.set_first(!started_);
  started_ = true;
  size_t bytes = 0;
  while (next_ < statements_->size()) {
    const PlannedStatement& statement = (*statements_)[next_];
    if (bytes > 0 && bytes + statement.text.size() > kChunkBytes) break;
    v1::Statement& message = *chunk.add_statements();
    message.set_text(statement.text);
    message.set_takes_key(statement.takes_key);
    bytes += statement.text.size() + 16;  // 16: what the encoding adds, about
    ++next_;
  }
  chunk.set_last(next_ == statements_->size());
  return chunk;
}

bool GoesBySocket(const TargetOptions& target) {
  return target.protocol == TransportProtocol::kSocket ||
         (target.protocol == TransportProtocol::kDefault &&
          (target.host.empty() || target.host == "localhost"));
}

std::string DescribeTarget(const TargetOptions& target) {
  if (GoesBySocket(target)) {
    return target.socket.empty() ? "localhost by the default socket"
                                 : absl::StrCat("socket ", target.socket);
  }
  return absl::StrCat(target.host.empty() ? "localhost" : target.host, ":",
                      target.port == 0 ? 3306 : target.port);
}

}  // namespace dslap
