#include "agent/service/caller_guard.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/support/link_certificates.h"

namespace dslap {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kPeer[] = "ipv4:10.0.0.9:41234";
constexpr char kToken[] = "0123456789abcdef";

const absl::Status& WrongToken() {
  static const auto* const status = new absl::Status(absl::UnauthenticatedError(
      "this agent does not know the token: it must be the one in the agent's own --token-file"));
  return *status;
}

class CallerGuardTest : public testing::Test {
 protected:
  std::string WriteToken(const std::string& token) { return files_.File("token", token + "\n"); }

  LinkCertificates files_;
  FakeClock clock_;
  RefusalLog refusals_{&clock_};
};

TEST_F(CallerGuardTest, WithoutATokenFileEverybodyIsLetIn) {
  CallerGuard guard("", &refusals_);
  EXPECT_EQ(guard.Check(kPeer, ""), absl::OkStatus());
  EXPECT_EQ(guard.Check(kPeer, "Bearer whatever"), absl::OkStatus());
}

TEST_F(CallerGuardTest, OnlyTheTokenIsLetIn) {
  CallerGuard guard(WriteToken(kToken), &refusals_);
  EXPECT_EQ(guard.Check(kPeer, "Bearer 0123456789abcdef"), absl::OkStatus());
  EXPECT_EQ(guard.Check(kPeer, ""),
            absl::UnauthenticatedError("this agent wants a token: give --token-file"));
  for (const std::string wrong :
       {"Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0", "Bearer 0123456789abcdeF",
        "0123456789abcdef", "Basic 0123456789abcdef", "bearer 0123456789abcdef"}) {
    EXPECT_EQ(guard.Check(kPeer, wrong), WrongToken()) << wrong;
  }
}

TEST_F(CallerGuardTest, NewTokenCountsAtOnceAndTheOldOneNoMore) {
  CallerGuard guard(WriteToken(kToken), &refusals_);
  EXPECT_EQ(guard.Check(kPeer, "Bearer 0123456789abcdef"), absl::OkStatus());
  WriteToken("a-longer-token-0123456789");
  EXPECT_EQ(guard.Check(kPeer, "Bearer 0123456789abcdef"), WrongToken());
  EXPECT_EQ(guard.Check(kPeer, "Bearer a-longer-token-0123456789"), absl::OkStatus());
}

TEST_F(CallerGuardTest, FileThatBreaksLeavesTheLastToken) {
  const std::string path = WriteToken(kToken);
  CallerGuard guard(path, &refusals_);
  EXPECT_EQ(guard.Check(kPeer, "Bearer 0123456789abcdef"), absl::OkStatus());
  testing::internal::CaptureStderr();
  WriteToken("short");
  EXPECT_EQ(guard.Check(kPeer, "Bearer 0123456789abcdef"), absl::OkStatus());
  EXPECT_EQ(guard.Check(kPeer, "Bearer short"), WrongToken());
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("--token-file: " + path + ": a token is one line of 16"),
                    HasSubstr(": the token of before goes on counting"), Not(HasSubstr(kToken))));
}

TEST_F(CallerGuardTest, AgentWithoutAReadableTokenLetsNobodyIn) {
  CallerGuard guard("/no/such/token", &refusals_);
  EXPECT_EQ(guard.Check(kPeer, "Bearer "),
            absl::UnauthenticatedError("this agent cannot read its token: see its log"));
}

TEST_F(CallerGuardTest, WhoKnocksAgainAndAgainIsLoggedOnce) {
  CallerGuard guard(WriteToken(kToken), &refusals_);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(guard.Check(kPeer, "Bearer guess"), WrongToken());
  const std::string first = testing::internal::GetCapturedStderr();
  EXPECT_THAT(first, HasSubstr("refused ipv4:10.0.0.9:41234: its token is wrong\n"));
  EXPECT_EQ(first.find("refused"), first.rfind("refused"));
  EXPECT_THAT(first, Not(HasSubstr("guess")));
  testing::internal::CaptureStderr();
  clock_.Advance(absl::Nanoseconds(RefusalLog::kIntervalNs));
  EXPECT_EQ(guard.Check(kPeer, "Bearer guess"), WrongToken());
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("its token is wrong (999 more since)\n"));
}

}  // namespace
}  // namespace dslap
