// Connections with TLS and compression to a real server. MySQL has certificates of its own making.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "agent/engine/make_engine.h"
#include "agent/sql/mysql_connection_factory.h"
#include "common/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/certificates.h"
#include "tests/support/loop_driven_connection.h"
#include "tests/support/mysql9_server.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

#ifdef DSLAP_TEST_LOOP_CONNECTION
constexpr EngineKind kEngineUnderTest = EngineKind::kLoops;
#else
constexpr EngineKind kEngineUnderTest = EngineKind::kThreads;
#endif

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

// The one that is linked; else MariaDB's Connector/C.
constexpr bool kOracleLibrary = DSLAP_ORACLE_LIBRARY;

constexpr uint32_t kTlsError = 2026;

std::vector<std::string> ServerOptions() {
  const char* const server = std::getenv("DSLAP_TEST_SERVER");
  if (server != nullptr && std::string_view(server) == "mysql9") return {};
  return Certificates::Get().ServerOptions();
}

const auto* const kSandboxEnvironment = AddSandboxEnvironment(ServerOptions());

struct Files {
  std::string ca, other_ca, client, client_key;
};

Files ServersFiles() {
  const Certificates& own = Certificates::Get();
  if (!Sandbox().is_mysql()) return {own.ca(), own.other_ca(), own.client(), own.client_key()};
  const std::string data = Sandbox().data_directory();
  return {data + "/ca.pem", own.other_ca(), data + "/client-cert.pem", data + "/client-key.pem"};
}

SqlTarget Target(SqlTlsMode mode) {
  SqlTarget target;
  target.host = Sandbox().host();
  target.port = Sandbox().port();
  target.user = Sandbox().user();
  target.password = Secret(Sandbox().password());
  target.tls.mode = mode;
  return target;
}

// Named as its certificate says: the only name in it.
SqlTarget NamedTarget(SqlTlsMode mode) {
  SqlTarget target = Target(mode);
  target.host = "localhost";
  target.transport = SqlTransport::kTcp;
  return target;
}

SqlOutcome Connect(SqlConnection& connection) {
  return RunBlocking(connection, {SqlOperation::Kind::kConnect, {}, nullptr});
}

SqlOutcome Query(SqlConnection& connection, std::string_view text, SqlRowSink* rows = nullptr) {
  return RunBlocking(connection, {SqlOperation::Kind::kQuery, text, rows});
}

std::unique_ptr<SqlConnection> Make(const SqlTarget& target) {
  MySqlConnectionFactory factory(target);
  return MakeConnectionUnderTest(&factory);
}

SqlError ConnectError(const SqlTarget& target) { return Connect(*Make(target)).error; }

std::unique_ptr<SqlConnection> Connected(const SqlTarget& target) {
  std::unique_ptr<SqlConnection> connection = Make(target);
  const SqlOutcome outcome = Connect(*connection);
  EXPECT_TRUE(outcome.ok()) << outcome.error.ToString();
  return connection;
}

class LastField final : public SqlRowSink {
 public:
  bool OnRow(SqlRow row) override {
    value = row.back().value_or("NULL");
    return true;
  }
  std::string value;
};

// What the server says of this session: "Ssl_cipher", "Ssl_version", "Compression".
std::string Status(SqlConnection& connection, const std::string& name) {
  LastField field;
  const std::string text = absl::StrCat("SHOW SESSION STATUS LIKE '", name, "'");
  const SqlOutcome outcome = Query(connection, text, &field);
  EXPECT_TRUE(outcome.ok()) << outcome.error.ToString();
  return field.value;
}

// True as soon as the server sleeps for this connection.
bool AwaitSleeping(uint64_t id) {
  return Sandbox().WaitForValue(
      absl::StrCat("SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User sleep' "
                   "AND id = ",
                   id),
      "1", absl::Seconds(20));
}

// True as soon as `count` connections execute exactly this. Those that other tests have cut may
// still be executing what they were.
bool AwaitExecuting(const std::string& text, const std::string& count) {
  return Sandbox().WaitForValue(
      absl::StrCat("SELECT COUNT(*) FROM information_schema.processlist WHERE info = '", text, "'"),
      count, absl::Seconds(20));
}

// ---- whether, how, and with whom

TEST(MySqlTlsTest, IsUsedAsTheModeSays) {
  std::unique_ptr<SqlConnection> off = Connected(Target(SqlTlsMode::kOff));
  EXPECT_EQ(Status(*off, "Ssl_cipher"), "");
  EXPECT_EQ(off->channel(), SqlChannel());
  for (const SqlTlsMode mode : {SqlTlsMode::kPreferred, SqlTlsMode::kRequired}) {
    std::unique_ptr<SqlConnection> on = Connected(Target(mode));
    const std::string cipher = Status(*on, "Ssl_cipher");
    EXPECT_NE(cipher, "");
    EXPECT_EQ(on->channel(), (SqlChannel{false, cipher, Status(*on, "Ssl_version")}));
  }
}

TEST(MySqlTlsTest, UnixSocketIsUsedWithoutUnlessRequired) {
  SqlTarget target = Target(SqlTlsMode::kPreferred);
  target.host.clear();
  target.socket = Sandbox().socket();
  EXPECT_EQ(Connected(target)->channel(), (SqlChannel{true, "", ""}));
  target.tls.mode = SqlTlsMode::kRequired;
  const SqlChannel channel = Connected(target)->channel();
  EXPECT_TRUE(channel.unix_socket);
  EXPECT_NE(channel.tls_cipher, "");
}

TEST(MySqlTlsTest, CertificateIsVerifiedAgainstTheAuthority) {
  SqlTarget target = Target(SqlTlsMode::kVerifyCa);
  target.tls.ca = ServersFiles().ca;
  Connected(target);

  target.tls.ca = ServersFiles().other_ca;
  const SqlError error = ConnectError(target);
  EXPECT_EQ(error.code, kTlsError);
  EXPECT_THAT(error.message, HasSubstr("--ssl-ca says whom to trust"));
}

TEST(MySqlTlsTest, AuthoritiesMayLieInADirectory) {
  if (Sandbox().is_mysql()) GTEST_SKIP() << "the directory is one with the certificates made here";
  SqlTarget target = Target(SqlTlsMode::kVerifyCa);
  target.tls.ca_path = Certificates::Get().ca_directory();
  Connected(target);
}

TEST(MySqlTlsTest, NameOfTheServerIsVerifiedWhenAsked) {
  SqlTarget target = Target(SqlTlsMode::kVerifyIdentity);
  target.tls.ca = ServersFiles().ca;
  const SqlError error = ConnectError(target);
  EXPECT_EQ(error.code, kTlsError);
  EXPECT_THAT(error.message, HasSubstr(kOracleLibrary ? "--host must be a name in it"
                                                      : "it does not bear the name '127.0.0.1'"));
  if (Sandbox().is_mysql()) return;  // its certificate bears no host's name

  target = NamedTarget(SqlTlsMode::kVerifyIdentity);
  target.tls.ca = ServersFiles().ca;
  Connected(target);
  target.tls.ca = ServersFiles().other_ca;
  EXPECT_EQ(ConnectError(target).code, kTlsError);
}

// The name was looked up by the agent itself: what is connected to is the address, and what the
// certificate must bear is the name.
TEST(MySqlTlsTest, NameIsVerifiedThoughTheAddressIsConnectedTo) {
  if (kOracleLibrary) GTEST_SKIP() << "Oracle's library verifies only what it looks up itself";
  if (Sandbox().is_mysql()) GTEST_SKIP() << "its certificate bears no host's name";
  SqlTarget target = NamedTarget(SqlTlsMode::kVerifyIdentity);
  target.tls.ca = ServersFiles().ca;
  target.addresses = {"127.0.0.1"};
  Connected(target);

  target.host = "127.0.0.1";
  EXPECT_THAT(ConnectError(target).message, HasSubstr("it does not bear the name '127.0.0.1'"));
  target.host = "a.longer.name.example";
  EXPECT_THAT(ConnectError(target).message,
              HasSubstr("it does not bear the name 'a.longer.name.example'"));
}

TEST(MySqlTlsTest, AccountsThatRequireTlsOrACertificateGetIt) {
  Sandbox().Execute(
      "DROP USER IF EXISTS encrypted@'%', certified@'%';"
      "CREATE USER encrypted@'%' IDENTIFIED BY 'pw' REQUIRE SSL;"
      "CREATE USER certified@'%' IDENTIFIED BY 'pw' REQUIRE X509");
  SqlTarget target = Target(SqlTlsMode::kOff);
  target.password = Secret("pw");
  target.user = "encrypted";
  EXPECT_EQ(ConnectError(target).code, 1045);
  target.tls.mode = SqlTlsMode::kRequired;
  Connected(target);

  target.user = "certified";
  EXPECT_EQ(ConnectError(target).code, 1045);
  target.tls.certificate = ServersFiles().client;
  target.tls.key = ServersFiles().client_key;
  Connected(target);
}

// MySQL's own way of authentication sends the password once in full, protected by TLS or the
// server's RSA key.
TEST(MySqlTlsTest, CachingSha2PasswordWithTlsAndWithKeys) {
  if (!Sandbox().is_mysql()) GTEST_SKIP() << "MariaDB has no such accounts";
  const std::string key = Sandbox().data_directory() + "/public_key.pem";
  const std::string wrong_key = Certificates::Get().wrong_public_key();
  struct Way {
    SqlTlsMode mode;
    std::string key;
    bool works;
  };
  for (const Way& way :
       {Way{SqlTlsMode::kRequired, "", true}, Way{SqlTlsMode::kPreferred, "", true},
        Way{SqlTlsMode::kOff, "", true}, Way{SqlTlsMode::kOff, key, true},
        Way{SqlTlsMode::kOff, wrong_key, false}}) {
    // Oracle's library reads one key in the life of a process.
    if (kOracleLibrary && !way.works) continue;
    // A fresh account: the server has cached nothing of it.
    Sandbox().Execute(
        "DROP USER IF EXISTS sha@'%';"
        "CREATE USER sha@'%' IDENTIFIED WITH caching_sha2_password BY 'pw'");
    SqlTarget target = Target(way.mode);
    target.user = "sha";
    target.password = Secret("pw");
    target.server_public_key = way.key;
    const SqlError error = ConnectError(target);
    EXPECT_EQ(error.code, way.works ? 0u : 1045u) << error.ToString();
    // The second time the server remembers.
    if (way.works) Connected(target);
  }
}

TEST(MySqlTlsTest, VersionIsTheOneAskedFor) {
  for (const std::string version : {"TLSv1.2", "TLSv1.3"}) {
    SqlTarget target = Target(SqlTlsMode::kRequired);
    target.tls.versions = version;
    std::unique_ptr<SqlConnection> connection = Connected(target);
    EXPECT_EQ(Status(*connection, "Ssl_version"), version);
    // Oracle's library does not say it; the ciphers of 1.3 do.
    const bool known = !kOracleLibrary || version == "TLSv1.3";
    EXPECT_EQ(connection->channel().tls_version, known ? version : "");
  }
}

TEST(MySqlTlsTest, CipherIsTheOneAskedFor) {
  SqlTarget target = Target(SqlTlsMode::kRequired);
  target.tls.versions = "TLSv1.2";
  // MariaDB's certificate is elliptic, MySQL's RSA.
  const std::string cipher =
      Sandbox().is_mysql() ? "ECDHE-RSA-AES128-GCM-SHA256" : "ECDHE-ECDSA-AES128-GCM-SHA256";
  target.tls.cipher = cipher;
  EXPECT_EQ(Status(*Connected(target), "Ssl_cipher"), cipher);
  EXPECT_EQ(Connected(target)->channel().tls_cipher, cipher);

  target.tls.cipher = "NULL-SHA256";
  const SqlError error = ConnectError(target);
  EXPECT_EQ(error.code, kTlsError) << error.ToString();
  EXPECT_THAT(error.message, HasSubstr("--ssl-cipher"));

  SqlTarget suites = Target(SqlTlsMode::kRequired);
  suites.tls.versions = "TLSv1.3";
  suites.tls.cipher_suites = "TLS_AES_128_GCM_SHA256";
  EXPECT_EQ(Status(*Connected(suites), "Ssl_cipher"), "TLS_AES_128_GCM_SHA256");
}

TEST(MySqlTlsTest, CompressionWithAndWithoutTls) {
  for (const SqlTlsMode mode : {SqlTlsMode::kOff, SqlTlsMode::kRequired}) {
    SqlTarget target = Target(mode);
    target.compression.zlib = true;
    std::unique_ptr<SqlConnection> connection = Connected(target);
    EXPECT_EQ(Status(*connection, "Compression"), "ON");
    const SqlOutcome outcome = Query(
        *connection, absl::StrCat("SELECT seq, REPEAT('x', 10000) FROM ", SequenceTable(2000)));
    EXPECT_EQ(outcome.rows, 2000u) << outcome.error.ToString();
    EXPECT_EQ(Query(*connection, "SELECT 1; SELECT 2 UNION SELECT 3").rows, 3u);
    EXPECT_EQ(Query(*connection, "SELEC").error.code, 1064u);
    EXPECT_TRUE(connection->connected());
  }
  EXPECT_EQ(Status(*Connected(Target(SqlTlsMode::kRequired)), "Compression"), "OFF");
}

// ---- what goes through

uint64_t ResidentBytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  unsigned long long pages = 0;  // NOLINT(google-runtime-int): what scanf reads
  EXPECT_EQ(std::fscanf(file, "%*s %llu", &pages), 1);
  std::fclose(file);
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(MySqlTlsTest, LargeAndSeveralResults) {
  std::unique_ptr<SqlConnection> connection = Connected(Target(SqlTlsMode::kRequired));
  Query(*connection, "SELECT 1");
  const uint64_t before = ResidentBytes();
  const SqlOutcome large = Query(
      *connection, absl::StrCat("SELECT REPEAT('x', 10000) FROM ", SequenceTable(5000)));  // 50 MB
  EXPECT_EQ(large.rows, 5000u) << large.error.ToString();
  EXPECT_LT(ResidentBytes() - before, 8'000'000u);
  EXPECT_EQ(Query(*connection, "SELECT 1; SELECT 2 UNION SELECT 3; DO 1; SELECT 4").rows, 4u);
  const SqlOutcome failed = Query(*connection, "SELECT 1; SELECT * FROM mysql.nothing; SELECT 2");
  EXPECT_EQ(failed.error.code, 1146u);
  LastField length;
  const std::string long_text = absl::StrCat("SELECT LENGTH('", std::string(1'000'000, 'x'), "')");
  EXPECT_TRUE(Query(*connection, long_text, &length).ok());
  EXPECT_EQ(length.value, "1000000");
}

// ---- ends that come from outside

TEST(MySqlTlsTest, KillQueryEndsAStatementButNotTheConnection) {
  std::unique_ptr<SqlConnection> connection = Connected(Target(SqlTlsMode::kRequired));
  const std::string sleep =
      absl::StrCat("SELECT 1 FROM ", SequenceTable(1), " WHERE SLEEP(60) = 0");
  std::future<SqlOutcome> slept =
      std::async(std::launch::async, [&] { return Query(*connection, sleep); });
  ASSERT_TRUE(AwaitSleeping(connection->id()));
  Sandbox().Execute(absl::StrCat("KILL QUERY ", connection->id()));
  EXPECT_EQ(slept.get().error.code, 1317u);
  EXPECT_TRUE(connection->connected());
  EXPECT_TRUE(Query(*connection, "SELECT 1").ok());
}

TEST(MySqlTlsTest, KilledConnectionIsNoticed) {
  std::unique_ptr<SqlConnection> connection = Connected(Target(SqlTlsMode::kRequired));
  std::future<SqlOutcome> slept =
      std::async(std::launch::async, [&] { return Query(*connection, "SELECT SLEEP(60)"); });
  ASSERT_TRUE(AwaitSleeping(connection->id()));
  Sandbox().Execute(absl::StrCat("KILL ", connection->id()));
  EXPECT_THAT(slept.get().error.code, AnyOf(Eq(2013u), Eq(2006u), Eq(1927u)));
  EXPECT_FALSE(connection->connected());
  EXPECT_TRUE(Connect(*connection).ok());
}

// The rows are long, so that the server sends those that it has.
TEST(MySqlTlsTest, InterruptEndsAStatementAndAStalledResult) {
  for (const std::string& text :
       {std::string("SELECT SLEEP(60)"),
        absl::StrCat("SELECT REPEAT('x', 50000), SLEEP(IF(seq < 3, 0, 60)) FROM ",
                     SequenceTable(4))}) {
    std::unique_ptr<SqlConnection> connection = Connected(Target(SqlTlsMode::kRequired));
    std::future<SqlOutcome> slept =
        std::async(std::launch::async, [&] { return Query(*connection, text); });
    ASSERT_TRUE(AwaitSleeping(connection->id()));
    const absl::Time start = absl::Now();
    connection->Interrupt();
    EXPECT_THAT(slept.get().error.code, AnyOf(Eq(2013u), Eq(2006u)));
    EXPECT_LT(absl::Now() - start, absl::Seconds(5));
    EXPECT_FALSE(connection->connected());
    EXPECT_TRUE(Connect(*connection).ok());
    EXPECT_TRUE(Query(*connection, "SELECT 1").ok());
  }
}

TEST(MySqlTlsTest, StopOfARoundKillsWhatRunsOnTheServer) {
  const std::unique_ptr<LoadEngine> made =
      MakeEngine({.kind = kEngineUnderTest},
                 std::make_shared<MySqlConnectionFactory>(Target(SqlTlsMode::kRequired)),
                 SteadyClock::Get())
          .value();
  LoadEngine& engine = *made;
  auto list = std::make_shared<StatementList>();
  const std::string text = "SELECT SLEEP(77)";
  list->statements = {{text, false}};
  RoundSpec spec;
  spec.round = 1;
  spec.groups = {{20, 3}};
  spec.statements = list;
  const PrepareOutcome prepared = engine.Prepare(spec);
  EXPECT_EQ(prepared.clients_connected, 20u);
  const SqlChannel channel = Connected(Target(SqlTlsMode::kRequired))->channel();
  EXPECT_THAT(prepared.channels, ElementsAre(Pair(channel, 20u)));
  std::future<RoundOutcome> running = std::async(
      std::launch::async, [&] { return engine.Run(SteadyClock::Get()->NowNs(), [](int64_t) {}); });
  ASSERT_TRUE(AwaitExecuting(text, "20"));
  const absl::Time stopped = absl::Now();
  engine.Stop(RoundStopCause::kController, 100'000'000);
  const RoundOutcome outcome = running.get();
  EXPECT_LT(absl::Now() - stopped, absl::Seconds(5));
  EXPECT_EQ(outcome.statements_interrupted, 20u);
  EXPECT_EQ(outcome.statements_failed, 0u);
  EXPECT_TRUE(AwaitExecuting(text, "0"));
  // The connections have survived.
  spec.round = 2;
  list->statements = {{"SELECT 1", false}};
  EXPECT_EQ(engine.Prepare(spec).connect_time.count(), 0u);
  EXPECT_EQ(engine.Run(0, [](int64_t) {}).statements_succeeded, 60u);
}

}  // namespace
}  // namespace dslap
