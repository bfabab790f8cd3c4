#include "common/manual/value_kind.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KindOfPlaceholder, KnowsFilesDirectoriesAndHosts) {
  EXPECT_EQ(KindOfPlaceholder("FILE"), ValueKind::kFile);
  EXPECT_EQ(KindOfPlaceholder("PATH"), ValueKind::kFile);
  EXPECT_EQ(KindOfPlaceholder("SQL|FILE"), ValueKind::kFile);
  EXPECT_EQ(KindOfPlaceholder("DIR"), ValueKind::kDirectory);
  EXPECT_EQ(KindOfPlaceholder("HOST[:PORT][*WEIGHT],..."), ValueKind::kHost);
  EXPECT_EQ(KindOfPlaceholder("PROFILE"), ValueKind::kOther);
  EXPECT_EQ(KindOfPlaceholder("N"), ValueKind::kOther);
  EXPECT_EQ(KindOfPlaceholder(""), ValueKind::kOther);
}

TEST(LiteralChoices, AreTheWordsInSmallLetters) {
  EXPECT_THAT(LiteralChoices("refuse|warn"), ElementsAre("refuse", "warn"));
  EXPECT_THAT(LiteralChoices("CODE,...|all|none"), ElementsAre("all", "none"));
  EXPECT_THAT(LiteralChoices("SQL|FILE"), IsEmpty());
}

TEST(LiteralChoices, TakesOneWordAloneForAName) {
  EXPECT_THAT(LiteralChoices("seconds"), IsEmpty());
  EXPECT_THAT(LiteralChoices(""), IsEmpty());
}

TEST(IsList, IsToldByCommaAndDots) {
  EXPECT_TRUE(IsList("NAME,..."));
  EXPECT_FALSE(IsList("NAME:..."));
}

}  // namespace
}  // namespace dslap
