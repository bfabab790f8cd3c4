#include "agent/options/agent_option_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/options/parse_agent_options.h"
#include "common/status_util.h"

namespace dslap {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kBegin[] =
    "<!-- Generated from the option table, see agent_option_text_test.cc: begin. -->\n";
constexpr char kEnd[] =
    "<!-- Generated from the option table, see agent_option_text_test.cc: end. -->\n";

TEST(AgentOptionTextTest, HelpNamesEveryOptionWithItsDefault) {
  const std::string help = AgentHelpText();
  for (const AgentOption& option : AgentOptionTable()) {
    EXPECT_THAT(help, HasSubstr(absl::StrCat("\n  ", AgentOptionSyntax(option))));
    EXPECT_FALSE(option.help.empty());
  }
  EXPECT_THAT(help, HasSubstr("\n  --listen=HOST:PORT  Address to wait"));
  EXPECT_THAT(help, HasSubstr("Default: 127.0.0.1:7527.\n"));
  for (const absl::string_view line : absl::StrSplit(help, '\n'))
    EXPECT_LE(line.size(), 100u) << line;
}

TEST(AgentOptionTextTest, ConfigSaysWhereEachValueComesFrom) {
  AgentOptions options;
  options.listen = "0.0.0.0:7527";
  options.insecure = true;
  options.tls.ca = "/ca.pem";
  options.places = {{"listen", "command line"}, {"insecure", "/a.conf:2"}, {"tls-ca", "/a.conf:3"}};
  EXPECT_THAT(AgentConfigText(options), StartsWith("listen = 0.0.0.0:7527   # command line\n"
                                                   "# tls-cert =            # default\n"));
  EXPECT_THAT(AgentConfigText(options), HasSubstr("\ntls-ca = /ca.pem        # /a.conf:3\n"));
  EXPECT_THAT(AgentConfigText(options), HasSubstr("\ninsecure                # /a.conf:2\n"));
}

TEST(AgentOptionTextTest, ConfigCanBeReadAsAFile) {
  const std::vector<std::string> arguments = {"--listen=0.0.0.0:1", "--insecure", "--tls-key=/k"};
  const auto no_file = [](const std::string&) { return absl::UnknownError("no file"); };
  const AgentOptions said = ParseAgentOptions(arguments, no_file).value();
  const auto reread = ParseAgentOptions(
      {"--config=/a.conf"},
      [&](const std::string&) -> absl::StatusOr<std::string> { return AgentConfigText(said); });
  ASSERT_TRUE(reread.ok()) << reread.status();
  EXPECT_EQ(reread->listen, "0.0.0.0:1");
  EXPECT_TRUE(reread->insecure);
  EXPECT_EQ(reread->tls.key, "/k");
  EXPECT_EQ(reread->places.size(), 4u);
}

// With DSLAP_UPDATE_GOLDEN=1 in the environment the page is written anew, and the test fails.
TEST(AgentOptionTextTest, PageOfTheAgentHasTheTable) {
  const std::string page = ReadFile(DSLAP_AGENT_PAGE).value();
  const size_t begin = page.find(kBegin);
  const size_t end = page.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string wanted =
      absl::StrCat(page.substr(0, begin), kBegin, AgentOptionMarkdown(), page.substr(end));
  if (std::getenv("DSLAP_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(DSLAP_AGENT_PAGE, std::ios::binary) << wanted;
    FAIL() << "wrote " DSLAP_AGENT_PAGE;
  }
  EXPECT_EQ(page, wanted);
}

}  // namespace
}  // namespace dslap
