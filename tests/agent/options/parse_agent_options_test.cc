#include "agent/options/parse_agent_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

absl::StatusOr<std::string> NoFile(const std::string& path) {
  return absl::NotFoundError(absl::StrCat("read ", path, ": No such file or directory"));
}

ParsedAgentOptions ReadWithFile(const std::string& text, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), "--config=/a.conf");
  return ReadAgentOptions(arguments, [&](const std::string& path) -> absl::StatusOr<std::string> {
    EXPECT_EQ(path, "/a.conf");
    return text;
  });
}

std::vector<std::string> Messages(const std::vector<absl::Status>& errors) {
  std::vector<std::string> messages;
  for (const absl::Status& error : errors) messages.emplace_back(error.message());
  return messages;
}

TEST(ParseAgentOptionsTest, Defaults) {
  const absl::StatusOr<AgentOptions> options = ParseAgentOptions({}, NoFile);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->listen, "127.0.0.1:7527");
  EXPECT_FALSE(options->insecure);
  EXPECT_FALSE(options->check_config);
  EXPECT_FALSE(options->print_config);
  EXPECT_FALSE(options->help);
  EXPECT_FALSE(options->version);
  EXPECT_THAT(options->places, IsEmpty());
}

TEST(ParseAgentOptionsTest, EveryOption) {
  const absl::StatusOr<AgentOptions> options = ParseAgentOptions(
      {"--listen=[::1]:0", "--tls-cert=c", "--tls-key=k", "--tls-ca=a", "--token-file=t",
       "--insecure", "--check-config", "--print-config", "--help", "--version"},
      NoFile);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->listen, "[::1]:0");
  EXPECT_EQ(options->tls.certificate, "c");
  EXPECT_EQ(options->tls.key, "k");
  EXPECT_EQ(options->tls.ca, "a");
  EXPECT_EQ(options->token_file, "t");
  EXPECT_TRUE(options->insecure);
  EXPECT_TRUE(options->check_config);
  EXPECT_TRUE(options->print_config);
  EXPECT_TRUE(options->help);
  EXPECT_TRUE(options->version);
}

TEST(ParseAgentOptionsTest, LastOfEqualArgumentsCounts) {
  EXPECT_EQ(ParseAgentOptions({"--listen=a:1", "--listen=b:2"}, NoFile)->listen, "b:2");
}

TEST(ParseAgentOptionsTest, WhatIsNotUnderstoodIsNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--port=1", "unknown option '--port=1': see dslap-agent --help"},
      {"--listening=1", "unknown option '--listening=1': see dslap-agent --help"},
      {"-h", "unknown option '-h': see dslap-agent --help"},
      {"", "unexpected argument '': see dslap-agent --help"},
      {"7527", "unexpected argument '7527': see dslap-agent --help"},
      {"--listen", "--listen needs a value: --listen=HOST:PORT"},
      {"--tls-ca=", "--tls-ca needs a value: --tls-ca=FILE"},
      {"--insecure=no", "'--insecure=no': --insecure takes no value"},
      {"--help=x", "'--help=x': --help takes no value"},
      {"--version=", "'--version=': --version takes no value"},
  };
  for (const auto& [argument, message] : cases) {
    EXPECT_EQ(ParseAgentOptions({argument}, NoFile).status(), absl::InvalidArgumentError(message));
  }
}

TEST(ParseAgentOptionsTest, FileSetsWhatTheCommandLineDoesNot) {
  const ParsedAgentOptions parsed = ReadWithFile(
      "listen = 10.0.0.7:7527\ninsecure\n\ntls-ca = /ca.pem\n", {"--listen=127.0.0.1:1"});
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_EQ(parsed.options.listen, "127.0.0.1:1");
  EXPECT_TRUE(parsed.options.insecure);
  EXPECT_EQ(parsed.options.tls.ca, "/ca.pem");
  EXPECT_THAT(parsed.options.places,
              ElementsAre(Pair("config", "command line"), Pair("insecure", "/a.conf:2"),
                          Pair("listen", "command line"), Pair("tls-ca", "/a.conf:4")));
}

TEST(ParseAgentOptionsTest, OrderOfConfigAmongTheArgumentsIsOfNoMatter) {
  const auto options = ParseAgentOptions(
      {"--listen=b:2", "--config=/a.conf"},
      [](const std::string&) -> absl::StatusOr<std::string> { return "listen = a:1\n"; });
  EXPECT_EQ(options->listen, "b:2");
}

TEST(ParseAgentOptionsTest, WhatIsWrongInTheFileIsNamedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"lisen = a:1", "/a.conf:1: unknown option 'lisen': see dslap-agent --help"},
      {"\nlisten", "/a.conf:2: 'listen' needs a value: listen = HOST:PORT"},
      {"listen =", "/a.conf:1: 'listen' needs a value: listen = HOST:PORT"},
      {"insecure = no",
       "/a.conf:1: 'insecure' takes no value: write it alone, or leave the line out"},
      {"config = /b.conf", "/a.conf:1: 'config' belongs on the command line: leave the line out"},
      {"check-config", "/a.conf:1: 'check-config' belongs on the command line: leave the line out"},
      {"version", "/a.conf:1: 'version' belongs on the command line: leave the line out"},
      {"tls-ca = a\n\ntls-ca = b",
       "/a.conf:3: 'tls-ca' stands in line 1 already: leave one of the two out"},
      {"--listen = a:1", "/a.conf:1: '--listen': write the name without the dashes"},
  };
  for (const auto& [text, message] : cases) {
    const ParsedAgentOptions parsed = ReadWithFile(text);
    ASSERT_EQ(parsed.errors.size(), 1u) << text;
    EXPECT_EQ(parsed.errors[0], absl::InvalidArgumentError(message));
  }
}

TEST(ParseAgentOptionsTest, RulesAddUpInAFileAndOnACommandLine) {
  const ParsedAgentOptions parsed =
      ReadWithFile("allow-target = 10.0.0.0/8:3306, db:*\ninsecure\nallow-target = unix:*\n");
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_THAT(parsed.options.allow_target, ElementsAre("10.0.0.0/8:3306", "db:*", "unix:*"));
  EXPECT_EQ(parsed.options.places.at("allow-target"), "/a.conf:1,3");
  EXPECT_THAT(
      ParseAgentOptions({"--allow-target=a:1", "--allow-target=b:2,c:3"}, NoFile)->allow_target,
      ElementsAre("a:1", "b:2", "c:3"));
}

// What the owner of a host says in the file could else be widened by whoever adds an argument.
TEST(ParseAgentOptionsTest, RulesOfTheCommandLineTakeThePlaceOfTheFiles) {
  const ParsedAgentOptions parsed =
      ReadWithFile("allow-target = a:1\nallow-target = b:2", {"--allow-target=c:3"});
  EXPECT_THAT(parsed.options.allow_target, ElementsAre("c:3"));
  EXPECT_EQ(parsed.options.places.at("allow-target"), "command line");
}

TEST(ParseAgentOptionsTest, NumbersAndDurations) {
  const absl::StatusOr<AgentOptions> options =
      ParseAgentOptions({"--max-clients=2000", "--max-run-time=1h30m"}, NoFile);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->max_clients, 2000u);
  EXPECT_EQ(options->max_run_time, absl::Minutes(90));
}

TEST(ParseAgentOptionsTest, ValuesThatMakeNoSenseAreSaid) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"max-clients = 0", "'0' is no whole number from 1 to 1000000"},
      {"max-clients = 1000001", "'1000001' is no whole number from 1 to 1000000"},
      {"max-clients = 1k", "'1k' is no whole number from 1 to 1000000"},
      {"max-clients = -1", "'-1' is no whole number from 1 to 1000000"},
      {"max-run-time = 90", "'90' is no duration (90s, 30m, 8h) from 30s to 720h"},
      {"max-run-time = 29s", "'29s' is no duration (90s, 30m, 8h) from 30s to 720h"},
      {"max-run-time = inf", "'inf' is no duration (90s, 30m, 8h) from 30s to 720h"},
      {"allow-target = a:1,10.0.0.0/8",
       "'10.0.0.0/8': behind the last colon give a port, a range of ports (3306-3310), or * for "
       "all"},
      {"allow-library-dir = /a,b", "'b': give the directory's path from / on"},
      {"allow-target = a:1,",
       "'': behind the last colon give a port, a range of ports (3306-3310), or * for all"},
  };
  for (const auto& [line, message] : cases) {
    const std::string name = line.substr(0, line.find(' '));
    const ParsedAgentOptions parsed = ReadWithFile(line);
    ASSERT_EQ(parsed.errors.size(), 1u) << line;
    EXPECT_EQ(parsed.errors[0],
              absl::InvalidArgumentError(absl::StrCat("/a.conf:1: '", name, "': ", message)));
    EXPECT_TRUE(parsed.options.allow_target.empty());
    const std::string argument = absl::StrCat("--", name, "=", line.substr(line.find('=') + 2));
    EXPECT_EQ(ParseAgentOptions({argument}, NoFile).status(),
              absl::InvalidArgumentError(absl::StrCat("--", name, ": ", message)));
  }
}

TEST(ParseAgentOptionsTest, AllErrorsAreFoundAndTheFirstIsTheAnswer) {
  const ParsedAgentOptions parsed = ReadWithFile("x\nlisten = a:1\ny = 1", {"--z"});
  EXPECT_THAT(Messages(parsed.errors),
              ElementsAre("unknown option '--z': see dslap-agent --help",
                          "/a.conf:1: unknown option 'x': see dslap-agent --help",
                          "/a.conf:3: unknown option 'y': see dslap-agent --help"));
  EXPECT_EQ(parsed.options.listen, "a:1");
  EXPECT_EQ(ParseAgentOptions({"--z", "--y"}, NoFile).status().message(),
            "unknown option '--z': see dslap-agent --help");
}

TEST(ParseAgentOptionsTest, DuplicatesInTheFileAreErrorsAlsoBehindTheCommandLine) {
  EXPECT_THAT(Messages(ReadWithFile("listen = a:1\nlisten = b:1", {"--listen=c:1"}).errors),
              ElementsAre("/a.conf:2: 'listen' stands in line 1 already: leave one of the two "
                          "out"));
}

TEST(ParseAgentOptionsTest, AFileThatCannotBeReadIsNamed) {
  EXPECT_EQ(ParseAgentOptions({"--config=/no.conf"}, NoFile).status(),
            absl::NotFoundError("--config: read /no.conf: No such file or directory"));
  EXPECT_EQ(ReadWithFile(std::string((1 << 20) + 1, '\n')).errors.front(),
            absl::InvalidArgumentError(
                "--config: /a.conf has more than 1048576 bytes: is it a configuration file?"));
}

TEST(ParseAgentOptionsTest, HelpAndVersionNeedNoFile) {
  EXPECT_TRUE(ParseAgentOptions({"--config=/no.conf", "--help"}, NoFile).ok());
  EXPECT_TRUE(ParseAgentOptions({"--config=/no.conf", "--version"}, NoFile).ok());
}

}  // namespace
}  // namespace dslap
