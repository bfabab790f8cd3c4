#include "controller/cli/dslap_manual.h"

#include <map>

#include "controller/cli/option_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/command_line_fixture.h"

namespace dslap {
namespace {

using testing::ElementsAre;

class DslapManualTest : public CommandLineFixture {
 protected:
  static OptionEntry Entry(const std::string& name) {
    for (const OptionEntry& entry : DslapManual().options) {
      if (entry.name == name) return entry;
    }
    ADD_FAILURE() << "no option " << name;
    return {};
  }
};

TEST_F(DslapManualTest, HasEveryOptionAndExitCode) {
  const ProgramManual manual = DslapManual();
  EXPECT_EQ(manual.options.size(), OptionTable().size());
  EXPECT_EQ(manual.exit_codes.size(), 8U);
  EXPECT_EQ(manual.exit_codes.back().code, 130);
}

TEST_F(DslapManualTest, EveryChoiceThatIsOfferedIsAccepted) {
  int choices = 0;
  for (const OptionEntry& entry : DslapManual().options) {
    for (const std::string& choice : entry.choices) {
      Accepted({"--" + entry.name + "=" + choice, "-a", "--auto-generate-sql-add-autoincrement",
                "--ssl-ca=/ca.pem"});
      ++choices;
    }
  }
  EXPECT_GE(choices, 30);
}

TEST_F(DslapManualTest, OffersTheChoicesOfClosedSets) {
  EXPECT_THAT(Entry("load-engine").choices, ElementsAre("auto", "threads", "epoll"));
  EXPECT_THAT(Entry("ssl-mode").choices,
              ElementsAre("DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"));
  EXPECT_THAT(Entry("auto-generate-sql-load-type").choices,
              ElementsAre("mixed", "write", "read", "key", "update"));
  EXPECT_THAT(Entry("port").choices, ElementsAre());
}

TEST_F(DslapManualTest, TellsHowAnOptionIsSpelled) {
  EXPECT_EQ(Entry("csv").value, ValueUse::kOptional);
  EXPECT_EQ(Entry("host").value, ValueUse::kRequired);
  EXPECT_EQ(Entry("no-drop").value, ValueUse::kNone);
  EXPECT_TRUE(Entry("truth-check").may_be_skipped);
  EXPECT_TRUE(Entry("password").may_be_skipped);
  EXPECT_FALSE(Entry("host").may_be_skipped);
  EXPECT_TRUE(Entry("defaults-file").first_only);
}

}  // namespace
}  // namespace dslap
