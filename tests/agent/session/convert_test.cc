#include "agent/session/convert.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/histogram_codec.h"

namespace dslap {
namespace {

TEST(ConvertTest, TargetTakesEveryFieldAndWipesThePassword) {
  v1::Target message;
  message.set_host("10.0.0.5");
  message.set_port(3307);
  message.set_socket("/run/x.sock");
  message.set_user("ann");
  message.set_password("a password longer than any short-string buffer");
  message.set_transport(v1::TRANSPORT_TCP);
  message.set_connect_timeout_ns(5);
  const char* const bytes = message.password().data();
  const size_t size = message.password().size();

  const SqlTarget target = TakeTarget(&message);

  EXPECT_EQ(target.host, "10.0.0.5");
  EXPECT_EQ(target.port, 3307u);
  EXPECT_EQ(target.socket, "/run/x.sock");
  EXPECT_EQ(target.user, "ann");
  EXPECT_EQ(target.password.Reveal(), "a password longer than any short-string buffer");
  EXPECT_EQ(target.transport, SqlTransport::kTcp);
  EXPECT_EQ(target.connect_timeout_ns, 5);
  EXPECT_EQ(message.password(), "");
  // The message still owns the buffer.
  EXPECT_EQ(std::string(bytes, size), std::string(size, '\0'));
}

TEST(ConvertTest, TargetTakesHowToConnect) {
  v1::Target message;
  v1::Tls& tls = *message.mutable_tls();
  tls.set_mode(v1::TLS_MODE_VERIFY_CA);
  tls.set_ca("/ca.pem");
  tls.set_ca_path("/cas");
  tls.set_certificate("/cert.pem");
  tls.set_key("/key.pem");
  tls.set_crl("/crl.pem");
  tls.set_crl_path("/crls");
  tls.set_cipher("AES128-SHA");
  tls.set_cipher_suites("TLS_AES_128_GCM_SHA256");
  tls.set_versions("TLSv1.3");
  v1::Compression& compression = *message.mutable_compression();
  compression.set_zstd(true);
  compression.set_optional(true);
  compression.set_zstd_level(7);
  message.set_default_auth("client_ed25519");
  message.set_plugin_dir("/plugins");
  message.set_character_sets_dir("/charsets");
  message.set_server_public_key_path("/pub.pem");
  message.set_cleartext_password(true);
  message.set_sql_mode("ANSI");

  const SqlTarget target = TakeTarget(&message);

  EXPECT_EQ(target.tls.mode, SqlTlsMode::kVerifyCa);
  EXPECT_EQ(target.tls.ca, "/ca.pem");
  EXPECT_EQ(target.tls.ca_path, "/cas");
  EXPECT_EQ(target.tls.certificate, "/cert.pem");
  EXPECT_EQ(target.tls.key, "/key.pem");
  EXPECT_EQ(target.tls.crl, "/crl.pem");
  EXPECT_EQ(target.tls.crl_path, "/crls");
  EXPECT_EQ(target.tls.cipher, "AES128-SHA");
  EXPECT_EQ(target.tls.cipher_suites, "TLS_AES_128_GCM_SHA256");
  EXPECT_EQ(target.tls.versions, "TLSv1.3");
  EXPECT_FALSE(target.compression.zlib);
  EXPECT_TRUE(target.compression.zstd);
  EXPECT_TRUE(target.compression.optional);
  EXPECT_EQ(target.compression.zstd_level, 7u);
  EXPECT_EQ(target.default_auth, "client_ed25519");
  EXPECT_EQ(target.plugin_dir, "/plugins");
  EXPECT_EQ(target.character_sets_dir, "/charsets");
  EXPECT_EQ(target.server_public_key, "/pub.pem");
  EXPECT_TRUE(target.cleartext_password);
  EXPECT_EQ(target.sql_mode, "ANSI");
}

TEST(ConvertTest, TargetTakesEachTlsMode) {
  const std::pair<v1::TlsMode, SqlTlsMode> rows[] = {
      {v1::TLS_MODE_UNSPECIFIED, SqlTlsMode::kOff},
      {v1::TLS_MODE_PREFERRED, SqlTlsMode::kPreferred},
      {v1::TLS_MODE_REQUIRED, SqlTlsMode::kRequired},
      {v1::TLS_MODE_VERIFY_CA, SqlTlsMode::kVerifyCa},
      {v1::TLS_MODE_VERIFY_IDENTITY, SqlTlsMode::kVerifyIdentity}};
  for (const auto& [wire, mode] : rows) {
    v1::Target message;
    message.mutable_tls()->set_mode(wire);
    EXPECT_EQ(TakeTarget(&message).tls.mode, mode);
  }
}

TEST(ConvertTest, EmptySqlModeIsNotTheSameAsNone) {
  v1::Target message;
  EXPECT_EQ(TakeTarget(&message).sql_mode, std::nullopt);
  message.set_sql_mode("");
  EXPECT_EQ(TakeTarget(&message).sql_mode, "");
}

TEST(ConvertTest, TargetDefaults) {
  v1::Target message;
  const SqlTarget target = TakeTarget(&message);
  EXPECT_EQ(target.connect_timeout_ns, 10'000'000'000);
  EXPECT_EQ(target.transport, SqlTransport::kDefault);
  message.set_transport(v1::TRANSPORT_SOCKET);
  EXPECT_EQ(TakeTarget(&message).transport, SqlTransport::kSocket);
}

TEST(ConvertTest, StatementsKeepOrderAndBytes) {
  StatementList list;
  list.statements.push_back({"first", false});
  v1::StatementsChunk chunk;
  const std::string binary("se\0lect \xff", 9);
  chunk.add_statements()->set_text(binary);
  v1::Statement* keyed = chunk.add_statements();
  keyed->set_text("SELECT * FROM t WHERE id =");
  keyed->set_takes_key(true);
  AppendStatements(&chunk, &list);
  ASSERT_EQ(list.statements.size(), 3u);
  EXPECT_EQ(list.statements[0].text, "first");
  EXPECT_EQ(list.statements[1].text, binary);
  EXPECT_FALSE(list.statements[1].takes_key);
  EXPECT_EQ(list.statements[2].text, "SELECT * FROM t WHERE id =");
  EXPECT_TRUE(list.statements[2].takes_key);
}

TEST(ConvertTest, RoundSpecTakesEveryField) {
  v1::PrepareRound prepare;
  prepare.set_round(4);
  prepare.set_init_command("SET @a = 1");
  prepare.set_first_client(20);
  v1::ClientGroup* group = prepare.add_groups();
  group->set_clients(3);
  group->set_statements(7);
  group = prepare.add_groups();
  group->set_clients(1);
  group->set_statements(6);
  prepare.set_default_schema("shop");
  prepare.set_commit_every(11);
  prepare.set_detach_every(12);
  prepare.set_key_query("SELECT id FROM t");
  prepare.mutable_error_policy()->add_ignored_codes(1213);
  prepare.mutable_error_policy()->add_ignored_codes(1205);
  prepare.mutable_error_policy()->set_ignore_all(true);
  prepare.set_reconnect(true);
  prepare.set_query_timeout_ns(13);
  prepare.set_key_query_timeout_ns(14);
  auto list = std::make_shared<const StatementList>();

  const RoundSpec spec = ToRoundSpec(prepare, list);
  EXPECT_EQ(spec.init_command, "SET @a = 1");

  EXPECT_EQ(spec.round, 4u);
  EXPECT_EQ(spec.first_client, 20u);
  ASSERT_EQ(spec.groups.size(), 2u);
  EXPECT_EQ(spec.groups[0].clients, 3u);
  EXPECT_EQ(spec.groups[0].statements, 7u);
  EXPECT_EQ(spec.groups[1].clients, 1u);
  EXPECT_EQ(spec.groups[1].statements, 6u);
  EXPECT_EQ(spec.default_schema, "shop");
  EXPECT_EQ(spec.commit_every, 11u);
  EXPECT_EQ(spec.detach_every, 12u);
  EXPECT_EQ(spec.key_query, "SELECT id FROM t");
  EXPECT_EQ(spec.error_policy.ignored_codes, (std::vector<uint32_t>{1213, 1205}));
  EXPECT_TRUE(spec.error_policy.ignore_all);
  EXPECT_TRUE(spec.reconnect);
  EXPECT_EQ(spec.query_timeout_ns, 13);
  EXPECT_EQ(spec.key_query_timeout_ns, 14);
  EXPECT_EQ(spec.statements, list);
}

TEST(ConvertTest, RoundReady) {
  PrepareOutcome outcome;
  outcome.clients_asked = 10;
  outcome.clients_connected = 7;
  outcome.clients_not_tried = 1;
  outcome.connect_time.Record(5'000'000);
  outcome.connect_errors.Add({1040, "08004", "Too many connections"}, 2);
  outcome.channels = {{{true, "", ""}, 1}, {{false, "TLS_AES_256_GCM_SHA384", "TLSv1.3"}, 6}};
  v1::RoundReady ready = ToRoundReady(3, outcome);
  EXPECT_EQ(ready.round(), 3u);
  EXPECT_EQ(ready.clients_asked(), 10u);
  EXPECT_EQ(ready.clients_connected(), 7u);
  EXPECT_EQ(ready.clients_not_tried(), 1u);
  EXPECT_EQ(DecodeHistogram(ready.connect_time())->max_ns(), 5'000'000u);
  ASSERT_EQ(ready.connect_errors_size(), 1);
  EXPECT_EQ(ready.connect_errors(0).first().code(), 1040u);
  EXPECT_EQ(ready.connect_errors(0).first().sqlstate(), "08004");
  EXPECT_EQ(ready.connect_errors(0).count(), 2u);
  ASSERT_EQ(ready.channels_size(), 2);
  EXPECT_FALSE(ready.channels(0).channel().unix_socket());
  EXPECT_EQ(ready.channels(0).channel().tls_cipher(), "TLS_AES_256_GCM_SHA384");
  EXPECT_EQ(ready.channels(0).channel().tls_version(), "TLSv1.3");
  EXPECT_EQ(ready.channels(0).clients(), 6u);
  EXPECT_TRUE(ready.channels(1).channel().unix_socket());
  EXPECT_EQ(ready.channels(1).channel().tls_cipher(), "");
  EXPECT_EQ(ready.channels(1).clients(), 1u);
  EXPECT_FALSE(ready.has_key_error());
  EXPECT_FALSE(ready.has_hopeless_error());

  outcome.connect_errors.Add({1045, "28000", "Access denied"});
  ready = ToRoundReady(3, outcome);
  EXPECT_EQ(ready.connect_errors_size(), 2);
  EXPECT_EQ(ready.hopeless_error().code(), 1045u);
  EXPECT_EQ(ready.hopeless_error().message(), "Access denied");

  outcome.key_error = SqlError{1146, "42S02", "Table 't' doesn't exist"};
  ready = ToRoundReady(3, outcome);
  EXPECT_EQ(ready.key_error().code(), 1146u);
  EXPECT_EQ(ready.key_error().message(), "Table 't' doesn't exist");
}

TEST(ConvertTest, RoundDone) {
  RoundOutcome outcome;
  outcome.opened_at_ns = 100;
  outcome.closed_at_ns = 900;
  outcome.statements_succeeded = 50;
  outcome.statements_failed = 3;
  outcome.statements_interrupted = 2;
  outcome.clients_finished = 4;
  outcome.latency.Record(77);
  outcome.errors.Add({1213, "40001", "Deadlock found"}, 3);
  outcome.reconnects = 6;
  outcome.reconnects_failed = 1;
  outcome.session_errors = 8;
  outcome.traffic = {20, 5, 7, 2};
  outcome.connections_kept = 4;
  const v1::RoundDone done = ToRoundDone(9, outcome);
  EXPECT_EQ(done.round(), 9u);
  EXPECT_EQ(done.opened_at_ns(), 100);
  EXPECT_EQ(done.closed_at_ns(), 900);
  EXPECT_EQ(done.statements_succeeded(), 50u);
  EXPECT_EQ(done.statements_failed(), 3u);
  EXPECT_EQ(done.statements_interrupted(), 2u);
  EXPECT_EQ(done.clients_finished(), 4u);
  EXPECT_EQ(DecodeHistogram(done.latency())->min_ns(), 77u);
  ASSERT_EQ(done.errors_size(), 1);
  EXPECT_EQ(done.errors(0).first().message(), "Deadlock found");
  EXPECT_EQ(done.errors(0).count(), 3u);
  EXPECT_EQ(done.reconnects(), 6u);
  EXPECT_EQ(done.reconnects_failed(), 1u);
  EXPECT_EQ(done.session_errors(), 8u);
  EXPECT_EQ(done.other_questions(), 20u);
  EXPECT_EQ(done.unclear_questions(), 5u);
  EXPECT_EQ(done.connections(), 7u);
  EXPECT_EQ(done.unclear_connections(), 2u);
  EXPECT_EQ(done.connections_kept(), 4u);
  EXPECT_FALSE(done.has_cpu());
}

TEST(ConvertTest, StopCauses) {
  const std::vector<std::pair<RoundStopCause, v1::StopCause>> causes = {
      {RoundStopCause::kNone, v1::STOP_CAUSE_UNSPECIFIED},
      {RoundStopCause::kController, v1::STOP_CAUSE_CONTROLLER},
      {RoundStopCause::kError, v1::STOP_CAUSE_ERROR},
  };
  for (const auto& [cause, expected] : causes) {
    RoundOutcome outcome;
    outcome.stop_cause = cause;
    EXPECT_EQ(ToRoundDone(1, outcome).stop_cause(), expected);
  }
}

TEST(ConvertTest, CpuUseIsTheDifference) {
  const v1::CpuUse use = ToCpuUse({1000, 5000, 4}, {1700, 5900, 4});
  EXPECT_EQ(use.process_ns(), 700u);
  EXPECT_EQ(use.host_busy_ns(), 900u);
  EXPECT_EQ(use.cores(), 4u);
  // The host's counter has been seen to step back when a core goes off line.
  EXPECT_EQ(ToCpuUse({0, 5000, 4}, {0, 4000, 4}).host_busy_ns(), 0u);
}

TEST(ConvertTest, LoadEngine) {
  const EngineOptions choice = ToEngineOptions({});
  EXPECT_EQ(choice.kind, EngineKind::kAuto);
  EXPECT_EQ(choice.loops, 0U);
  EXPECT_EQ(choice.connect_parallelism, 64U);
  EXPECT_EQ(choice.connect_interval_ns, 0);

  v1::LoadEngine message;
  message.set_kind(v1::LOAD_ENGINE_KIND_EVENT_LOOPS);
  message.set_event_loops(3);
  message.set_connect_parallelism(9);
  message.set_connect_interval_ns(1'234);
  const EngineOptions asked = ToEngineOptions(message);
  EXPECT_EQ(asked.kind, EngineKind::kLoops);
  EXPECT_EQ(asked.loops, 3U);
  EXPECT_EQ(asked.connect_parallelism, 9U);
  EXPECT_EQ(asked.connect_interval_ns, 1'234);
  message.set_kind(v1::LOAD_ENGINE_KIND_THREADS);
  EXPECT_EQ(ToEngineOptions(message).kind, EngineKind::kThreads);
}

}  // namespace
}  // namespace dslap
