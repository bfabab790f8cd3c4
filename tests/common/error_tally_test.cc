#include "common/error_tally.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dslap {
namespace {

TEST(SqlErrorTest, TextNamesMessageCodeAndState) {
  const SqlError error{1045, "28000", "Access denied for user 'x'@'localhost'"};
  EXPECT_EQ(error.ToString(), "Access denied for user 'x'@'localhost' (1045/28000)");
  EXPECT_FALSE(error.ok());
  EXPECT_TRUE(SqlError().ok());
}

TEST(SqlErrorTest, GoesOverTheWireUnchanged) {
  const SqlError error{1064, "42000", std::string("near 'x\0\xff'", 10)};
  v1::SqlError message;
  ASSERT_TRUE(message.ParseFromString(ToProto(error).SerializeAsString()));
  const SqlError back = FromProto(message);
  EXPECT_EQ(back.code, 1064u);
  EXPECT_EQ(back.sqlstate, "42000");
  EXPECT_EQ(back.message, error.message);
}

TEST(ErrorTallyTest, CountsByCodeAndStateAndKeepsTheFirstSample) {
  ErrorTally tally;
  EXPECT_TRUE(tally.empty());
  tally.Add({1213, "40001", "first deadlock"});
  tally.Add({1205, "HY000", "timeout"});
  tally.Add({1213, "40001", "second deadlock"}, 4);
  tally.Add({1213, "HY000", "other state"});
  EXPECT_FALSE(tally.empty());
  EXPECT_EQ(tally.total(), 7u);
  const std::vector<ErrorTally::Entry> entries = tally.entries();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].first.code, 1213u);
  EXPECT_EQ(entries[0].first.sqlstate, "40001");
  EXPECT_EQ(entries[0].first.message, "first deadlock");
  EXPECT_EQ(entries[0].count, 5u);
  // As frequent as each other: by code, then by state.
  EXPECT_EQ(entries[1].first.code, 1205u);
  EXPECT_EQ(entries[2].first.code, 1213u);
  EXPECT_EQ(entries[2].first.sqlstate, "HY000");
}

TEST(ErrorTallyTest, MergeAddsCounts) {
  ErrorTally one;
  one.Add({1213, "40001", "one"}, 2);
  ErrorTally other;
  other.Add({1213, "40001", "other"}, 3);
  other.Add({2013, "HY000", "lost"});
  one.Merge(other);
  EXPECT_EQ(one.total(), 6u);
  const std::vector<ErrorTally::Entry> entries = one.entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].count, 5u);
  EXPECT_EQ(entries[0].first.message, "one");
  EXPECT_EQ(entries[1].first.code, 2013u);
}

// A broken server's SQLSTATE made the whole message unreadable for the peer.
TEST(ErrorTallyTest, SqlstateThatIsNoTextDoesNotSpoilTheMessage) {
  const std::string bytes = ToProto({1064, "\xff\xfe\x80zz", "\xff"}).SerializeAsString();
  v1::SqlError read;
  ASSERT_TRUE(read.ParseFromString(bytes));
  EXPECT_EQ(read.sqlstate(), "HY000");
  EXPECT_EQ(read.message(), "\xff");
}

TEST(ErrorTallyTest, GoesOverTheWireUnchanged) {
  ErrorTally tally;
  tally.Add({1213, "40001", "deadlock"}, 2);
  tally.Add({2013, "HY000", "lost"}, 9);
  v1::RoundDone message;
  tally.ToProto(message.mutable_errors());
  ASSERT_EQ(message.errors_size(), 2);
  EXPECT_EQ(message.errors(0).first().code(), 2013u) << "most frequent first";
  const ErrorTally back = ErrorTally::FromProto(message.errors());
  EXPECT_EQ(back.total(), 11u);
  ASSERT_EQ(back.entries().size(), 2u);
  EXPECT_EQ(back.entries()[1].first.message, "deadlock");
  EXPECT_EQ(back.entries()[1].count, 2u);
}

}  // namespace
}  // namespace dslap
