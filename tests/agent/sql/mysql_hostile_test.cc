// Database servers that speak the protocol and mean harm: they get no file, cost bounded memory,
// and cannot hang or end the agent.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "agent/sql/mysql_connection_factory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_mysql_server.h"
#include "tests/support/loop_driven_connection.h"

namespace dslap {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Peer = FakeMySqlServer::Peer;
using Kind = SqlOperation::Kind;

constexpr bool kOracleLibrary = DSLAP_ORACLE_LIBRARY;
constexpr int64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kMiB = 1 << 20;
// The client library's.
constexpr uint32_t kUnknown = 2000;
constexpr uint32_t kTooLarge = 2013;  // it breaks off
// What a hostile server may make the process grow by. Sanitizers keep memory that was given back.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kMostGrowth = 4096 * kMiB;
#else
constexpr uint64_t kMostGrowth = 160 * kMiB;
#endif
constexpr char kSecret[] = "content that is nobody's business";

SqlTarget Target(const FakeMySqlServer& server) {
  SqlTarget target;
  target.host = "127.0.0.1";
  target.port = server.port();
  target.user = "harald";
  target.password = Secret("s3cret-of-harald");
  target.connect_timeout_ns = 2 * kSecondNs;
  return target;
}

std::unique_ptr<SqlConnection> Make(const SqlTarget& target) {
  MySqlConnectionFactory factory(target);
  return MakeConnectionUnderTest(&factory);
}

SqlError Do(SqlConnection& connection, Kind kind, std::string_view text = {},
            int64_t timeout_ns = 5 * kSecondNs) {
  return RunBlocking(connection, {kind, text, nullptr, timeout_ns}).error;
}

void LetIn(Peer& client, const FakeMySqlServer::GreetingParts& parts = {}) {
  client.SendPacket(FakeMySqlServer::Greeting(parts));
  client.ReadPacket();
  client.SendPacket(FakeMySqlServer::Ok());
}

// Of a kind that /proc/self/status has.
uint64_t MemoryBytes(const std::string& kind) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    uint64_t kib = 0;
    if (word == kind && status >> kib) return kib << 10;
  }
  return 0;
}

// How much more memory the process had at its peak than it had at first.
class PeakGrowth {
 public:
  PeakGrowth() {
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak is what there is now
    before_ = MemoryBytes("VmRSS:");
  }
  uint64_t bytes() const { return MemoryBytes("VmHWM:") - before_; }

 private:
  uint64_t before_ = 0;
};

// ---- local files

class LocalFileTest : public ::testing::Test {
 protected:
  LocalFileTest() : path_(absl::StrCat(::testing::TempDir(), "dslap-hostile-", getpid())) {
    std::ofstream(path_) << kSecret;
  }
  ~LocalFileTest() override { std::remove(path_.c_str()); }

  // A server that lets everybody in, answers `before` packets with OK, and asks for the file then.
  FakeMySqlServer::Script AskingAfter(int before) {
    return [this, before](Peer& client) {
      LetIn(client);
      for (int i = 0; i < before; ++i) {
        client.ReadPacket();
        client.SendPacket(FakeMySqlServer::Ok());
      }
      client.ReadPacket();
      client.SendPacket(FakeMySqlServer::RequestFile(path_));
      // The protocol wants an empty packet for the end of a file; nothing more may come.
      answer_ = client.ReadPacket();
      client.SendPacket(FakeMySqlServer::Ok());
      client.ReadToTheEnd();
    };
  }

  void ExpectNothingGiven(const FakeMySqlServer& server) {
    ASSERT_TRUE(server.WaitForEnded());
    // Or nothing at all but the good-bye.
    EXPECT_THAT(answer_, AnyOf("", "\1"));
    EXPECT_THAT(server.received(), Not(HasSubstr("nobody's business")));
    EXPECT_THAT(server.received(), Not(HasSubstr(path_)));
  }

  const std::string path_;
  std::string answer_ = "not asked";
};

TEST_F(LocalFileTest, InAnswerToAStatement) {
  const FakeMySqlServer server(AskingAfter(0));
  std::unique_ptr<SqlConnection> connection = Make(Target(server));
  ASSERT_TRUE(Do(*connection, Kind::kConnect).ok());
  const SqlError error = Do(*connection, Kind::kQuery, "SELECT 1");
  EXPECT_EQ(error.code, kUnknown);
  EXPECT_EQ(error.message, "the server asked for a local file; dslap never sends one");
  connection.reset();
  ExpectNothingGiven(server);
}

TEST_F(LocalFileTest, InAnswerToTheStatementThatSetsUpASession) {
  const FakeMySqlServer server(AskingAfter(0));
  SqlTarget target = Target(server);
  target.sql_mode = "ANSI";
  EXPECT_EQ(Do(*Make(target), Kind::kConnect).code, kUnknown);
  ExpectNothingGiven(server);
}

TEST_F(LocalFileTest, InAnswerToAReset) {
  const FakeMySqlServer server(AskingAfter(0));
  std::unique_ptr<SqlConnection> connection = Make(Target(server));
  ASSERT_TRUE(Do(*connection, Kind::kConnect).ok());
  Do(*connection, Kind::kResetSession);
  connection.reset();
  ExpectNothingGiven(server);
}

TEST_F(LocalFileTest, InAnswerToTheChoiceOfASchema) {
  const FakeMySqlServer server(AskingAfter(1));
  std::unique_ptr<SqlConnection> connection = Make(Target(server));
  ASSERT_TRUE(Do(*connection, Kind::kConnect).ok());
  ASSERT_TRUE(Do(*connection, Kind::kQuery, "SELECT 1").ok());
  Do(*connection, Kind::kSelectSchema, "shop");
  connection.reset();
  ExpectNothingGiven(server);
}

TEST_F(LocalFileTest, AsASecondResult) {
  constexpr uint16_t kMoreResults = 2 | 8;
  const FakeMySqlServer server([this](Peer& client) {
    LetIn(client);
    client.ReadPacket();
    client.SendPacket(FakeMySqlServer::Ok(kMoreResults));
    client.SendPacket(FakeMySqlServer::RequestFile(path_));
    answer_ = client.ReadPacket();
    client.SendPacket(FakeMySqlServer::Ok());
    client.ReadToTheEnd();
  });
  std::unique_ptr<SqlConnection> connection = Make(Target(server));
  ASSERT_TRUE(Do(*connection, Kind::kConnect).ok());
  EXPECT_EQ(Do(*connection, Kind::kQuery, "SELECT 1").code, kUnknown);
  connection.reset();
  ExpectNothingGiven(server);
}

TEST_F(LocalFileTest, DuringAuthentication) {
  const FakeMySqlServer server([this](Peer& client) {
    client.SendPacket(FakeMySqlServer::Greeting({}));
    client.ReadPacket();
    client.SendPacket(FakeMySqlServer::RequestFile(path_));
    answer_ = "";
    client.ReadToTheEnd();
  });
  EXPECT_FALSE(Do(*Make(Target(server)), Kind::kConnect).ok());
  ExpectNothingGiven(server);
}

TEST_F(LocalFileTest, InPlaceOfTheGreeting) {
  const FakeMySqlServer server([this](Peer& client) {
    client.SendPacket(FakeMySqlServer::RequestFile(path_));
    answer_ = "";
    client.ReadToTheEnd();
  });
  EXPECT_FALSE(Do(*Make(Target(server)), Kind::kConnect).ok());
  ExpectNothingGiven(server);
}

// ---- results that are lies

std::string Length(absl::string_view text) {
  return absl::StrCat(std::string(1, static_cast<char>(text.size())), text);
}

std::string Column(absl::string_view name = "c") {
  std::string bytes = absl::StrCat(Length("def"), Length("s"), Length("t"), Length("t"),
                                   Length(name), Length(name));
  bytes.append("\x0c\x2d\0\x40\0\0\0\xfd\0\0\0\0\0", 13);
  return bytes;
}

std::string Bytes(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values) bytes.push_back(static_cast<char>(value));
  return bytes;
}

// What a server sends in answer to a statement; afterwards it waits for the client to go.
struct Lie {
  const char* name;
  uint32_t code;  // what the statement ends with
  std::function<void(Peer&)> tell;
};

class LyingServerTest : public ::testing::TestWithParam<Lie> {};

// Whatever it is told, the client ends with an error or a result, soon and at bounded cost, and a
// connection made afterwards works.
TEST_P(LyingServerTest, CostsNoMoreThanTheStatement) {
  const FakeMySqlServer server([&](Peer& client) {
    LetIn(client, {.more_capabilities = 1 << 23});  // session tracking
    client.ReadPacket();
    GetParam().tell(client);
    client.ReadToTheEnd();
  });
  const PeakGrowth growth;
  std::unique_ptr<SqlConnection> connection = Make(Target(server));
  ASSERT_TRUE(Do(*connection, Kind::kConnect).ok());
  const bool hangs = GetParam().code == kQueryTimeoutCode;
  const SqlError error =
      Do(*connection, Kind::kQuery, "SELECT 1", hangs ? kSecondNs / 4 : 60 * kSecondNs);
  if (kOracleLibrary) {
    EXPECT_FALSE(error.ok());
  } else {
    EXPECT_EQ(error.code, GetParam().code) << error.ToString();
    // Only after an error of the server's it is known where in the stream one is.
    EXPECT_EQ(connection->connected(), error.code == 1064);
  }
  EXPECT_LT(growth.bytes(), kMostGrowth);
  connection.reset();
  ASSERT_TRUE(server.WaitForEnded());
}

INSTANTIATE_TEST_SUITE_P(
    Lies, LyingServerTest,
    ::testing::Values(
        Lie{"PacketsOfTheLargestSizeWithoutAnEnd", kTooLarge,
            [](Peer& client) {
              const std::string megabyte(kMiB, 'x');
              for (int part = 0; !client.Over() && part < 100; ++part) {
                client.SendBytes(Bytes({0xff, 0xff, 0xff, 1 + part}));
                for (int i = 0; i < 16 && !client.Over(); ++i) {
                  client.SendBytes(std::string_view(megabyte).substr(i == 15 ? 1 : 0));
                }
              }
            }},
        Lie{"LargestSizeAndNothingMore", kQueryTimeoutCode,
            [](Peer& client) {
              client.SendBytes(Bytes({0xff, 0xff, 0xff, 1}));
            }},
        Lie{"ColumnsWithoutAnEnd", kQueryTimeoutCode,
            [](Peer& client) {
              client.SendPacket(Bytes({1}));
              const std::string column = Column(std::string(200, 'n'));
              while (!client.Over()) {
                for (int i = 0; i < 1000; ++i) client.SendPacket(column);
              }
            }},
        Lie{"MoreColumnsThanAnnounced", kUnknown,
            [](Peer& client) {
              client.SendPacket(Bytes({1}));
              for (int i = 0; i < 5000; ++i) client.SendPacket(Column());
              client.SendPacket(FakeMySqlServer::Eof());
              client.SendPacket(FakeMySqlServer::Eof());
            }},
        Lie{"FewerColumnsThanAnnounced", kUnknown,
            [](Peer& client) {
              client.SendPacket(Bytes({200}));
              client.SendPacket(Column());
              client.SendPacket(FakeMySqlServer::Eof());
              client.SendPacket(Bytes({1, 'x'}));
              client.SendPacket(FakeMySqlServer::Eof());
            }},
        Lie{"BillionsOfColumns", kUnknown,
            [](Peer& client) {
              client.SendPacket(Bytes({0xfe, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}));
              client.SendPacket(Column());
              client.SendPacket(FakeMySqlServer::Eof());
              client.SendPacket(FakeMySqlServer::Eof());
            }},
        Lie{"SixteenMillionColumns", kUnknown,
            [](Peer& client) {
              client.SendPacket(Bytes({0xfd, 0xff, 0xff, 0xff}));
              client.SendPacket(Column());
              client.SendPacket(FakeMySqlServer::Eof());
              client.SendPacket(FakeMySqlServer::Eof());
            }},
        Lie{"ColumnThatEndsTooEarly", 2027,
            [](Peer& client) {
              client.SendPacket(Bytes({1}));
              client.SendPacket(Bytes({3, 'd', 'e', 'f', 200}));
              client.SendPacket(FakeMySqlServer::Eof());
              client.SendPacket(FakeMySqlServer::Eof());
            }},
        Lie{"RowsWithoutAnEnd", kQueryTimeoutCode,
            [](Peer& client) {
              client.SendPacket(Bytes({1}));
              client.SendPacket(Column());
              client.SendPacket(FakeMySqlServer::Eof());
              const std::string row = Length(std::string(200, 'r'));
              while (!client.Over()) {
                for (int i = 0; i < 1000; ++i) client.SendPacket(row);
              }
            }},
        Lie{"RowThatEndsTooEarly", kUnknown,
            [](Peer& client) {
              client.SendPacket(Bytes({2}));
              client.SendPacket(Column());
              client.SendPacket(Column());
              client.SendPacket(FakeMySqlServer::Eof());
              client.SendPacket(Bytes({200, 'x'}));
              client.SendPacket(FakeMySqlServer::Eof());
            }},
        Lie{"ResultsWithoutAnEnd", kQueryTimeoutCode,
            [](Peer& client) {
              const std::string more = FakeMySqlServer::Ok(2 | 8);
              while (!client.Over()) {
                for (int i = 0; i < 1000; ++i) client.SendPacket(more);
              }
            }},
        Lie{"EmptyPackets", 2013,
            [](Peer& client) {
              while (!client.Over()) client.SendPacket("");
            }},
        Lie{"WrongSequence", kQueryTimeoutCode,
            [](Peer& client) { client.SendBytes(FakeMySqlServer::Packet("\1", 99)); }},
        Lie{"ErrorWithoutACode", kUnknown, [](Peer& client) { client.SendPacket(Bytes({0xff})); }},
        Lie{"ErrorWithEndlessText", 1064,
            [](Peer& client) {
              client.SendPacket(FakeMySqlServer::Error(1064, "42000", std::string(9 * kMiB, 'e')));
            }}),
    [](const auto& lie) { return std::string(lie.param.name); });

// ---- greetings

TEST(LyingGreetingTest, OfMegabytesWithoutAnEnd) {
  const FakeMySqlServer server([](Peer& client) {
    client.SendBytes(Bytes({0xff, 0xff, 0xff, 0, 0x0a}));
    const std::string megabyte(kMiB, 'v');
    for (int i = 0; i < 15; ++i) client.SendBytes(megabyte);
    client.ReadToTheEnd();
  });
  const PeakGrowth growth;
  for (const SqlTlsMode mode : {SqlTlsMode::kOff, SqlTlsMode::kPreferred}) {
    SqlTarget target = Target(server);
    target.tls.mode = mode;
    EXPECT_FALSE(Do(*Make(target), Kind::kConnect).ok());
  }
  EXPECT_LT(growth.bytes(), kMostGrowth);
}

// The client library reads what it expects in a greeting from where the version ends.
TEST(LyingGreetingTest, CutAnywhere) {
  const std::string whole = FakeMySqlServer::Greeting({});
  std::string greeting;
  const FakeMySqlServer server([&](Peer& client) {
    client.SendPacket(greeting);
    client.ReadPacket();
    client.SendPacket(FakeMySqlServer::Ok());
    client.ReadToTheEnd();
  });
  for (size_t size = 0; size <= whole.size(); ++size) {
    greeting = whole.substr(0, size);
    Make(Target(server))->Close();
    SqlTarget target = Target(server);
    target.connect_timeout_ns = kSecondNs / 20;
    Do(*Make(target), Kind::kConnect);
    ASSERT_TRUE(server.WaitForEnded(static_cast<int>(size) + 1));
  }
}

}  // namespace
}  // namespace dslap
