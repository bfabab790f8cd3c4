#include "common/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace dslap {
namespace {

class LogTest : public testing::Test {
 protected:
  ~LogTest() override { SetLogLevel(LogLevel::kInfo); }

  // What all three levels leave on stderr.
  static std::string WriteAll() {
    testing::internal::CaptureStderr();
    LogInfo("one {} %s");
    LogWarning("two");
    LogError("three");
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(LogTest, LineHasTimeAndLevelAndTheTextUnchanged) {
  const std::string time =
      "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}[+-][0-9]{2}:[0-9]{2}";
  EXPECT_THAT(WriteAll(), testing::MatchesRegex(time + " info one \\{\\} %s\n" + time +
                                                " warning two\n" + time + " error three\n"));
}

TEST_F(LogTest, WhatAPeerPutIntoALineMakesNoSecondOne) {
  testing::internal::CaptureStderr();
  LogInfo("of ann\nevent=run id=forged\x1b[2J\x7f");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::EndsWith(" info of ann\\x0aevent=run id=forged\\x1b[2J\\x7f\n"));
}

TEST_F(LogTest, LevelsLeaveOutWhatIsBelow) {
  SetLogLevel(LogLevel::kWarning);
  std::string written = WriteAll();
  EXPECT_EQ(written.find(" one"), std::string::npos);
  EXPECT_NE(written.find(" two\n"), std::string::npos);
  SetLogLevel(LogLevel::kError);
  written = WriteAll();
  EXPECT_EQ(written.find(" two"), std::string::npos);
  EXPECT_NE(written.find(" three\n"), std::string::npos);
  SetLogLevel(LogLevel::kOff);
  EXPECT_EQ(WriteAll(), "");
}

}  // namespace
}  // namespace dslap
