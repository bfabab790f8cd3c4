#include "agent/session/lease.h"

#include <gtest/gtest.h>

namespace dslap {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(LeaseTest, RunsOutTenSecondsAfterTheLastRenewal) {
  Lease lease(100 * kSecond);
  EXPECT_FALSE(lease.Expired(110 * kSecond - 1));
  EXPECT_TRUE(lease.Expired(110 * kSecond));
  lease.Renew(109 * kSecond);
  EXPECT_FALSE(lease.Expired(119 * kSecond - 1));
  EXPECT_TRUE(lease.Expired(119 * kSecond));
}

TEST(LeaseTest, LengthCounts) {
  Lease lease(0);
  lease.SetLength(kSecond);
  EXPECT_FALSE(lease.Expired(kSecond - 1));
  EXPECT_TRUE(lease.Expired(kSecond));
}

TEST(LeaseTest, StatusNamesTheLength) {
  Lease lease(0);
  EXPECT_EQ(lease.ExpiredStatus(),
            absl::DeadlineExceededError("no message from the controller for 10 s"));
  lease.SetLength(1'500'000'000);
  EXPECT_EQ(lease.ExpiredStatus(),
            absl::DeadlineExceededError("no message from the controller for 1.5 s"));
}

}  // namespace
}  // namespace dslap
