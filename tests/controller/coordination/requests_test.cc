#include "controller/coordination/requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "common/version.h"

namespace dslap {
namespace {

TEST(RequestsTest, OpenCarriesIdentityTargetAndLease) {
  TargetOptions target;
  target.host = "10.0.0.5";
  target.port = 3307;
  target.socket = "/run/x.sock";
  target.user = "app";
  target.password = Secret("s3cret");
  target.protocol = TransportProtocol::kTcp;
  const v1::Open open = MakeOpen({"run-1", "me@here pid 7"}, target, 10'000'000'000);
  EXPECT_EQ(open.run_id(), "run-1");
  EXPECT_EQ(open.controller(), "me@here pid 7");
  EXPECT_EQ(open.lease_ns(), 10'000'000'000u);
  EXPECT_EQ(open.protocol().major(), kProtocolMajor);
  EXPECT_EQ(open.build(), BuildVersion());
  EXPECT_EQ(open.target().host(), "10.0.0.5");
  EXPECT_EQ(open.target().port(), 3307u);
  EXPECT_EQ(open.target().socket(), "/run/x.sock");
  EXPECT_EQ(open.target().user(), "app");
  EXPECT_EQ(open.target().password(), "s3cret");
  EXPECT_EQ(open.target().transport(), v1::TRANSPORT_TCP);
}

TEST(RequestsTest, LoadEngineIsTheAgentsChoiceUnlessAskedFor) {
  const v1::LoadEngine engine = MakeLoadEngine({}, 3);
  EXPECT_EQ(engine.kind(), v1::LOAD_ENGINE_KIND_UNSPECIFIED);
  EXPECT_EQ(engine.event_loops(), 0U);
  EXPECT_EQ(engine.connect_parallelism(), 64U);
  EXPECT_EQ(engine.connect_interval_ns(), 0U);
  EXPECT_EQ(MakeLoadEngine({.kind = LoadEngineKind::kThreads}, 1).kind(),
            v1::LOAD_ENGINE_KIND_THREADS);
  const v1::LoadEngine asked = MakeLoadEngine(
      {.kind = LoadEngineKind::kEventLoops, .threads = 5, .connect_parallelism = 7}, 1);
  EXPECT_EQ(asked.kind(), v1::LOAD_ENGINE_KIND_EVENT_LOOPS);
  EXPECT_EQ(asked.event_loops(), 5U);
  EXPECT_EQ(asked.connect_parallelism(), 7U);
}

TEST(RequestsTest, ConnectRateIsSharedByTheAgents) {
  // 500 a second: every 2 ms. Four agents: each every 8 ms.
  EXPECT_EQ(MakeLoadEngine({.connect_rate = 500}, 1).connect_interval_ns(), 2'000'000U);
  EXPECT_EQ(MakeLoadEngine({.connect_rate = 500}, 4).connect_interval_ns(), 8'000'000U);
  // Faster than can be told apart is as fast as can be.
  EXPECT_EQ(MakeLoadEngine({.connect_rate = 1'000'000'000}, 1).connect_interval_ns(), 1U);
}

TEST(RequestsTest, OpenCarriesHowToConnect) {
  TargetOptions target;
  target.tls = {TlsMode::kVerifyIdentity,
                "/ca",
                "/cas",
                "/cert",
                "/key",
                "/crl",
                "/crls",
                "CIPHER",
                "SUITES",
                "TLSv1.3"};
  target.compression = {true, false, true, 9};
  target.default_auth = "dialog";
  target.plugin_dir = "/plugins";
  target.character_sets_dir = "/charsets";
  target.server_public_key_path = "/pub";
  target.cleartext_password = true;
  target.sql_mode = "";
  const v1::Open open = MakeOpen({"run-1", "me"}, target, 10'000'000'000);
  const v1::Tls& tls = open.target().tls();
  EXPECT_EQ(tls.mode(), v1::TLS_MODE_VERIFY_IDENTITY);
  EXPECT_EQ(tls.ca(), "/ca");
  EXPECT_EQ(tls.ca_path(), "/cas");
  EXPECT_EQ(tls.certificate(), "/cert");
  EXPECT_EQ(tls.key(), "/key");
  EXPECT_EQ(tls.crl(), "/crl");
  EXPECT_EQ(tls.crl_path(), "/crls");
  EXPECT_EQ(tls.cipher(), "CIPHER");
  EXPECT_EQ(tls.cipher_suites(), "SUITES");
  EXPECT_EQ(tls.versions(), "TLSv1.3");
  EXPECT_TRUE(open.target().compression().zlib());
  EXPECT_FALSE(open.target().compression().zstd());
  EXPECT_TRUE(open.target().compression().optional());
  EXPECT_EQ(open.target().compression().zstd_level(), 9u);
  EXPECT_EQ(open.target().default_auth(), "dialog");
  EXPECT_EQ(open.target().plugin_dir(), "/plugins");
  EXPECT_EQ(open.target().character_sets_dir(), "/charsets");
  EXPECT_EQ(open.target().server_public_key_path(), "/pub");
  EXPECT_TRUE(open.target().cleartext_password());
  EXPECT_TRUE(open.target().has_sql_mode());
  EXPECT_EQ(open.target().sql_mode(), "");
}

TEST(RequestsTest, OpenCarriesEachTlsModeAndNoSqlModeUnasked) {
  const std::pair<TlsMode, v1::TlsMode> rows[] = {
      {TlsMode::kOff, v1::TLS_MODE_UNSPECIFIED},
      {TlsMode::kPreferred, v1::TLS_MODE_PREFERRED},
      {TlsMode::kRequired, v1::TLS_MODE_REQUIRED},
      {TlsMode::kVerifyCa, v1::TLS_MODE_VERIFY_CA},
      {TlsMode::kVerifyIdentity, v1::TLS_MODE_VERIFY_IDENTITY}};
  for (const auto& [mode, wire] : rows) {
    TargetOptions target;
    target.tls.mode = mode;
    const v1::Open open = MakeOpen({"run-1", "me"}, target, 10'000'000'000);
    EXPECT_EQ(open.target().tls().mode(), wire);
    EXPECT_FALSE(open.target().has_sql_mode());
  }
}

TEST(RequestsTest, EveryRunHasItsOwnId) {
  EXPECT_NE(MakeRunIdentity().run_id, MakeRunIdentity().run_id);
  EXPECT_EQ(MakeRunIdentity().run_id.size(), 16u);
  EXPECT_THAT(MakeRunIdentity().controller, testing::MatchesRegex(".+@.+ pid [0-9]+"));
}

TEST(RequestsTest, PrepareRoundCarriesTheAgentsOwnShare) {
  Plan plan;
  plan.commit_every = 5;
  plan.detach_every = 20;
  plan.key_query = "SELECT id from t1";
  plan.ignored_errors = {1213};
  plan.reconnect = true;
  plan.init_command = "SET @a = 1";
  plan.query_timeout_ns = 7;
  plan.once_timeout_ns = 70;
  const std::vector<AgentShare> shares = {{0, {{2, 3}}}, {2, {{1, 3}, {1, 2}}}};
  const v1::PrepareRound prepare = MakePrepareRound(plan, shares, 1, 9, "shop");
  EXPECT_EQ(prepare.round(), 9u);
  EXPECT_EQ(prepare.first_client(), 2u);
  ASSERT_EQ(prepare.groups_size(), 2);
  EXPECT_EQ(prepare.groups(0).clients(), 1u);
  EXPECT_EQ(prepare.groups(0).statements(), 3u);
  EXPECT_EQ(prepare.groups(1).statements(), 2u);
  EXPECT_EQ(prepare.default_schema(), "shop");
  EXPECT_EQ(prepare.commit_every(), 5u);
  EXPECT_EQ(prepare.detach_every(), 20u);
  EXPECT_EQ(prepare.key_query(), "SELECT id from t1");
  EXPECT_THAT(prepare.error_policy().ignored_codes(), testing::ElementsAre(1213));
  EXPECT_FALSE(prepare.error_policy().ignore_all());
  EXPECT_TRUE(prepare.reconnect());
  EXPECT_EQ(prepare.init_command(), "SET @a = 1");
  EXPECT_FALSE(prepare.sole_agent());
  EXPECT_EQ(prepare.query_timeout_ns(), 7u);
  EXPECT_EQ(prepare.key_query_timeout_ns(), 70u);
}

TEST(RequestsTest, PrepareRoundSaysWhetherOtherAgentsHaveClients) {
  const auto sole = [](const std::vector<AgentShare>& shares) {
    return MakePrepareRound(Plan(), shares, 0, 1, "").sole_agent();
  };
  EXPECT_TRUE(sole({{0, {{2, 3}}}}));
  EXPECT_TRUE(sole({{0, {{1, 3}}}, {1, {}}}));
  EXPECT_FALSE(sole({{0, {{1, 3}}}, {1, {{1, 3}}}}));
}

TEST(StatementChunkerTest, SmallListIsOneChunk) {
  const std::vector<PlannedStatement> list = {{"SELECT 1", false}, {"SELECT 2 ", true}};
  StatementChunker chunker(&list);
  const v1::StatementsChunk chunk = chunker.Next();
  EXPECT_TRUE(chunk.first());
  EXPECT_TRUE(chunk.last());
  ASSERT_EQ(chunk.statements_size(), 2);
  EXPECT_EQ(chunk.statements(1).text(), "SELECT 2 ");
  EXPECT_TRUE(chunk.statements(1).takes_key());
  EXPECT_TRUE(chunker.done());
}

TEST(StatementChunkerTest, LargeListComesInBoundedPiecesAndWhole) {
  std::vector<PlannedStatement> list;
  for (int i = 0; i < 100; ++i) list.push_back({std::string(200'000, 'a' + i % 26), false});
  list.push_back({std::string(kChunkBytes + 1, 'Z'), false});  // larger than a chunk by itself
  list.push_back({"last", false});
  StatementChunker chunker(&list);
  std::vector<std::string> texts;
  int chunks = 0;
  while (!chunker.done()) {
    const v1::StatementsChunk chunk = chunker.Next();
    EXPECT_EQ(chunk.first(), chunks == 0);
    ++chunks;
    if (chunk.statements_size() > 1) {
      EXPECT_LE(chunk.ByteSizeLong(), kChunkBytes + 4096);
    }
    for (const v1::Statement& statement : chunk.statements()) texts.push_back(statement.text());
    EXPECT_EQ(chunk.last(), chunker.done());
  }
  ASSERT_EQ(texts.size(), list.size());
  for (size_t i = 0; i < list.size(); ++i) EXPECT_EQ(texts[i], list[i].text);
  EXPECT_EQ(chunks, 7);
}

TEST(DescribeTargetTest, NamesTheRouteThatIsTaken) {
  TargetOptions target;
  EXPECT_EQ(DescribeTarget(target), "localhost by the default socket");
  target.socket = "/run/x.sock";
  EXPECT_EQ(DescribeTarget(target), "socket /run/x.sock");
  target.host = "10.0.0.5";
  EXPECT_EQ(DescribeTarget(target), "10.0.0.5:3306");
  target.port = 3307;
  EXPECT_EQ(DescribeTarget(target), "10.0.0.5:3307");
  target.host = "localhost";
  target.protocol = TransportProtocol::kTcp;
  EXPECT_EQ(DescribeTarget(target), "localhost:3307");
}

}  // namespace
}  // namespace dslap
