#include "agent/engine/connect_policy.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kMsNs = 1'000'000;

TEST(ConnectPolicyTest, WhatMayHealIsRetried) {
  for (const uint32_t code : {1040, 1053, 1158, 2002, 2003, 2006, 2013, 2055}) {
    EXPECT_EQ(JudgeConnectError(code), ConnectVerdict::kRetry) << code;
  }
}

TEST(ConnectPolicyTest, WhatIsTheSameForAllIsHopeless) {
  for (const uint32_t code : {1044, 1045, 1049, 1130, 1251, 1698, 2005, 2026, 2059}) {
    EXPECT_EQ(JudgeConnectError(code), ConnectVerdict::kHopeless) << code;
  }
}

TEST(ConnectPolicyTest, LimitsOfTheAccountAndTheUnknownAreGivenUp) {
  for (const uint32_t code : {1203, 1226, 2000, 2008, 9999}) {
    EXPECT_EQ(JudgeConnectError(code), ConnectVerdict::kGiveUp) << code;
  }
}

TEST(ConnectBackoffTest, DoublesToItsCapAndEndsWithinFiveSeconds) {
  int64_t now_ns = 77;
  ConnectBackoff backoff(now_ns);
  std::vector<int64_t> pauses_ms;
  while (const std::optional<int64_t> pause_ns =
             backoff.Next(now_ns, /*random=*/0, ConnectBackoff::kPatienceNs)) {
    pauses_ms.push_back(*pause_ns / kMsNs);
    now_ns += *pause_ns;
  }
  EXPECT_THAT(pauses_ms, ElementsAre(100, 200, 400, 800, 1600, 1600));
  EXPECT_LE(now_ns, 77 + 5'000 * kMsNs);
}

TEST(ConnectBackoffTest, GoesOnAsLongAsItIsToldTo) {
  ConnectBackoff backoff(0);
  EXPECT_EQ(backoff.Next(5'000 * kMsNs, 0, ConnectBackoff::kPatienceNs), std::nullopt);
  EXPECT_EQ(backoff.Next(59'000 * kMsNs, 0, ConnectBackoff::kLongPatienceNs), 100 * kMsNs);
  EXPECT_EQ(backoff.Next(60'000 * kMsNs, 0, ConnectBackoff::kLongPatienceNs), std::nullopt);
}

TEST(ConnectBackoffTest, RandomShortensByLessThanHalf) {
  ConnectBackoff backoff(0);
  EXPECT_EQ(backoff.Next(0, 50 * kMsNs - 1, ConnectBackoff::kPatienceNs), 50 * kMsNs + 1);
  EXPECT_EQ(backoff.Next(0, 100 * kMsNs, ConnectBackoff::kPatienceNs), 200 * kMsNs);
}

TEST(ConnectBackoffTest, SlowAttemptsUseUpTheTime) {
  ConnectBackoff backoff(0);
  EXPECT_EQ(backoff.Next(4'950 * kMsNs, 0, ConnectBackoff::kPatienceNs), std::nullopt);
}

}  // namespace
}  // namespace dslap
