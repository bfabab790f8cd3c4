#include "agent/options/agent_conf_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace dslap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MATCHER_P3(LineIs, number, name, value, "") {
  return arg.number == static_cast<size_t>(number) && arg.name == name &&
         arg.value == std::optional<std::string>(value) && arg.error.empty();
}

TEST(AgentConfFileTest, NamesAndValuesWithTheirLines) {
  const std::string text =
      "# what this agent may do\n"
      "\n"
      "listen = 0.0.0.0:7527\n"
      "\t tls-cert=/etc/dslap/agent.pem \t\r\n"
      "insecure\n"
      "   # indented\n"
      "token-file = a=b";
  EXPECT_THAT(ReadAgentConfLines(text),
              ElementsAre(LineIs(3, "listen", "0.0.0.0:7527"),
                          LineIs(4, "tls-cert", "/etc/dslap/agent.pem"),
                          LineIs(5, "insecure", std::nullopt), LineIs(7, "token-file", "a=b")));
}

TEST(AgentConfFileTest, EmptyFilesSayNothing) {
  EXPECT_THAT(ReadAgentConfLines(""), IsEmpty());
  EXPECT_THAT(ReadAgentConfLines("\n\r\n \t \n#"), IsEmpty());
}

TEST(AgentConfFileTest, CommentsBeginAfterABlankOnly) {
  EXPECT_THAT(ReadAgentConfLines("listen = a:1 # all\ninsecure #\ntls-ca = /a#b\nlisten =\t#x"),
              ElementsAre(LineIs(1, "listen", "a:1"), LineIs(2, "insecure", std::nullopt),
                          LineIs(3, "tls-ca", "/a#b"), LineIs(4, "listen", "")));
}

TEST(AgentConfFileTest, AMarkOfTheByteOrderIsPassedOver) {
  EXPECT_THAT(ReadAgentConfLines("\xEF\xBB\xBFlisten = a:1"),
              ElementsAre(LineIs(1, "listen", "a:1")));
}

TEST(AgentConfFileTest, WhatIsNoLineOfSuchAFileIsSaidWithItsCure) {
  const std::pair<std::string, std::string> cases[] = {
      {"= x", "there is nothing before the '=': write NAME = VALUE"},
      {"listen 0.0.0.0:7527", "'listen 0.0.0.0:7527' is no option: write NAME = VALUE"},
      {"--listen = a:1", "'--listen': write the name without the dashes"},
      {"listen = \"a:1\"", "'listen': write the value without quotes"},
      {"listen = 'a:1'", "'listen': write the value without quotes"},
      {std::string("listen = a\0b", 12),
       "'listen': there is a control character in the line: write it anew"},
      {"lis\x1bten", "'lis\\033ten': there is a control character in the line: write it anew"},
      {std::string(100, 'x') + " y",
       "'" + std::string(60, 'x') + "...' is no option: write NAME = VALUE"},
  };
  for (const auto& [text, error] : cases) {
    const auto lines = ReadAgentConfLines(text);
    ASSERT_EQ(lines.size(), 1u) << text;
    EXPECT_EQ(lines[0].error, error);
  }
}

}  // namespace
}  // namespace dslap
