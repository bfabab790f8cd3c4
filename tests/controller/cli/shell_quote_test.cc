#include "controller/cli/shell_quote.h"

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(ShellQuote, QuotesOnlyWhatAShellWouldChange) {
  EXPECT_EQ(ShellQuote("--concurrency=50,100"), "--concurrency=50,100");
  EXPECT_EQ(ShellQuote(""), "''");
  EXPECT_EQ(ShellQuote("--query=select 1"), "'--query=select 1'");
  EXPECT_EQ(ShellQuote("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellQuote("a;b"), "'a;b'");
  EXPECT_EQ(ShellQuote("a\nb"), "'a\nb'");
  EXPECT_EQ(ShellQuote("*"), "'*'");
}

}  // namespace
}  // namespace dslap
