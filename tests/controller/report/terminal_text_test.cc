#include "controller/report/terminal_text.h"

#include <string>

#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(TerminalTextTest, PrintableTextStays) {
  EXPECT_EQ(ForTerminal(""), "");
  EXPECT_EQ(ForTerminal("Table 'a.b' doesn't exist"), "Table 'a.b' doesn't exist");
  EXPECT_EQ(ForTerminal("Tabelle \u00bb\u00fcber\u00ab \u65e5\u672c \U0001F600"),
            "Tabelle \u00bb\u00fcber\u00ab \u65e5\u672c \U0001F600");
}

TEST(TerminalTextTest, ControlBytesAreEscaped) {
  EXPECT_EQ(ForTerminal("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(ForTerminal("\x07\x7f"), "\\x07\\x7f");
  EXPECT_EQ(ForTerminal(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(ForTerminal("\u009b31m"), "\\xc2\\x9b31m");  // the one-character CSI
}

TEST(TerminalTextTest, InvisibleCharactersThatReorderOrBreakLinesAreEscaped) {
  EXPECT_EQ(ForTerminal("a\u202eb"), "a\\xe2\\x80\\xaeb");
  EXPECT_EQ(ForTerminal("a\u2028b"), "a\\xe2\\x80\\xa8b");
  EXPECT_EQ(ForTerminal("a\u2066b"), "a\\xe2\\x81\\xa6b");
  EXPECT_EQ(ForTerminal("a\ufeffb"), "a\\xef\\xbb\\xbfb");
}

TEST(TerminalTextTest, InvalidUtf8IsEscapedByteByByte) {
  EXPECT_EQ(ForTerminal("b\xfc!"), "b\\xfc!");                // Latin-1
  EXPECT_EQ(ForTerminal("\xe2\x82"), "\\xe2\\x82");           // cut short
  EXPECT_EQ(ForTerminal("\xc0\xaf"), "\\xc0\\xaf");           // too long for '/'
  EXPECT_EQ(ForTerminal("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");  // also
  EXPECT_EQ(ForTerminal("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf");
  EXPECT_EQ(ForTerminal("\xf0\x8f\xbf\xbf"), "\\xf0\\x8f\\xbf\\xbf");
  EXPECT_EQ(ForTerminal("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // surrogate
  EXPECT_EQ(ForTerminal("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_EQ(ForTerminal("\x80x"), "\\x80x");
}

TEST(TerminalTextTest, LineBreaksBecomeOneBlank) {
  EXPECT_EQ(ForTerminal("a\nb\tc\r\nd\re"), "a b c d e");
}

TEST(TerminalTextTest, WidthCountsCodePoints) {
  EXPECT_EQ(DisplayWidth(""), 0U);
  EXPECT_EQ(DisplayWidth("abc"), 3U);
  EXPECT_EQ(DisplayWidth("\u00fcber"), 4U);
}

TEST(TerminalTextTest, CutsBetweenCodePoints) {
  EXPECT_EQ(CutToWidth("abc", 3), "abc");
  EXPECT_EQ(CutToWidth("abc", 2), "ab");
  EXPECT_EQ(CutToWidth("abc", 0), "");
  EXPECT_EQ(CutToWidth("\u00fc\u00fc", 1), "\u00fc");
}

}  // namespace
}  // namespace dslap
