#include "agent/sql/sql_connection.h"

#include <memory>

#include "gtest/gtest.h"
#include "tests/fakes/fake_sql_connection.h"

namespace dslap {
namespace {

TEST(SqlTargetTest, DescribesHostAndPort) {
  SqlTarget target;
  target.host = "10.0.0.5";
  EXPECT_EQ(target.Describe(), "10.0.0.5:3306");
  target.port = 3307;
  EXPECT_EQ(target.Describe(), "10.0.0.5:3307");
  target.host = "fe80::1";
  EXPECT_EQ(target.Describe(), "[fe80::1]:3307");
}

TEST(SqlTargetTest, DescribesTheSocketThatIsUsed) {
  SqlTarget target;
  EXPECT_EQ(target.Describe(), "localhost");
  target.host = "localhost";
  target.port = 3307;  // not used over a socket
  EXPECT_EQ(target.Describe(), "localhost");
  target.socket = "/run/x.sock";
  EXPECT_EQ(target.Describe(), "socket /run/x.sock");
  target.transport = SqlTransport::kTcp;
  EXPECT_EQ(target.Describe(), "localhost:3307");
  target.host = "db";
  target.transport = SqlTransport::kSocket;
  EXPECT_EQ(target.Describe(), "socket /run/x.sock");
}

TEST(SqlTargetTest, SocketGivenBesideAHostIsNotUsed) {
  SqlTarget target;
  target.host = "db";
  target.socket = "/run/x.sock";
  EXPECT_EQ(target.Describe(), "db:3306");
}

TEST(RunBlockingTest, ReturnsTheOutcome) {
  auto server = std::make_shared<FakeSqlServer>();
  server->set_on_query([](uint64_t, std::string_view) {
    return FakeReply{.error = {1064, "42000", "syntax"}, .rows = 3};
  });
  std::unique_ptr<SqlConnection> connection = server->MakeBlocking();
  EXPECT_TRUE(RunBlocking(*connection, {SqlOperation::Kind::kConnect, {}, nullptr}).ok());
  const SqlOutcome outcome =
      RunBlocking(*connection, {SqlOperation::Kind::kQuery, "SELEC", nullptr});
  EXPECT_EQ(outcome.error.code, 1064);
  EXPECT_EQ(outcome.rows, 3);
}

}  // namespace
}  // namespace dslap
