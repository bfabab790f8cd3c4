#include "controller/cli/help_text.h"

#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "common/status_util.h"
#include "common/version.h"
#include "controller/cli/option_markdown.h"
#include "controller/cli/option_table.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

std::string ProjectFile(const std::string& name) {
  return ReadFile(std::string(DSLAP_SOURCE_DIR) + "/" + name).value();
}

TEST(HelpText, IsAsWasLookedAt) {
  EXPECT_EQ(HelpText(), ProjectFile("tests/golden/dslap_help.txt"))
      << "If the change is meant: dslap --help > tests/golden/dslap_help.txt, and read it.";
}

TEST(HelpText, FitsAnEightyColumnTerminal) {
  for (const absl::string_view line : absl::StrSplit(HelpText(), '\n')) {
    EXPECT_LE(line.size(), 80U) << line;
    EXPECT_FALSE(absl::EndsWith(line, " ")) << line;
  }
}

TEST(HelpText, ShowsEveryOption) {
  const std::string help = HelpText();
  for (const OptionSpec& spec : OptionTable()) {
    EXPECT_TRUE(absl::StrContains(help, "  " + OptionSyntax(spec))) << spec.name;
  }
}

TEST(HelpText, ShowsEveryExitCodeOnce) {
  std::set<int> codes;
  for (const ExitCodeMeaning& row : ExitCodeMeanings()) {
    EXPECT_TRUE(codes.insert(static_cast<int>(row.code)).second);
  }
  EXPECT_EQ(codes, (std::set<int>{0, 1, 2, 3, 4, 5, 6, 130}));
}

TEST(VersionText, NamesProgramAndProtocol) {
  EXPECT_EQ(VersionText(), "dslap  Ver " + BuildVersion() + ", agent protocol 1.1\n");
}

TEST(OptionSyntax, ShowsHowAValueIsGiven) {
  const auto syntax = [](absl::string_view name) {
    for (const OptionSpec& spec : OptionTable()) {
      if (spec.name == name) return OptionSyntax(spec);
    }
    return std::string();
  };
  EXPECT_EQ(syntax("concurrency"), "-c, --concurrency=N,...");
  EXPECT_EQ(syntax("csv"), "--csv[=FILE]");
  EXPECT_EQ(syntax("no-drop"), "--no-drop");
}

}  // namespace
}  // namespace dslap
