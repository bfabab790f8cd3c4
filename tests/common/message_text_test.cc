#include "common/message_text.h"

#include <gtest/gtest.h>

#include <string>

namespace dslap {
namespace {

TEST(Quoted, CutsAndEscapes) {
  EXPECT_EQ(Quoted("a\nb"), "'a\\nb'");
  EXPECT_EQ(Quoted("–e"), "'–e'");
  EXPECT_EQ(Quoted(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(IsControl, IsAsciisOnly) {
  for (const char c : {'\0', '\t', '\n', '\r', '\x1b', '\x7f'}) EXPECT_TRUE(IsControl(c));
  for (const char c : {' ', 'a', '~', '\x80', '\xff'}) EXPECT_FALSE(IsControl(c));
}

}  // namespace
}  // namespace dslap
