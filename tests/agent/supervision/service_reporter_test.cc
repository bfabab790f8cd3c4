#include "agent/supervision/service_reporter.h"

#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr absl::Duration kBound = absl::Seconds(30);
constexpr absl::Duration kWatchdog = absl::Milliseconds(80);

// Plays both the program and its manager.
class ServiceReporterTest : public testing::Test {
 protected:
  ServiceReporter::Parts Parts(absl::Duration watchdog) {
    ServiceReporter::Parts parts;
    parts.notify = [this](const std::string& text) {
      const absl::MutexLock lock(&mu_);
      told_.push_back(text);
    };
    parts.describe = [this] {
      const absl::MutexLock lock(&mu_);
      return doing_;
    };
    parts.check = [this](absl::Duration patience) {
      const absl::MutexLock lock(&mu_);
      patience_ = patience;
      ++checks_;
      return answer_;
    };
    parts.watchdog = watchdog;
    return parts;
  }

  void Set(const std::string& doing, const absl::Status& answer) {
    const absl::MutexLock lock(&mu_);
    doing_ = doing;
    answer_ = answer;
  }

  // Waits for `count` checks more, drops what was told before them, and returns what was told
  // since.
  std::vector<std::string> ToldDuringChecks(int count) {
    const absl::MutexLock lock(&mu_);
    AwaitChecks(checks_ + 2);  // one may be going on, and notify of what was
    told_.clear();
    AwaitChecks(checks_ + count + 1);
    return told_;
  }

  bool AwaitTold(const std::string& text) {
    const absl::MutexLock lock(&mu_);
    const auto told = [&] { return std::find(told_.begin(), told_.end(), text) != told_.end(); };
    return mu_.AwaitWithTimeout(absl::Condition(&told), kBound);
  }

  void AwaitChecks(int count) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    const auto checked = [&] { return checks_ >= count; };
    EXPECT_TRUE(mu_.AwaitWithTimeout(absl::Condition(&checked), kBound));
  }

  absl::Mutex mu_;
  std::string doing_ ABSL_GUARDED_BY(mu_) = "idle";
  absl::Status answer_ ABSL_GUARDED_BY(mu_);
  absl::Duration patience_ ABSL_GUARDED_BY(mu_);
  int checks_ ABSL_GUARDED_BY(mu_) = 0;
  std::vector<std::string> told_ ABSL_GUARDED_BY(mu_);
};

TEST_F(ServiceReporterTest, ReadyIsSaidFirstAndSignsOfLifeFollow) {
  const ServiceReporter reporter(Parts(kWatchdog));
  EXPECT_TRUE(AwaitTold("WATCHDOG=1"));
  const absl::MutexLock lock(&mu_);
  EXPECT_EQ(told_.front(), "READY=1\nSTATUS=idle");
  // A sign each half of a period, of which a check that gives up takes half: another fits in.
  EXPECT_EQ(patience_, kWatchdog / 4);
}

TEST_F(ServiceReporterTest, ChangeOfWhatGoesOnIsToldOnce) {
  const ServiceReporter reporter(Parts(kWatchdog));
  Set("run r-1", absl::OkStatus());
  EXPECT_TRUE(AwaitTold("STATUS=run r-1"));
  EXPECT_THAT(ToldDuringChecks(2), Each("WATCHDOG=1"));
}

TEST_F(ServiceReporterTest, WhatIsDescribedBringsNoAssignmentOfItsOwn) {
  const ServiceReporter reporter(Parts(kWatchdog));
  Set("run r-1 of ann\nWATCHDOG=trigger\r\nSTOPPING=1", absl::OkStatus());
  EXPECT_TRUE(AwaitTold("STATUS=run r-1 of ann?WATCHDOG=trigger??STOPPING=1"));
}

TEST_F(ServiceReporterTest, NoSignOfLifeWhileAPartDoesNotAnswer) {
  const ServiceReporter reporter(Parts(kWatchdog));
  Set("idle", absl::DeadlineExceededError("stuck"));
  EXPECT_THAT(ToldDuringChecks(3), IsEmpty());
  Set("idle", absl::OkStatus());
  EXPECT_THAT(ToldDuringChecks(3), Contains("WATCHDOG=1"));
}

TEST_F(ServiceReporterTest, NothingIsToldAfterStopping) {
  ServiceReporter reporter(Parts(kWatchdog));
  reporter.Stopping("ending");
  Set("run r-1", absl::OkStatus());
  EXPECT_TRUE(AwaitTold("STOPPING=1\nSTATUS=ending"));
  const absl::MutexLock lock(&mu_);
  const int checks = checks_;
  const auto more = [&] {
    return checks_ > checks + 1 || told_.back() != "STOPPING=1\nSTATUS=ending";
  };
  EXPECT_FALSE(mu_.AwaitWithTimeout(absl::Condition(&more), 3 * kWatchdog));
}

TEST_F(ServiceReporterTest, NothingIsCheckedWhenNobodyWatches) {
  const ServiceReporter reporter(Parts(absl::ZeroDuration()));
  Set("run r-1", absl::OkStatus());
  EXPECT_TRUE(AwaitTold("STATUS=run r-1"));
  const absl::MutexLock lock(&mu_);
  EXPECT_EQ(checks_, 0);
  EXPECT_THAT(told_, Not(Contains("WATCHDOG=1")));
}

}  // namespace
}  // namespace dslap
