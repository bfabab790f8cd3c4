#include "agent/agent_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace dslap {
namespace {

TEST(AgentOptionsTest, Defaults) {
  const absl::StatusOr<AgentOptions> options = ParseAgentOptions({});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->listen, "127.0.0.1:7527");
  EXPECT_FALSE(options->insecure);
  EXPECT_FALSE(options->help);
  EXPECT_FALSE(options->version);
}

TEST(AgentOptionsTest, EveryOption) {
  const absl::StatusOr<AgentOptions> options =
      ParseAgentOptions({"--listen=[::1]:0", "--insecure", "--help", "--version"});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->listen, "[::1]:0");
  EXPECT_TRUE(options->insecure);
  EXPECT_TRUE(options->help);
  EXPECT_TRUE(options->version);
}

TEST(AgentOptionsTest, LastListenCounts) {
  EXPECT_EQ(ParseAgentOptions({"--listen=a:1", "--listen=b:2"})->listen, "b:2");
}

TEST(AgentOptionsTest, WhatIsNotUnderstoodIsNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--port=1", "unknown option '--port=1': see dslap-agent --help"},
      {"--listening=1", "unknown option '--listening=1': see dslap-agent --help"},
      {"-h", "unknown option '-h': see dslap-agent --help"},
      {"", "unexpected argument '': see dslap-agent --help"},
      {"7527", "unexpected argument '7527': see dslap-agent --help"},
      {"--listen", "--listen needs a value: --listen=HOST:PORT"},
      {"--insecure=no", "'--insecure=no': --insecure takes no value"},
      {"--help=x", "'--help=x': --help takes no value"},
      {"--version=", "'--version=': --version takes no value"},
  };
  for (const auto& [argument, message] : cases) {
    EXPECT_EQ(ParseAgentOptions({argument}).status(), absl::InvalidArgumentError(message));
  }
}

TEST(AgentOptionsTest, LoopbackNeedsNoPermission) {
  AgentOptions options;
  EXPECT_EQ(AddressToListenOn(options).value(), "127.0.0.1:7527");
  options.listen = "127.8.9.10:1";
  EXPECT_EQ(AddressToListenOn(options).value(), "127.8.9.10:1");
  options.listen = "localhost:0";
  EXPECT_EQ(AddressToListenOn(options).value(), "127.0.0.1:0");
  options.listen = "[::1]:7527";
  EXPECT_EQ(AddressToListenOn(options).value(), "[::1]:7527");
}

TEST(AgentOptionsTest, OtherAddressesNeedInsecure) {
  for (const std::string address : {"0.0.0.0:7527", "10.1.2.3:7527", "[::]:7527", "[fd00::1]:1"}) {
    AgentOptions options;
    options.listen = address;
    EXPECT_EQ(AddressToListenOn(options).status(),
              absl::PermissionDeniedError(
                  "--listen: " + address +
                  " can be reached by other hosts, and whoever reaches an agent can make it load "
                  "any database: listen on loopback (127.0.0.1), or say --insecure in a network "
                  "you trust"));
    options.insecure = true;
    EXPECT_EQ(AddressToListenOn(options).value(), address);
  }
}

TEST(AgentOptionsTest, MalformedAddressNamesTheOption) {
  AgentOptions options;
  options.listen = "localhost";
  EXPECT_EQ(AddressToListenOn(options).status(),
            absl::InvalidArgumentError(
                "--listen: 'localhost' is no address to listen on: give HOST:PORT with a port from "
                "0 to 65535, such as 127.0.0.1:7527 or [::1]:7527"));
}

TEST(AgentOptionsTest, HelpNamesEveryOption) {
  for (const std::string option : {"--listen=HOST:PORT", "--insecure", "--help", "--version"}) {
    EXPECT_THAT(AgentHelpText(), testing::HasSubstr("\n  " + option));
  }
}

}  // namespace
}  // namespace dslap
