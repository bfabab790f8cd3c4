#include "controller/coordination/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_agent_link.h"
#include "tests/fakes/fake_clock.h"

namespace dslap {
namespace {

using testing::HasSubstr;

class PreflightTest : public testing::Test {
 protected:
  absl::Status Check() {
    answers_ = AskAll({&a_, &b_}, absl::Seconds(5), &clock_);
    of_agents_ = CheckAnswers(answers_);
    return JoinProblems(of_agents_);
  }

  FakeClock clock_{FakeClock::kAutoAdvance};
  FakeAgentLink a_{"a:1", &clock_};
  FakeAgentLink b_{"b:2", &clock_};
  std::vector<AgentAnswer> answers_;
  std::vector<absl::Status> of_agents_;
};

TEST_F(PreflightTest, AllIdleIsOk) {
  a_.info->set_cores(8);
  EXPECT_EQ(Check(), absl::OkStatus());
  EXPECT_EQ(answers_[0].name, "a:1");
  EXPECT_EQ(answers_[0].info->cores(), 8u);
  EXPECT_EQ(answers_[1].name, "b:2");
}

TEST_F(PreflightTest, EveryAgentThatFailsIsNamed) {
  a_.info = absl::UnavailableError("connect: Connection refused");
  b_.info = absl::UnavailableError("connect: No route to host");
  const absl::Status status = Check();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(),
            "agent a:1: connect: Connection refused; agent b:2: connect: No route to host");
}

TEST_F(PreflightTest, BusyAgentIsRefusedNamingItsHolder) {
  b_.info->mutable_active_run()->set_run_id("r42");
  b_.info->mutable_active_run()->set_controller("eve@laptop pid 9");
  b_.info->mutable_active_run()->set_age_ns(12'000'000'000);
  const absl::Status status = Check();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(),
            "agent b:2: busy with run r42 of eve@laptop pid 9 since 12 s: wait for it, or use "
            "another agent");
  ASSERT_EQ(of_agents_.size(), 2u);
  EXPECT_EQ(of_agents_[0], absl::OkStatus());
  EXPECT_EQ(of_agents_[1], status);
}

TEST_F(PreflightTest, OtherMajorVersionIsRefusedNamingBoth) {
  a_.info->mutable_protocol()->set_major(2);
  a_.info->set_build("9.9.9");
  const absl::Status status = Check();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("agent a:1 speaks protocol 2.1 (build 9.9.9)"));
  EXPECT_THAT(status.message(), HasSubstr("this side 1.1"));
}

TEST_F(PreflightTest, OtherMinorVersionIsFine) {
  a_.info->mutable_protocol()->set_minor(99);
  EXPECT_EQ(Check(), absl::OkStatus());
}

TEST_F(PreflightTest, SilenceEndsTheWaitAndNamesTheSilent) {
  a_.answers_get_info = false;
  const absl::Status status = Check();
  EXPECT_EQ(status.message(), "agent a:1: no answer");
}

}  // namespace
}  // namespace dslap
