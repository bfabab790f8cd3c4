// What reads mysqlslap's output reads dslap's: text and CSV of --classic are taken apart by the
// same regular expressions as the real program's, whatever else is asked for.
#include <unistd.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/reference_program.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::SizeIs;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

const char kBlock[] =
    "Benchmark\n"
    "(?:\tRunning for engine (\\S+)\n)?"
    "\tAverage number of seconds to run all queries: \\d+\\.\\d{3} seconds\n"
    "\tMinimum number of seconds to run all queries: \\d+\\.\\d{3} seconds\n"
    "\tMaximum number of seconds to run all queries: \\d+\\.\\d{3} seconds\n"
    "\tNumber of clients running queries: (\\d+)\n"
    "\tAverage number of queries per client: (\\d+)\n"
    "\n";
const char kCsvLine[] =
    "([^,\n]*),([^,\n]+),\\d+\\.\\d{3},\\d+\\.\\d{3},\\d+\\.\\d{3},(\\d+),(\\d+)\n";
const char kDebugInfo[] =
    "\nUser time \\d+\\.\\d\\d, System time \\d+\\.\\d\\d\n"
    "Maximum resident set size \\d+, Integral resident set size \\d+\n"
    "Non-physical pagefaults \\d+, Physical pagefaults \\d+, Swaps \\d+\n"
    "Blocks in \\d+ out \\d+, Messages in \\d+ out \\d+, Signals \\d+\n"
    "Voluntary context switches \\d+, Involuntary context switches \\d+\n";

// The groups of each match, "innodb/2/11".
std::vector<std::string> Matches(const std::string& text, const std::string& pattern) {
  std::vector<std::string> all;
  const std::regex regex(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), regex); it != std::sregex_iterator();
       ++it) {
    std::vector<std::string> groups;
    for (size_t i = 1; i < it->size(); ++i) groups.push_back((*it)[i]);
    all.push_back(absl::StrJoin(groups, "/"));
  }
  return all;
}

std::string Rest(const std::string& text, const std::string& pattern) {
  return std::regex_replace(text, std::regex(pattern), "");
}

// The program as a parameter: both must pass the same tests.
enum class Program { kReference, kDslap };

class ClassicOutputTest : public testing::TestWithParam<Program> {
 protected:
  void SetUp() override {
    reference_ = FindReference(Compat::kMariaDb);
    ASSERT_EQ(reference_.error, "");
    if (!reference_.skip_reason.empty()) GTEST_SKIP() << reference_.skip_reason;
  }

  ProcessResult Run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"-a", "--auto-generate-sql-write-number=5",
                                          "--engine=innodb,myisam,memory,aria", "-c1,2,5",
                                          "--number-of-queries=20"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ProcessResult result;
    if (GetParam() == Program::kDslap) {
      arguments.insert(arguments.end(), {"--classic", "--compat=mariadb"});
      result = RunDslap(arguments);
    } else {
      std::vector<std::string> all = reference_.command;
      all.emplace_back("--no-defaults");
      for (const std::string& one : Sandbox().ClientArguments()) all.push_back(one);
      all.insert(all.end(), arguments.begin(), arguments.end());
      result = RunProcess({.argv = all}, absl::Seconds(60));
    }
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  ReferenceProgram reference_;
};

const std::vector<std::string>& AllCases() {
  static const auto* const cases = [] {
    auto* all = new std::vector<std::string>;
    for (const char* engine : {"innodb", "myisam", "memory", "aria"}) {
      for (const char* clients_and_queries : {"1/20", "2/10", "5/4"}) {
        all->push_back(absl::StrCat(engine, "/", clients_and_queries));
      }
    }
    return all;
  }();
  return *cases;
}

std::vector<std::string> AllCsvCases() {
  std::vector<std::string> all;
  for (const std::string& one : AllCases()) {
    all.push_back(std::regex_replace(one, std::regex("/"), "/mixed/",
                                     std::regex_constants::format_first_only));
  }
  return all;
}

TEST_P(ClassicOutputTest, TextIsBlocksAndNothingElse) {
  for (const std::string option : {"--verbose", "-T"}) {
    const ProcessResult result = Run({option});
    EXPECT_EQ(Matches(result.out, kBlock), AllCases()) << option;
    EXPECT_EQ(Rest(result.out, kBlock), "") << option;
    EXPECT_THAT(Matches(result.err, kDebugInfo), SizeIs(option == "-T" ? 1 : 0)) << result.err;
  }
}

TEST_P(ClassicOutputTest, VerboseTextHasTheSameBlocks) {
  for (const std::string option : {"-vv", "-vvv"}) {
    EXPECT_EQ(Matches(Run({option}).out, kBlock), AllCases()) << option;
  }
}

TEST_P(ClassicOutputTest, CsvOnStandardOutputIsNothingElse) {
  const ProcessResult result = Run({"--csv"});
  EXPECT_EQ(Matches(result.out, kCsvLine), AllCsvCases());
  EXPECT_EQ(Rest(result.out, kCsvLine), "");
}

TEST_P(ClassicOutputTest, CsvFileIsAppendedTo) {
  const std::string file = absl::StrCat(testing::TempDir(), "/classic.", getpid(), ".csv");
  std::ofstream(file) << "before\n";
  std::vector<std::string> twice = AllCsvCases();
  for (const std::string& one : AllCsvCases()) twice.push_back(one);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Run({absl::StrCat("--csv=", file)}).out, "");
  std::ostringstream content;
  content << std::ifstream(file).rdbuf();
  unlink(file.c_str());
  EXPECT_EQ(Matches(content.str(), kCsvLine), twice);
  EXPECT_EQ(Rest(content.str(), kCsvLine), "before\n");
}

TEST_P(ClassicOutputTest, SilentPrintsNothing) {
  const ProcessResult result = Run({"--silent"});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

INSTANTIATE_TEST_SUITE_P(Programs, ClassicOutputTest,
                         testing::Values(Program::kReference, Program::kDslap),
                         [](const testing::TestParamInfo<Program>& parameter) {
                           return parameter.param == Program::kReference ? "Mysqlslap" : "Dslap";
                         });

}  // namespace
}  // namespace dslap
