#include "agent/engine/client.h"

#include <unistd.h>

#include <cstdint>
#include <deque>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_sql_connection.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kMsNs = 1'000'000;

// Grants everything at once, or suspends the client at the gate.
class FakeHost final : public ClientHost {
 public:
  explicit FakeHost(FakeClock* clock) : clock_(clock) {}

  void ReleaseConnectSlot() override { --slots_taken; }
  void ConnectFailed(ConnectVerdict verdict) override { verdicts.push_back(verdict); }
  void StopOnError() override {
    ++error_stops;
    stage = StopStage::kFinishStatement;
  }
  StopStage stop_stage() const override { return stage; }

  bool StartWait(const Wait& wait, std::coroutine_handle<> waiter, bool* go_on) override {
    switch (wait.kind) {
      case Wait::Kind::kConnectSlot:
        clock_->Advance(absl::Nanoseconds(std::exchange(first_slot_takes_ns, 0)));
        *go_on = slots_granted;
        if (slots_granted) ++slots_taken;
        return true;
      case Wait::Kind::kPause:
        pauses_ns.push_back(wait.pause_ns);
        clock_->Advance(absl::Nanoseconds(wait.pause_ns));
        *go_on = stage == StopStage::kGoOn;
        return true;
      case Wait::Kind::kGate:
        break;
    }
    at_gate = true;
    if (!suspend_at_gate) {
      *go_on = gate_opens;
      return true;
    }
    gate_waiter = waiter;
    gate_go_on = go_on;
    return false;
  }

  StopStage stage = StopStage::kGoOn;
  bool slots_granted = true;
  int64_t first_slot_takes_ns = 0;
  int slots_taken = 0;
  bool gate_opens = true;
  bool suspend_at_gate = false;
  bool at_gate = false;
  std::coroutine_handle<> gate_waiter;
  bool* gate_go_on = nullptr;
  int error_stops = 0;
  std::vector<ConnectVerdict> verdicts;
  std::vector<int64_t> pauses_ns;

 private:
  FakeClock* const clock_;
};

class RecordedKills final : public KillRequests {
 public:
  void KillOnServer(uint64_t connection_id) override { ids.push_back(connection_id); }
  std::vector<uint64_t> ids;
};

class ClientTest : public ::testing::Test {
 protected:
  ClientTest() {
    round_.spec.round = 1;
    round_.spec.default_schema = "shop";
    round_.clock = &clock_;
    round_.kills = &kills_;
    SetStatements({"S1"});
  }

  void SetStatements(const std::vector<std::string>& texts) {
    auto list = std::make_shared<StatementList>();
    for (const std::string& text : texts) list->statements.push_back({text, false});
    round_.spec.statements = list;
  }

  // Statement number n, from 1, gets `reply`; all others succeed. COMMIT and SET are no statements.
  void ReplyTo(uint64_t n, FakeReply reply) {
    server_->set_on_query([this, n, reply](uint64_t, std::string_view text) {
      if (text == "COMMIT" || text == "SET AUTOCOMMIT=0") return FakeReply{};
      return ++asked_ == n ? reply : FakeReply{};
    });
  }

  ClientSeat Seat(uint64_t statements) {
    return {0, statements, connection_.get(), &gauges_, &record_, &host_, &latency_};
  }

  void RunClient(uint64_t statements) {
    Client client(round_, Seat(statements));
    Task<void> task = client.Run();
    task.Start();
    ASSERT_TRUE(task.done());
    EXPECT_EQ(host_.slots_taken, 0);
    EXPECT_FALSE(gauges_.in_statement.load());
  }

  uint64_t ErrorCount(uint32_t code) const {
    for (const ErrorTally::Entry& entry : record_.errors.entries()) {
      if (entry.first.code == code) return entry.count;
    }
    return 0;
  }

  FakeClock clock_;
  std::shared_ptr<FakeSqlServer> server_ = std::make_shared<FakeSqlServer>(&clock_);
  FakeHost host_{&clock_};
  RecordedKills kills_;
  LatencyHistogram latency_;
  RoundContext round_;
  std::unique_ptr<SqlConnection> connection_ = server_->MakeBlocking();
  ClientGauges gauges_;
  ClientRecord record_;
  uint64_t asked_ = 0;
};

TEST_F(ClientTest, WalksTheListCyclicallyFromItsFirstStatement) {
  SetStatements({"A", "B", "C"});
  RunClient(7);
  EXPECT_THAT(server_->Log(),
              ElementsAre("1 CONNECT shop", "1 A", "1 B", "1 C", "1 A", "1 B", "1 C", "1 A"));
  EXPECT_EQ(record_.succeeded, 7);
  EXPECT_EQ(record_.executed, 7);
  EXPECT_TRUE(record_.finished);
  EXPECT_EQ(latency_.count(), 7);
  EXPECT_EQ(gauges_.succeeded.value(), 7);
  EXPECT_TRUE(gauges_.connected.load());
}

TEST_F(ClientTest, MeasuresConnectAndEveryStatement) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.takes_ns = 5 * kMsNs}; });
  server_->set_on_query([this](uint64_t, std::string_view) {
    return FakeReply{.takes_ns = static_cast<int64_t>(++asked_) * kMsNs};
  });
  RunClient(3);
  EXPECT_EQ(record_.connect_ns, 5 * kMsNs);
  EXPECT_EQ(latency_.min_ns(), 1 * kMsNs);
  EXPECT_EQ(latency_.max_ns(), 3 * kMsNs);
  EXPECT_EQ(latency_.sum_ns(), 6 * kMsNs);
  EXPECT_EQ(record_.last_response_ns, clock_.NowNs());
}

TEST_F(ClientTest, ShareOfNothingConnectsAndFinishes) {
  RunClient(0);
  EXPECT_THAT(server_->Log(), ElementsAre("1 CONNECT shop"));
  EXPECT_TRUE(record_.ready);
  EXPECT_TRUE(record_.finished);
}

TEST_F(ClientTest, ShutGateMeansNoStatement) {
  host_.gate_opens = false;
  RunClient(3);
  EXPECT_TRUE(host_.at_gate);
  EXPECT_THAT(server_->Log(), ElementsAre("1 CONNECT shop"));
  EXPECT_EQ(record_.executed, 0);
  EXPECT_FALSE(record_.finished);
}

TEST_F(ClientTest, KeptConnectionIsResetNotReconnected) {
  RunBlocking(*connection_, {SqlOperation::Kind::kConnect, "old", nullptr});
  round_.spec.commit_every = 10;
  RunClient(1);
  EXPECT_THAT(server_->Log(), ElementsAre("1 CONNECT old", "1 RESET", "1 USE shop",
                                          "1 SET AUTOCOMMIT=0", "1 S1", "1 COMMIT"));
  EXPECT_FALSE(record_.connect_ns.has_value());
}

TEST_F(ClientTest, KeptConnectionThatCannotBeResetIsReplaced) {
  RunBlocking(*connection_, {SqlOperation::Kind::kConnect, "shop", nullptr});
  server_->set_on_reset([](uint64_t) { return FakeReply{.error = {1047, "08S01", "unknown"}}; });
  RunClient(1);
  EXPECT_THAT(server_->Log(),
              ElementsAre("1 CONNECT shop", "1 RESET", "1 CLOSE", "2 CONNECT shop", "2 S1"));
  EXPECT_TRUE(record_.connect_ns.has_value());
}

TEST_F(ClientTest, InitCommandRunsOnceForEachConnectionBeforeAllElse) {
  round_.spec.init_command = "INIT";
  round_.spec.commit_every = 10;
  round_.spec.detach_every = 2;
  RunClient(3);
  EXPECT_THAT(server_->Log(), ElementsAre("1 CONNECT shop", "1 INIT", "1 SET AUTOCOMMIT=0", "1 S1",
                                          "1 S1", "1 COMMIT", "1 CLOSE", "2 CONNECT shop", "2 INIT",
                                          "2 SET AUTOCOMMIT=0", "2 S1", "2 COMMIT"));
  EXPECT_EQ(record_.executed, 3);
}

TEST_F(ClientTest, InitCommandRunsAgainAfterAReset) {
  RunBlocking(*connection_, {SqlOperation::Kind::kConnect, "shop", nullptr});
  round_.spec.init_command = "INIT";
  RunClient(1);
  EXPECT_THAT(server_->Log(),
              ElementsAre("1 CONNECT shop", "1 RESET", "1 USE shop", "1 INIT", "1 S1"));
}

TEST_F(ClientTest, CountsWhatItMakesTheServerCountBesideStatements) {
  round_.spec.init_command = "INIT";
  round_.spec.commit_every = 10;
  round_.spec.detach_every = 2;
  RunClient(3);
  // INIT and SET AUTOCOMMIT twice, COMMIT twice, and one good-bye, which may be read late.
  EXPECT_EQ(record_.traffic.questions, 7);
  EXPECT_EQ(record_.traffic.unclear_questions, 1);
  EXPECT_EQ(record_.traffic.connections, 2);
  EXPECT_EQ(record_.traffic.unclear_connections, 0);
}

TEST_F(ClientTest, CountsTheResetOfAKeptConnection) {
  RunBlocking(*connection_, {SqlOperation::Kind::kConnect, "shop", nullptr});
  round_.set_up_statements = 1;  // as with --sql-mode
  RunClient(1);
  // The reset, what the connection sends after it, and the choice of the schema.
  EXPECT_EQ(record_.traffic.questions, 3);
  EXPECT_EQ(record_.traffic.unclear_questions, 0);
  EXPECT_EQ(record_.traffic.connections, 0);
}

TEST_F(ClientTest, WhatGotNoAnswerIsUnclear) {
  round_.spec.error_policy.ignore_all = true;
  ReplyTo(2, {.error = {2013, "HY000", "lost"}});
  RunClient(3);
  EXPECT_EQ(record_.failed, 1);
  // The statement, and the good-bye of the connection.
  EXPECT_EQ(record_.traffic.questions, 1);
  EXPECT_EQ(record_.traffic.unclear_questions, 2);
  EXPECT_EQ(record_.traffic.connections, 2);
  EXPECT_EQ(record_.traffic.unclear_connections, 0);
}

TEST_F(ClientTest, ErrorOfTheServerIsAnAnswer) {
  round_.spec.error_policy.ignore_all = true;
  ReplyTo(2, {.error = {1064, "42000", "syntax"}});
  RunClient(3);
  EXPECT_EQ(record_.failed, 1);
  EXPECT_EQ(record_.traffic.unclear_questions, 0);
}

TEST_F(ClientTest, ConnectThatFailsIsUnclear) {
  server_->set_on_connect([](uint64_t) {
    return FakeReply{.error = {1045, "28000", "Access denied"}};
  });
  round_.set_up_statements = 1;
  RunClient(1);
  EXPECT_EQ(record_.traffic.connections, 1);
  EXPECT_EQ(record_.traffic.unclear_connections, 1);
  // What it would have sent by itself, and its good-bye.
  EXPECT_EQ(record_.traffic.questions, 2);
  EXPECT_EQ(record_.traffic.unclear_questions, 2);
}

TEST_F(ClientTest, FailingInitCommandIsAFailedConnectAndIsNotRunTwice) {
  for (const bool kept : {false, true}) {
    server_ = std::make_shared<FakeSqlServer>(&clock_);
    connection_ = server_->MakeBlocking();
    record_ = ClientRecord();
    host_.verdicts.clear();
    if (kept) RunBlocking(*connection_, {SqlOperation::Kind::kConnect, "shop", nullptr});
    round_.spec.init_command = "CREATE TABLE t1(a INT)";
    server_->set_on_query([](uint64_t, std::string_view) {
      return FakeReply{.error = {1050, "42S01", "Table 't1' already exists"}};
    });
    RunClient(1);
    EXPECT_EQ(server_->Count("CREATE TABLE t1(a INT)"), 1) << kept;
    EXPECT_EQ(server_->Count("S1"), 0);
    EXPECT_FALSE(record_.ready);
    ASSERT_TRUE(record_.connect_error.has_value());
    EXPECT_EQ(record_.connect_error->code, 1050);
    EXPECT_EQ(record_.connect_error->message, "--init-command: Table 't1' already exists");
    EXPECT_THAT(host_.verdicts, ElementsAre(ConnectVerdict::kGiveUp));
    EXPECT_FALSE(connection_->connected());
  }
}

TEST_F(ClientTest, KeptConnectionLostOverItsInitCommandIsReplaced) {
  RunBlocking(*connection_, {SqlOperation::Kind::kConnect, "shop", nullptr});
  round_.spec.init_command = "INIT";
  server_->set_on_query([](uint64_t connection, std::string_view) {
    return connection == 1 ? FakeReply{.error = {2013, "HY000", "lost"}} : FakeReply{};
  });
  RunClient(1);
  EXPECT_TRUE(record_.ready);
  EXPECT_EQ(record_.succeeded, 1);
  EXPECT_EQ(server_->Count("INIT"), 2);
  EXPECT_EQ(server_->Count("CONNECT shop"), 2);
}

TEST_F(ClientTest, KeyedStatementsDrawTheSameKeysAgain) {
  auto list = std::make_shared<StatementList>();
  list->statements = {{"SELECT WHERE id = ", true}, {"plain", false}};
  round_.spec.statements = list;
  round_.keys = {{"a", "b''c", "d"}, 64};
  RunClient(40);
  std::vector<std::string> first = server_->Log();
  first.erase(first.begin());
  std::set<std::string> distinct(first.begin(), first.end());
  EXPECT_THAT(distinct, ElementsAre("1 SELECT WHERE id =  'a'", "1 SELECT WHERE id =  'b''c'",
                                    "1 SELECT WHERE id =  'd'", "1 plain"));

  server_ = std::make_shared<FakeSqlServer>(&clock_);
  connection_ = server_->MakeBlocking();
  record_ = ClientRecord();
  RunClient(40);
  std::vector<std::string> second = server_->Log();
  second.erase(second.begin());
  EXPECT_THAT(second, ElementsAreArray(first));
}

TEST_F(ClientTest, OtherClientAndOtherRoundDrawOtherKeys) {
  const auto draw = [](uint64_t round, uint64_t client) {
    ClientRandom random(round, client);
    std::vector<uint64_t> drawn;
    drawn.reserve(20);
    for (int i = 0; i < 20; ++i) drawn.push_back(random.Below(1000));
    return drawn;
  };
  EXPECT_EQ(draw(1, 7), draw(1, 7));
  EXPECT_NE(draw(1, 7), draw(1, 8));
  EXPECT_NE(draw(1, 7), draw(2, 7));
  EXPECT_NE(draw(1, 0), draw(0, 1));
}

TEST_F(ClientTest, CommitsEveryNStatementsAndAtTheEnd) {
  round_.spec.commit_every = 15;
  RunClient(100);
  EXPECT_EQ(server_->Count("COMMIT"), 7);  // six full transactions and the rest of ten
  EXPECT_EQ(server_->Count("SET AUTOCOMMIT=0"), 1);
  EXPECT_EQ(server_->Log().back(), "1 COMMIT");
  EXPECT_EQ(record_.succeeded, 100);
}

TEST_F(ClientTest, NothingIsCommittedTwice) {
  round_.spec.commit_every = 5;
  RunClient(10);
  EXPECT_EQ(server_->Count("COMMIT"), 2);
}

TEST_F(ClientTest, DetachesAfterEveryNStatementsButNotAfterTheLast) {
  round_.spec.detach_every = 2;
  RunClient(4);
  EXPECT_THAT(server_->Log(), ElementsAre("1 CONNECT shop", "1 S1", "1 S1", "1 CLOSE",
                                          "2 CONNECT shop", "2 S1", "2 S1"));
  EXPECT_EQ(record_.reconnects, 1);
}

TEST_F(ClientTest, DetachCountsOverThePassesOfTheList) {
  SetStatements({"A", "B"});
  round_.spec.detach_every = 3;
  RunClient(7);
  EXPECT_EQ(record_.reconnects, 2);
  EXPECT_THAT(server_->Log(),
              ElementsAre("1 CONNECT shop", "1 A", "1 B", "1 A", "1 CLOSE", "2 CONNECT shop", "2 B",
                          "2 A", "2 B", "2 CLOSE", "3 CONNECT shop", "3 A"));
}

TEST_F(ClientTest, CommitsBeforeADetachAndRestoresTheSession) {
  round_.spec.detach_every = 2;
  round_.spec.commit_every = 3;
  RunClient(4);
  EXPECT_THAT(server_->Log(), ElementsAre("1 CONNECT shop", "1 SET AUTOCOMMIT=0", "1 S1", "1 S1",
                                          "1 COMMIT", "1 CLOSE", "2 CONNECT shop",
                                          "2 SET AUTOCOMMIT=0", "2 S1", "2 S1", "2 COMMIT"));
}

TEST_F(ClientTest, IgnoredErrorIsCountedAndPassedOver) {
  round_.spec.error_policy.ignored_codes = {1213};
  ReplyTo(2, {.error = {1213, "40001", "deadlock"}});
  RunClient(3);
  EXPECT_EQ(record_.succeeded, 2);
  EXPECT_EQ(record_.failed, 1);
  EXPECT_EQ(record_.executed, 3);
  EXPECT_TRUE(record_.finished);
  EXPECT_EQ(ErrorCount(1213), 1);
  EXPECT_EQ(latency_.count(), 2);
  EXPECT_EQ(host_.error_stops, 0);
  EXPECT_EQ(gauges_.errors.value(), 1);
}

TEST_F(ClientTest, OtherErrorStopsTheRound) {
  round_.spec.error_policy.ignored_codes = {1213};
  ReplyTo(2, {.error = {1064, "42000", "syntax"}});
  RunClient(5);
  EXPECT_EQ(record_.succeeded, 1);
  EXPECT_EQ(record_.failed, 1);
  EXPECT_FALSE(record_.finished);
  EXPECT_EQ(ErrorCount(1064), 1);
  EXPECT_EQ(host_.error_stops, 1);
}

TEST_F(ClientTest, IgnoreAllPassesOverAnything) {
  round_.spec.error_policy.ignore_all = true;
  ReplyTo(1, {.error = {1146, "42S02", "no table"}});
  RunClient(2);
  EXPECT_EQ(record_.executed, 2);
  EXPECT_EQ(host_.error_stops, 0);
}

TEST_F(ClientTest, LostConnectionIsRemadeWhenListed) {
  round_.spec.error_policy.ignored_codes = {2013};
  round_.spec.commit_every = 10;
  ReplyTo(2, {.error = {2013, "HY000", "lost"}});
  RunClient(3);
  EXPECT_THAT(server_->Log(),
              ElementsAre("1 CONNECT shop", "1 SET AUTOCOMMIT=0", "1 S1", "1 S1", "2 CONNECT shop",
                          "2 SET AUTOCOMMIT=0", "2 S1", "2 COMMIT"));
  EXPECT_EQ(record_.reconnects, 1);
  EXPECT_EQ(record_.failed, 1);
  EXPECT_TRUE(record_.finished);
}

TEST_F(ClientTest, LostConnectionStopsTheRoundWhenNotListed) {
  ReplyTo(1, {.error = {2006, "HY000", "gone"}});
  RunClient(3);
  EXPECT_EQ(host_.error_stops, 1);
  EXPECT_EQ(record_.reconnects, 0);
  EXPECT_FALSE(gauges_.connected.load());
}

TEST_F(ClientTest, ConnectionLostInTheLastStatementIsNotRemade) {
  round_.spec.error_policy.ignored_codes = {2055};
  round_.spec.commit_every = 5;
  ReplyTo(3, {.error = {2055, "HY000", "lost"}});
  RunClient(3);
  EXPECT_EQ(record_.reconnects, 0);
  // There is nothing to commit: the server rolled back.
  EXPECT_EQ(server_->Count("COMMIT"), 0);
  EXPECT_EQ(record_.session_errors, 0);
  EXPECT_EQ(record_.errors.total(), 1);
  EXPECT_TRUE(record_.finished);
}

TEST_F(ClientTest, ReconnectThatFailsForGoodEndsTheClientAndStopsTheRound) {
  round_.spec.error_policy.ignored_codes = {2013};
  ReplyTo(1, {.error = {2013, "HY000", "lost"}});
  server_->set_on_connect([](uint64_t attempt) {
    return attempt == 1 ? FakeReply{} : FakeReply{.error = {1045, "28000", "denied"}};
  });
  RunClient(3);
  EXPECT_EQ(record_.reconnects_failed, 1);
  EXPECT_EQ(ErrorCount(1045), 1);
  EXPECT_EQ(host_.error_stops, 1);
  EXPECT_FALSE(record_.finished);
}

TEST_F(ClientTest, ReconnectThatFailsWithAnIgnoredErrorEndsOnlyThisClient) {
  round_.spec.error_policy.ignored_codes = {2013, 1226};
  ReplyTo(1, {.error = {2013, "HY000", "lost"}});
  server_->set_on_connect([](uint64_t attempt) {
    return attempt == 1 ? FakeReply{} : FakeReply{.error = {1226, "42000", "limit"}};
  });
  RunClient(3);
  EXPECT_EQ(record_.reconnects_failed, 1);
  EXPECT_EQ(host_.error_stops, 0);
  EXPECT_EQ(record_.errors.total(), record_.failed + record_.reconnects_failed);
}

TEST_F(ClientTest, SessionThatCannotBeRestoredIsASessionError) {
  round_.spec.detach_every = 1;
  round_.spec.commit_every = 1;
  server_->set_on_query([](uint64_t connection, std::string_view text) {
    return connection == 2 && text == "SET AUTOCOMMIT=0" ? FakeReply{.error = {1193, "HY000", "no"}}
                                                         : FakeReply{};
  });
  RunClient(3);
  EXPECT_EQ(record_.reconnects, 1);
  EXPECT_EQ(record_.session_errors, 1);
  EXPECT_EQ(host_.error_stops, 1);
  EXPECT_EQ(record_.executed, 1);
}

TEST_F(ClientTest, CommitThatFailsIsASessionErrorAndAskedOfThePolicy) {
  round_.spec.commit_every = 2;
  round_.spec.error_policy.ignored_codes = {1213};
  server_->set_on_query([](uint64_t, std::string_view text) {
    return text == "COMMIT" ? FakeReply{.error = {1213, "40001", "deadlock"}} : FakeReply{};
  });
  RunClient(4);
  EXPECT_EQ(record_.session_errors, 2);
  EXPECT_EQ(record_.failed, 0);
  EXPECT_EQ(record_.succeeded, 4);
  EXPECT_EQ(record_.errors.total(), 2);

  round_.spec.error_policy.ignored_codes = {};
  record_ = ClientRecord();
  RunClient(4);
  EXPECT_EQ(host_.error_stops, 1);
  EXPECT_EQ(record_.executed, 2);
}

TEST_F(ClientTest, NoStatementBeginsAfterAStopButTheTransactionIsCommitted) {
  round_.spec.commit_every = 10;
  server_->set_on_query([this](uint64_t, std::string_view text) {
    if (text == "S1" && ++asked_ == 3) host_.stage = StopStage::kFinishStatement;
    return FakeReply{};
  });
  RunClient(100);
  EXPECT_EQ(record_.succeeded, 3);
  EXPECT_EQ(server_->Log().back(), "1 COMMIT");
  EXPECT_FALSE(record_.finished);
}

// It was a session error that no entry of the tally told of.
TEST_F(ClientTest, CommitThatFailsAfterAStopIsInTheTallyToo) {
  round_.spec.commit_every = 10;
  server_->set_on_query([this](uint64_t, std::string_view text) {
    if (text == "COMMIT") return FakeReply{.error = {1213, "40001", "deadlock"}};
    if (text == "S1" && ++asked_ == 3) host_.stage = StopStage::kFinishStatement;
    return FakeReply{};
  });
  RunClient(100);
  EXPECT_EQ(record_.session_errors, 1);
  EXPECT_EQ(ErrorCount(1213), 1);
  EXPECT_EQ(gauges_.errors.value(), 1);
}

TEST_F(ClientTest, CommitThatIsDueIsNotSentOnceKillingHasBegun) {
  round_.spec.commit_every = 3;
  server_->set_on_query([this](uint64_t, std::string_view text) {
    if (text == "S1" && ++asked_ == 3) host_.stage = StopStage::kKilling;
    return FakeReply{};
  });
  RunClient(100);
  EXPECT_EQ(record_.succeeded, 3);
  EXPECT_EQ(server_->Count("COMMIT"), 0);
}

TEST_F(ClientTest, NothingIsSentOnceKillingHasBegun) {
  round_.spec.commit_every = 10;
  server_->set_on_query([this](uint64_t, std::string_view text) {
    if (text == "S1" && ++asked_ == 3) host_.stage = StopStage::kKilling;
    return FakeReply{};
  });
  RunClient(100);
  EXPECT_EQ(record_.succeeded, 3);
  EXPECT_EQ(server_->Count("COMMIT"), 0);
}

TEST_F(ClientTest, KilledStatementIsInterruptedNotFailed) {
  server_->set_on_query([this](uint64_t, std::string_view) {
    if (++asked_ < 3) return FakeReply{};
    host_.stage = StopStage::kKilling;
    gauges_.killed = true;
    return FakeReply{.error = {1317, "70100", "interrupted"}};
  });
  RunClient(5);
  EXPECT_EQ(record_.succeeded, 2);
  EXPECT_EQ(record_.failed, 0);
  EXPECT_EQ(record_.interrupted, 1);
  EXPECT_TRUE(record_.errors.empty());
  EXPECT_EQ(host_.error_stops, 0);
}

TEST_F(ClientTest, KilledStatementThatAnswersWithoutErrorIsInterruptedToo) {
  server_->set_on_query([this](uint64_t, std::string_view) {
    host_.stage = StopStage::kKilling;
    gauges_.killed = true;
    return FakeReply{.rows = 1};
  });
  RunClient(1);
  EXPECT_EQ(record_.interrupted, 1);
  EXPECT_EQ(record_.succeeded, 0);
  EXPECT_EQ(latency_.count(), 0);
  EXPECT_FALSE(record_.finished);
}

uint64_t ResidentBytes() {
  uint64_t size = 0;
  uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// A controller that asks for a million clients took 30 GB of the agent's host before the first of
// them had a connection.
TEST_F(ClientTest, RecordOfAClientThatHasNotConnectedHoldsNoHistogram) {
  const uint64_t before = ResidentBytes();
  const std::vector<ClientRecord> records(10'000);
  EXPECT_LT(ResidentBytes() - before, 50'000'000);
  server_->set_on_connect([](uint64_t) { return FakeReply{.error = {1045, "28000", "denied"}}; });
  RunClient(1);
  EXPECT_EQ(latency_.ValueAtPercentile(50), 0);
}

TEST_F(ClientTest, HopelessConnectErrorIsToldAtOnce) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.error = {1045, "28000", "denied"}}; });
  RunClient(1);
  EXPECT_FALSE(record_.ready);
  EXPECT_FALSE(host_.at_gate);
  ASSERT_TRUE(record_.connect_error.has_value());
  EXPECT_EQ(record_.connect_error->code, 1045);
  EXPECT_THAT(host_.verdicts, ElementsAre(ConnectVerdict::kHopeless));
  EXPECT_THAT(server_->Log(), SizeIs(1));
  EXPECT_THAT(host_.pauses_ns, IsEmpty());
}

TEST_F(ClientTest, ConnectionLimitOfTheAccountIsNotRetried) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.error = {1226, "42000", "limit"}}; });
  RunClient(1);
  EXPECT_EQ(record_.connect_error->code, 1226);
  EXPECT_THAT(host_.verdicts, ElementsAre(ConnectVerdict::kGiveUp));
  EXPECT_THAT(server_->Log(), SizeIs(1));
}

TEST_F(ClientTest, TooManyConnectionsIsRetriedWithGrowingPauses) {
  server_->set_on_connect([](uint64_t attempt) {
    return attempt < 4 ? FakeReply{.error = {1040, "08004", "too many"}}
                       : FakeReply{.takes_ns = 3 * kMsNs};
  });
  RunClient(1);
  EXPECT_TRUE(record_.ready);
  EXPECT_EQ(record_.connect_ns, 3 * kMsNs);  // of the attempt that succeeded
  EXPECT_FALSE(record_.connect_error.has_value());
  ASSERT_THAT(host_.pauses_ns, SizeIs(3));
  EXPECT_GT(host_.pauses_ns[0], 50 * kMsNs - 1);
  EXPECT_LE(host_.pauses_ns[0], 100 * kMsNs);
  EXPECT_GT(host_.pauses_ns[2], 200 * kMsNs - 1);
  EXPECT_LE(host_.pauses_ns[2], 400 * kMsNs);
}

TEST_F(ClientTest, RetryEndsWithinFiveSeconds) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.error = {2003, "HY000", "refused"}}; });
  const int64_t start_ns = clock_.NowNs();
  RunClient(1);
  EXPECT_EQ(record_.connect_error->code, 2003);
  EXPECT_LE(clock_.NowNs() - start_ns, 5'000 * kMsNs);
  EXPECT_GT(clock_.NowNs() - start_ns, 3'000 * kMsNs);
  EXPECT_THAT(host_.verdicts, ElementsAre(ConnectVerdict::kRetry));
}

// A client at the end of a long queue for the connect slots had used up its time before it had
// tried.
TEST_F(ClientTest, WaitingForAConnectSlotTakesNothingFromTheRetries) {
  host_.first_slot_takes_ns = 60'000 * kMsNs;
  server_->set_on_connect([](uint64_t attempt) {
    return attempt == 1 ? FakeReply{.error = {2003, "HY000", "refused"}} : FakeReply{};
  });
  RunClient(1);
  EXPECT_TRUE(record_.ready);
  EXPECT_THAT(host_.pauses_ns, SizeIs(1));
}

TEST_F(ClientTest, StopEndsTheRetryAndLeavesTheErrorThatWasSeen) {
  server_->set_on_connect([this](uint64_t attempt) {
    if (attempt == 2) host_.stage = StopStage::kFinishStatement;
    return FakeReply{.error = {attempt == 1 ? 1040U : 2013U, "HY000", "no"}};
  });
  RunClient(1);
  EXPECT_FALSE(record_.ready);
  EXPECT_EQ(record_.connect_error->code, 1040);  // not the 2013 of the attempt that was cut
}

TEST_F(ClientTest, ClientThatWasStoppedBeforeItsFirstConnectWasNotTried) {
  host_.stage = StopStage::kFinishStatement;
  RunClient(1);
  EXPECT_FALSE(record_.ready);
  EXPECT_FALSE(record_.connect_error.has_value());
  EXPECT_THAT(server_->Log(), IsEmpty());
}

TEST_F(ClientTest, ClientWithoutAConnectSlotWasNotTried) {
  host_.slots_granted = false;
  RunClient(1);
  EXPECT_FALSE(record_.ready);
  EXPECT_FALSE(record_.connect_error.has_value());
  EXPECT_THAT(host_.verdicts, IsEmpty());
}

TEST_F(ClientTest, SessionThatCannotBeInitialisedIsAConnectError) {
  round_.spec.commit_every = 1;
  server_->set_on_query([](uint64_t, std::string_view) {
    return FakeReply{.error = {1193, "HY000", "unknown variable"}};
  });
  RunClient(1);
  EXPECT_FALSE(record_.ready);
  EXPECT_EQ(record_.connect_error->code, 1193);
  EXPECT_EQ(server_->open_connections(), 0);
}

TEST_F(ClientTest, StatementThatTimesOutEndsTheRoundAndIsKilledOnTheServer) {
  round_.spec.query_timeout_ns = 1'500 * kMsNs;
  ReplyTo(2, {.takes_ns = 1'500 * kMsNs, .times_out = true});
  RunClient(5);
  EXPECT_EQ(record_.executed, 2);
  EXPECT_EQ(record_.succeeded, 1);
  EXPECT_EQ(record_.failed, 1);
  ASSERT_THAT(record_.errors.entries(), SizeIs(1));
  EXPECT_EQ(record_.errors.entries()[0].first.ToString(),
            "given up after 1.5s without a complete answer (--query-timeout) (2999/HYT00)");
  EXPECT_EQ(host_.error_stops, 1);
  EXPECT_THAT(kills_.ids, ElementsAre(1));
  EXPECT_FALSE(record_.finished);
}

TEST_F(ClientTest, StatementThatTimesOutAndIsIgnoredIsCountedAndTheClientReconnects) {
  round_.spec.query_timeout_ns = kMsNs;
  round_.spec.error_policy.ignored_codes = {kQueryTimeoutCode};
  ReplyTo(2, {.times_out = true});
  RunClient(4);
  EXPECT_EQ(record_.executed, 4);
  EXPECT_EQ(record_.succeeded, 3);
  EXPECT_EQ(ErrorCount(kQueryTimeoutCode), 1);
  EXPECT_EQ(record_.reconnects, 1);
  EXPECT_TRUE(record_.finished);
  EXPECT_EQ(host_.error_stops, 0);
  EXPECT_THAT(kills_.ids, ElementsAre(1));
  EXPECT_THAT(server_->Log(),
              ElementsAre("1 CONNECT shop", "1 S1", "1 S1", "2 CONNECT shop", "2 S1", "2 S1"));
}

// Every number is that of the connection that was given up, not of the one before.
TEST_F(ClientTest, EachTimeoutKillsItsOwnConnection) {
  round_.spec.query_timeout_ns = kMsNs;
  round_.spec.error_policy.ignore_all = true;
  server_->set_on_query([](uint64_t, std::string_view) { return FakeReply{.times_out = true}; });
  RunClient(3);
  EXPECT_EQ(ErrorCount(kQueryTimeoutCode), 3);
  EXPECT_THAT(kills_.ids, ElementsAre(1, 2, 3));
}

TEST_F(ClientTest, CommitIsBoundedToo) {
  round_.spec.query_timeout_ns = kMsNs;
  round_.spec.commit_every = 2;
  round_.spec.error_policy.ignored_codes = {kQueryTimeoutCode};
  server_->set_on_query(
      [](uint64_t, std::string_view text) { return FakeReply{.times_out = text == "COMMIT"}; });
  RunClient(2);
  EXPECT_EQ(record_.succeeded, 2);
  EXPECT_EQ(record_.session_errors, 1);
  EXPECT_EQ(ErrorCount(kQueryTimeoutCode), 1);
  EXPECT_THAT(kills_.ids, ElementsAre(1));
}

TEST_F(ClientTest, InitialisationThatTimesOutIsAConnectError) {
  round_.spec.query_timeout_ns = kMsNs;
  round_.spec.init_command = "SET slow";
  server_->set_on_query([](uint64_t, std::string_view) { return FakeReply{.times_out = true}; });
  RunClient(1);
  EXPECT_FALSE(record_.ready);
  EXPECT_EQ(record_.connect_error->ToString(),
            "--init-command: given up after 1ms without a complete answer (--query-timeout) "
            "(2999/HYT00)");
  EXPECT_THAT(host_.verdicts, ElementsAre(ConnectVerdict::kGiveUp));
  EXPECT_THAT(kills_.ids, ElementsAre(1));
}

TEST_F(ClientTest, AutocommitIsBoundedToo) {
  round_.spec.query_timeout_ns = kMsNs;
  round_.spec.commit_every = 1;
  server_->set_on_query([](uint64_t, std::string_view) { return FakeReply{.times_out = true}; });
  RunClient(1);
  EXPECT_EQ(record_.connect_error->code, kQueryTimeoutCode);
}

TEST_F(ClientTest, ResetThatTimesOutIsReplacedByANewConnection) {
  ASSERT_TRUE(RunBlocking(*connection_, {SqlOperation::Kind::kConnect, "shop", nullptr}).ok());
  round_.spec.query_timeout_ns = kMsNs;
  server_->set_on_reset([](uint64_t) { return FakeReply{.times_out = true}; });
  RunClient(1);
  EXPECT_TRUE(record_.finished);
  EXPECT_THAT(kills_.ids, ElementsAre(1));
  EXPECT_THAT(server_->Log(), ElementsAre("1 CONNECT shop", "1 RESET", "2 CONNECT shop", "2 S1"));
}

TEST_F(ClientTest, SelectingTheSchemaIsBoundedToo) {
  ASSERT_TRUE(RunBlocking(*connection_, {SqlOperation::Kind::kConnect, "shop", nullptr}).ok());
  round_.spec.query_timeout_ns = kMsNs;
  server_->set_on_select_schema([](std::string_view) { return FakeReply{.times_out = true}; });
  RunClient(1);
  EXPECT_TRUE(record_.finished);
  EXPECT_THAT(kills_.ids, ElementsAre(1));
}

TEST_F(ClientTest, WithoutATimeoutNothingTimesOut) {
  server_->set_on_query([](uint64_t, std::string_view) { return FakeReply{.times_out = true}; });
  RunClient(3);
  EXPECT_EQ(record_.succeeded, 3);
  EXPECT_THAT(kills_.ids, IsEmpty());
}

// The same logic over a connection and a gate that suspend: nothing may depend on blocking.
TEST_F(ClientTest, SuspendsAndIsResumed) {
  server_->set_suspending(true);
  host_.suspend_at_gate = true;
  round_.spec.detach_every = 2;
  round_.spec.commit_every = 2;
  Client client(round_, Seat(3));
  Task<void> task = client.Run();
  task.Start();
  EXPECT_FALSE(host_.at_gate);
  EXPECT_TRUE(server_->CompleteOne());  // connect
  EXPECT_TRUE(server_->CompleteOne());  // SET AUTOCOMMIT
  EXPECT_FALSE(server_->CompleteOne());
  ASSERT_TRUE(host_.at_gate);
  *host_.gate_go_on = true;
  host_.gate_waiter.resume();
  while (server_->CompleteOne()) {
  }
  EXPECT_TRUE(task.done());
  EXPECT_TRUE(record_.finished);
  EXPECT_THAT(server_->Log(),
              ElementsAre("1 CONNECT shop", "1 SET AUTOCOMMIT=0", "1 S1", "1 S1", "1 COMMIT",
                          "1 CLOSE", "2 CONNECT shop", "2 SET AUTOCOMMIT=0", "2 S1", "2 COMMIT"));
}

}  // namespace
}  // namespace dslap
