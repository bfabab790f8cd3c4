// What goes over the wire to servers that no real one is: what they offer decides what they get.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "agent/sql/mysql_connection_factory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_mysql_server.h"
#include "tests/support/loop_driven_connection.h"

namespace dslap {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Peer = FakeMySqlServer::Peer;

// The one that is linked; else MariaDB's Connector/C.
constexpr bool kOracleLibrary = DSLAP_ORACLE_LIBRARY;

constexpr char kUser[] = "harald";
constexpr char kPassword[] = "s3cret-of-harald";
constexpr char kNoTls[] =
    "TLS is required (--ssl, --ssl-mode, --ssl-ca, ...), but the server offers";
// The client library's.
constexpr uint32_t kCannotConnect = 2002;
constexpr uint32_t kMalformedPacket = 2027;
constexpr uint32_t kTlsError = 2026;
constexpr uint32_t kServerLost = 2013;
constexpr uint32_t kAuthPluginFailed = 2059;
// Generous for a busy machine, and far from the connect timeout.
constexpr absl::Duration kSoon = absl::Seconds(5);

SqlTarget Target(const FakeMySqlServer& server, SqlTlsMode mode) {
  SqlTarget target;
  target.host = "127.0.0.1";
  target.port = server.port();
  target.user = kUser;
  target.password = Secret(kPassword);
  target.connect_timeout_ns = 30'000'000'000;
  target.tls.mode = mode;
  // Oracle's library does not begin without one.
  if (mode >= SqlTlsMode::kVerifyCa) target.tls.ca_path = ::testing::TempDir();
  return target;
}

std::unique_ptr<SqlConnection> Make(const SqlTarget& target) {
  MySqlConnectionFactory factory(target);
  return MakeConnectionUnderTest(&factory);
}

SqlOutcome Connect(SqlConnection& connection) {
  return RunBlocking(connection, {SqlOperation::Kind::kConnect, {}, nullptr});
}

SqlError ConnectOnce(const SqlTarget& target) { return Connect(*Make(target)).error; }

// Greets, takes any password, and answers every statement with OK.
FakeMySqlServer::Script Trusting(FakeMySqlServer::GreetingParts parts) {
  return [parts](Peer& client) {
    client.SendPacket(FakeMySqlServer::Greeting(parts));
    if (client.ReadPacket().empty()) return;
    client.SendPacket(FakeMySqlServer::Ok());
    while (!client.ReadPacket().empty()) client.SendPacket(FakeMySqlServer::Ok());
  };
}

// Greets and listens.
FakeMySqlServer::Script Greeting(FakeMySqlServer::GreetingParts parts) {
  return [parts](Peer& client) {
    client.SendPacket(FakeMySqlServer::Greeting(parts));
    client.ReadToTheEnd();
  };
}

void ExpectNoSecret(const FakeMySqlServer& server) {
  EXPECT_THAT(server.received(), Not(HasSubstr(kPassword)));
}

std::string ModeName(const ::testing::TestParamInfo<SqlTlsMode>& info) {
  switch (info.param) {
    case SqlTlsMode::kOff:
      return "Off";
    case SqlTlsMode::kPreferred:
      return "Preferred";
    case SqlTlsMode::kRequired:
      return "Required";
    case SqlTlsMode::kVerifyCa:
      return "VerifyCa";
    case SqlTlsMode::kVerifyIdentity:
      return "VerifyIdentity";
  }
  return "";
}

// ---- what TLS must not be done without

class TlsIsRequiredTest : public ::testing::TestWithParam<SqlTlsMode> {};

// Also what somebody between the two achieves who takes the offer out of the greeting.
TEST_P(TlsIsRequiredTest, ServerThatOffersNoneGetsNotOneByte) {
  const FakeMySqlServer server(Greeting({.offers_tls = false}));
  const SqlError error = ConnectOnce(Target(server, GetParam()));
  EXPECT_EQ(error.code, kTlsError);
  EXPECT_EQ(error.sqlstate, "HY000");
  EXPECT_THAT(error.message, StartsWith(kNoTls));
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_EQ(server.received(), "");
  EXPECT_EQ(server.connections(), 1);
}

// It was looked for in the first bytes only, and the client library, given the rest, went on.
TEST_P(TlsIsRequiredTest, GreetingThatIsTooLongToSeeTheOfferIsNone) {
  std::string greeting = FakeMySqlServer::Greeting({.offers_tls = false});
  greeting.insert(1, std::string(600, '9'));
  const FakeMySqlServer server([&](Peer& client) {
    client.SendPacket(greeting);
    client.ReadToTheEnd();
  });
  const SqlError error = ConnectOnce(Target(server, GetParam()));
  EXPECT_EQ(error.code, kTlsError) << error.ToString();
  EXPECT_THAT(error.message, StartsWith(kNoTls));
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_EQ(server.received(), "");
}

// The packet ends before its capabilities; those that seem to follow are another packet's.
TEST_P(TlsIsRequiredTest, GreetingThatIsCutShortOffersNone) {
  std::string packet = FakeMySqlServer::Packet(FakeMySqlServer::Greeting({.offers_tls = true}), 0);
  packet[0] = 1 + 12 + 4 + 8 + 1;  // protocol, version, connection, scramble, filler
  const FakeMySqlServer server([&](Peer& client) {
    client.SendBytes(packet);
    client.ReadToTheEnd();
  });
  const SqlError error = ConnectOnce(Target(server, GetParam()));
  EXPECT_EQ(error.code, kOracleLibrary ? kMalformedPacket : kTlsError) << error.ToString();
  EXPECT_THAT(error.message, StartsWith(kOracleLibrary ? "Malformed packet" : kNoTls));
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_EQ(server.received(), "");
}

// The offer is taken up and then broken off: no second attempt without TLS is made.
TEST_P(TlsIsRequiredTest, HandshakeThatFailsIsNoReasonToGoOnWithout) {
  const FakeMySqlServer server([](Peer& client) {
    client.SendPacket(FakeMySqlServer::Greeting({.offers_tls = true}));
    client.ReadPacket();  // asks for TLS
    client.SendBytes("I cannot do that\n");
    client.ReadToTheEnd();
  });
  const SqlError error = ConnectOnce(Target(server, GetParam()));
  EXPECT_EQ(error.code, kTlsError) << error.ToString();
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_THAT(server.received(), Not(HasSubstr(kUser)));
  ExpectNoSecret(server);
  EXPECT_EQ(server.connections(), 1);
}

INSTANTIATE_TEST_SUITE_P(Modes, TlsIsRequiredTest,
                         ::testing::Values(SqlTlsMode::kRequired, SqlTlsMode::kVerifyCa,
                                           SqlTlsMode::kVerifyIdentity),
                         ModeName);

// The client library waits for TLS by itself.
TEST_P(TlsIsRequiredTest, HandshakeThatNeverGoesOnEndsWithTheConnectTimeout) {
  const FakeMySqlServer server(Greeting({.offers_tls = true}));
  SqlTarget target = Target(server, GetParam());
  target.connect_timeout_ns = 300'000'000;
  const absl::Time start = absl::Now();
  EXPECT_FALSE(ConnectOnce(target).ok());
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(290));
  EXPECT_LT(absl::Now() - start, kSoon);
}

TEST_P(TlsIsRequiredTest, InterruptEndsAHandshakeThatNeverGoesOn) {
  std::promise<void> asked_for_tls;
  const FakeMySqlServer server([&](Peer& client) {
    client.SendPacket(FakeMySqlServer::Greeting({.offers_tls = true}));
    client.ReadPacket();
    asked_for_tls.set_value();
    client.ReadToTheEnd();
  });
  std::unique_ptr<SqlConnection> connection = Make(Target(server, GetParam()));
  std::future<SqlOutcome> outcome =
      std::async(std::launch::async, [&] { return Connect(*connection); });
  asked_for_tls.get_future().wait();
  const absl::Time start = absl::Now();
  connection->Interrupt();
  EXPECT_FALSE(outcome.get().ok());
  EXPECT_LT(absl::Now() - start, kSoon);
}

// ---- TLS where it is offered

TEST(MySqlWireTest, PreferredTlsIsTakenWhenOffered) {
  const FakeMySqlServer server(Greeting({.offers_tls = true}));
  SqlTarget target = Target(server, SqlTlsMode::kPreferred);
  // The first handshake of a process makes the TLS library ready, which takes its time.
  target.connect_timeout_ns = 3'000'000'000;
  EXPECT_FALSE(ConnectOnce(target).ok());
  ASSERT_TRUE(server.WaitForEnded());
  const std::string sent = server.received();
  // The request for TLS, 32 bytes, then TLS itself: a handshake record.
  ASSERT_GE(sent.size(), 4u + 32u + 2u);
  EXPECT_EQ(sent.substr(0, 4), std::string("\x20\0\0\x01", 4));
  EXPECT_NE(static_cast<unsigned char>(sent[5]) & 0x08, 0) << "CLIENT_SSL is not set";
  EXPECT_EQ(sent.substr(36, 2), "\x16\x03");
  EXPECT_THAT(sent, Not(HasSubstr(kUser)));
  ExpectNoSecret(server);
}

TEST(MySqlWireTest, PreferredTlsIsDoneWithoutWhenNotOffered) {
  const FakeMySqlServer server(Trusting({.offers_tls = false}));
  std::unique_ptr<SqlConnection> connection = Make(Target(server, SqlTlsMode::kPreferred));
  const SqlOutcome outcome = Connect(*connection);
  EXPECT_TRUE(outcome.ok()) << outcome.error.ToString();
  EXPECT_THAT(server.received(), HasSubstr(kUser));
  ExpectNoSecret(server);
}

TEST(MySqlWireTest, TlsThatIsOffIsNotTakenThoughOffered) {
  const FakeMySqlServer server(Trusting({.offers_tls = true}));
  std::unique_ptr<SqlConnection> connection = Make(Target(server, SqlTlsMode::kOff));
  const SqlOutcome outcome = Connect(*connection);
  EXPECT_TRUE(outcome.ok()) << outcome.error.ToString();
  EXPECT_THAT(server.received(), HasSubstr(kUser));
}

// caching_sha2_password sends the password as it is over a connection that is safe: one for which
// TLS was merely preferred is not.
TEST(MySqlWireTest, FullAuthenticationWithoutTlsAsksForTheServersKey) {
  const FakeMySqlServer server([](Peer& client) {
    client.SendPacket(FakeMySqlServer::Greeting({.plugin = "caching_sha2_password"}));
    client.ReadPacket();
    client.SendPacket("\x01\x04");  // the server does not know the password's hash: say it in full
    client.ReadToTheEnd();
  });
  SqlTarget target = Target(server, SqlTlsMode::kPreferred);
  target.connect_timeout_ns = 300'000'000;
  EXPECT_FALSE(ConnectOnce(target).ok());
  ASSERT_TRUE(server.WaitForEnded());
  ExpectNoSecret(server);
  EXPECT_THAT(server.received(), ::testing::EndsWith(std::string("\x01\0\0\x03\x02", 5)));
}

// ---- passwords in clear text

class ClearTextTest : public ::testing::Test {
 protected:
  static FakeMySqlServer::Script AskingInTheGreeting() {
    return Trusting({.plugin = "mysql_clear_password"});
  }
  static FakeMySqlServer::Script AskingLater() {
    return [](Peer& client) {
      client.SendPacket(FakeMySqlServer::Greeting({}));
      client.ReadPacket();
      client.SendPacket(FakeMySqlServer::SwitchAuthentication("mysql_clear_password"));
      if (client.ReadPacket().empty()) return;
      client.SendPacket(FakeMySqlServer::Ok());
      client.ReadToTheEnd();
    };
  }
};

TEST_F(ClearTextTest, IsNotSentToAServerThatAsksForItInItsGreeting) {
  const FakeMySqlServer server(AskingInTheGreeting());
  const SqlError error = ConnectOnce(Target(server, SqlTlsMode::kOff));
  EXPECT_EQ(error.code, kAuthPluginFailed) << error.ToString();
  EXPECT_THAT(error.message, HasSubstr("--enable-cleartext-plugin"));
  ASSERT_TRUE(server.WaitForEnded());
  ExpectNoSecret(server);
}

TEST_F(ClearTextTest, IsNotSentToAServerThatSwitchesToIt) {
  const FakeMySqlServer server(AskingLater());
  const SqlError error = ConnectOnce(Target(server, SqlTlsMode::kOff));
  EXPECT_EQ(error.code, kAuthPluginFailed) << error.ToString();
  EXPECT_THAT(error.message, HasSubstr("--enable-cleartext-plugin"));
  ASSERT_TRUE(server.WaitForEnded());
  ExpectNoSecret(server);
}

// --default-auth alone is no leave.
TEST_F(ClearTextTest, IsNotSentBecauseOfDefaultAuth) {
  const FakeMySqlServer server(AskingLater());
  SqlTarget target = Target(server, SqlTlsMode::kOff);
  target.default_auth = "mysql_clear_password";
  EXPECT_EQ(ConnectOnce(target).code, kAuthPluginFailed);
  ASSERT_TRUE(server.WaitForEnded());
  ExpectNoSecret(server);
}

TEST_F(ClearTextTest, IsSentWhenAllowed) {
  const FakeMySqlServer server(AskingLater());
  SqlTarget target = Target(server, SqlTlsMode::kOff);
  target.cleartext_password = true;
  const SqlError error = ConnectOnce(target);
  EXPECT_TRUE(error.ok()) << error.ToString();
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_THAT(server.received(), HasSubstr(std::string(kPassword) + '\0'));
}

// ---- targets that are bound to addresses

TEST(MySqlWireTest, AddressesAreConnectedToInPlaceOfTheHost) {
  const FakeMySqlServer server(Trusting({}));
  SqlTarget target = Target(server, SqlTlsMode::kOff);
  target.host = "no-such-host.invalid";
  target.transport = SqlTransport::kTcp;
  target.addresses = {"127.0.0.1"};
  const SqlError error = ConnectOnce(target);
  EXPECT_TRUE(error.ok()) << error.ToString();
  EXPECT_EQ(server.connections(), 1);
}

TEST(MySqlWireTest, AddressThatDoesNotAnswerIsFollowedByTheNext) {
  const FakeMySqlServer server(Trusting({}));
  for (const SqlTlsMode mode : {SqlTlsMode::kOff, SqlTlsMode::kPreferred}) {
    SqlTarget target = Target(server, mode);
    target.addresses = {"127.0.0.2", "::1", "127.0.0.1"};
    const SqlError error = ConnectOnce(target);
    EXPECT_TRUE(error.ok()) << error.ToString();
    target.addresses = {"127.0.0.2", "127.0.0.3"};
    EXPECT_EQ(ConnectOnce(target).code, kOracleLibrary ? 2003 : kCannotConnect);
  }
  EXPECT_EQ(server.connections(), 2);
}

// Where one that was out of reach for a moment is another server, an id of the one is a stranger's
// at the other.
TEST(MySqlWireTest, AllConnectionsOfARunGoToTheAddressOfTheFirst) {
  const FakeMySqlServer server(Trusting({}));
  for (const SqlTlsMode mode : {SqlTlsMode::kOff, SqlTlsMode::kPreferred}) {
    SqlTarget target = Target(server, mode);
    target.connect_timeout_ns = 2'000'000'000;
    target.addresses = {"127.0.0.2", "127.0.0.1"};
    MySqlConnectionFactory factory(target);
    ASSERT_TRUE(Connect(*MakeConnectionUnderTest(&factory)).ok());
    const int before = server.connections();
    const FakeMySqlServer other(Trusting({}), "127.0.0.2", server.port());
    EXPECT_TRUE(Connect(*MakeConnectionUnderTest(&factory)).ok());
    EXPECT_EQ(server.connections(), before + 1);
    EXPECT_EQ(other.connections(), 0);
  }
}

TEST(MySqlWireTest, ServerThatRefusesIsNotFollowedByTheNextAddress) {
  const FakeMySqlServer server([](Peer& client) {
    client.SendPacket(FakeMySqlServer::Error(1045, "28000", "Access denied"));
  });
  SqlTarget target = Target(server, SqlTlsMode::kOff);
  target.addresses = {"127.0.0.1", "127.0.0.1"};
  EXPECT_EQ(ConnectOnce(target).code, 1045u);
  EXPECT_EQ(server.connections(), 1);
}

// ---- local files

TEST(MySqlWireTest, HostileServerGetsNoLocalFile) {
  const std::string path = ::testing::TempDir() + absl::StrCat("dslap-local-file-", getpid());
  std::FILE* const file = std::fopen(path.c_str(), "we");
  ASSERT_NE(file, nullptr);
  std::fputs("content that is nobody's business", file);
  std::fclose(file);
  const FakeMySqlServer server([&](Peer& client) {
    client.SendPacket(FakeMySqlServer::Greeting({}));
    client.ReadPacket();
    client.SendPacket(FakeMySqlServer::Ok());
    client.ReadPacket();  // the statement
    client.SendPacket(FakeMySqlServer::RequestFile(path));
    EXPECT_EQ(client.ReadPacket(), "");
    client.SendPacket(FakeMySqlServer::Ok());
    client.ReadToTheEnd();
  });
  std::unique_ptr<SqlConnection> connection = Make(Target(server, SqlTlsMode::kOff));
  ASSERT_TRUE(Connect(*connection).ok());
  const SqlError error =
      RunBlocking(*connection, {SqlOperation::Kind::kQuery, "SELECT 1", nullptr}).error;
  EXPECT_FALSE(error.ok());
  connection.reset();
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_THAT(server.received(), HasSubstr("SELECT 1"));
  EXPECT_THAT(server.received(), Not(HasSubstr("nobody's business")));
  std::remove(path.c_str());
}

// ---- greetings that are slow, broken, or none

class AnyModeTest : public ::testing::TestWithParam<SqlTlsMode> {
 protected:
  bool required() const { return GetParam() >= SqlTlsMode::kRequired; }
  // With TLS at stake the greeting is waited for before the client library reads it.
  void ExpectTimedOut(const SqlError& error) const {
    const bool off = GetParam() == SqlTlsMode::kOff;
    EXPECT_EQ(error.code, off || kOracleLibrary ? kServerLost : kCannotConnect) << error.ToString();
    EXPECT_THAT(error.message, HasSubstr(off ? "Lost connection" : "(110): Connection timed out"));
  }
};

TEST_P(AnyModeTest, GreetingThatComesByteByByteIsUnderstood) {
  const FakeMySqlServer server([](Peer& client) {
    client.SendSlowly(FakeMySqlServer::Packet(FakeMySqlServer::Greeting({.offers_tls = false}), 0));
    if (client.ReadPacket().empty()) return;
    client.SendPacket(FakeMySqlServer::Ok());
    client.ReadToTheEnd();
  });
  std::unique_ptr<SqlConnection> connection = Make(Target(server, GetParam()));
  const SqlError error = Connect(*connection).error;
  if (!required()) {
    EXPECT_TRUE(error.ok()) << error.ToString();
    return;
  }
  EXPECT_EQ(error.code, kTlsError);
  EXPECT_THAT(error.message, StartsWith(kNoTls));
  connection.reset();
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_EQ(server.received(), "");
}

// A connect to a server that stopped in the middle of its greeting went on for ever.
TEST_P(AnyModeTest, GreetingThatStopsInItsMiddleEndsWithTheConnectTimeout) {
  const FakeMySqlServer server([](Peer& client) {
    client.SendBytes(
        FakeMySqlServer::Packet(FakeMySqlServer::Greeting({.offers_tls = true}), 0).substr(0, 12));
    client.ReadToTheEnd();
  });
  SqlTarget target = Target(server, GetParam());
  target.connect_timeout_ns = 300'000'000;
  std::unique_ptr<SqlConnection> connection = Make(target);
  const absl::Time start = absl::Now();
  std::future<SqlOutcome> outcome =
      std::async(std::launch::async, [&] { return Connect(*connection); });
  if (outcome.wait_for(std::chrono::seconds(10)) != std::future_status::ready) {
    ADD_FAILURE() << "it does not end by itself";
    connection->Interrupt();
  }
  ExpectTimedOut(outcome.get().error);
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(290));
  EXPECT_LT(absl::Now() - start, kSoon);
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_EQ(server.received(), "");
}

TEST_P(AnyModeTest, ServerThatNeverSpeaksEndsWithTheConnectTimeout) {
  const FakeMySqlServer server([](Peer& client) { client.ReadToTheEnd(); });
  SqlTarget target = Target(server, GetParam());
  target.connect_timeout_ns = 300'000'000;
  const absl::Time start = absl::Now();
  ExpectTimedOut(ConnectOnce(target));
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(290));
  EXPECT_LT(absl::Now() - start, kSoon);
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_EQ(server.received(), "");
}

TEST_P(AnyModeTest, ServerThatClosesAtOnceIsALostConnection) {
  const FakeMySqlServer server([](Peer& /*client*/) {});
  const absl::Time start = absl::Now();
  EXPECT_EQ(ConnectOnce(Target(server, GetParam())).code, kServerLost);
  EXPECT_LT(absl::Now() - start, kSoon);
}

TEST_P(AnyModeTest, NonsenseIsAnErrorAndGetsNoPassword) {
  const std::string version = "8.0.99-fake";
  const std::vector<std::string> greetings = {
      "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n",
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
      std::string(100, '\0'),
      std::string(100, '\xff'),
      FakeMySqlServer::Packet("", 0),
      FakeMySqlServer::Packet("\x0a", 0),
      FakeMySqlServer::Packet("\x0a" + version, 0),
      FakeMySqlServer::Packet("\x09" + version + std::string(60, '\0'), 0),
      FakeMySqlServer::Packet("\x0a" + std::string(600, 'v'), 0),
  };
  for (const std::string& greeting : greetings) {
    SCOPED_TRACE(greeting.substr(0, 20));
    const FakeMySqlServer server([&](Peer& client) { client.SendBytes(greeting); });
    const absl::Time start = absl::Now();
    EXPECT_THAT(ConnectOnce(Target(server, GetParam())).code,
                AnyOf(Eq(2007u), Eq(2012u), Eq(2013u), Eq(2026u), Eq(2027u)));
    EXPECT_LT(absl::Now() - start, kSoon);
    ASSERT_TRUE(server.WaitForEnded());
    ExpectNoSecret(server);
    EXPECT_TRUE(!required() || server.received().empty());
  }
}

// What a full server says in place of a greeting is passed on as it is: it decides whether to try
// again.
TEST_P(AnyModeTest, RefusalInPlaceOfTheGreetingKeepsItsCode) {
  const FakeMySqlServer server([](Peer& client) {
    client.SendPacket(FakeMySqlServer::Error(1040, "", "Too many connections"));
    client.ReadToTheEnd();
  });
  const SqlError error = ConnectOnce(Target(server, GetParam()));
  EXPECT_EQ(error.code, 1040);
  EXPECT_EQ(error.message, required() && !kOracleLibrary
                               ? "Too many connections (said before TLS began)"
                               : "Too many connections");
  ASSERT_TRUE(server.WaitForEnded());
  EXPECT_EQ(server.received(), "");
}

INSTANTIATE_TEST_SUITE_P(Modes, AnyModeTest,
                         ::testing::Values(SqlTlsMode::kOff, SqlTlsMode::kPreferred,
                                           SqlTlsMode::kRequired, SqlTlsMode::kVerifyIdentity),
                         ModeName);

}  // namespace
}  // namespace dslap
