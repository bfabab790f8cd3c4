#include "agent/options/agent_manual.h"

#include <string>
#include <vector>

#include "agent/options/agent_option_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

TEST(AgentManual, HasEveryOption) {
  EXPECT_EQ(AgentManual().options.size(), AgentOptionTable().size());
}

TEST(AgentManual, TellsWhatTheHelpTellsAndMore) {
  for (const OptionEntry& entry : AgentManual().options) {
    if (entry.name != "listen") continue;
    EXPECT_EQ(entry.value, ValueUse::kRequired);
    EXPECT_EQ(entry.placeholder, "HOST:PORT");
    EXPECT_EQ(entry.default_text, "127.0.0.1:7527");
    EXPECT_THAT(entry.help, StartsWith("Address to wait for controllers on;"));
    EXPECT_THAT(entry.help, EndsWith(" or else --insecure."));
  }
}

TEST(AgentManual, KnowsWhatIsNoSettingOfTheFile) {
  std::vector<std::string> settings;
  for (const OptionEntry& entry : AgentManual().options) {
    if (!entry.command_line_only) settings.push_back(entry.name);
  }
  EXPECT_THAT(settings, IsSupersetOf({"listen", "tls-ca", "tls-cert", "tls-key", "insecure"}));
  EXPECT_THAT(settings, Not(Contains("config")));
  EXPECT_THAT(settings, Not(Contains("version")));
}

TEST(AgentManual, HasTheExitCodesOfTheHelp) {
  const std::vector<ExitCodeEntry> codes = AgentManual().exit_codes;
  ASSERT_EQ(codes.size(), 3U);
  EXPECT_EQ(codes[2].code, 2);
  EXPECT_EQ(codes[2].meaning, "wrong command line or configuration");
}

}  // namespace
}  // namespace dslap
