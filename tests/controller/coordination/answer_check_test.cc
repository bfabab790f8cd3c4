#include "controller/coordination/answer_check.h"

#include <gtest/gtest.h>

namespace dslap {
namespace {

v1::RunResponse Ready(uint64_t round) {
  v1::RunResponse response;
  response.mutable_round_ready()->set_round(round);
  return response;
}

v1::RunResponse Started(uint64_t round) {
  v1::RunResponse response;
  response.mutable_round_started()->set_round(round);
  return response;
}

v1::RunResponse Done(uint64_t round) {
  v1::RunResponse response;
  response.mutable_round_done()->set_round(round);
  return response;
}

v1::RunResponse ScriptDone(uint64_t script, int results, bool error = false) {
  v1::RunResponse response;
  response.mutable_script_done()->set_script(script);
  for (int i = 0; i < results; ++i) response.mutable_script_done()->add_results();
  if (error) response.mutable_script_done()->mutable_error()->set_code(1064);
  return response;
}

TEST(AnswerCheckTest, RoundAfterRound) {
  AnswerCheck asked;
  for (uint64_t round = 1; round <= 2; ++round) {
    asked.BeginRound(round);
    EXPECT_EQ(asked.Take(Ready(round)), absl::OkStatus());
    EXPECT_EQ(asked.Take(Started(round)), absl::OkStatus());
    EXPECT_EQ(asked.Take(Done(round)), absl::OkStatus());
  }
}

TEST(AnswerCheckTest, RoundWhoseGateStaysShut) {
  AnswerCheck asked;
  asked.BeginRound(1);
  EXPECT_EQ(asked.Take(Ready(1)), absl::OkStatus());
  EXPECT_EQ(asked.Take(Done(1)), absl::OkStatus());
}

TEST(AnswerCheckTest, EverythingOfARoundComesOnce) {
  AnswerCheck asked;
  asked.BeginRound(1);
  EXPECT_EQ(asked.Take(Ready(1)), absl::OkStatus());
  EXPECT_EQ(asked.Take(Started(1)), absl::OkStatus());
  EXPECT_EQ(asked.Take(Done(1)), absl::OkStatus());
  EXPECT_EQ(asked.Take(Ready(1)), absl::InternalError("sent RoundReady of round 1 twice"));
  EXPECT_EQ(asked.Take(Started(1)), absl::InternalError("sent RoundStarted of round 1 twice"));
  EXPECT_EQ(asked.Take(Done(1)), absl::InternalError("sent RoundDone of round 1 twice"));
}

TEST(AnswerCheckTest, AnswerToTheRoundBeforeIsRefused) {
  AnswerCheck asked;
  asked.BeginRound(1);
  EXPECT_EQ(asked.Take(Ready(1)), absl::OkStatus());
  asked.BeginRound(2);
  EXPECT_EQ(asked.Take(Done(1)), absl::InternalError("sent RoundDone of round 1, which is not the "
                                                     "one it was asked for, 2"));
}

TEST(AnswerCheckTest, ScriptIsDoneOnceWithAResultForEachStatement) {
  AnswerCheck asked;
  EXPECT_EQ(asked.Take(ScriptDone(1, 0)),
            absl::InternalError("sent ScriptDone of script 1 while no script was running"));
  asked.BeginScript(4, 2);
  EXPECT_EQ(asked.Take(ScriptDone(4, 3, /*error=*/true)),
            absl::InternalError("sent ScriptDone with 3 results for 2 statements"));
  EXPECT_EQ(asked.Take(ScriptDone(4, 2)), absl::OkStatus());
  EXPECT_EQ(asked.Take(ScriptDone(4, 2)),
            absl::InternalError("sent ScriptDone of script 4 while no script was running"));
  asked.BeginScript(5, 2);
  EXPECT_EQ(asked.Take(ScriptDone(5, 1, /*error=*/true)), absl::OkStatus());
}

TEST(AnswerCheckTest, EmptyMessageIsRefused) {
  AnswerCheck asked;
  EXPECT_EQ(asked.Take(v1::RunResponse()), absl::InternalError("sent an empty message"));
}

}  // namespace
}  // namespace dslap
