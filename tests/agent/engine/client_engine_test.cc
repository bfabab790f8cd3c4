#include "agent/engine/client_engine.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/engine/make_engine.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_sql_connection.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr int64_t kSecondNs = 1'000'000'000;

class ClientEngineTest : public ::testing::TestWithParam<EngineKind> {
 protected:
  RoundSpec Spec(std::vector<LoadClientGroup> groups, std::vector<std::string> texts = {"S"}) {
    auto list = std::make_shared<StatementList>();
    for (const std::string& text : texts) list->statements.push_back({text, false});
    RoundSpec spec;
    spec.round = ++round_;
    spec.groups = std::move(groups);
    spec.default_schema = "shop";
    spec.statements = list;
    return spec;
  }

  RoundOutcome RunNow() {
    return engine_.Run(Now(), [this](int64_t opened_at_ns) { opened_.push_back(opened_at_ns); });
  }

  int64_t Now() { return SteadyClock::Get()->NowNs(); }

  std::shared_ptr<FakeSqlServer> server_ = std::make_shared<FakeSqlServer>();
  const std::unique_ptr<LoadEngine> made_ =
      MakeEngine({.kind = GetParam(), .loops = 2}, server_, SteadyClock::Get()).value();
  LoadEngine& engine_ = *made_;
  uint64_t round_ = 0;
  std::vector<int64_t> opened_;
};

TEST_P(ClientEngineTest, EveryClientRunsItsExactShare) {
  const PrepareOutcome prepared = engine_.Prepare(Spec({{3, 2}, {2, 5}}, {"A", "B", "C"}));
  EXPECT_EQ(prepared.clients_asked, 5);
  EXPECT_EQ(prepared.clients_connected, 5);
  EXPECT_EQ(prepared.clients_not_tried, 0);
  EXPECT_EQ(prepared.connect_time.count(), 5);
  EXPECT_TRUE(prepared.connect_errors.empty());
  EXPECT_EQ(engine_.Counters().clients_connected, 5);
  EXPECT_EQ(server_->Count("A"), 0);  // the gate is shut

  const RoundOutcome outcome = RunNow();
  EXPECT_EQ(outcome.statements_succeeded, 16);
  EXPECT_EQ(outcome.statements_failed, 0);
  EXPECT_EQ(outcome.clients_finished, 5);
  EXPECT_EQ(outcome.latency.count(), 16);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kNone);
  EXPECT_THAT(opened_, ElementsAre(outcome.opened_at_ns));
  EXPECT_GE(outcome.closed_at_ns, outcome.opened_at_ns);
  EXPECT_EQ(engine_.Counters().statements, 16);

  EXPECT_EQ(server_->Count("A"), 3 + 2 * 2);
  EXPECT_EQ(server_->Count("B"), 3 + 2 * 2);
  EXPECT_EQ(server_->Count("C"), 2 * 1);
}

// Also of connections that were kept from the round before.
TEST_P(ClientEngineTest, CountsTheWaysOfItsConnections) {
  const SqlChannel plain;
  const SqlChannel encrypted{false, "TLS_AES_256_GCM_SHA384", "TLSv1.3"};
  EXPECT_THAT(engine_.Prepare(Spec({{2, 1}})).channels, ElementsAre(Pair(plain, 2)));
  RunNow();
  server_->set_channel(encrypted);
  EXPECT_THAT(engine_.Prepare(Spec({{5, 1}})).channels, ElementsAre(Pair(encrypted, 5)));
  RunNow();
}

TEST_P(ClientEngineTest, RoundWithoutClientsOpensAndCloses) {
  const PrepareOutcome prepared = engine_.Prepare(Spec({}));
  EXPECT_EQ(prepared.clients_asked, 0);
  const RoundOutcome outcome = RunNow();
  EXPECT_NE(outcome.opened_at_ns, 0);
  EXPECT_EQ(outcome.closed_at_ns, outcome.opened_at_ns);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kNone);
}

TEST_P(ClientEngineTest, RunWithoutPrepareDoesNothing) {
  EXPECT_EQ(RunNow().opened_at_ns, 0);
  EXPECT_THAT(opened_, IsEmpty());
}

TEST_P(ClientEngineTest, GateOpensAtTheInstantAskedForNotBefore) {
  engine_.Prepare(Spec({{4, 1}}));
  const int64_t open_at_ns = Now() + 30'000'000;
  const RoundOutcome outcome = engine_.Run(open_at_ns, [](int64_t) {});
  EXPECT_GE(outcome.opened_at_ns, open_at_ns);
  EXPECT_LT(outcome.opened_at_ns, open_at_ns + kSecondNs);
}

// A process that was frozen before the gate, for longer than its lease, opened it on waking up.
TEST_P(ClientEngineTest, GateThatMayNotOpenStaysShutAndEndsTheRound) {
  RoundSpec spec = Spec({{2, 1}});
  spec.may_open = [] { return false; };
  engine_.Prepare(spec);
  const RoundOutcome outcome = RunNow();
  EXPECT_EQ(outcome.opened_at_ns, 0);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kController);
  EXPECT_EQ(server_->Count("S"), 0);
  EXPECT_THAT(opened_, IsEmpty());
}

// It was an overflow, and the gate stayed shut for 292 years.
TEST_P(ClientEngineTest, EarliestInstantThereIsMeansNow) {
  engine_.Prepare(Spec({{2, 1}}));
  const int64_t before_ns = Now();
  std::future<RoundOutcome> run =
      std::async(std::launch::async, [&] { return engine_.Run(INT64_MIN, [](int64_t) {}); });
  ASSERT_EQ(run.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  const RoundOutcome outcome = run.get();
  EXPECT_GE(outcome.opened_at_ns, before_ns);
  EXPECT_EQ(outcome.statements_succeeded, 2);
}

TEST_P(ClientEngineTest, ConnectionsAreKeptAndReset) {
  engine_.Prepare(Spec({{3, 1}}));
  RunNow();
  const PrepareOutcome second = engine_.Prepare(Spec({{3, 1}}));
  EXPECT_EQ(second.clients_connected, 3);
  EXPECT_EQ(second.connect_time.count(), 0);
  RunNow();
  EXPECT_EQ(server_->Count("CONNECT shop"), 3);
  EXPECT_EQ(server_->Count("RESET"), 3);
}

TEST_P(ClientEngineTest, MoreClientsConnectFewerClose) {
  engine_.Prepare(Spec({{2, 1}}));
  RunNow();
  EXPECT_EQ(engine_.Prepare(Spec({{5, 1}})).connect_time.count(), 3);
  RunNow();
  EXPECT_EQ(server_->open_connections(), 5);
  engine_.Prepare(Spec({{1, 1}}));
  EXPECT_EQ(server_->open_connections(), 1);
  RunNow();
  EXPECT_EQ(server_->Count("CONNECT shop"), 5);
  engine_.CloseAll();
  EXPECT_EQ(server_->open_connections(), 0);
  EXPECT_EQ(engine_.Counters().clients_connected, 0);
}

TEST_P(ClientEngineTest, ReconnectClosesFirst) {
  engine_.Prepare(Spec({{3, 1}}));
  RunNow();
  RoundSpec spec = Spec({{3, 1}});
  spec.reconnect = true;
  EXPECT_EQ(engine_.Prepare(spec).connect_time.count(), 3);
  RunNow();
  EXPECT_EQ(server_->Count("CONNECT shop"), 6);
  EXPECT_EQ(server_->Count("RESET"), 0);
  EXPECT_EQ(server_->open_connections(), 3);
}

TEST_P(ClientEngineTest, StopBeforeTheGateOpensKeepsItShut) {
  engine_.Prepare(Spec({{3, 1}}));
  engine_.Stop(RoundStopCause::kController, 60 * kSecondNs);
  const RoundOutcome outcome = engine_.Run(Now() + 3600 * kSecondNs, [](int64_t) { FAIL(); });
  EXPECT_EQ(outcome.opened_at_ns, 0);
  EXPECT_EQ(outcome.closed_at_ns, 0);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kController);
  EXPECT_EQ(server_->Count("S"), 0);
  EXPECT_EQ(server_->open_connections(), 3);

  engine_.Prepare(Spec({{3, 1}}));  // has forgotten the stop
  EXPECT_EQ(RunNow().statements_succeeded, 3);
}

TEST_P(ClientEngineTest, StopWhileWaitingForTheInstantEndsTheWait) {
  engine_.Prepare(Spec({{2, 1}}));
  std::future<RoundOutcome> outcome = std::async(std::launch::async, [&] {
    return engine_.Run(Now() + 3600 * kSecondNs, [](int64_t) { FAIL(); });
  });
  engine_.Stop(RoundStopCause::kController, 0);
  EXPECT_EQ(outcome.get().opened_at_ns, 0);
}

TEST_P(ClientEngineTest, StatementsThatOutliveTheGraceAreKilledOnTheServer) {
  server_->set_on_query(
      [](uint64_t, std::string_view text) { return FakeReply{.hangs = text == "SLEEP"}; });
  engine_.Prepare(Spec({{3, 2}}, {"S", "SLEEP"}));
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  ASSERT_TRUE(server_->AwaitHanging(3));
  EXPECT_EQ(engine_.Counters().statements, 3);
  engine_.Stop(RoundStopCause::kController, 50'000'000);
  const RoundOutcome outcome = running.get();
  EXPECT_EQ(outcome.statements_succeeded, 3);
  EXPECT_EQ(outcome.statements_failed, 0);
  EXPECT_EQ(outcome.statements_interrupted, 3);
  EXPECT_EQ(outcome.clients_finished, 0);
  EXPECT_TRUE(outcome.errors.empty());
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kController);
  EXPECT_EQ(server_->Count("CONNECT"), 1);    // the killer's own
  EXPECT_EQ(server_->open_connections(), 3);  // which it closed again
  EXPECT_EQ(server_->Count("KILL QUERY 1"), 1);
}

TEST_P(ClientEngineTest, KilledStatementThatSucceedsIsInterrupted) {
  server_->set_on_query([](uint64_t, std::string_view) {
    return FakeReply{.hangs = true, .succeeds_when_killed = true};
  });
  engine_.Prepare(Spec({{1, 1}}));
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  ASSERT_TRUE(server_->AwaitHanging(1));
  engine_.Stop(RoundStopCause::kController, 0);
  const RoundOutcome outcome = running.get();
  EXPECT_EQ(outcome.statements_interrupted, 1);
  EXPECT_EQ(outcome.latency.count(), 0);
}

TEST_P(ClientEngineTest, WhatNoKillEndsIsCutOff) {
  server_->set_on_query(
      [](uint64_t, std::string_view) { return FakeReply{.hangs = true, .survives_kill = true}; });
  engine_.Prepare(Spec({{2, 1}}));
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  ASSERT_TRUE(server_->AwaitHanging(2));
  const int64_t stopped_at_ns = Now();
  engine_.Stop(RoundStopCause::kController, 0);
  const RoundOutcome outcome = running.get();
  EXPECT_GE(Now() - stopped_at_ns, 2 * kSecondNs);
  EXPECT_LT(Now() - stopped_at_ns, 10 * kSecondNs);
  EXPECT_EQ(outcome.statements_interrupted, 2);
  EXPECT_TRUE(outcome.errors.empty());
  EXPECT_EQ(server_->open_connections(), 0);
}

TEST_P(ClientEngineTest, StopIsBoundedWhenTheKillerCannotConnect) {
  server_->set_on_connect([](uint64_t attempt) { return FakeReply{.hangs = attempt > 2}; });
  server_->set_on_query([](uint64_t, std::string_view) { return FakeReply{.hangs = true}; });
  engine_.Prepare(Spec({{2, 1}}));
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  ASSERT_TRUE(server_->AwaitHanging(2));
  const int64_t stopped_at_ns = Now();
  engine_.Stop(RoundStopCause::kController, 0);
  EXPECT_EQ(running.get().statements_interrupted, 2);
  EXPECT_LT(Now() - stopped_at_ns, 10 * kSecondNs);
}

// One after the other they would not all have been killed before the patience ended.
TEST_P(ClientEngineTest, StatementsOfManyClientsAreKilledSideBySide) {
  server_->set_on_query([](uint64_t, std::string_view) { return FakeReply{.hangs = true}; });
  engine_.Prepare(Spec({{300, 1}}));
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  ASSERT_TRUE(server_->AwaitHanging(300));
  engine_.Stop(RoundStopCause::kController, 0);
  const RoundOutcome outcome = running.get();
  EXPECT_EQ(outcome.statements_interrupted, 300);
  // None was cut off.
  EXPECT_EQ(server_->open_connections(), 300);
  std::set<std::string> killers;
  for (const std::string& line : server_->Log()) {
    const size_t space = line.find(' ');
    if (line.substr(space + 1, 10) == "KILL QUERY") killers.insert(line.substr(0, space));
  }
  EXPECT_EQ(killers.size(), 300 / 32);
}

TEST_P(ClientEngineTest, ShorterGraceWins) {
  server_->set_on_query([](uint64_t, std::string_view) { return FakeReply{.hangs = true}; });
  engine_.Prepare(Spec({{1, 1}}));
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  ASSERT_TRUE(server_->AwaitHanging(1));
  engine_.Stop(RoundStopCause::kController, 3600 * kSecondNs);
  engine_.Stop(RoundStopCause::kController, 0);
  engine_.Stop(RoundStopCause::kError, INT64_MAX);
  const RoundOutcome outcome = running.get();
  EXPECT_EQ(outcome.statements_interrupted, 1);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kController);
}

TEST_P(ClientEngineTest, StatementThatEndsWithinTheGraceSucceedsAndNoOtherBegins) {
  std::promise<void> entered;
  std::promise<void> leave;
  std::shared_future<void> may_leave = leave.get_future().share();
  server_->set_on_query([&](uint64_t, std::string_view) {
    entered.set_value();
    may_leave.wait();
    return FakeReply{};
  });
  engine_.Prepare(Spec({{1, 10}}));
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  entered.get_future().wait();
  engine_.Stop(RoundStopCause::kController, 3600 * kSecondNs);
  leave.set_value();
  const RoundOutcome outcome = running.get();
  EXPECT_EQ(outcome.statements_succeeded, 1);
  EXPECT_EQ(outcome.statements_interrupted, 0);
  EXPECT_EQ(outcome.clients_finished, 0);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kController);
}

TEST_P(ClientEngineTest, StopThatEndedNothingIsNoCause) {
  std::promise<void> entered;
  std::promise<void> leave;
  server_->set_on_query([&](uint64_t, std::string_view) {
    entered.set_value();
    leave.get_future().wait();
    return FakeReply{};
  });
  engine_.Prepare(Spec({{1, 1}}));
  std::future<RoundOutcome> running = std::async(std::launch::async, [&] { return RunNow(); });
  entered.get_future().wait();
  engine_.Stop(RoundStopCause::kController, 3600 * kSecondNs);
  leave.set_value();
  const RoundOutcome outcome = running.get();
  EXPECT_EQ(outcome.clients_finished, 1);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kNone);
}

TEST_P(ClientEngineTest, ErrorOfOneClientStopsAll) {
  server_->set_on_query([](uint64_t connection, std::string_view) {
    return connection == 2 ? FakeReply{.error = {1146, "42S02", "no table"}}
                           : FakeReply{.hangs = true};
  });
  engine_.Prepare(Spec({{3, 5}}));
  const RoundOutcome outcome = RunNow();
  EXPECT_EQ(outcome.statements_failed, 1);
  EXPECT_LE(outcome.statements_interrupted, 2);
  EXPECT_EQ(outcome.statements_succeeded, 0);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kError);
  ASSERT_THAT(outcome.errors.entries(), SizeIs(1));
  EXPECT_EQ(outcome.errors.entries()[0].first.code, 1146);
  EXPECT_EQ(outcome.errors.entries()[0].count, 1);
}

TEST_P(ClientEngineTest, StopDuringPrepareEndsConnectsThatHang) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.hangs = true}; });
  std::future<PrepareOutcome> preparing = std::async(std::launch::async, [&] {
    return engine_.Prepare(Spec({{100, 1}}));
  });
  ASSERT_TRUE(server_->AwaitHanging(EngineOptions().connect_parallelism));
  engine_.Stop(RoundStopCause::kController, 3600 * kSecondNs);
  const PrepareOutcome outcome = preparing.get();
  EXPECT_EQ(outcome.clients_connected, 0);
  EXPECT_EQ(outcome.clients_not_tried, 100);
  EXPECT_TRUE(outcome.connect_errors.empty());
  EXPECT_EQ(server_->peak_connecting(), EngineOptions().connect_parallelism);
  EXPECT_EQ(RunNow().opened_at_ns, 0);
}

// Its connection was cut, and the server went on with the statement for as long as it took.
TEST_P(ClientEngineTest, StopDuringPrepareKillsInitCommandsOnTheServer) {
  server_->set_on_query([](uint64_t, std::string_view text) {
    return text == "INIT" ? FakeReply{.hangs = true} : FakeReply{};
  });
  RoundSpec spec = Spec({{3, 1}});
  spec.init_command = "INIT";
  std::future<PrepareOutcome> preparing =
      std::async(std::launch::async, [&] { return engine_.Prepare(spec); });
  ASSERT_TRUE(server_->AwaitHanging(3));
  engine_.Stop(RoundStopCause::kController, 3600 * kSecondNs);
  const PrepareOutcome prepared = preparing.get();
  EXPECT_EQ(prepared.clients_connected, 0);
  EXPECT_TRUE(prepared.connect_errors.empty());
  for (const int id : {1, 2, 3}) {
    EXPECT_GE(server_->Count(absl::StrCat("KILL QUERY ", id)), 1);
  }
  EXPECT_EQ(RunNow().opened_at_ns, 0);
}

TEST_P(ClientEngineTest, HopelessErrorSparesTheOthersTheirTry) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.error = {1045, "28000", "denied"}}; });
  const PrepareOutcome outcome = engine_.Prepare(Spec({{500, 1}}));
  EXPECT_EQ(outcome.clients_connected, 0);
  EXPECT_EQ(outcome.connect_errors.total() + outcome.clients_not_tried, 500);
  EXPECT_GE(outcome.connect_errors.total(), 1);
  EXPECT_LE(outcome.connect_errors.total(), EngineOptions().connect_parallelism);
  EXPECT_EQ(outcome.connect_errors.entries()[0].first.code, 1045);
}

TEST_P(ClientEngineTest, LimitOfTheAccountIsCountedForEachClientThatMetIt) {
  std::atomic<int> inside{0};
  server_->set_on_connect([&](uint64_t) {
    return ++inside <= 2 ? FakeReply{} : FakeReply{.error = {1226, "42000", "limit"}};
  });
  const PrepareOutcome outcome = engine_.Prepare(Spec({{10, 3}}));
  EXPECT_EQ(outcome.clients_connected, 2);
  EXPECT_EQ(outcome.clients_not_tried, 0);
  EXPECT_EQ(outcome.connect_errors.total(), 8);
  const RoundOutcome done = RunNow();
  EXPECT_EQ(done.statements_succeeded, 6);
  EXPECT_EQ(done.clients_finished, 2);
}

TEST_P(ClientEngineTest, FullServerIsRetriedUntilThereIsRoom) {
  server_->set_on_connect([](uint64_t attempt) {
    return attempt <= 3 ? FakeReply{.error = {1040, "08004", "too many"}} : FakeReply{};
  });
  const PrepareOutcome outcome = engine_.Prepare(Spec({{5, 1}}));
  EXPECT_EQ(outcome.clients_connected, 5);
  EXPECT_TRUE(outcome.connect_errors.empty());
  EXPECT_EQ(RunNow().statements_succeeded, 5);
}

TEST_P(ClientEngineTest, ServerThatIsNotThereIsGivenUpForAllAfterFiveSeconds) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.error = {2002, "HY000", "refused"}}; });
  const int64_t start_ns = Now();
  const PrepareOutcome outcome = engine_.Prepare(Spec({{200, 1}}));
  EXPECT_EQ(outcome.clients_connected, 0);
  EXPECT_EQ(outcome.connect_errors.total() + outcome.clients_not_tried, 200);
  EXPECT_EQ(outcome.connect_errors.entries()[0].first.code, 2002);
  EXPECT_LT(Now() - start_ns, 8 * kSecondNs);
}

class KeyTest : public ClientEngineTest {
 protected:
  RoundSpec KeyedSpec(uint64_t clients, uint64_t statements) {
    RoundSpec spec = Spec({{clients, statements}});
    auto list = std::make_shared<StatementList>();
    list->statements = {{"SELECT WHERE id = ", true}};
    spec.statements = list;
    spec.key_query = "SELECT id FROM t1";
    return spec;
  }

  void AnswerKeys(FakeReply reply) {
    server_->set_on_query([reply](uint64_t, std::string_view text) {
      return text == "SELECT id FROM t1" ? reply : FakeReply{};
    });
  }
};

TEST_P(KeyTest, KeysAreReadOnceOnAConnectionOfTheirOwn) {
  AnswerKeys({.first_result = {{"it's"}, {std::nullopt}, {"it's"}}});
  const PrepareOutcome prepared = engine_.Prepare(KeyedSpec(2, 3));
  EXPECT_FALSE(prepared.key_error.has_value());
  EXPECT_EQ(prepared.clients_connected, 2);
  RunNow();
  EXPECT_EQ(server_->Count("SELECT id FROM t1"), 1);
  EXPECT_EQ(server_->Count("SELECT WHERE id =  'it''s'"), 6);
  std::vector<std::string> log = server_->Log();
  log.resize(3);
  EXPECT_THAT(log, ElementsAre("1 CONNECT shop", "1 SELECT id FROM t1", "1 CLOSE"));
}

TEST_P(KeyTest, FailedKeyQueryKeepsTheGateShut) {
  AnswerKeys({.error = {1146, "42S02", "no table t1"}});
  const PrepareOutcome prepared = engine_.Prepare(KeyedSpec(2, 3));
  ASSERT_TRUE(prepared.key_error.has_value());
  EXPECT_EQ(prepared.key_error->code, 1146);
  EXPECT_EQ(prepared.clients_not_tried, 2);
  const RoundOutcome outcome = RunNow();
  EXPECT_EQ(outcome.opened_at_ns, 0);
  EXPECT_EQ(outcome.stop_cause, RoundStopCause::kError);
}

TEST_P(KeyTest, EmptyKeyListIsAnError) {
  AnswerKeys({});
  const PrepareOutcome prepared = engine_.Prepare(KeyedSpec(1, 1));
  ASSERT_TRUE(prepared.key_error.has_value());
  EXPECT_THAT(prepared.key_error->message,
              HasSubstr("the query for the keys returned none: SELECT id FROM t1"));
}

TEST_P(KeyTest, KeyedStatementWithoutAKeyQueryIsAnError) {
  RoundSpec spec = KeyedSpec(1, 1);
  spec.key_query.clear();
  const PrepareOutcome prepared = engine_.Prepare(spec);
  ASSERT_TRUE(prepared.key_error.has_value());
  EXPECT_THAT(prepared.key_error->message, HasSubstr("no query for the keys"));
}

TEST_P(KeyTest, RefusedKeyConnectionIsTheClientsError) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.error = {1045, "28000", "denied"}}; });
  const PrepareOutcome prepared = engine_.Prepare(KeyedSpec(3, 1));
  EXPECT_FALSE(prepared.key_error.has_value());
  EXPECT_EQ(prepared.connect_errors.entries().at(0).first.code, 1045);
}

TEST_P(KeyTest, KeysAreReadAfterTheClientsWhenTheFirstTryDidNotGetIn) {
  AnswerKeys({.first_result = {{"k"}}});
  server_->set_on_connect([](uint64_t attempt) {
    return attempt == 1 ? FakeReply{.error = {2013, "HY000", "lost"}} : FakeReply{};
  });
  const PrepareOutcome prepared = engine_.Prepare(KeyedSpec(2, 1));
  EXPECT_FALSE(prepared.key_error.has_value());
  EXPECT_EQ(RunNow().statements_succeeded, 2);
}

// It was only cut, and went on at the server.
TEST_P(KeyTest, StopKillsAKeyQueryOnTheServer) {
  AnswerKeys({.hangs = true});
  std::future<PrepareOutcome> preparing =
      std::async(std::launch::async, [&] { return engine_.Prepare(KeyedSpec(2, 1)); });
  ASSERT_TRUE(server_->AwaitHanging(1));
  engine_.Stop(RoundStopCause::kController, 3600 * kSecondNs);
  const PrepareOutcome prepared = preparing.get();
  ASSERT_TRUE(prepared.key_error.has_value());
  EXPECT_EQ(prepared.key_error->code, 1317);
  EXPECT_EQ(server_->Count("KILL QUERY 1"), 1);
}

TEST_P(KeyTest, StopEndsAKeyQueryThatHangs) {
  AnswerKeys({.hangs = true, .survives_kill = true});
  std::future<PrepareOutcome> preparing =
      std::async(std::launch::async, [&] { return engine_.Prepare(KeyedSpec(2, 1)); });
  ASSERT_TRUE(server_->AwaitHanging(1));
  engine_.Stop(RoundStopCause::kController, 3600 * kSecondNs);
  EXPECT_EQ(preparing.get().clients_connected, 0);
}

TEST_P(ClientEngineTest, CountersCanBeReadAndStopCalledAtAnyTime) {
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    uint64_t last = 0;
    while (!stop) last = std::max(last, engine_.Counters().statements);
    EXPECT_LE(last, 8 * 50);
  });
  for (int i = 0; i < 20; ++i) {
    engine_.Prepare(Spec({{8, 50}}));
    if (i % 2 == 0) {
      EXPECT_EQ(RunNow().statements_succeeded, 400);
      continue;
    }
    std::thread stopper([&] { engine_.Stop(RoundStopCause::kController, kSecondNs); });
    const RoundOutcome outcome = RunNow();
    EXPECT_LE(outcome.statements_succeeded, 400);
    EXPECT_EQ(outcome.statements_failed, 0);
    stopper.join();
  }
  stop = true;
  reader.join();
}

TEST_P(ClientEngineTest, PreparedRoundMayBeLeftBehind) {
  engine_.Prepare(Spec({{3, 1}}));
  engine_.Prepare(Spec({{3, 1}}));
  engine_.CloseAll();
  EXPECT_EQ(server_->open_connections(), 0);
  engine_.Stop(RoundStopCause::kController, 0);
  {
    const std::unique_ptr<LoadEngine> engine =
        MakeEngine({.kind = GetParam()}, server_, SteadyClock::Get()).value();
    engine->Prepare(Spec({{3, 1}}));
  }
  EXPECT_EQ(server_->open_connections(), 0);
  EXPECT_EQ(server_->Count("S"), 0);
}

TEST_P(ClientEngineTest, LostConnectionIsReplacedInTheNextRound) {
  std::atomic<bool> lose{true};
  server_->set_on_query([&](uint64_t connection, std::string_view) {
    return lose && connection == 1 ? FakeReply{.error = {2013, "HY000", "lost"}} : FakeReply{};
  });
  RoundSpec spec = Spec({{2, 1}});
  spec.error_policy.ignored_codes = {2013};
  engine_.Prepare(spec);
  EXPECT_EQ(RunNow().statements_failed, 1);
  lose = false;
  EXPECT_EQ(engine_.Prepare(Spec({{2, 1}})).connect_time.count(), 1);
  EXPECT_EQ(RunNow().statements_succeeded, 2);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr uid_t kNobody = 65534;

// In a process of its own: there is no way back. The limit does not bind root.
TEST_P(ClientEngineTest, ClientWithoutAThreadIsCountedNotACrash) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto run = [this] {
    // The process itself is one; the first of the clients' threads are to get in, no loop is.
    const rlim_t processes = GetParam() == EngineKind::kThreads ? 3 : 1;
    const rlimit limit{processes, processes};
    if (setrlimit(RLIMIT_NPROC, &limit) != 0) std::_Exit(2);
    if (geteuid() == 0 && setresuid(kNobody, kNobody, kNobody) != 0) std::_Exit(3);
    const PrepareOutcome prepared = engine_.Prepare(Spec({{10, 1}}));
    const bool counted = prepared.clients_not_tried == 0 &&
                         prepared.clients_connected + prepared.connect_errors.total() == 10 &&
                         prepared.connect_errors.total() > 0;
    const RoundOutcome outcome = RunNow();
    std::fputs(prepared.connect_errors.entries().at(0).first.ToString().c_str(), stderr);
    std::_Exit(counted && outcome.statements_succeeded == prepared.clients_connected ? 0 : 1);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(0),
              "start a thread .raise TasksMax=.*: Resource temporarily unavailable "
              ".2008/HY000.");
}
#endif

// A round of the other kind has new connections; one of the same kind keeps them.
TEST(ChosenEngineTest, FewClientsHaveThreadsAndManyShareLoops) {
  auto server = std::make_shared<FakeSqlServer>();
  const std::unique_ptr<LoadEngine> engine =
      MakeEngine({.loops = 2}, server, SteadyClock::Get()).value();
  auto list = std::make_shared<StatementList>();
  list->statements = {{"S", false}};
  RoundSpec spec;
  spec.statements = list;
  const auto run = [&](uint64_t clients) {
    ++spec.round;
    spec.groups = {{clients, 2}};
    EXPECT_EQ(engine->Prepare(spec).clients_connected, clients);
    EXPECT_EQ(engine->Run(0, [](int64_t) {}).statements_succeeded, 2 * clients);
    EXPECT_EQ(server->open_connections(), clients);
    return server->Count("RESET");
  };
  EXPECT_EQ(run(kLoopsFromClients - 1), 0U);
  EXPECT_EQ(run(kLoopsFromClients), 0U);
  EXPECT_EQ(run(kLoopsFromClients + 4), kLoopsFromClients);
  EXPECT_EQ(run(kLoopsFromClients - 1), kLoopsFromClients);
  EXPECT_EQ(run(2), kLoopsFromClients + 2);
  EXPECT_EQ(engine->Counters().statements, 4U);
  engine->CloseAll();
  EXPECT_EQ(server->open_connections(), 0U);
}

std::string NameOfKind(const ::testing::TestParamInfo<EngineKind>& info) {
  return info.param == EngineKind::kThreads ? "Threads" : "Loops";
}

INSTANTIATE_TEST_SUITE_P(Carriers, ClientEngineTest,
                         ::testing::Values(EngineKind::kThreads, EngineKind::kLoops), NameOfKind);
INSTANTIATE_TEST_SUITE_P(Carriers, KeyTest,
                         ::testing::Values(EngineKind::kThreads, EngineKind::kLoops), NameOfKind);

}  // namespace
}  // namespace dslap
