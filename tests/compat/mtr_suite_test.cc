// MariaDB's own test of mysqlslap (main/mysqlslap.test), run with dslap in the place of mysqlslap.
//
// The file and its result come from Debian's package mariadb-test-data and are read when the test
// runs. The real mysqlslap goes through the same driver first: its output must be the result file,
// byte for byte, which proves the driver. dslap's is compared command by command.
#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/mtr_script.h"
#include "tests/compat/reference_program.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

const std::string& Suite() {
  static const auto* const path = new std::string("/usr/share/mysql/mysql-test/main/mysqlslap.");
  return *path;
}

std::string Content(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

// The options of the server that the test asks for, "--sql_mode='...'".
std::vector<std::string> ServerOptions() {
  std::vector<std::string> options;
  for (absl::string_view option :
       absl::StrSplit(Content(Suite() + "opt"), absl::ByAnyChar(" \n"), absl::SkipEmpty())) {
    options.push_back(absl::StrCat("--option=", absl::StrReplaceAll(option, {{"'", ""}})));
  }
  return options;
}

const auto* const kSandboxEnvironment = AddSandboxEnvironment(ServerOptions());

// What dslap does otherwise, on purpose.
struct Difference {
  std::string command;  // as it stands in the file
  std::string reason;
};

const std::vector<Difference>& Differences() {
  static const auto* const differences = new std::vector<Difference>{
      {"$MYSQL_SLAP", "a run without a statement measures nothing: refused, with a hint"},
      {"$MYSQL_SLAP --create-schema=test --init-command=\"CREATE TABLE t1(a INT)\" --silent "
       "--concurrency=1 --iterations=1",
       "the same"},
      {"DROP TABLE t1", "as the run before it was refused, its --init-command made no table"},
      {"$MYSQL_SLAP -i0 --only-print", "--iterations=0 is refused: no round measures nothing"},
  };
  return *differences;
}

struct Outcome {
  MtrCommand command;
  std::string output;  // what it adds to the result
  bool failed = false;
};

std::string Quoted(const std::string& word) {
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

class MtrSuiteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const ReferenceProgram reference = FindReference(Compat::kMariaDb);
    ASSERT_EQ(reference.error, "");
    if (!reference.skip_reason.empty()) GTEST_SKIP() << reference.skip_reason;
    const std::string text = Content(Suite() + "test");
    ASSERT_FALSE(text.empty()) << Suite() << "test is not there: install mariadb-test-data";
    absl::StatusOr<std::vector<MtrCommand>> script = ParseMtrScript(text);
    ASSERT_TRUE(script.ok()) << script.status();
    script_ = *std::move(script);
    MakeSchemata();
  }
  void TearDown() override {
    Sandbox().Execute("DROP DATABASE IF EXISTS mtr; DROP DATABASE IF EXISTS test");
  }

  // What a server of the suite has beside the system's own.
  static void MakeSchemata() {
    Sandbox().Execute("CREATE OR REPLACE DATABASE mtr; CREATE OR REPLACE DATABASE test");
  }

  std::vector<Outcome> Run(const std::vector<std::string>& program) {
    std::vector<std::string> words;
    words.reserve(program.size());
    for (const std::string& word : program) words.push_back(Quoted(word));
    const std::string slap = absl::StrJoin(words, " ");
    std::vector<Outcome> outcomes;
    for (const MtrCommand& command : script_) outcomes.push_back(RunCommand(command, slap));
    return outcomes;
  }

  static Outcome RunCommand(const MtrCommand& command, const std::string& slap) {
    if (command.kind == MtrCommand::Kind::kEcho) return {command, command.text + "\n"};
    const bool sql = command.kind == MtrCommand::Kind::kSql;
    SubprocessSpec spec;
    if (sql) {
      spec.argv = {"mariadb",
                   "--no-defaults",
                   "--batch",
                   "--user=root",
                   absl::StrCat("--socket=", Sandbox().socket()),
                   "test",
                   absl::StrCat("--execute=", command.text)};
    } else {
      spec.argv = {"sh", "-c", absl::StrReplaceAll(command.text, {{"$MYSQL_SLAP", slap}})};
    }
    const ProcessResult result = RunProcess(spec, absl::Seconds(120));
    Outcome outcome{command, sql ? absl::StrCat(command.text, ";\n") : "", result.exit_code != 0};
    absl::StrAppend(&outcome.output, result.out);
    for (const auto& [pattern, replacement] : command.replacements) {
      outcome.output = std::regex_replace(outcome.output, std::regex(pattern), replacement);
    }
    return outcome;
  }

  std::vector<std::string> WithAccount(std::vector<std::string> program) {
    program.emplace_back("--no-defaults");
    for (const std::string& one : Sandbox().ClientArguments()) program.push_back(one);
    return program;
  }

  // Once for all tests.
  const std::vector<Outcome>& OfReference() {
    static const auto* const outcomes = new std::vector<Outcome>(Run(WithAccount({"mysqlslap"})));
    return *outcomes;
  }

  std::vector<MtrCommand> script_;
};

std::string Where(const MtrCommand& command) {
  return absl::StrCat("line ", command.line, ": ", command.text);
}

TEST_F(MtrSuiteTest, RealProgramGivesTheResultOfTheSuite) {
  std::string all;
  size_t executed = 0;
  for (const Outcome& outcome : OfReference()) {
    EXPECT_TRUE(!outcome.failed || outcome.command.may_fail) << Where(outcome.command);
    executed += outcome.command.kind == MtrCommand::Kind::kExec ? 1 : 0;
    all += outcome.output;
  }
  EXPECT_GT(executed, 20u);
  EXPECT_EQ(all, Content(Suite() + "result"));
}

TEST_F(MtrSuiteTest, DslapDiffersExactlyAsListed) {
  const std::vector<Outcome>& expected = OfReference();
  MakeSchemata();
  std::vector<std::string> dslap = WithAccount(BareDslapSpec({}).argv);
  dslap.insert(dslap.end(), {"--compat=mariadb", "--classic"});
  const std::vector<Outcome> own = Run(dslap);
  ASSERT_EQ(own.size(), expected.size());
  std::vector<Difference> unseen = Differences();
  for (size_t i = 0; i < own.size(); ++i) {
    const MtrCommand& command = own[i].command;
    const bool same = own[i].output == expected[i].output && own[i].failed == expected[i].failed;
    if (same) continue;
    const auto listed = std::find_if(unseen.begin(), unseen.end(), [&](const Difference& one) {
      return one.command == command.text;
    });
    if (listed != unseen.end()) {
      unseen.erase(listed);
      continue;
    }
    ADD_FAILURE() << Where(command) << "\n--- mysqlslap (failed: " << expected[i].failed << ")\n"
                  << expected[i].output << "--- dslap (failed: " << own[i].failed << ")\n"
                  << own[i].output;
  }
  for (const Difference& one : unseen) {
    ADD_FAILURE() << "listed as different, but is not: " << one.command << " (" << one.reason
                  << ")";
  }
}

TEST(MtrScriptTest, KnowsWhatTheSuiteUses) {
  const auto script = ParseMtrScript(
      "# comment\n"
      "--source include/not_embedded.inc\n\n"
      "--error 1\n"
      " --exec $MYSQL_SLAP -q 'a;b' ;\n"
      "--echo # text\n"
      "--disable_warnings\n"
      "SELECT 1\n  FROM t;\n"
      "--replace_regex /[0-9]+/N/ /a/b/\n"
      "--exec two\n");
  ASSERT_TRUE(script.ok()) << script.status();
  std::vector<std::string> seen;
  for (const MtrCommand& command : *script) {
    seen.push_back(absl::StrCat(command.kind, " ", command.line, " ", command.text, " ",
                                command.may_fail, " ", command.replacements.size()));
  }
  EXPECT_THAT(seen, ElementsAre("0 5 $MYSQL_SLAP -q 'a;b' ; 1 0", "2 6 # text 0 0",
                                "1 8 SELECT 1\n  FROM t 0 0", "0 11 two 0 2"));
  EXPECT_EQ((*script)[3].replacements[0].first, "[0-9]+");
  EXPECT_EQ((*script)[3].replacements[1].second, "b");
}

TEST(MtrScriptTest, NamesTheLineOfWhatItDoesNotKnow) {
  EXPECT_EQ(ParseMtrScript("--echo a\n--write_file x\n").status().message(),
            "line 2: the command --write_file x is not known");
  EXPECT_EQ(ParseMtrScript("\n--replace_regex /a\\/b/c/\n").status().message(),
            "line 2: the regular expressions /a\\/b/c/ are not known");
  EXPECT_EQ(ParseMtrScript("--echo a\nSELECT 1\n").status().message(),
            "line 2: the statement has no end");
}

}  // namespace
}  // namespace dslap
