#include "agent/engine/statement_killer.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_sql_connection.h"

namespace dslap {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kAmpleNs = 20 * kSecondNs;

class StatementKillerTest : public ::testing::Test {
 protected:
  std::shared_ptr<FakeSqlServer> server_ = std::make_shared<FakeSqlServer>();
};

TEST_F(StatementKillerTest, KillsOverOneConnectionInTheOrderOfTheRequests) {
  StatementKiller killer(server_);
  for (const uint64_t id : {17U, 4U, 23U}) killer.KillOnServer(id);
  EXPECT_TRUE(killer.Finish(kAmpleNs).empty());
  EXPECT_THAT(server_->Log(),
              ElementsAre("1 CONNECT", "1 KILL CONNECTION 17", "1 KILL CONNECTION 4",
                          "1 KILL CONNECTION 23", "1 CLOSE"));
}

TEST_F(StatementKillerTest, WithoutARequestThereIsNoConnection) {
  StatementKiller killer(server_);
  EXPECT_TRUE(killer.Finish(0).empty());
  EXPECT_THAT(server_->Log(), IsEmpty());
}

TEST_F(StatementKillerTest, ConnectionThatIsGoneAlreadyIsNoError) {
  server_->set_on_query([](uint64_t, std::string_view) {
    return FakeReply{.error = {1094, "HY000", "Unknown thread id"}};
  });
  StatementKiller killer(server_);
  killer.KillOnServer(17);
  EXPECT_TRUE(killer.Finish(kAmpleNs).empty());
}

TEST_F(StatementKillerTest, RefusalOfTheServerIsToldAndTheNextIsKilled) {
  server_->set_on_query([](uint64_t, std::string_view text) {
    if (text != "KILL CONNECTION 17") return FakeReply{};
    return FakeReply{.error = {1095, "HY000", "You are not owner of thread 17"}};
  });
  StatementKiller killer(server_);
  killer.KillOnServer(17);
  killer.KillOnServer(18);
  const ErrorTally not_killed = killer.Finish(kAmpleNs);
  ASSERT_THAT(not_killed.entries(), SizeIs(1));
  EXPECT_EQ(not_killed.entries()[0].first.ToString(),
            "KILL CONNECTION 17, for a statement that --query-timeout gave up: You are not owner "
            "of thread 17; the server may still be at it (1095/HY000)");
  EXPECT_EQ(not_killed.total(), 1);
  EXPECT_THAT(server_->Log(), Contains("1 KILL CONNECTION 18"));
}

TEST_F(StatementKillerTest, ServerThatCannotBeReachedIsTriedAgain) {
  server_->set_on_connect([](uint64_t attempt) {
    return attempt < 3 ? FakeReply{.error = {2002, "HY000", "refused"}} : FakeReply{};
  });
  StatementKiller killer(server_);
  killer.KillOnServer(17);
  EXPECT_TRUE(killer.Finish(kAmpleNs).empty());
  EXPECT_THAT(server_->Log(), Contains("3 KILL CONNECTION 17"));
}

TEST_F(StatementKillerTest, ConnectionThatBreaksOverAKillIsReplaced) {
  server_->set_on_query([](uint64_t connection, std::string_view) {
    return connection == 1 ? FakeReply{.times_out = true} : FakeReply{};
  });
  StatementKiller killer(server_);
  killer.KillOnServer(17);
  EXPECT_TRUE(killer.Finish(kAmpleNs).empty());
  EXPECT_EQ(server_->Count("KILL CONNECTION 17"), 2);
}

TEST_F(StatementKillerTest, WhatCannotBeKilledInTimeIsCountedWithTheReason) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.error = {2002, "HY000", "refused"}}; });
  StatementKiller killer(server_);
  killer.KillOnServer(17);
  killer.KillOnServer(18);
  const ErrorTally not_killed = killer.Finish(kSecondNs / 20);
  EXPECT_EQ(not_killed.total(), 2);
  ASSERT_THAT(not_killed.entries(), SizeIs(1));
  EXPECT_EQ(not_killed.entries()[0].first.ToString(),
            "KILL CONNECTION 17, for a statement that --query-timeout gave up: refused; the server "
            "may still be at it (2002/HY000)");
}

TEST_F(StatementKillerTest, ServerThatDoesNotAnswerHoldsUpNobody) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.hangs = true}; });
  StatementKiller killer(server_);
  killer.KillOnServer(17);
  ASSERT_TRUE(server_->AwaitHanging(1));
  const ErrorTally not_killed = killer.Finish(kSecondNs / 20);
  ASSERT_THAT(not_killed.entries(), SizeIs(1));
  EXPECT_EQ(not_killed.entries()[0].first.code, 2013);
  EXPECT_EQ(not_killed.entries()[0].first.message,
            "KILL CONNECTION 17, for a statement that --query-timeout gave up: the server does not "
            "answer; the server may still be at it");
}

TEST_F(StatementKillerTest, MayBeDroppedWithoutFinish) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.hangs = true}; });
  {
    StatementKiller killer(server_);
    killer.KillOnServer(17);
    ASSERT_TRUE(server_->AwaitHanging(1));
  }
  EXPECT_EQ(server_->open_connections(), 0);
}

TEST_F(StatementKillerTest, RequestsBeyondTheBoundAreToldNotKept) {
  server_->set_on_connect([](uint64_t) { return FakeReply{.hangs = true}; });
  StatementKiller killer(server_);
  for (size_t i = 0; i < StatementKiller::kMostWaiting + 3; ++i) killer.KillOnServer(i + 1);
  const ErrorTally not_killed = killer.Finish(0);
  EXPECT_EQ(not_killed.total(), StatementKiller::kMostWaiting + 3);
  ASSERT_THAT(not_killed.entries(), SizeIs(2));
  EXPECT_EQ(not_killed.entries()[1].count, 3);
  EXPECT_EQ(not_killed.entries()[1].first.message,
            "KILL CONNECTION 10001, for a statement that --query-timeout gave up: there are 10000 "
            "to be killed before it; the server may still be at it");
}

}  // namespace
}  // namespace dslap
