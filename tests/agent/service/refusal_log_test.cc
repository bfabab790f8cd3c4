#include "agent/service/refusal_log.h"

#include <algorithm>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"

namespace dslap {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(RefusalLogTest, EachKindIsLoggedOnceInAWhileAndAllAreCounted) {
  FakeClock clock;
  RefusalLog refusals(&clock);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 1000; ++i) refusals.Refused(Refusal::kToken, "ipv4:10.0.0.9:1", "no token");
  refusals.Refused(Refusal::kHandshake, "ipv4:10.0.0.9:2", "TLS: no certificate");
  const std::string first = testing::internal::GetCapturedStderr();
  EXPECT_THAT(first, HasSubstr(" warning refused ipv4:10.0.0.9:1: no token\n"));
  EXPECT_THAT(first, EndsWith(" warning refused ipv4:10.0.0.9:2: TLS: no certificate\n"));
  EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), 2);
  clock.Advance(absl::Nanoseconds(RefusalLog::kIntervalNs));
  testing::internal::CaptureStderr();
  refusals.Refused(Refusal::kToken, "ipv4:10.0.0.9:3", "no token");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              EndsWith(" warning refused ipv4:10.0.0.9:3: no token (999 more since)\n"));
  EXPECT_EQ(refusals.count(Refusal::kToken), 1001U);
  EXPECT_EQ(refusals.count(Refusal::kHandshake), 1U);
  EXPECT_EQ(refusals.count(Refusal::kCrowd), 0U);
}

}  // namespace
}  // namespace dslap
