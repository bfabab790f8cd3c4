#include "agent/session/account_limit.h"

#include <gtest/gtest.h>

namespace dslap {
namespace {

TEST(AccountLimitTest, ConnectionsAtOnce) {
  EXPECT_TRUE(RefusedByAccountLimit(
      SqlError{1226, "42000",
               "User 'a' has exceeded the 'max_user_connections' resource (current value: 2)"}));
  EXPECT_TRUE(RefusedByAccountLimit(SqlError{
      1203, "42000", "User a already has more than 'max_user_connections' active connections"}));
}

TEST(AccountLimitTest, NotLimitsByTheHourNorOtherErrors) {
  EXPECT_FALSE(RefusedByAccountLimit(SqlError{
      1226, "42000",
      "User 'a' has exceeded the 'max_connections_per_hour' resource (current value: 2)"}));
  EXPECT_FALSE(RefusedByAccountLimit(SqlError{1040, "08004", "Too many connections"}));
  EXPECT_FALSE(RefusedByAccountLimit(SqlError{}));
}

TEST(AccountLimitTest, AnyOfManyErrors) {
  ErrorTally errors;
  EXPECT_FALSE(RefusedByAccountLimit(errors));
  errors.Add({1040, "08004", "Too many connections"}, 7);
  EXPECT_FALSE(RefusedByAccountLimit(errors));
  errors.Add({1226, "42000", "User 'a' has exceeded the 'max_user_connections' resource"});
  EXPECT_TRUE(RefusedByAccountLimit(errors));
}

}  // namespace
}  // namespace dslap
