#include "common/manual/page_template.h"

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(FillPage, PutsThePartsInPlaceOfTheirMarks) {
  EXPECT_EQ(FillPage(".TH \"@VERSION@\"\n@EXIT_CODES@\nend\n",
                     {{"VERSION", "1.0"}, {"EXIT_CODES", ".TP\n0\n"}})
                .value(),
            ".TH \"1.0\"\n.TP\n0\nend\n");
}

TEST(FillPage, LeavesOtherTextAndTheTextOfPartsAlone) {
  EXPECT_EQ(FillPage("a@b @FILE @@ @x@ @A@", {{"A", "@B@"}}).value(), "a@b @FILE @@ @x@ @B@");
}

TEST(FillPage, RefusesAMarkThatNobodyFills) {
  const auto status = FillPage("@OPTION@\n", {{"OPTIONS", ""}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "there is nothing to put for @OPTION@");
}

}  // namespace
}  // namespace dslap
