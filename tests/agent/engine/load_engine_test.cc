#include "agent/engine/load_engine.h"

#include "agent/engine/key_list.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

TEST(ErrorPolicyTest, IgnoresListedCodesOrAll) {
  ErrorPolicy policy;
  EXPECT_FALSE(policy.Ignores(1213));
  policy.ignored_codes = {1205, 1213};
  EXPECT_TRUE(policy.Ignores(1213));
  EXPECT_FALSE(policy.Ignores(1064));
  policy.ignore_all = true;
  EXPECT_TRUE(policy.Ignores(1064));
}

TEST(RoundSpecTest, ClientsIsTheSumOfTheGroups) {
  RoundSpec spec;
  EXPECT_EQ(spec.clients(), 0);
  spec.groups = {{3, 10}, {4, 9}};
  EXPECT_EQ(spec.clients(), 7);
}

TEST(KeyListTest, EscapesWhatWouldEndTheQuotes) {
  EXPECT_EQ(EscapeKey("plain-1"), "plain-1");
  EXPECT_EQ(EscapeKey("a'b\\c"), "a''b\\\\c");
}

TEST(KeyListTest, TakesTheFirstColumnAndKnowsTheLongestText) {
  StatementList statements;
  statements.statements = {{"a very long statement without a key", false},
                           {"SELECT 1 WHERE id =", true},
                           {"short", true}};
  EXPECT_TRUE(AnyTakesKey(statements));
  KeyListReader reader;
  EXPECT_TRUE(reader.OnRow({"1", "other"}));
  EXPECT_TRUE(reader.OnRow({std::nullopt}));
  EXPECT_TRUE(reader.OnRow({"1'000"}));
  const KeyList keys = reader.Take(statements);
  EXPECT_THAT(keys.escaped, ElementsAre("1", "1''000"));
  EXPECT_EQ(keys.longest_text, std::string("SELECT 1 WHERE id = '1''000'").size());

  statements.statements.resize(1);
  EXPECT_FALSE(AnyTakesKey(statements));
}

}  // namespace
}  // namespace dslap
