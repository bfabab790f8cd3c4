#include "agent/session/convert.h"

#include <string>
#include <utility>

#include "agent/engine/connect_policy.h"
#include "common/histogram_codec.h"

namespace dslap {
namespace {

SqlTransport ToSqlTransport(v1::Transport transport) {
  switch (transport) {
    case v1::TRANSPORT_TCP:
      return SqlTransport::kTcp;
    case v1::TRANSPORT_SOCKET:
      return SqlTransport::kSocket;
    default:
      return SqlTransport::kDefault;
  }
}

SqlTlsMode ToSqlTlsMode(v1::TlsMode mode) {
  switch (mode) {
    case v1::TLS_MODE_PREFERRED:
      return SqlTlsMode::kPreferred;
    case v1::TLS_MODE_REQUIRED:
      return SqlTlsMode::kRequired;
    case v1::TLS_MODE_VERIFY_CA:
      return SqlTlsMode::kVerifyCa;
    case v1::TLS_MODE_VERIFY_IDENTITY:
      return SqlTlsMode::kVerifyIdentity;
    default:
      return SqlTlsMode::kOff;
  }
}

SqlTls ToSqlTls(const v1::Tls& tls) {
  SqlTls taken;
  taken.mode = ToSqlTlsMode(tls.mode());
  taken.ca = tls.ca();
  taken.ca_path = tls.ca_path();
  taken.certificate = tls.certificate();
  taken.key = tls.key();
  taken.crl = tls.crl();
  taken.crl_path = tls.crl_path();
  taken.cipher = tls.cipher();
  taken.cipher_suites = tls.cipher_suites();
  taken.versions = tls.versions();
  return taken;
}

v1::StopCause ToStopCause(RoundStopCause cause) {
  switch (cause) {
    case RoundStopCause::kController:
      return v1::STOP_CAUSE_CONTROLLER;
    case RoundStopCause::kError:
      return v1::STOP_CAUSE_ERROR;
    case RoundStopCause::kNone:
      break;
  }
  return v1::STOP_CAUSE_UNSPECIFIED;
}

uint64_t Difference(int64_t begin, int64_t end) {
  return end > begin ? static_cast<uint64_t>(end - begin) : 0;
}

}  // namespace

SqlTarget TakeTarget(v1::Target* target) {
  SqlTarget taken;
  taken.host = target->host();
  taken.port = target->port();
  taken.socket = target->socket();
  taken.user = target->user();
  taken.password = Secret(target->password());
  WipeString(target->mutable_password());
  taken.transport = ToSqlTransport(target->transport());
  taken.connect_timeout_ns = target->connect_timeout_ns() == 0
                                 ? kDefaultConnectTimeoutNs
                                 : static_cast<int64_t>(target->connect_timeout_ns());
  taken.tls = ToSqlTls(target->tls());
  const v1::Compression& compression = target->compression();
  taken.compression = {compression.zlib(), compression.zstd(), compression.optional(),
                       compression.zstd_level()};
  taken.default_auth = target->default_auth();
  taken.plugin_dir = target->plugin_dir();
  taken.character_sets_dir = target->character_sets_dir();
  taken.server_public_key = target->server_public_key_path();
  taken.cleartext_password = target->cleartext_password();
  if (target->has_sql_mode()) taken.sql_mode = target->sql_mode();
  return taken;
}

EngineOptions ToEngineOptions(const v1::LoadEngine& engine) {
  EngineOptions options;
  switch (engine.kind()) {
    case v1::LOAD_ENGINE_KIND_THREADS:
      options.kind = EngineKind::kThreads;
      break;
    case v1::LOAD_ENGINE_KIND_EVENT_LOOPS:
      options.kind = EngineKind::kLoops;
      break;
    default:
      break;
  }
  options.loops = engine.event_loops();
  if (engine.connect_parallelism() != 0) options.connect_parallelism = engine.connect_parallelism();
  options.connect_interval_ns = static_cast<int64_t>(engine.connect_interval_ns());
  return options;
}

void AppendStatements(v1::StatementsChunk* chunk, StatementList* list) {
  for (v1::Statement& statement : *chunk->mutable_statements()) {
    list->statements.push_back({std::move(*statement.mutable_text()), statement.takes_key()});
  }
}

RoundSpec ToRoundSpec(const v1::PrepareRound& prepare,
                      std::shared_ptr<const StatementList> statements) {
  RoundSpec spec;
  spec.round = prepare.round();
  spec.first_client = prepare.first_client();
  for (const v1::ClientGroup& group : prepare.groups()) {
    spec.groups.push_back({group.clients(), group.statements()});
  }
  spec.default_schema = prepare.default_schema();
  spec.commit_every = prepare.commit_every();
  spec.detach_every = prepare.detach_every();
  spec.key_query = prepare.key_query();
  const v1::ErrorPolicy& policy = prepare.error_policy();
  spec.error_policy.ignored_codes.assign(policy.ignored_codes().begin(),
                                         policy.ignored_codes().end());
  spec.error_policy.ignore_all = policy.ignore_all();
  spec.reconnect = prepare.reconnect();
  spec.init_command = prepare.init_command();
  spec.query_timeout_ns = static_cast<int64_t>(prepare.query_timeout_ns());
  spec.key_query_timeout_ns = static_cast<int64_t>(prepare.key_query_timeout_ns());
  spec.statements = std::move(statements);
  return spec;
}

v1::RoundReady ToRoundReady(uint64_t round, const PrepareOutcome& outcome) {
  v1::RoundReady ready;
  ready.set_round(round);
  ready.set_clients_asked(outcome.clients_asked);
  ready.set_clients_connected(outcome.clients_connected);
  ready.set_clients_not_tried(outcome.clients_not_tried);
  *ready.mutable_connect_time() = EncodeHistogram(outcome.connect_time);
  outcome.connect_errors.ToProto(ready.mutable_connect_errors());
  for (const auto& [channel, clients] : outcome.channels) {
    v1::ChannelCount* const count = ready.add_channels();
    count->mutable_channel()->set_unix_socket(channel.unix_socket);
    count->mutable_channel()->set_tls_cipher(channel.tls_cipher);
    count->mutable_channel()->set_tls_version(channel.tls_version);
    count->set_clients(clients);
  }
  if (outcome.key_error.has_value()) *ready.mutable_key_error() = ToProto(*outcome.key_error);
  for (const ErrorTally::Entry& entry : outcome.connect_errors.entries()) {
    if (JudgeConnectError(entry.first.code) != ConnectVerdict::kHopeless) continue;
    *ready.mutable_hopeless_error() = ToProto(entry.first);
    break;
  }
  return ready;
}

v1::RoundDone ToRoundDone(uint64_t round, const RoundOutcome& outcome) {
  v1::RoundDone done;
  done.set_round(round);
  done.set_opened_at_ns(outcome.opened_at_ns);
  done.set_closed_at_ns(outcome.closed_at_ns);
  done.set_statements_succeeded(outcome.statements_succeeded);
  done.set_statements_failed(outcome.statements_failed);
  done.set_statements_interrupted(outcome.statements_interrupted);
  done.set_clients_finished(outcome.clients_finished);
  *done.mutable_latency() = EncodeHistogram(outcome.latency);
  outcome.errors.ToProto(done.mutable_errors());
  done.set_reconnects(outcome.reconnects);
  done.set_reconnects_failed(outcome.reconnects_failed);
  done.set_session_errors(outcome.session_errors);
  done.set_stop_cause(ToStopCause(outcome.stop_cause));
  done.set_other_questions(outcome.traffic.questions);
  done.set_unclear_questions(outcome.traffic.unclear_questions);
  done.set_connections(outcome.traffic.connections);
  done.set_unclear_connections(outcome.traffic.unclear_connections);
  done.set_connections_kept(outcome.connections_kept);
  return done;
}

v1::CpuUse ToCpuUse(const CpuUse& begin, const CpuUse& end) {
  v1::CpuUse use;
  use.set_process_ns(Difference(begin.process_ns, end.process_ns));
  use.set_host_busy_ns(Difference(begin.host_busy_ns, end.host_busy_ns));
  use.set_cores(end.cores);
  return use;
}

}  // namespace dslap
