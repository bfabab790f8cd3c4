#include "controller/cli/option_markdown.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_util.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(OptionMarkdown, DocumentationIsUpToDate) {
  const std::string page = ReadFile(std::string(DSLAP_SOURCE_DIR) + "/docs/cli.md").value();
  const absl::StatusOr<std::string> renewed = ReplaceGeneratedPart(page);
  ASSERT_TRUE(renewed.ok()) << renewed.status();
  EXPECT_EQ(page, *renewed) << "Run: dslap_cli_doc docs/cli.md";
}

TEST(OptionMarkdown, WritesARowForAnOption) {
  const std::string text = OptionMarkdown();
  EXPECT_TRUE(absl::StrContains(text, "| `-i, --iterations=N` | 1 | Rounds of each case. |\n"));
  EXPECT_TRUE(absl::StrContains(text, "| `--protocol=tcp\\|socket` |"));
  EXPECT_TRUE(absl::StrContains(text, "*(not in mysqlslap)*"));
  EXPECT_TRUE(absl::StrContains(text, "\n### Exit codes\n\n| Code | Meaning |\n|---|---|\n| 0 |"));
}

TEST(ReplaceGeneratedPart, KeepsWhatIsWrittenByHand) {
  EXPECT_EQ(ReplaceGeneratedPart(
                absl::StrCat("before\n", kGeneratedBegin, "old", kGeneratedEnd, "after\n"))
                .value(),
            absl::StrCat("before\n", kGeneratedBegin, OptionMarkdown(), kGeneratedEnd, "after\n"));
}

TEST(ReplaceGeneratedPart, NeedsBothMarkersOnceInOrder) {
  for (const std::string& page :
       {std::string("nothing"), absl::StrCat(kGeneratedBegin), absl::StrCat(kGeneratedEnd),
        absl::StrCat(kGeneratedEnd, kGeneratedBegin),
        absl::StrCat(kGeneratedBegin, kGeneratedBegin, kGeneratedEnd)}) {
    EXPECT_EQ(ReplaceGeneratedPart(page).status().code(), absl::StatusCode::kFailedPrecondition);
  }
}

}  // namespace
}  // namespace dslap
