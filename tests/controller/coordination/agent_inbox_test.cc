#include "controller/coordination/agent_inbox.h"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "common/clock.h"
#include "tests/controller/coordination/coordinator_fixture.h"

namespace dslap {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

v1::RunResponse Progress(uint64_t round) {
  v1::RunResponse response;
  response.mutable_progress()->set_round(round);
  return response;
}

v1::RunResponse Rows(size_t bytes) {
  v1::RunResponse response;
  response.mutable_script_done()->add_results()->add_rows()->add_cells()->set_value(
      std::string(bytes, 'x'));
  return response;
}

class AgentInboxTest : public testing::Test {
 protected:
  void Say(v1::RunResponse response) { inbox_.OnResponse(std::move(response), 1); }
  std::optional<Event> Next() { return events_.Pop(0); }

  EventQueue events_{SteadyClock::Get()};
  AgentInbox inbox_{7, &events_};
};

TEST_F(AgentInboxTest, OneMessageTooManyEndsTheStreamAndTheRestIsDropped) {
  for (size_t i = 0; i < AgentInbox::kMaxMessages + 100; ++i) Say(Progress(1));
  for (size_t i = 0; i < AgentInbox::kMaxMessages; ++i) {
    ASSERT_TRUE(std::holds_alternative<ResponseEvent>(*Next()));
  }
  const Event last = *Next();
  ASSERT_TRUE(std::holds_alternative<StreamClosedEvent>(last));
  EXPECT_EQ(std::get<StreamClosedEvent>(last).agent, 7u);
  EXPECT_EQ(std::get<StreamClosedEvent>(last).status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(std::get<StreamClosedEvent>(last).status.message()),
              StartsWith("sent faster than could be looked at: 10000 messages with "));
  EXPECT_FALSE(Next().has_value());
}

TEST_F(AgentInboxTest, WhatWasTakenMakesRoom) {
  for (int turn = 0; turn < 3; ++turn) {
    for (size_t i = 0; i < AgentInbox::kMaxMessages; ++i) Say(Progress(1));
    for (size_t i = 0; i < AgentInbox::kMaxMessages; ++i) {
      inbox_.Taken(std::get<ResponseEvent>(*Next()));
    }
  }
  EXPECT_FALSE(Next().has_value());
}

TEST_F(AgentInboxTest, BytesCountToo) {
  constexpr size_t kPiece = AgentInbox::kMaxBytes / 4;
  for (int i = 0; i < 4; ++i) Say(Rows(kPiece));  // with the bytes around them, too much
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(std::holds_alternative<ResponseEvent>(*Next()));
  EXPECT_TRUE(std::holds_alternative<StreamClosedEvent>(*Next()));
}

TEST_F(CoordinatorTest, AgentThatFloodsItsControllerLosesTheRun) {
  agents_[1]->on_request = [this](const v1::RunRequest& request) {
    if (!request.has_start_round()) return;
    for (size_t i = 0; i <= AgentInbox::kMaxMessages; ++i) agents_[1]->Say(Progress(1));
  };
  const RunRecord record = Run();
  EXPECT_EQ(record.failure_code, ExitCode::kAgentLost);
  EXPECT_TRUE(record.agents[1].lost);
  EXPECT_THAT(record.agents[1].loss_reason, HasSubstr("sent faster than could be looked at"));
  EXPECT_TRUE(agents_[1]->cancelled());
  EXPECT_FALSE(record.agents[0].lost);
}

}  // namespace
}  // namespace dslap
