#include "controller/coordination/shell_command.h"

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(CommandEnd, IsGoodOnlyWithExitCodeZero) {
  EXPECT_TRUE(CommandEnd{}.ok());
  EXPECT_FALSE((CommandEnd{.exit_code = 1}).ok());
  EXPECT_FALSE((CommandEnd{.signal = 15}).ok());
  EXPECT_FALSE((CommandEnd{.start_failure = absl::InternalError("no")}).ok());
}

TEST(CommandEnd, SaysHowItCameAbout) {
  EXPECT_EQ((CommandEnd{.exit_code = 7}).Describe(), "ended with exit code 7");
  EXPECT_EQ((CommandEnd{.signal = 9}).Describe(), "was ended by signal 9 (Killed)");
  EXPECT_EQ((CommandEnd{.start_failure = absl::InternalError("could not be started")}).Describe(),
            "could not be started");
}

}  // namespace
}  // namespace dslap
