#include "controller/cli/suggestion.h"

#include "absl/strings/str_cat.h"
#include "controller/cli/option_table.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

std::string Closest(absl::string_view name) {
  const OptionSpec* const option = ClosestOption(name, DslapVocabulary());
  return option == nullptr ? "" : absl::StrCat(option->name);
}

TEST(FindLeadingDashes, TellsTypographicFromAscii) {
  EXPECT_EQ(FindLeadingDashes("--engine").bytes, 2U);
  EXPECT_EQ(FindLeadingDashes("--engine").first_typographic, "");
  EXPECT_EQ(FindLeadingDashes("–engine").bytes, 3U);
  EXPECT_EQ(FindLeadingDashes("–engine").first_typographic, "U+2013 (en dash)");
  EXPECT_EQ(FindLeadingDashes("-—engine").dashes, 2U);
  EXPECT_EQ(FindLeadingDashes("-—engine").first_typographic, "U+2014 (em dash)");
  EXPECT_EQ(FindLeadingDashes("−c").first_typographic, "U+2212 (minus sign)");
  EXPECT_EQ(FindLeadingDashes("").bytes, 0U);
  EXPECT_EQ(FindLeadingDashes("a-b").bytes, 0U);
  EXPECT_EQ(FindLeadingDashes("---").dashes, 3U);
}

TEST(EditDistance, CountsSlips) {
  EXPECT_EQ(EditDistance("engine", "engine"), 0U);
  EXPECT_EQ(EditDistance("enigne", "engine"), 1U);
  EXPECT_EQ(EditDistance("engin", "engine"), 1U);
  EXPECT_EQ(EditDistance("", "abc"), 3U);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
}

TEST(ClosestOption, ForgivesOneOrTwoSlips) {
  EXPECT_EQ(Closest("engine"), "engine");
  EXPECT_EQ(Closest("enigne"), "engine");
  EXPECT_EQ(Closest("engines"), "engine");
  EXPECT_EQ(Closest("conc"), "concurrency");
  EXPECT_EQ(Closest("concurency"), "concurrency");
  EXPECT_EQ(Closest("number-of-querys"), "number-of-queries");
  EXPECT_EQ(Closest("auto-generate-sql-load-typ"), "auto-generate-sql-load-type");
}

TEST(ClosestOption, StaysSilentWhenItCannotTell) {
  EXPECT_EQ(Closest("no-create"), "");
  EXPECT_EQ(Closest("threads"), "");
  EXPECT_EQ(Closest("x"), "");
  EXPECT_EQ(Closest(""), "");
  EXPECT_EQ(Closest(std::string(1000, 'a')), "");
}

TEST(InsertMissingBlank, SplitsAtAnOption) {
  const OptionVocabulary vocabulary = DslapVocabulary();
  EXPECT_EQ(InsertMissingBlank("100--iterations=1", vocabulary), "100 --iterations=1");
  EXPECT_EQ(InsertMissingBlank("100--no_drop", vocabulary), "100 --no_drop");
  EXPECT_EQ(InsertMissingBlank("a--b--silent", vocabulary), "a--b --silent");
  EXPECT_EQ(InsertMissingBlank("a--b", vocabulary), "");
  EXPECT_EQ(InsertMissingBlank("--iterations=1", vocabulary), "");
  EXPECT_EQ(InsertMissingBlank("", vocabulary), "");
}

}  // namespace
}  // namespace dslap
