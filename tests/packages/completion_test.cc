// The completions in a real bash: what is typed, with the cursor at its end, and what is offered.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::UnorderedElementsAre;

// Readline's part: the function that is registered for the program is called with the line and the
// characters at which bash splits it into words ($3).
constexpr char kDriver[] = R"(
source "$1" || exit 1
COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDBREAKS=$3
registered=$(complete -p "${2%% *}") || exit 1
[[ $registered =~ -F\ ([^ ]+) ]] || exit 1
"${BASH_REMATCH[1]}" "${2%% *}"
printf '%s\n' "${COMPREPLY[@]}"
)";
constexpr char kUsualBreaks[] = "\"'><=;|&(:@";

class CompletionTest : public testing::Test {
 protected:
  CompletionTest() {
    std::filesystem::create_directories(directory_ + "/queries");
    for (const char* const file : {"/query.sql", "/other.txt", "/hosts.list"}) {
      std::ofstream(directory_ + file) << "\n";
    }
  }
  ~CompletionTest() override { std::filesystem::remove_all(directory_); }

  // The words that bash puts in the place of what stands behind the last break.
  std::vector<std::string> Offered(const std::string& line,
                                   const std::string& breaks = kUsualBreaks) const {
    const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 1));
    const ProcessResult result = RunProcess(
        {.argv = {"bash", "--norc", "-c", kDriver, "bash",
                  absl::StrCat(DSLAP_BINARY_DIR, "/manual/completions/", words[0]), line, breaks},
         .env = {{"LC_ALL", "C.UTF-8"}},
         .directory = directory_},
        absl::Seconds(30));
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    return absl::StrSplit(result.out, '\n', absl::SkipEmpty());
  }

  const std::string directory_ =
      std::filesystem::temp_directory_path() / absl::StrCat("dslap-completion-", getpid());
};

TEST_F(CompletionTest, NamesOfOptions) {
  EXPECT_THAT(Offered("dslap --load"), ElementsAre("--load-engine="));
  EXPECT_THAT(Offered("dslap -a --no-"), ElementsAre("--no-drop"));
  EXPECT_THAT(Offered("dslap --js"), UnorderedElementsAre("--json", "--json="));
  EXPECT_THAT(Offered("dslap --nonsense"), ElementsAre());
  EXPECT_THAT(Offered("dslap-agent --tls"),
              UnorderedElementsAre("--tls-ca=", "--tls-cert=", "--tls-key="));
}

TEST_F(CompletionTest, ValuesOfAClosedSet) {
  EXPECT_THAT(Offered("dslap --load-engine="), UnorderedElementsAre("auto", "epoll", "threads"));
  EXPECT_THAT(Offered("dslap --load-engine=th"), ElementsAre("threads"));
  EXPECT_THAT(Offered("dslap -a --on-agent-loss=c"), ElementsAre("continue"));
  EXPECT_THAT(Offered("dslap --ssl-mode=VERIFY_"),
              UnorderedElementsAre("VERIFY_CA", "VERIFY_IDENTITY"));
  EXPECT_THAT(Offered("dslap --number-of-queries="), ElementsAre());
}

TEST_F(CompletionTest, ValuesInAWordOfTheirOwn) {
  EXPECT_THAT(Offered("dslap --compat "), UnorderedElementsAre("mysql", "mariadb"));
  EXPECT_THAT(Offered("dslap --compat ma"), ElementsAre("mariadb"));
  EXPECT_THAT(Offered("dslap -a -q que"), UnorderedElementsAre("queries", "query.sql"));
}

TEST_F(CompletionTest, TheNextOfSeveralValues) {
  EXPECT_THAT(Offered("dslap --compression-algorithms=zlib,zs"), ElementsAre("zlib,zstd"));
}

TEST_F(CompletionTest, FilesAndDirectories) {
  EXPECT_THAT(Offered("dslap --query=query"), ElementsAre("query.sql"));
  EXPECT_THAT(Offered("dslap --query=@oth"), ElementsAre("other.txt"));
  EXPECT_THAT(Offered("dslap --csv=oth"), ElementsAre("other.txt"));
  EXPECT_THAT(Offered("dslap --plugin-dir=q"), ElementsAre("queries"));
  EXPECT_THAT(Offered("dslap-agent --config=oth"), ElementsAre("other.txt"));
}

TEST_F(CompletionTest, AgentsFromAFile) {
  EXPECT_THAT(Offered("dslap agents --agents=@ho"), ElementsAre("hosts.list"));
  EXPECT_THAT(Offered("dslap --agents=one:7527,@ho"), ElementsAre("hosts.list"));
}

TEST_F(CompletionTest, HostsOfTheSystem) {
  EXPECT_THAT(Offered("dslap --host=localh"), Contains("localhost"));
}

TEST_F(CompletionTest, TheSubcommandOnce) {
  EXPECT_THAT(Offered("dslap ag"), ElementsAre("agents"));
  EXPECT_THAT(Offered("dslap "), AllOf(Contains("agents"), Contains("--agents=")));
  EXPECT_THAT(Offered("dslap agents "), AllOf(Not(Contains("agents")), Contains("--agents=")));
  EXPECT_THAT(Offered("dslap-agent "), AllOf(Not(Contains("agents")), Contains("--listen=")));
}

TEST_F(CompletionTest, OptionsThatComeFirstOnlyInFront) {
  EXPECT_THAT(Offered("dslap --no-d"), UnorderedElementsAre("--no-defaults", "--no-drop"));
  EXPECT_THAT(Offered("dslap --defaults-file=x --no-d"),
              UnorderedElementsAre("--no-defaults", "--no-drop"));
  EXPECT_THAT(Offered("dslap -a --no-d"), ElementsAre("--no-drop"));
}

TEST_F(CompletionTest, SwitchesOnlyWhereTheyAreAskedFor) {
  EXPECT_THAT(Offered("dslap --skip-tr"), ElementsAre("--skip-truth-check"));
  EXPECT_THAT(Offered("dslap --s"), Not(Contains("--skip-ssl")));
}

// Not everybody has bash break words at "=".
TEST_F(CompletionTest, WholeWordsWhereNothingBreaksThem) {
  EXPECT_THAT(Offered("dslap --load-engine=th", ";"), ElementsAre("--load-engine=threads"));
  EXPECT_THAT(Offered("dslap --agents=one,@ho", ";"), ElementsAre("--agents=one,@hosts.list"));
}

}  // namespace
}  // namespace dslap
