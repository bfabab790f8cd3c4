// The --help of the real mysqlslap, line by line: there is no option in it that dslap does not
// know, and none that dslap writes otherwise.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "controller/cli/option_table.h"
#include "gtest/gtest.h"
#include "tests/compat/reference_program.h"
#include "tests/support/dslap_process.h"

namespace dslap {
namespace {

struct ListedOption {
  std::string name;
  char letter = 0;
  ArgumentKind argument = ArgumentKind::kNone;
};

// "  -c, --concurrency=name ", "  --csv[=name]  Generate...", "--no-defaults   Don't..."; Oracle's
// writes "  ,--password1[=name]", too. Absent for any other line.
std::optional<ListedOption> ReadHelpLine(absl::string_view line) {
  ListedOption option;
  if (absl::StartsWith(line, "     ")) return std::nullopt;  // a help text goes on
  while (absl::ConsumePrefix(&line, " ") || absl::ConsumePrefix(&line, ",")) {
  }
  if (line.size() > 4 && line[0] == '-' && line[1] != '-') {
    option.letter = line[1];
    line.remove_prefix(2);
    if (!absl::ConsumePrefix(&line, ", ")) return std::nullopt;
  }
  if (!absl::ConsumePrefix(&line, "--")) return std::nullopt;
  const size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-");
  option.name = absl::StrCat(line.substr(0, end));
  if (absl::StartsWith(option.name, "-")) return std::nullopt;  // a rule between two parts
  line.remove_prefix(option.name.size());
  if (absl::StartsWith(line, "[=")) option.argument = ArgumentKind::kOptional;
  if (absl::StartsWith(line, "=")) option.argument = ArgumentKind::kRequired;
  return option;
}

TEST(ReadHelpLine, KnowsTheForms) {
  const auto shown = [](absl::string_view line) {
    const std::optional<ListedOption> option = ReadHelpLine(line);
    if (!option.has_value()) return std::string("none");
    return absl::StrCat(option->name, " ",
                        option->letter == 0 ? "" : std::string(1, option->letter), " ",
                        static_cast<int>(option->argument));
  };
  EXPECT_EQ(shown("  -?, --help          Display this help and exit."), "help ? 0");
  EXPECT_EQ(shown("  -c, --concurrency=name "), "concurrency c 1");
  EXPECT_EQ(shown("  -#, --debug[=#]     This is a non-debug version."), "debug # 2");
  EXPECT_EQ(shown("--defaults-file=#         Only read"), "defaults-file  1");
  EXPECT_EQ(shown(" , --password1[=name]"), "password1  2");
  EXPECT_EQ(shown("                      --auto-generate-sql."), "none");
  EXPECT_EQ(shown("------------------------------------- -------------"), "none");
}

class OptionListCompatTest : public testing::TestWithParam<Compat> {};

TEST_P(OptionListCompatTest, EveryOptionIsKnownAndWrittenAlike) {
  const ReferenceProgram reference = FindReference(GetParam());
  ASSERT_EQ(reference.error, "");
  if (!reference.skip_reason.empty()) GTEST_SKIP() << reference.skip_reason;
  std::vector<std::string> argv = reference.command;
  argv.insert(argv.end(), {"--no-defaults", "--help"});
  const ProcessResult help = RunProcess({.argv = argv}, absl::Seconds(30));
  ASSERT_EQ(help.exit_code, 0) << help.err;
  size_t listed = 0;
  for (const absl::string_view line : absl::StrSplit(help.out, '\n')) {
    const std::optional<ListedOption> theirs = ReadHelpLine(line);
    if (!theirs.has_value()) continue;
    ++listed;
    SCOPED_TRACE(absl::StrCat(line));
    bool known = false;
    for (const OptionSpec& spec : OptionTable()) {
      if (spec.name != theirs->name) continue;
      known = true;
      EXPECT_EQ(spec.letter, theirs->letter);
      EXPECT_EQ(spec.argument, theirs->argument);
      EXPECT_FALSE(spec.own);
    }
    for (const AbsentOption& absent : AbsentOptions()) {
      if (absent.name != theirs->name) continue;
      known = true;
      EXPECT_EQ(absent.letter, theirs->letter);
      const ProcessResult refused = RunProcess(
          BareDslapSpec({"--no-defaults", absl::StrCat("--", theirs->name)}), absl::Seconds(30));
      EXPECT_EQ(refused.exit_code, 2);
      EXPECT_TRUE(absl::StrContains(refused.err, absl::StrCat("--", theirs->name, ": ")))
          << refused.err;
    }
    EXPECT_TRUE(known);
  }
  EXPECT_GE(listed, 60U);
}

INSTANTIATE_TEST_SUITE_P(Programs, OptionListCompatTest,
                         testing::Values(Compat::kMariaDb, Compat::kMySql),
                         [](const testing::TestParamInfo<Compat>& test) {
                           return test.param == Compat::kMariaDb ? "MariaDb" : "Oracle";
                         });

// What dslap says of --debug is what their release build does.
TEST(DebugCompatTest, ReleaseBuildRefusesTheDebugTrace) {
  const ReferenceProgram reference = FindReference(Compat::kMariaDb);
  ASSERT_EQ(reference.error, "");
  if (!reference.skip_reason.empty()) GTEST_SKIP() << reference.skip_reason;
  std::vector<std::string> argv = reference.command;
  argv.insert(argv.end(), {"--no-defaults", "--debug", "-a", "--only-print"});
  const ProcessResult theirs = RunProcess({.argv = argv}, absl::Seconds(30));
  EXPECT_NE(theirs.exit_code, 0);
  EXPECT_EQ(theirs.out, "");
  EXPECT_TRUE(absl::StrContains(theirs.err, "Option 'debug' used, but is disabled")) << theirs.err;
}

}  // namespace
}  // namespace dslap
