// Timeouts against a real server that is slow, or that is stopped (SIGSTOP) in the middle: its host
// goes on to acknowledge whatever is sent to it, and nothing ever comes back.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "agent/engine/make_engine.h"
#include "agent/sql/mysql_connection_factory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/loop_driven_connection.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/stopped_process.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

#ifdef DSLAP_TEST_LOOP_CONNECTION
constexpr EngineKind kEngineUnderTest = EngineKind::kLoops;
#else
constexpr EngineKind kEngineUnderTest = EngineKind::kThreads;
#endif

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Kind = SqlOperation::Kind;

constexpr int64_t kMsNs = 1'000'000;
constexpr int64_t kTimeoutNs = 300 * kMsNs;
// By when something that is bounded by a fraction of a second is over on a busy machine.
constexpr absl::Duration kSoon = absl::Seconds(10);

// A key and a certificate for the server, in a directory that is removed at the end.
class ServerCertificate {
 public:
  ServerCertificate() {
    std::string path = "/tmp/dslap-certificate-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    directory_ = path;
    const ProcessResult made = RunProcess(
        {.argv = {"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                  "/CN=127.0.0.1", "-keyout", Key(), "-out", Certificate()}},
        absl::Seconds(30));
    EXPECT_EQ(made.exit_code, 0) << made.err;
  }
  ~ServerCertificate() { std::filesystem::remove_all(directory_); }
  ServerCertificate(const ServerCertificate&) = delete;
  ServerCertificate& operator=(const ServerCertificate&) = delete;

  std::string Key() const { return directory_ + "/key.pem"; }
  std::string Certificate() const { return directory_ + "/certificate.pem"; }

 private:
  std::string directory_;
};

const ServerCertificate kCertificate;
const auto* const kSandboxEnvironment =
    AddSandboxEnvironment({absl::StrCat("--option=--ssl-cert=", kCertificate.Certificate()),
                           absl::StrCat("--option=--ssl-key=", kCertificate.Key())});

SqlTarget Target(SqlTlsMode mode) {
  SqlTarget target;
  target.host = Sandbox().host();
  target.port = Sandbox().port();
  target.user = Sandbox().user();
  target.password = Secret(Sandbox().password());
  target.tls.mode = mode;
  return target;
}

// Statements of dslap's user that the server is executing.
std::string CountRunning() {
  return absl::StrCat("SELECT COUNT(*) FROM information_schema.processlist WHERE user = '",
                      Sandbox().user(), "' AND command = 'Query'");
}

std::unique_ptr<SqlConnection> Make(const SqlTarget& target) {
  MySqlConnectionFactory factory(target);
  return MakeConnectionUnderTest(&factory);
}

class ConnectionTimeoutTest : public ::testing::TestWithParam<SqlTlsMode> {
 protected:
  ConnectionTimeoutTest() {
    const SqlOutcome outcome = Do(Kind::kConnect, "mysql");
    EXPECT_TRUE(outcome.ok()) << outcome.error.ToString();
  }

  SqlOutcome Do(Kind kind, std::string_view text, int64_t timeout_ns = 0) {
    return RunBlocking(*connection_, {kind, text, nullptr, timeout_ns});
  }

  ~ConnectionTimeoutTest() override {
    // Nobody has killed on the server what was given up here.
    Sandbox().Execute(absl::StrCat("KILL USER '", Sandbox().user(), "'"));
  }

  // An operation that is given up after kTimeoutNs, neither before nor much later.
  SqlOutcome ExpectGivenUp(Kind kind, std::string_view text) {
    const absl::Time begin = absl::Now();
    const SqlOutcome outcome = Do(kind, text, kTimeoutNs);
    EXPECT_EQ(outcome.error.ToString(),
              "given up after 300ms without a complete answer (--query-timeout) (2999/HYT00)");
    EXPECT_GE(absl::Now() - begin, absl::Nanoseconds(kTimeoutNs));
    EXPECT_LT(absl::Now() - begin, kSoon);
    EXPECT_FALSE(connection_->connected());
    EXPECT_EQ(connection_->id(), 0);
    return outcome;
  }

  std::unique_ptr<SqlConnection> connection_ = Make(Target(GetParam()));
};

TEST_P(ConnectionTimeoutTest, SlowStatementIsGivenUpAndTheConnectionCanBeRemade) {
  ExpectGivenUp(Kind::kQuery, "SELECT SLEEP(60)");
  EXPECT_EQ(Do(Kind::kQuery, "SELECT 1", kTimeoutNs).error.code, 2006);
  ASSERT_TRUE(Do(Kind::kConnect, "").ok());
  EXPECT_EQ(Do(Kind::kQuery, "SELECT 1", kTimeoutNs).rows, 1);
}

TEST_P(ConnectionTimeoutTest, WhatIsAnsweredInTimeIsNotTouched) {
  const uint64_t id = connection_->id();
  const absl::Time end = absl::Now() + 3 * absl::Nanoseconds(kTimeoutNs);
  uint64_t answered = 0;
  for (; absl::Now() < end || answered < 100; ++answered) {
    const SqlOutcome outcome = Do(Kind::kQuery, "SELECT 1", 3'600'000 * kMsNs);
    ASSERT_TRUE(outcome.ok()) << outcome.error.ToString();
  }
  EXPECT_EQ(connection_->id(), id);
  // Without a timeout it takes as long as it takes.
  EXPECT_TRUE(Do(Kind::kQuery, "SELECT SLEEP(0.5)").ok());
}

TEST_P(ConnectionTimeoutTest, ResultThatStallsIsGivenUp) {
  const SqlOutcome outcome = ExpectGivenUp(
      Kind::kQuery, "SELECT REPEAT('x', 1000), SLEEP(IF(seq < 2000, 0, 60)) FROM seq_1_to_2001");
  EXPECT_GT(outcome.rows, 0);
  EXPECT_LT(outcome.rows, 2001);
}

// Its rows come faster than they are read: nobody ever waits for the server.
TEST_P(ConnectionTimeoutTest, ResultWithoutEndIsGivenUp) {
  const SqlOutcome outcome =
      ExpectGivenUp(Kind::kQuery, "SELECT seq, REPEAT('x', 10) FROM seq_1_to_1000000000000");
  EXPECT_GT(outcome.rows, 1000);
}

TEST_P(ConnectionTimeoutTest, StoppedServerIsGivenUp) {
  const StoppedProcess stopped(Sandbox().pid());
  ExpectGivenUp(Kind::kQuery, "SELECT 1");
}

TEST_P(ConnectionTimeoutTest, ServerThatStopsTakingBytesIsGivenUp) {
  const std::string text = absl::StrCat("SELECT '", std::string(12'000'000, 'x'), "'");
  const StoppedProcess stopped(Sandbox().pid());
  ExpectGivenUp(Kind::kQuery, text);
}

TEST_P(ConnectionTimeoutTest, ResettingTheSessionIsBounded) {
  const StoppedProcess stopped(Sandbox().pid());
  ExpectGivenUp(Kind::kResetSession, "");
}

TEST_P(ConnectionTimeoutTest, SelectingASchemaIsBounded) {
  const StoppedProcess stopped(Sandbox().pid());
  ExpectGivenUp(Kind::kSelectSchema, "mysql");
}

TEST_P(ConnectionTimeoutTest, InterruptIsNoTimeout) {
  std::future<SqlOutcome> slept = std::async(
      std::launch::async, [&] { return Do(Kind::kQuery, "SELECT SLEEP(60)", 3'600'000 * kMsNs); });
  const std::string count_sleeping = absl::StrCat(
      "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User sleep' AND id = ",
      connection_->id());
  ASSERT_TRUE(Sandbox().WaitForValue(count_sleeping, "1", kSoon));
  connection_->Interrupt();
  EXPECT_THAT(slept.get().error.code, AnyOf(2013, 2026));
  EXPECT_TRUE(Do(Kind::kConnect, "").ok());
}

INSTANTIATE_TEST_SUITE_P(PlainAndTls, ConnectionTimeoutTest,
                         ::testing::Values(SqlTlsMode::kOff, SqlTlsMode::kRequired),
                         [](const ::testing::TestParamInfo<SqlTlsMode>& test) {
                           return test.param == SqlTlsMode::kOff ? "Plain" : "Tls";
                         });

// Greets as the sandbox does, offering TLS, and says nothing more.
class GreetingServer {
 public:
  GreetingServer() : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = Loopback(0);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    EXPECT_EQ(bind(fd_, generic, size), 0);
    EXPECT_EQ(listen(fd_, 1), 0);
    EXPECT_EQ(getsockname(fd_, generic, &size), 0);
    port_ = ntohs(address.sin_port);
    greeter_ = std::thread([this, greeting = ReadGreeting()] {
      const int client = accept(fd_, nullptr, nullptr);
      EXPECT_EQ(send(client, greeting.data(), greeting.size(), 0),
                static_cast<ssize_t>(greeting.size()));
      std::array<char, 4096> bytes{};
      while (recv(client, bytes.data(), bytes.size(), 0) > 0) {
      }
      close(client);
    });
  }
  ~GreetingServer() {
    greeter_.join();
    close(fd_);
  }
  GreetingServer(const GreetingServer&) = delete;
  GreetingServer& operator=(const GreetingServer&) = delete;

  uint16_t port() const { return port_; }

 private:
  static sockaddr_in Loopback(uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
  }

  static std::string ReadGreeting() {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = Loopback(Sandbox().port());
    EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    std::array<char, 512> bytes{};
    const ssize_t size = recv(fd, bytes.data(), bytes.size(), 0);
    close(fd);
    EXPECT_GT(size, 4);
    return {bytes.data(), static_cast<size_t>(std::max<ssize_t>(size, 0))};
  }

  const int fd_;
  uint16_t port_ = 0;
  std::thread greeter_;
};

// Whatever the library waits for by itself, the bound is one, and says what it was.
TEST(ConnectTimeoutTest, HoldsInTheTlsHandshake) {
  const GreetingServer server;
  SqlTarget target = Target(SqlTlsMode::kRequired);
  target.port = server.port();
  target.connect_timeout_ns = 400 * kMsNs;
  const absl::Time begin = absl::Now();
  const SqlOutcome outcome = RunBlocking(*Make(target), {Kind::kConnect, ""});
  EXPECT_EQ(outcome.error.ToString(),
            "the server did not finish connecting within 400ms (2013/HY000)");
  EXPECT_GE(absl::Now() - begin, absl::Milliseconds(400));
  EXPECT_LT(absl::Now() - begin, kSoon);
}

class EngineTimeoutTest : public ::testing::TestWithParam<SqlTlsMode> {
 protected:
  RoundSpec Spec(uint64_t clients, uint64_t statements, const std::string& text) {
    auto list = std::make_shared<StatementList>();
    list->statements.push_back({text, false});
    RoundSpec spec;
    spec.round = ++round_;
    spec.groups = {{clients, statements}};
    spec.default_schema = "mysql";
    spec.query_timeout_ns = kTimeoutNs;
    spec.statements = list;
    return spec;
  }

  RoundOutcome RunNow() {
    return engine_.Run(SteadyClock::Get()->NowNs(), [](int64_t) {});
  }

  bool AwaitErrors(uint64_t count) {
    const absl::Time deadline = absl::Now() + kSoon;
    while (absl::Now() < deadline) {
      if (engine_.Counters().errors >= count) return true;
      absl::SleepFor(absl::Milliseconds(5));
    }
    return false;
  }

  const std::unique_ptr<LoadEngine> made_ =
      MakeEngine({.kind = kEngineUnderTest},
                 std::make_shared<MySqlConnectionFactory>(Target(GetParam())), SteadyClock::Get())
          .value();
  LoadEngine& engine_ = *made_;
  uint64_t round_ = 0;
};

TEST_P(EngineTimeoutTest, GivenUpStatementsAreKilledOnTheServer) {
  EXPECT_EQ(engine_.Prepare(Spec(8, 3, "SELECT SLEEP(120)")).clients_connected, 8);
  const absl::Time begin = absl::Now();
  const RoundOutcome outcome = RunNow();
  EXPECT_LT(absl::Now() - begin, kSoon);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kError);
  ASSERT_THAT(outcome.errors.entries(), SizeIs(1));
  EXPECT_EQ(outcome.errors.entries()[0].first.code, 2999);
  EXPECT_EQ(outcome.errors.total(), outcome.statements_failed);
  EXPECT_TRUE(Sandbox().WaitForValue(CountRunning(), "0", kSoon));
  EXPECT_TRUE(Sandbox().WaitForConnections(0, kSoon));
}

TEST_P(EngineTimeoutTest, IgnoredTimeoutsAreCountedAndTheClientsGoOn) {
  RoundSpec spec = Spec(4, 3, "SELECT SLEEP(120)");
  spec.error_policy.ignored_codes = {2999};
  EXPECT_EQ(engine_.Prepare(spec).clients_connected, 4);
  const RoundOutcome outcome = RunNow();
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kNone);
  EXPECT_EQ(outcome.statements_failed, 12);
  EXPECT_EQ(outcome.clients_finished, 4);
  EXPECT_EQ(outcome.reconnects, 8);
  EXPECT_EQ(outcome.session_errors, 0);
  EXPECT_TRUE(Sandbox().WaitForValue(CountRunning(), "0", kSoon));
}

TEST_P(EngineTimeoutTest, StatementsOfAServerThatStoppedAreKilledWhenItGoesOn) {
  EXPECT_EQ(engine_.Prepare(Spec(6, 1, "SELECT SLEEP(120)")).clients_connected, 6);
  StoppedProcess stopped(Sandbox().pid());
  std::future<RoundOutcome> run = std::async(std::launch::async, [&] { return RunNow(); });
  ASSERT_TRUE(AwaitErrors(6));
  stopped.Continue();
  const RoundOutcome outcome = run.get();
  EXPECT_EQ(outcome.statements_failed, 6);
  ASSERT_THAT(outcome.errors.entries(), SizeIs(1));
  EXPECT_EQ(outcome.errors.entries()[0].first.code, 2999);
  EXPECT_TRUE(Sandbox().WaitForValue(CountRunning(), "0", kSoon));
  EXPECT_TRUE(Sandbox().WaitForConnections(0, kSoon));
}

TEST_P(EngineTimeoutTest, ServerThatStaysStoppedEndsTheRoundAndWhatCannotBeKilledIsTold) {
  EXPECT_EQ(engine_.Prepare(Spec(3, 1, "DO 1")).clients_connected, 3);
  const StoppedProcess stopped(Sandbox().pid());
  const absl::Time begin = absl::Now();
  const RoundOutcome outcome = RunNow();
  EXPECT_LT(absl::Now() - begin, absl::Seconds(20));
  EXPECT_EQ(outcome.statements_failed, 3);
  EXPECT_EQ(outcome.session_errors, 3);
  ASSERT_THAT(outcome.errors.entries(), SizeIs(2));
  EXPECT_EQ(outcome.errors.entries()[0].first.code, 2013);
  EXPECT_THAT(outcome.errors.entries()[0].first.message,
              HasSubstr(", for a statement that --query-timeout gave up: "));
  EXPECT_EQ(outcome.errors.entries()[1].first.code, 2999);
  engine_.CloseAll();
}

TEST_P(EngineTimeoutTest, KeyQueryThatHangsIsGivenUpAndKilled) {
  auto list = std::make_shared<StatementList>();
  list->statements = {{"SELECT 1 FROM dual WHERE 1 = ", true}};
  RoundSpec spec = Spec(2, 1, "");
  spec.statements = list;
  spec.key_query = "SELECT SLEEP(120)";
  spec.key_query_timeout_ns = kTimeoutNs;
  const PrepareOutcome prepared = engine_.Prepare(spec);
  ASSERT_TRUE(prepared.key_error.has_value());
  EXPECT_EQ(prepared.key_error->code, 2999);
  RunNow();
  EXPECT_TRUE(Sandbox().WaitForValue(CountRunning(), "0", kSoon));
}

INSTANTIATE_TEST_SUITE_P(PlainAndTls, EngineTimeoutTest,
                         ::testing::Values(SqlTlsMode::kOff, SqlTlsMode::kRequired),
                         [](const ::testing::TestParamInfo<SqlTlsMode>& test) {
                           return test.param == SqlTlsMode::kOff ? "Plain" : "Tls";
                         });

}  // namespace
}  // namespace dslap
