// The report as a whole, from real runs, beside the real mysqlslap's.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// The seven or eight lines of a block as mysqlslap prints them; what dslap adds comes after them.
const char kBlockPattern[] =
    "Benchmark\n"
    "(?:\tRunning for engine (\\S+)\n)?"
    "\tAverage number of seconds to run all queries: (\\d+\\.\\d{3}) seconds\n"
    "\tMinimum number of seconds to run all queries: (\\d+\\.\\d{3}) seconds\n"
    "\tMaximum number of seconds to run all queries: (\\d+\\.\\d{3}) seconds\n"
    "\tNumber of clients running queries: (\\d+)\n"
    "\tAverage number of queries per client: (\\d+) ?\n";

struct Block {
  std::string engine;
  double average = 0, minimum = 0, maximum = 0;
  std::string clients, queries_per_client;
  std::string Identity() const {
    return absl::StrCat(engine, "/", clients, "/", queries_per_client);
  }
};

// `end` is what must follow a block's lines.
std::vector<Block> Blocks(const std::string& text, const std::string& end) {
  const std::regex pattern(absl::StrCat(kBlockPattern, end));
  std::vector<Block> blocks;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern);
       it != std::sregex_iterator(); ++it) {
    const std::smatch& match = *it;
    Block block;
    block.engine = match[1];
    EXPECT_TRUE(absl::SimpleAtod(match[2].str(), &block.average));
    EXPECT_TRUE(absl::SimpleAtod(match[3].str(), &block.minimum));
    EXPECT_TRUE(absl::SimpleAtod(match[4].str(), &block.maximum));
    block.clients = match[5];
    block.queries_per_client = match[6];
    blocks.push_back(block);
  }
  return blocks;
}

std::vector<std::string> Identities(const std::vector<Block>& blocks) {
  std::vector<std::string> all;
  all.reserve(blocks.size());
  for (const Block& block : blocks) all.push_back(block.Identity());
  return all;
}

const std::vector<std::string>& FourCases() {
  static const auto* const arguments = new std::vector<std::string>{
      "-a", "-c", "50,100", "--number-of-queries=1000", "--iterations=5", "--engine=myisam,innodb"};
  return *arguments;
}

std::vector<std::string> Plus(std::vector<std::string> arguments, const std::string& one) {
  arguments.push_back(one);
  return arguments;
}

TEST(ReportFormTest, FourBlocksInMysqlslapsForm) {
  const ProcessResult result = RunDslap(FourCases(), absl::Seconds(120));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<Block> blocks = Blocks(result.out, "\tQueries per second: ");
  EXPECT_THAT(Identities(blocks),
              ElementsAre("myisam/50/20", "myisam/100/10", "innodb/50/20", "innodb/100/10"));
  for (const Block& block : blocks) {
    EXPECT_GT(block.minimum, 0) << block.Identity();
    EXPECT_LE(block.minimum, block.average) << block.Identity();
    EXPECT_LE(block.average, block.maximum) << block.Identity();
  }
  ExpectNothingLeft();
}

TEST(ReportFormTest, ClassicIsNothingButWhatMysqlslapPrints) {
  std::vector<std::string> reference = {"mysqlslap", "--no-defaults"};
  for (const std::string& argument : Sandbox().ClientArguments()) reference.push_back(argument);
  for (const std::string& argument : FourCases()) reference.push_back(argument);
  const ProcessResult theirs = RunProcess({.argv = reference}, absl::Seconds(120));
  ASSERT_EQ(theirs.exit_code, 0) << theirs.err;
  const ProcessResult ours = RunDslap(Plus(FourCases(), "--classic"), absl::Seconds(120));
  ASSERT_EQ(ours.exit_code, 0) << ours.err;

  // But for the seconds the outputs are the same, byte for byte.
  const std::regex seconds("\\d+\\.\\d{3} seconds");
  EXPECT_EQ(std::regex_replace(ours.out, seconds, "S seconds"),
            std::regex_replace(theirs.out, seconds, "S seconds"));
  EXPECT_EQ(Blocks(ours.out, "\n").size(), 4u);
  EXPECT_EQ(Identities(Blocks(ours.out, "\n")), Identities(Blocks(theirs.out, "\n")));
}

TEST(ReportFormTest, ThreeAgentsAreOneReport) {
  const AgentFleet agents = StartAgents(3);
  ASSERT_EQ(agents.size(), 3u);
  const ProcessResult result = RunDslap(
      WithAgents(agents, {"-a", "--concurrency=50", "--number-of-queries=1000", "--iterations=2"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<Block> blocks = Blocks(result.out, "");
  EXPECT_THAT(Identities(blocks), ElementsAre("/50/20"));
  for (const auto& agent : agents) EXPECT_THAT(result.out, HasSubstr(agent->address()));
  EXPECT_THAT(result.out, HasSubstr("\tClients: connected 50 of 50\n\tConnections: unencrypted\n"));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 2000 of 2000\n"));
  ExpectNothingLeft();
}

// 12 clients x 5 statements of 0.1 s are half a second, however many agents share them: agents that
// are served one after another would need a multiple.
TEST(ReportFormTest, ThreeAgentsTakeNoLongerThanOne) {
  const AgentFleet agents = StartAgents(3);
  ASSERT_EQ(agents.size(), 3u);
  const std::vector<std::string> load = {"--query=select sleep(0.1)", "--concurrency=12",
                                         "--number-of-queries=60", "--iterations=3"};
  const auto best_seconds = [&](const std::vector<std::string>& arguments) {
    const ProcessResult result = RunDslap(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::vector<Block> blocks = Blocks(result.out, "");
    EXPECT_EQ(blocks.size(), 1u) << result.out;
    return blocks.empty() ? -1 : blocks.front().minimum;
  };
  const double one = best_seconds(Plus(load, absl::StrCat("--agents=", agents.front()->address())));
  const double three = best_seconds(WithAgents(agents, load));
  EXPECT_GE(one, 0.5);
  EXPECT_GE(three, 0.5);
  EXPECT_LT(three / one, 1.4) << "one agent " << one << " s, three " << three << " s";
}

TEST(ReportFormTest, AgentsTableShowsEveryAgent) {
  const AgentFleet agents = StartAgents(2);
  ASSERT_EQ(agents.size(), 2u);
  const ProcessResult result = RunProcess(
      BareDslapSpec({"agents", "--no-defaults", AgentsArgument(agents)}), absl::Seconds(30));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const auto& agent : agents) EXPECT_THAT(result.out, HasSubstr(agent->address()));
  EXPECT_THAT(result.out, HasSubstr("idle"));
}

// The second case never begins; dslap is then killed in a way that it cannot notice.
TEST(ReportForm, BlocksOutliveACrash) {
  const std::string stem = absl::StrCat(::testing::TempDir(), "/crash.", getpid());
  const std::string csv = absl::StrCat(stem, ".csv");
  // Ends with dslap.
  const std::string hold =
      absl::StrCat("--pre-system=if test -e ", stem, "; then echo held; while kill -0 $PPID; do ",
                   "sleep 0.02; done; else touch ", stem, "; fi 2> /dev/null");
  {
    Subprocess text(DslapSpec({"-a", "-c2,3", hold}));
    ASSERT_TRUE(text.WaitForOutput("held", kFewSeconds)) << text.err();
    text.Signal(SIGKILL);
    ASSERT_TRUE(text.WaitForExit(kFewSeconds));
    EXPECT_THAT(text.out(), HasSubstr("\tClients: connected 2 of 2\n"));
    EXPECT_THAT(text.out(), EndsWith("\n\nheld\n"));
  }
  unlink(stem.c_str());
  {
    Subprocess to_file(DslapSpec({"-a", "-c2,3", absl::StrCat("--csv=", csv), hold}));
    ASSERT_TRUE(to_file.WaitForOutput("held", kFewSeconds)) << to_file.err();
    to_file.Signal(SIGKILL);
    ASSERT_TRUE(to_file.WaitForExit(kFewSeconds));
    std::ostringstream lines;
    lines << std::ifstream(csv).rdbuf();
    EXPECT_THAT(lines.str(), ContainsRegex("^,mixed,[0-9.]+,[0-9.]+,[0-9.]+,2,11\n$"));
  }
  unlink(stem.c_str());
  unlink(csv.c_str());
  ASSERT_TRUE(Sandbox().WaitForConnections(0, kFewSeconds));
  Sandbox().Execute("DROP SCHEMA IF EXISTS mysqlslap");
}

}  // namespace
}  // namespace dslap
