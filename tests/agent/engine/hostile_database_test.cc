// A database server that asks for a file of the load host, as a round meets it: the clients of both
// carriers count an error, the server gets nothing, and the next round works.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "agent/engine/make_engine.h"
#include "agent/sql/mysql_connection_factory.h"
#include "common/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_mysql_server.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Peer = FakeMySqlServer::Peer;

constexpr uint32_t kUnknown = 2000;  // the client library's
constexpr char kNoFile[] = "the server asked for a local file; dslap never sends one";

class HostileDatabaseTest : public ::testing::TestWithParam<EngineKind> {
 protected:
  HostileDatabaseTest()
      : path_(absl::StrCat(::testing::TempDir(), "dslap-hostile-engine-", getpid())) {
    std::ofstream(path_) << "content that is nobody's business";
    SqlTarget target;
    target.host = "127.0.0.1";
    target.port = server_.port();
    target.user = "harald";
    engine_ =
        MakeEngine({.kind = GetParam(), .loops = 1},
                   std::make_shared<MySqlConnectionFactory>(std::move(target)), SteadyClock::Get())
            .value();
  }
  ~HostileDatabaseTest() override {
    engine_.reset();
    std::remove(path_.c_str());
  }

  RoundSpec Spec(bool takes_key = false) {
    auto list = std::make_shared<StatementList>();
    list->statements.push_back({"the statement", takes_key});
    RoundSpec spec;
    spec.round = ++round_;
    spec.groups = {{1, 1}};
    spec.reconnect = true;
    spec.statements = list;
    return spec;
  }

  RoundOutcome Run() {
    return engine_->Run(SteadyClock::Get()->NowNs(), [](int64_t) {});
  }

  void ExpectWellServed() {
    hostile_ = false;
    EXPECT_EQ(engine_->Prepare(Spec()).clients_connected, 1u);
    EXPECT_EQ(Run().statements_succeeded, 1u);
    EXPECT_THAT(server_.received(), Not(HasSubstr("nobody's business")));
  }

  // Takes any password, and answers what contains "the " by asking for the file while it is
  // hostile, and by OK otherwise.
  void Serve(Peer& client) {
    client.SendPacket(FakeMySqlServer::Greeting({}));
    if (client.ReadPacket().empty()) return;
    client.SendPacket(FakeMySqlServer::Ok());
    for (std::string packet = client.ReadPacket(); !packet.empty(); packet = client.ReadPacket()) {
      if (hostile_ && absl::StrContains(packet, "the ")) {
        client.SendPacket(FakeMySqlServer::RequestFile(path_));
        EXPECT_EQ(client.ReadPacket(), "") << "what ends a file that is empty";
      }
      client.SendPacket(FakeMySqlServer::Ok());
    }
  }

  const std::string path_;
  std::atomic<bool> hostile_{true};
  FakeMySqlServer server_{[this](Peer& client) { Serve(client); }};
  std::unique_ptr<LoadEngine> engine_;
  uint64_t round_ = 0;
};

TEST_P(HostileDatabaseTest, AskedForAFileAStatementFailsAndIsCounted) {
  ASSERT_EQ(engine_->Prepare(Spec()).clients_connected, 1u);
  const RoundOutcome outcome = Run();
  EXPECT_EQ(outcome.statements_failed, 1u);
  EXPECT_EQ(outcome.statements_succeeded, 0u);
  ASSERT_EQ(outcome.errors.entries().size(), 1u);
  EXPECT_EQ(outcome.errors.entries()[0].first.code, kUnknown);
  EXPECT_EQ(outcome.errors.entries()[0].first.message, kNoFile);
  EXPECT_EQ(outcome.errors.entries()[0].count, 1u);
  ExpectWellServed();
}

TEST_P(HostileDatabaseTest, AskedForAFileByTheInitCommandAClientIsNotConnected) {
  RoundSpec spec = Spec();
  spec.init_command = "the init-command";
  const PrepareOutcome outcome = engine_->Prepare(spec);
  EXPECT_EQ(outcome.clients_connected, 0u);
  ASSERT_EQ(outcome.connect_errors.entries().size(), 1u);
  EXPECT_EQ(outcome.connect_errors.entries()[0].first.code, kUnknown);
  EXPECT_THAT(outcome.connect_errors.entries()[0].first.message, HasSubstr(kNoFile));
  ExpectWellServed();
}

TEST_P(HostileDatabaseTest, AskedForAFileByTheQueryForKeysThereAreNone) {
  RoundSpec spec = Spec(/*takes_key=*/true);
  spec.key_query = "the keys";
  const PrepareOutcome outcome = engine_->Prepare(spec);
  ASSERT_TRUE(outcome.key_error.has_value());
  EXPECT_THAT(outcome.key_error->message, HasSubstr(kNoFile));
  ExpectWellServed();
}

INSTANTIATE_TEST_SUITE_P(Carriers, HostileDatabaseTest,
                         ::testing::Values(EngineKind::kThreads, EngineKind::kLoops),
                         [](const auto& kind) {
                           return kind.param == EngineKind::kThreads ? "Threads" : "Loops";
                         });

}  // namespace
}  // namespace dslap
