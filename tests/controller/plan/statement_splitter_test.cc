#include "controller/plan/statement_splitter.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using namespace std::string_view_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string_view> Split(std::string_view text, std::string_view delimiter = ";") {
  const absl::StatusOr<std::vector<std::string_view>> statements = SplitStatements(text, delimiter);
  EXPECT_TRUE(statements.ok()) << statements.status();
  return statements.value_or(std::vector<std::string_view>());
}

// "<code>: <message>"; empty when the text could be split.
std::string SplitError(std::string_view text, std::string_view delimiter = ";") {
  const absl::Status status = SplitStatements(text, delimiter).status();
  return status.ok() ? "" : status.ToString();
}

TEST(StatementSplitterTest, GivesTheOnlyStatementAsItIs) {
  EXPECT_THAT(Split("  select 1 \n"), ElementsAre("  select 1 \n"));
}

TEST(StatementSplitterTest, GivesPartsOfTheTextItself) {
  const std::string text = "select 1;select 2";
  StatementSplitter splitter(text, ";");
  EXPECT_EQ(splitter.Next()->data(), text.data());
  EXPECT_EQ(splitter.Next()->data(), text.data() + 9);
  EXPECT_EQ(splitter.Next(), std::nullopt);
  EXPECT_EQ(splitter.Next(), std::nullopt);
  EXPECT_TRUE(splitter.status().ok());
}

TEST(StatementSplitterTest, DropsOneWhiteSpaceAfterADelimiter) {
  EXPECT_THAT(Split("a;  b ;\n c;\tb"), ElementsAre("a", " b ", " c", "b"));
  EXPECT_THAT(Split("a;\n\nb"), ElementsAre("a", "\nb"));
}

TEST(StatementSplitterTest, EachLineIsAStatementByDefault) {
  EXPECT_THAT(Split("select 1\nselect 2;select 3\n  select 4\n", "\n"),
              ElementsAre("select 1", "select 2;select 3", " select 4"));
}

TEST(StatementSplitterTest, LineEndsInsideStringsAndCommentsDoNotCut) {
  EXPECT_THAT(Split("select 'a\nb'\nselect 2 /* c\nd */ + 1\nselect `x\ny`", "\n"),
              ElementsAre("select 'a\nb'", "select 2 /* c\nd */ + 1", "select `x\ny`"));
}

TEST(StatementSplitterTest, ALineCommentEndsWithItsLineWhichEndsTheStatement) {
  EXPECT_THAT(Split("select 1 -- it's one\nselect 2 # and 'two\nselect 3", "\n"),
              ElementsAre("select 1 -- it's one", "select 2 # and 'two", "select 3"));
}

TEST(StatementSplitterTest, NeedsTheWholeDelimiter) {
  EXPECT_THAT(Split("a ; b;;c", ";;"), ElementsAre("a ; b", "c"));
  EXPECT_THAT(Split("a/b//c", "//"), ElementsAre("a/b", "c"));
  EXPECT_THAT(Split("select 1 GO\nselect 2 G", "GO"), ElementsAre("select 1 ", "select 2 G"));
  EXPECT_THAT(Split("a;", ";;"), ElementsAre("a;"));
}

TEST(StatementSplitterTest, ADelimiterMayLookLikeAComment) {
  EXPECT_THAT(Split("a--\nb", "--"), ElementsAre("a", "b"));
  EXPECT_THAT(Split("a#b", "#"), ElementsAre("a", "b"));
  EXPECT_THAT(Split("a/*b", "/*"), ElementsAre("a", "b"));
}

TEST(StatementSplitterTest, AnEmptyDelimiterNeverCuts) {
  EXPECT_THAT(Split("a;b\nc", ""), ElementsAre("a;b\nc"));
}

TEST(StatementSplitterTest, DelimitersInsideQuotesDoNotCut) {
  EXPECT_THAT(Split("select 'a;b', \"c;d\", `e;f`;g"),
              ElementsAre("select 'a;b', \"c;d\", `e;f`", "g"));
}

TEST(StatementSplitterTest, DoubledQuotesStayInside) {
  EXPECT_THAT(Split("select 'it''s;';a"), ElementsAre("select 'it''s;'", "a"));
  EXPECT_THAT(Split("select \"a\"\";\";a"), ElementsAre("select \"a\"\";\"", "a"));
  EXPECT_THAT(Split("select `a``;`;a"), ElementsAre("select `a``;`", "a"));
  EXPECT_THAT(Split("select '';a"), ElementsAre("select ''", "a"));
}

TEST(StatementSplitterTest, OtherQuotesInsideMeanNothing) {
  EXPECT_THAT(Split("select '\"`;';select \"'`;\";select `'\";`"),
              ElementsAre("select '\"`;'", "select \"'`;\"", "select `'\";`"));
}

TEST(StatementSplitterTest, BackslashEscapesInStringsButNotInNames) {
  EXPECT_THAT(Split(R"(select 'it\'s;';a)"), ElementsAre(R"(select 'it\'s;')", "a"));
  EXPECT_THAT(Split(R"(select "\";";a)"), ElementsAre(R"(select "\";")", "a"));
  EXPECT_THAT(Split(R"(select 'c:\\';a)"), ElementsAre(R"(select 'c:\\')", "a"));
  EXPECT_THAT(Split(R"(select `a\`;b)"), ElementsAre(R"(select `a\`)", "b"));
  EXPECT_THAT(Split(R"(select \;b)"), ElementsAre(R"(select \)", "b"));
}

TEST(StatementSplitterTest, DelimitersInsideCommentsDoNotCut) {
  EXPECT_THAT(Split("a -- x;y\n+1;b"), ElementsAre("a -- x;y\n+1", "b"));
  EXPECT_THAT(Split("a # x;y\n+1;b"), ElementsAre("a # x;y\n+1", "b"));
  EXPECT_THAT(Split("a /* x;y */+1;b"), ElementsAre("a /* x;y */+1", "b"));
}

TEST(StatementSplitterTest, QuotesInsideCommentsMeanNothing) {
  EXPECT_THAT(Split("a -- don't\n;b # can't\n;c /* won't */;d"),
              ElementsAre("a -- don't\n", "b # can't\n", "c /* won't */", "d"));
}

TEST(StatementSplitterTest, CommentSignsInsideQuotesMeanNothing) {
  EXPECT_THAT(Split("select '-- ', '#', '/*';b"), ElementsAre("select '-- ', '#', '/*'", "b"));
}

TEST(StatementSplitterTest, TwoDashesAreACommentOnlyBeforeWhiteSpace) {
  EXPECT_THAT(Split("select 5--1;b"), ElementsAre("select 5--1", "b"));
  EXPECT_THAT(Split("select 5--\t;\n+1;b"), ElementsAre("select 5--\t;\n+1", "b"));
  EXPECT_THAT(Split("select 5--\n;b"), ElementsAre("select 5--\n", "b"));
  EXPECT_THAT(Split("select 5;--"), ElementsAre("select 5"));
  EXPECT_THAT(Split("select 5;-"), ElementsAre("select 5", "-"));
}

TEST(StatementSplitterTest, ACommentsOpeningIsNotItsClosing) {
  EXPECT_THAT(Split("a /*/ ; */;b"), ElementsAre("a /*/ ; */", "b"));
  EXPECT_THAT(Split("a /**/;b"), ElementsAre("a /**/", "b"));
  EXPECT_THAT(Split("a /* /* */;b"), ElementsAre("a /* /* */", "b"));
  EXPECT_THAT(Split("a / b * c */ d;e"), ElementsAre("a / b * c */ d", "e"));
}

TEST(StatementSplitterTest, ExecutableCommentsAreStatements) {
  EXPECT_THAT(Split("/*!40101 SET NAMES utf8mb4 */;/*M!100100 SET x=1 */;/*! */"),
              ElementsAre("/*!40101 SET NAMES utf8mb4 */", "/*M!100100 SET x=1 */", "/*! */"));
}

TEST(StatementSplitterTest, ExecutableCommentsAreReadAsCode) {
  EXPECT_THAT(Split("/*! select '*/;' */;b"), ElementsAre("/*! select '*/;' */", "b"));
  EXPECT_THAT(Split("/*! a /* x */ ; */;b"), ElementsAre("/*! a /* x */ ; */", "b"));
  EXPECT_THAT(Split("/*!1 a /*!2 b */ ; */;b"), ElementsAre("/*!1 a /*!2 b */ ; */", "b"));
  EXPECT_THAT(Split("/*! a -- */\n ; */;b"), ElementsAre("/*! a -- */\n ; */", "b"));
}

TEST(StatementSplitterTest, OptimizerHintsStayInTheStatement) {
  EXPECT_THAT(Split("select /*+ MAX_EXECUTION_TIME(5) ; */ 1;b"),
              ElementsAre("select /*+ MAX_EXECUTION_TIME(5) ; */ 1", "b"));
}

TEST(StatementSplitterTest, CommentsStayInTheStatementTheyPrecede) {
  EXPECT_THAT(Split("-- first\nselect 1;\n/* second */ select 2"),
              ElementsAre("-- first\nselect 1", "/* second */ select 2"));
}

TEST(StatementSplitterTest, EmptyStatementsAreSkipped) {
  EXPECT_THAT(Split(";;a;; \t\n;b;\n\n"), ElementsAre("a", "b"));
  EXPECT_THAT(Split("\n\n\na\n\n\n\nb\n\n", "\n"), ElementsAre("a", "b"));
  EXPECT_THAT(Split(""), IsEmpty());
  EXPECT_THAT(Split(" \n\t"), IsEmpty());
}

TEST(StatementSplitterTest, CommentOnlyStatementsAreSkipped) {
  EXPECT_THAT(Split("-- a\n;# b\n;/* c */;/*+ d */;--\n;e;-- the end"), ElementsAre("e"));
  EXPECT_THAT(Split("# head\nselect 1\n-- middle\n/* a\nb */\nselect 2\n", "\n"),
              ElementsAre("select 1", "select 2"));
}

TEST(StatementSplitterTest, CrLfEndsALine) {
  EXPECT_THAT(Split("select 1\r\n\r\nselect 2\r\n", "\n"), ElementsAre("select 1", "select 2"));
  EXPECT_THAT(Split("select 1 -- x\r\nselect 2 # y\r\n", "\n"),
              ElementsAre("select 1 -- x", "select 2 # y"));
  EXPECT_THAT(Split("select 1;\r\nselect 2;\r\n"), ElementsAre("select 1", "select 2"));
}

TEST(StatementSplitterTest, CrLfInsideAStatementStays) {
  EXPECT_THAT(Split("select\r\n1;select 'a\r\nb'"), ElementsAre("select\r\n1", "select 'a\r\nb'"));
  EXPECT_THAT(Split("select 'a\r\nb'\r\nselect\r2", "\n"),
              ElementsAre("select 'a\r\nb'", "select\r2"));
}

TEST(StatementSplitterTest, DropsTheByteOrderMarkAtTheBeginningOnly) {
  EXPECT_THAT(Split("\xEF\xBB\xBFselect 1;\xEF\xBB\xBF"), ElementsAre("select 1", "\xEF\xBB\xBF"));
  EXPECT_THAT(Split("\xEF\xBB\xBF"), IsEmpty());
}

TEST(StatementSplitterTest, KeepsNulAndAllOtherBytes) {
  EXPECT_THAT(Split("select 'a\0;b';c\0d;\0"sv), ElementsAre("select 'a\0;b'"sv, "c\0d"sv, "\0"sv));
  EXPECT_THAT(Split("select 'Zürich;日本'; select '\xff\xfe;'"),
              ElementsAre("select 'Zürich;日本'", "select '\xff\xfe;'"));
}

TEST(StatementSplitterTest, DelimiterLinesGiveStoredPrograms) {
  EXPECT_THAT(Split("select 1;\n"
                    "DELIMITER //\n"
                    "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END//\n"
                    "CREATE PROCEDURE q() SELECT 3 //\r\n"
                    "  delimiter ;\r\n"
                    "CALL p(); CALL q();\n"),
              ElementsAre("select 1", "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END",
                          "CREATE PROCEDURE q() SELECT 3 ", "CALL p()", "CALL q()"));
}

TEST(StatementSplitterTest, DelimiterLinesWorkFromTheDefaultDelimiter) {
  EXPECT_THAT(Split("-- a program\nDelimiter $$ trailing words\n"
                    "CREATE FUNCTION f() RETURNS INT\nBEGIN\n  RETURN 1;\nEND$$\n"
                    "DELIMITER ;\nSELECT f();\nSELECT\n2",
                    "\n"),
              ElementsAre("CREATE FUNCTION f() RETURNS INT\nBEGIN\n  RETURN 1;\nEND", "SELECT f()",
                          "SELECT\n2"));
}

TEST(StatementSplitterTest, DelimiterIsACommandOnlyWhereAStatementBegins) {
  EXPECT_THAT(Split("select\ndelimiter // from t;b"),
              ElementsAre("select\ndelimiter // from t", "b"));
  EXPECT_THAT(Split("a; delimiter //\n;b"), ElementsAre("a", "delimiter //\n", "b"));
  EXPECT_THAT(Split("delimiters //\n;b"), ElementsAre("delimiters //\n", "b"));
  EXPECT_THAT(Split("'\ndelimiter //\n';b"), ElementsAre("'\ndelimiter //\n'", "b"));
  EXPECT_THAT(Split("/*\ndelimiter //\n*/a;b"), ElementsAre("/*\ndelimiter //\n*/a", "b"));
}

TEST(StatementSplitterTest, ADelimiterLineMayBeTheLast) {
  EXPECT_THAT(Split("a;\nDELIMITER //"), ElementsAre("a"));
}

TEST(StatementSplitterTest, NamesTheLineOfAnUnclosedQuote) {
  EXPECT_EQ(SplitError("select 1;\nselect 'it;\nselect 2"),
            "INVALID_ARGUMENT: line 2: the string that begins with ' is never closed: add the "
            "closing ' (inside a string it is written '' or \\')");
  EXPECT_EQ(SplitError("\n\nselect \"a'"),
            "INVALID_ARGUMENT: line 3: the string that begins with \" is never closed: add the "
            "closing \" (inside a string it is written \"\" or \\\")");
  EXPECT_EQ(SplitError("select `a"),
            "INVALID_ARGUMENT: line 1: the name that begins with ` is never closed: add the "
            "closing `");
  EXPECT_EQ(SplitError("select 'a\\"),
            "INVALID_ARGUMENT: line 1: the string that begins with ' is never closed: add the "
            "closing ' (inside a string it is written '' or \\')");
}

TEST(StatementSplitterTest, ADoubledQuoteDoesNotOpenTheString) {
  EXPECT_THAT(SplitError("'a\n''b"), testing::StartsWith("INVALID_ARGUMENT: line 1: the string"));
}

TEST(StatementSplitterTest, NamesTheLineOfAnUnclosedComment) {
  EXPECT_EQ(SplitError("a;\n/* b\n* /\n"),
            "INVALID_ARGUMENT: line 2: the comment that begins with /* is never closed: add */");
  EXPECT_EQ(SplitError("a;\n\n/*!1 b /*!2 c */"),
            "INVALID_ARGUMENT: line 3: the executable comment that begins with /*! or /*M! is "
            "never closed: add */");
  EXPECT_EQ(SplitError("/*! '*/ "),
            "INVALID_ARGUMENT: line 1: the string that begins with ' is never closed: add the "
            "closing ' (inside a string it is written '' or \\')");
}

TEST(StatementSplitterTest, NamesTheLineOfADelimiterLineWithoutDelimiter) {
  EXPECT_EQ(SplitError("a;\ndelimiter \r\nb"),
            "INVALID_ARGUMENT: line 2: DELIMITER without a delimiter: write for example "
            "DELIMITER //");
}

TEST(StatementSplitterTest, GivesWhatPrecedesAnErrorAndThenStops) {
  StatementSplitter splitter("a;b;'c", ";");
  EXPECT_EQ(splitter.Next(), "a");
  EXPECT_EQ(splitter.Next(), "b");
  EXPECT_TRUE(splitter.status().ok());
  EXPECT_EQ(splitter.Next(), std::nullopt);
  EXPECT_EQ(splitter.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(splitter.Next(), std::nullopt);
}

// Every piece repeated many times must cost about as much for each byte as it does a few times: a
// rescan from a piece's beginning would make the large text thousands of times slower.
TEST(StatementSplitterTest, TakesLinearTime) {
  const auto seconds = [](std::string_view piece, size_t times, std::string_view head) {
    std::string text(head);
    text.reserve(head.size() + piece.size() * times);
    for (size_t i = 0; i < times; ++i) text += piece;
    const auto start = std::chrono::steady_clock::now();
    StatementSplitter splitter(text, ";");
    while (splitter.Next().has_value()) {
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  constexpr size_t kTimes = 400'000;
  const std::vector<std::string_view> pieces = {
      ";",          " ",       "\n",      "''", "'",    "/* */", "/*!", "-- \n", "# ' \n",
      "--",         "/*! */;", " d d\n ", "\\", "''';", "-",     "/",   "a;\n",  "delimiter ;\n",
      "\nselect '", "\r\n"};
  for (const std::string_view piece : pieces) {
    for (const std::string_view head : {"", "select ", "/*! ", "'", "delimiter x\n"}) {
      // 2 to 5 MB of text; a quadratic pass takes minutes.
      EXPECT_LT(seconds(piece, kTimes, head), 5.0)
          << "head '" << head << "' piece '" << piece << "'";
    }
  }
}

}  // namespace
}  // namespace dslap
