#include "controller/cli/agent_list.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/message_text.h"
#include "controller/cli/value_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/fake_environment.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

template <typename T>
std::string MessageOf(const absl::StatusOr<T>& result) {
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  return absl::StrCat(result.status().message());
}

// "dns:a:7527*3 [hosts, line 2]"; what is usual is left out.
std::vector<std::string> Texts(const std::vector<AgentSpec>& agents) {
  std::vector<std::string> texts;
  for (const AgentSpec& agent : agents) {
    texts.push_back(
        absl::StrCat(agent.look_up ? "dns:" : "", agent.address,
                     agent.weight == 1 ? "" : absl::StrCat("*", agent.weight),
                     agent.where == "--agents" ? "" : absl::StrCat(" [", agent.where, "]")));
  }
  return texts;
}

std::vector<std::string> Parsed(const std::string& text) {
  const absl::StatusOr<std::vector<AgentSpec>> agents = ParseAgents(text);
  EXPECT_TRUE(agents.ok()) << agents.status();
  return agents.ok() ? Texts(*agents) : std::vector<std::string>{};
}

TEST(ParseAgents, AddsDefaultPort) {
  EXPECT_THAT(
      Parsed("db-a, DB-B:9000,[::1],[fe80::1%eth0]:1,10.0.0.1"),
      ElementsAre("db-a:7527", "db-b:9000", "[::1]:7527", "[fe80::1%eth0]:1", "10.0.0.1:7527"));
}

TEST(ParseAgents, TakesWeightsNamesAndFiles) {
  EXPECT_THAT(Parsed("big:7527*3,small*1, [::1]:1*1000,@hosts,dns:Agents.example,dns:b:9*2"),
              ElementsAre("big:7527*3", "small:7527", "[::1]:1*1000", "@hosts",
                          "dns:agents.example:7527", "dns:b:9*2"));
}

TEST(ParseAgents, HostCalledDnsKeepsItsName) {
  EXPECT_THAT(Parsed("dns,dns:9000"), ElementsAre("dns:7527", "dns:9000"));
}

TEST(ParseAgents, RefusesWhatIsNoWeight) {
  for (const char* weight : {"", "0", "1001", "x", "-1", "1.5", "2*2", "99999999999999999999"}) {
    EXPECT_EQ(MessageOf(ParseAgents(absl::StrCat("a:1*", weight))),
              absl::StrCat(Quoted(weight), " in ", Quoted(absl::StrCat("a:1*", weight)),
                           " is not a weight: a whole number from 1 to 1000"));
  }
}

TEST(ParseAgents, RefusesWhatCannotBeLookedUp) {
  EXPECT_EQ(MessageOf(ParseAgents("dns:[::1]:7527")),
            "'dns:[::1]:7527' has an address where dns: needs a name; leave the dns: out");
  EXPECT_EQ(MessageOf(ParseAgents("@")), "'@' names no file; write @FILE, as in --agents=@hosts");
}

TEST(ParseAgents, RefusesDuplicates) {
  EXPECT_EQ(MessageOf(ParseAgents("a,b,A:7527*2")),
            "agent a:7527 is named twice, and an agent serves one run at a time; name it once");
  EXPECT_EQ(MessageOf(ParseAgents("dns:a,dns:a:7527")),
            "agent dns:a:7527 is named twice, and an agent serves one run at a time; name it once");
}

TEST(ParseAgents, RefusesWhatIsNoAddress) {
  for (const char* text : {"", "::1", "[::1", "[::1]x", "[host]", "a:1:2", "a b"}) {
    EXPECT_EQ(MessageOf(ParseAgents(text)),
              Quoted(text) +
                  " is not HOST or HOST:PORT; an IPv6 address goes into brackets, as "
                  "in [::1]:7527")
        << text;
  }
  for (const char* port : {"", "0", "65536", "x", "-1", "+1", "99999999999"}) {
    EXPECT_EQ(MessageOf(ParseAgents(std::string("a:") + port)),
              Quoted(port) + " in " + Quoted(std::string("a:") + port) +
                  " is not a port: a number from 1 to 65535");
  }
}

class ReadAgentFilesTest : public testing::Test {
 protected:
  absl::StatusOr<std::vector<AgentSpec>> Read(const std::string& text) {
    const absl::StatusOr<std::vector<AgentSpec>> agents = ParseAgents(text);
    EXPECT_TRUE(agents.ok()) << agents.status();
    if (!agents.ok()) return agents.status();
    return ReadAgentFiles(*agents, files_.MakeEnvironment().read_file);
  }
  FakeFiles files_;
};

TEST_F(ReadAgentFilesTest, TakesTheEntriesInThePlaceOfTheName) {
  files_.files["hosts"] =
      "# our agents\r\n\r\nbig:7527*3  # the new one\r\n\tb, c:1\r\n  dns:d d2\n";
  const auto agents = Read("a,@hosts,z");
  ASSERT_TRUE(agents.ok()) << agents.status();
  EXPECT_THAT(Texts(*agents),
              ElementsAre("a:7527", "big:7527*3 [hosts, line 3]", "b:7527 [hosts, line 4]",
                          "c:1 [hosts, line 4]", "dns:d:7527 [hosts, line 5]",
                          "d2:7527 [hosts, line 5]", "z:7527"));
}

TEST_F(ReadAgentFilesTest, ErrorsNameFileAndLine) {
  files_.files["hosts"] = "a\nb:0\n";
  EXPECT_EQ(MessageOf(Read("@hosts")),
            "hosts, line 2: '0' in 'b:0' is not a port: a number from 1 to 65535");
  files_.files["hosts"] = "a*b\n";
  EXPECT_EQ(MessageOf(Read("@hosts")),
            "hosts, line 1: 'b' in 'a*b' is not a weight: a whole number from 1 to 1000");
  files_.files["hosts"] = "\n\n@more\n";
  EXPECT_EQ(MessageOf(Read("@hosts")),
            "hosts, line 3: '@more' names a file within a file; name it in --agents itself");
}

TEST_F(ReadAgentFilesTest, FileThatGivesNothingIsRefused) {
  EXPECT_EQ(MessageOf(Read("@hosts")),
            "--agents: cannot read the file 'hosts': No such file or directory");
  for (const char* content : {"", "\n \r\n", "# a\n", "\xEF\xBB\xBF"}) {
    files_.files["hosts"] = content;
    EXPECT_EQ(MessageOf(Read("@hosts")),
              "--agents: the file 'hosts' names no agent; write HOST[:PORT] on a line");
  }
}

TEST_F(ReadAgentFilesTest, SameAgentTwiceNamesBothPlaces) {
  files_.files["hosts"] = "b\na\n";
  EXPECT_EQ(MessageOf(Read("a,@hosts")),
            "--agents: agent a:7527 is named twice (--agents; hosts, line 2), and an agent serves "
            "one run at a time; name it once");
  files_.files["hosts"] = "a\na\n";
  EXPECT_EQ(MessageOf(Read("@hosts")),
            "--agents: agent a:7527 is named twice (hosts, line 1; hosts, line 2), and an agent "
            "serves one run at a time; name it once");
}

TEST(IsLoopbackAgent, KnowsAddressesOfThisHost) {
  for (const char* agent : {"localhost:1", "127.0.0.1:1", "127.8.9.10:1", "[::1]:1"}) {
    EXPECT_TRUE(IsLoopbackAgent(agent)) << agent;
  }
  for (const char* agent : {"db:1", "127.evil.com:1", "127.0.0.1.evil.com:1", "128.0.0.1:1",
                            "[::2]:1", "127.0.0:1", "127.0.0.256:1"}) {
    EXPECT_FALSE(IsLoopbackAgent(agent)) << agent;
  }
}

}  // namespace
}  // namespace dslap
