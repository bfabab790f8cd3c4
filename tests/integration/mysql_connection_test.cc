#include "agent/sql/mysql_connection.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "agent/sql/mysql_connection_factory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/loop_driven_connection.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

// The limit is MariaDB's own; MySQL's is higher.
const auto* const kSandboxEnvironment =
    AddSandboxEnvironment({"--option=--max-allowed-packet=16777216"});

SqlTarget Target() {
  SqlTarget target;
  target.host = Sandbox().host();
  target.port = Sandbox().port();
  target.user = Sandbox().user();
  target.password = Secret(Sandbox().password());
  return target;
}

SqlTarget SocketTarget() {
  SqlTarget target = Target();
  target.host.clear();
  target.port = 0;
  target.socket = Sandbox().socket();
  return target;
}

std::unique_ptr<SqlConnection> Make(const SqlTarget& target) {
  MySqlConnectionFactory factory(target);
  return MakeConnectionUnderTest(&factory);
}

SqlOutcome Connect(SqlConnection& connection, std::string_view schema = {}) {
  return RunBlocking(connection, {SqlOperation::Kind::kConnect, schema, nullptr});
}

SqlOutcome Query(SqlConnection& connection, std::string_view text, SqlRowSink* rows = nullptr) {
  return RunBlocking(connection, {SqlOperation::Kind::kQuery, text, rows});
}

std::unique_ptr<SqlConnection> Connected(std::string_view schema = {}) {
  std::unique_ptr<SqlConnection> connection = Make(Target());
  const SqlOutcome outcome = Connect(*connection, schema);
  EXPECT_TRUE(outcome.ok()) << outcome.error.ToString();
  return connection;
}

class Rows final : public SqlRowSink {
 public:
  explicit Rows(size_t limit = SIZE_MAX) : limit_(limit) {}
  bool OnRow(SqlRow row) override {
    rows.push_back(std::move(row));
    return rows.size() < limit_;
  }
  std::vector<SqlRow> rows;

 private:
  const size_t limit_;
};

// The first field of the only row.
std::string Ask(SqlConnection& connection, std::string_view text) {
  Rows rows;
  const SqlOutcome outcome = Query(connection, text, &rows);
  if (!outcome.ok() || rows.rows.size() != 1) return outcome.error.ToString();
  return rows.rows[0][0].value_or("NULL");
}

// True as soon as the server sleeps for this connection.
bool AwaitSleeping(uint64_t id) {
  const absl::Time deadline = absl::Now() + absl::Seconds(10);
  while (absl::Now() < deadline) {
    const std::string count = Sandbox().Value(absl::StrCat(
        "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User sleep' AND id = ",
        id));
    if (count == "1") return true;
  }
  return false;
}

uint64_t ResidentBytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  unsigned long long pages = 0;  // NOLINT(google-runtime-int): what scanf reads
  EXPECT_EQ(std::fscanf(file, "%*s %llu", &pages), 1);
  std::fclose(file);
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// A socket that accepts connections into its backlog and never answers.
class SilentServer {
 public:
  SilentServer() : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(bind(fd_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(fd_, 16), 0);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~SilentServer() { close(fd_); }
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;

  SqlTarget Target() const {
    SqlTarget target;
    target.host = "127.0.0.1";
    target.port = port_;
    target.user = "nobody";
    return target;
  }

 private:
  const int fd_;
  uint16_t port_ = 0;
};

TEST(MySqlConnectionTest, ConnectsOverTcpAndOverTheSocket) {
  std::unique_ptr<SqlConnection> tcp = Make(Target());
  EXPECT_FALSE(tcp->connected());
  EXPECT_EQ(tcp->id(), 0);
  ASSERT_TRUE(Connect(*tcp).ok());
  EXPECT_TRUE(tcp->connected());
  EXPECT_EQ(Ask(*tcp, "SELECT CONNECTION_ID()"), absl::StrCat(tcp->id()));
  EXPECT_THAT(Ask(*tcp,
                  "SELECT host FROM information_schema.processlist WHERE id = "
                  "connection_id()"),
              HasSubstr("127.0.0.1:"));

  std::unique_ptr<SqlConnection> socket = Make(SocketTarget());
  ASSERT_TRUE(Connect(*socket).ok());
  EXPECT_EQ(Ask(*socket,
                "SELECT host FROM information_schema.processlist WHERE id = "
                "connection_id()"),
            "localhost");
  socket->Close();
  EXPECT_FALSE(socket->connected());
  EXPECT_EQ(socket->id(), 0);
}

TEST(MySqlConnectionTest, TransportIsObeyed) {
  SqlTarget tcp = SocketTarget();
  tcp.host = "localhost";
  tcp.port = Sandbox().port();
  tcp.transport = SqlTransport::kTcp;
  std::unique_ptr<SqlConnection> connection = Make(tcp);
  ASSERT_TRUE(Connect(*connection).ok());
  EXPECT_THAT(Ask(*connection,
                  "SELECT host FROM information_schema.processlist WHERE id = "
                  "connection_id()"),
              HasSubstr(":"));
}

TEST(MySqlConnectionTest, CharacterSetIsUtf8mb4) {
  EXPECT_EQ(Ask(*Connected(), "SELECT @@character_set_client"), "utf8mb4");
}

TEST(MySqlConnectionTest, ConnectErrorsKeepCodeAndSqlstate) {
  SqlTarget wrong = Target();
  wrong.password = Secret("wrong");
  const SqlError denied = Connect(*Make(wrong)).error;
  EXPECT_EQ(denied.code, 1045);
  EXPECT_EQ(denied.sqlstate, "28000");
  EXPECT_THAT(denied.message, HasSubstr("Access denied for user"));

  EXPECT_EQ(Connect(*Make(Target()), "no_such_schema").error.code, 1049);

  SqlTarget refused = Target();
  refused.port = 1;
  const SqlError no_server = Connect(*Make(refused)).error;
  EXPECT_TRUE(no_server.code == 2002 || no_server.code == 2003) << no_server.ToString();
  EXPECT_THAT(no_server.message, HasSubstr("(111): Connection refused"));

  SqlTarget no_socket = SocketTarget();
  no_socket.socket = "/nonexistent/mysql.sock";
  const SqlError absent = Connect(*Make(no_socket)).error;
  EXPECT_EQ(absent.code, 2002);
  EXPECT_THAT(absent.message, HasSubstr("(2): No such file or directory"));
}

TEST(MySqlConnectionTest, OperationsWithoutAConnectionFail) {
  std::unique_ptr<SqlConnection> connection = Make(Target());
  EXPECT_EQ(Query(*connection, "SELECT 1").error.code, 2006);
}

TEST(MySqlConnectionTest, ReportsAStatementsError) {
  std::unique_ptr<SqlConnection> connection = Connected();
  const SqlError error = Query(*connection, "SELEC 1").error;
  EXPECT_EQ(error.code, 1064);
  EXPECT_EQ(error.sqlstate, "42000");
  EXPECT_TRUE(connection->connected());
  EXPECT_EQ(Ask(*connection, "SELECT 7"), "7");
}

TEST(MySqlConnectionTest, RowsReachTheSinkWithNullsAndBytes) {
  std::unique_ptr<SqlConnection> connection = Connected();
  Rows rows;
  const SqlOutcome outcome =
      Query(*connection, "SELECT 'a', NULL, x'6200' UNION ALL SELECT 'c', '', 'd'", &rows);
  EXPECT_EQ(outcome.rows, 2);
  ASSERT_EQ(rows.rows.size(), 2);
  EXPECT_THAT(rows.rows[0], ElementsAre(Optional(std::string("a")), std::nullopt,
                                        Optional(std::string("b\0", 2))));
  EXPECT_THAT(rows.rows[1], ElementsAre(Optional(std::string("c")), Optional(std::string()),
                                        Optional(std::string("d"))));
}

TEST(MySqlConnectionTest, SinkThatHasEnoughGetsNoMoreAndTheRestIsDrained) {
  std::unique_ptr<SqlConnection> connection = Connected();
  Rows rows(3);
  const SqlOutcome outcome =
      Query(*connection, absl::StrCat("SELECT seq FROM ", SequenceTable(100), "; SELECT 2"), &rows);
  EXPECT_TRUE(outcome.ok()) << outcome.error.ToString();
  EXPECT_EQ(outcome.rows, 101);
  EXPECT_EQ(rows.rows.size(), 3);
  EXPECT_EQ(Ask(*connection, "SELECT 7"), "7");
}

TEST(MySqlConnectionTest, ErrorInALaterResultIsTheOutcome) {
  std::unique_ptr<SqlConnection> connection = Connected();
  const SqlOutcome outcome = Query(*connection, "SELECT 1; SELECT * FROM mysql.nothing; SELECT 2");
  EXPECT_EQ(outcome.error.code, 1146);
  EXPECT_EQ(outcome.rows, 1);
  EXPECT_EQ(Ask(*connection, "SELECT 7"), "7");
}

TEST(MySqlConnectionTest, CallWithSeveralResultsIsDrained) {
  Sandbox().MakeSchema("proc");
  std::unique_ptr<SqlConnection> connection = Connected("proc");
  ASSERT_TRUE(
      Query(*connection, "CREATE PROCEDURE p1() BEGIN SELECT 1; SELECT 2 UNION SELECT 3; END")
          .ok());
  const SqlOutcome outcome = Query(*connection, "CALL p1");
  EXPECT_TRUE(outcome.ok()) << outcome.error.ToString();
  EXPECT_EQ(outcome.rows, 3);
  EXPECT_EQ(Query(*connection, "CALL p1; SELECT 1").rows, 4);
}

TEST(MySqlConnectionTest, LargeResultIsStreamedNotStored) {
  std::unique_ptr<SqlConnection> connection = Connected();
  Query(*connection, "SELECT 1");
  const uint64_t before = ResidentBytes();
  const SqlOutcome outcome = Query(
      *connection, absl::StrCat("SELECT REPEAT('x', 10000) FROM ", SequenceTable(5000)));  // 50 MB
  EXPECT_EQ(outcome.rows, 5000);
  EXPECT_LT(ResidentBytes() - before, 8'000'000);
}

TEST(MySqlConnectionTest, StatementsOfAnyLengthUpToTheServersLimit) {
  std::unique_ptr<SqlConnection> connection = Connected();
  const std::string long_text = absl::StrCat("SELECT LENGTH('", std::string(1'000'000, 'x'), "')");
  EXPECT_EQ(Ask(*connection, long_text), "1000000");
  std::string too_long = "SELECT '";
  too_long.append(40'000'000, 'x').append("'");
  const SqlError error = Query(*connection, too_long).error;
  EXPECT_TRUE(error.code == 1153 || error.code == 2006 || error.code == 2013) << error.ToString();
}

// The server closes the connection after saying 1153; it was taken for usable, and the statement
// after it failed as well.
TEST(MySqlConnectionTest, StatementThatIsTooLongForTheServerBreaksTheConnection) {
  for (const size_t size : {17'000'000, 40'000'000}) {
    std::unique_ptr<SqlConnection> connection = Connected();
    const SqlError error =
        Query(*connection, absl::StrCat("SELECT '", std::string(size, 'x'), "'")).error;
    ASSERT_FALSE(error.ok()) << size;
    EXPECT_FALSE(connection->connected()) << error.ToString();
  }
}

TEST(MySqlConnectionTest, ResetGivesAFreshSessionOnTheSameConnection) {
  std::unique_ptr<SqlConnection> connection = Connected();
  const uint64_t id = connection->id();
  ASSERT_TRUE(Query(*connection, "SET @a := 5; SET AUTOCOMMIT=0").ok());
  EXPECT_EQ(Ask(*connection, "SELECT @a"), "5");
  ASSERT_TRUE(RunBlocking(*connection, {SqlOperation::Kind::kResetSession, {}, nullptr}).ok());
  EXPECT_EQ(Ask(*connection, "SELECT @a"), "NULL");
  EXPECT_EQ(Ask(*connection, "SELECT @@autocommit"), "1");
  EXPECT_EQ(connection->id(), id);
}

TEST(MySqlConnectionTest, SelectsASchema) {
  Sandbox().MakeSchema("odd``name");
  std::unique_ptr<SqlConnection> connection = Connected();
  ASSERT_TRUE(
      RunBlocking(*connection, {SqlOperation::Kind::kSelectSchema, "odd`name", nullptr}).ok());
  EXPECT_EQ(Ask(*connection, "SELECT DATABASE()"), "odd`name");
  EXPECT_EQ(
      RunBlocking(*connection, {SqlOperation::Kind::kSelectSchema, "absent", nullptr}).error.code,
      1049);
}

TEST(MySqlConnectionTest, NoLocalFileIsEverSent) {
  Sandbox().MakeSchema("nofile");
  Sandbox().Execute("CREATE TABLE nofile.t (a TEXT)");
  std::unique_ptr<SqlConnection> connection = Connected("nofile");
  const SqlOutcome outcome =
      Query(*connection, "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t");
  EXPECT_FALSE(outcome.ok());
  EXPECT_EQ(Sandbox().Value("SELECT COUNT(*) FROM nofile.t"), "0");
}

TEST(MySqlConnectionTest, KilledConnectionIsNoticedAndNotRemadeByItself) {
  std::unique_ptr<SqlConnection> connection = Connected();
  Sandbox().Execute(absl::StrCat("KILL ", connection->id()));
  const SqlError error = Query(*connection, "SELECT 1").error;
  EXPECT_TRUE(error.code == 2013 || error.code == 2006 || error.code == 1927) << error.ToString();
  EXPECT_FALSE(connection->connected());
  EXPECT_EQ(connection->id(), 0);
  EXPECT_EQ(Query(*connection, "SELECT 1").error.code, 2006);
  EXPECT_TRUE(Connect(*connection).ok());
  EXPECT_EQ(Ask(*connection, "SELECT 7"), "7");
}

TEST(MySqlConnectionTest, KillQueryEndsAStatementButNotTheConnection) {
  std::unique_ptr<SqlConnection> connection = Connected();
  // MySQL has a SELECT SLEEP() that is killed return a row, as if it had slept enough.
  const std::string sleep =
      absl::StrCat("SELECT 1 FROM ", SequenceTable(1), " WHERE SLEEP(60) = 0");
  std::future<SqlOutcome> slept =
      std::async(std::launch::async, [&] { return Query(*connection, sleep); });
  std::unique_ptr<SqlConnection> killer = Connected();
  const std::string kill = absl::StrCat("KILL QUERY ", connection->id());
  while (slept.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
    ASSERT_TRUE(Query(*killer, kill).ok());
  }
  EXPECT_EQ(slept.get().error.code, 1317);
  EXPECT_EQ(Ask(*connection, "SELECT 7"), "7");
}

TEST(MySqlConnectionTest, InterruptEndsAStatementAsALostConnection) {
  std::unique_ptr<SqlConnection> connection = Connected();
  const absl::Time start = absl::Now();
  std::future<SqlOutcome> slept =
      std::async(std::launch::async, [&] { return Query(*connection, "SELECT SLEEP(60)"); });
  ASSERT_TRUE(AwaitSleeping(connection->id()));
  connection->Interrupt();
  const SqlError error = slept.get().error;
  EXPECT_TRUE(error.code == 2013 || error.code == 2006) << error.ToString();
  EXPECT_FALSE(connection->connected());
  EXPECT_LT(absl::Now() - start, absl::Seconds(10));
  EXPECT_TRUE(Connect(*connection).ok());
}

// The rows are long, so that the server sends those that it has.
TEST(MySqlConnectionTest, InterruptEndsAResultThatStalls) {
  std::unique_ptr<SqlConnection> connection = Connected();
  std::future<SqlOutcome> outcome = std::async(std::launch::async, [&] {
    return Query(*connection,
                 absl::StrCat("SELECT REPEAT('x', 50000), SLEEP(IF(seq < 3, 0, 60)) FROM ",
                              SequenceTable(4)));
  });
  ASSERT_TRUE(AwaitSleeping(connection->id()));
  connection->Interrupt();
  EXPECT_EQ(outcome.get().error.code, 2013);
}

TEST(MySqlConnectionTest, InterruptEndsAConnectToASilentServer) {
  const SilentServer server;
  std::unique_ptr<SqlConnection> connection = Make(server.Target());
  const absl::Time start = absl::Now();
  std::future<SqlOutcome> outcome =
      std::async(std::launch::async, [&] { return Connect(*connection); });
  while (outcome.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    connection->Interrupt();
  }
  // The latter before the socket is connected, as on a busy machine.
  EXPECT_THAT(outcome.get().error.code, ::testing::AnyOf(2013, 2002));
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
}

TEST(MySqlConnectionTest, ConnectTimeoutHoldsForTheHandshakeToo) {
  const SilentServer server;
  SqlTarget target = server.Target();
  target.connect_timeout_ns = 300'000'000;
  const absl::Time start = absl::Now();
  EXPECT_EQ(Connect(*Make(target)).error.code, 2013);
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(290));
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
}

// Descriptors are closed and reused by other threads all the time while connections are cut: none
// but the victim may notice.
TEST(MySqlConnectionTest, InterruptNeverHitsAnotherConnection) {
  std::unique_ptr<SqlConnection> victim = Make(SocketTarget());
  std::atomic<bool> stop{false};
  std::thread cutter([&] {
    while (!stop) victim->Interrupt();
  });
  std::thread reconnecting([&] {
    while (!stop) {
      Connect(*victim);
      Query(*victim, "SELECT 1");
    }
  });
  uint64_t failures = 0;
  for (int i = 0; i < 300; ++i) {
    std::unique_ptr<SqlConnection> other = Make(SocketTarget());
    if (!Connect(*other).ok() || Ask(*other, "SELECT 7") != "7") ++failures;
  }
  stop = true;
  cutter.join();
  reconnecting.join();
  EXPECT_EQ(failures, 0);
}

}  // namespace
}  // namespace dslap
