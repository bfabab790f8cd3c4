#include "controller/cli/option_file.h"

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Outcome {
  // "[group] name", "[group] name=value", "!include path", "!includedir path", or
  // "error: <message>" alone.
  std::vector<std::string> items;
  std::vector<std::string> warnings;
};

std::string Shown(const OptionFileItem& item) {
  if (const auto* const include = std::get_if<OptionFileInclude>(&item)) {
    return absl::StrCat(include->directory ? "!includedir " : "!include ", include->path);
  }
  const auto& entry = std::get<OptionFileEntry>(item);
  std::string shown = absl::StrCat("[", entry.group, "] ", entry.name);
  if (entry.value.has_value()) absl::StrAppend(&shown, "=", entry.value->Reveal());
  return shown;
}

Outcome Parse(const std::string& text) {
  Outcome outcome;
  const auto items = ParseOptionFile(text, "my.cnf", &outcome.warnings);
  if (!items.ok()) {
    EXPECT_EQ(items.status().code(), absl::StatusCode::kInvalidArgument);
    outcome.items.push_back(absl::StrCat("error: ", items.status().message()));
    return outcome;
  }
  for (const OptionFileItem& item : *items) outcome.items.push_back(Shown(item));
  return outcome;
}

std::vector<std::string> Items(const std::string& text) {
  const Outcome outcome = Parse(text);
  EXPECT_THAT(outcome.warnings, IsEmpty());
  return outcome.items;
}

// The value of "x" in a file with the line "x" and `rest`.
std::string Value(const std::string& rest) {
  const std::vector<std::string> items = Items(absl::StrCat("[g]\nx", rest, "\n"));
  return items.size() == 1 ? items.front() : absl::StrCat(items.size(), " items");
}

TEST(OptionFileTest, ReadsNamesAndValuesWithTheirGroupAndPlace) {
  std::vector<std::string> warnings;
  const auto items = ParseOptionFile("# top\n[client]\nuser=bench\n\n[mysqlslap]\n  create\n",
                                     "/etc/my.cnf", &warnings);
  ASSERT_TRUE(items.ok());
  ASSERT_EQ(items->size(), 2u);
  const auto& user = std::get<OptionFileEntry>((*items)[0]);
  EXPECT_EQ(user.group, "client");
  EXPECT_EQ(user.name, "user");
  ASSERT_TRUE(user.value.has_value());
  EXPECT_EQ(user.value->Reveal(), "bench");
  EXPECT_EQ(user.file, "/etc/my.cnf");
  EXPECT_EQ(user.line, 3);
  const auto& create = std::get<OptionFileEntry>((*items)[1]);
  EXPECT_EQ(create.group, "mysqlslap");
  EXPECT_EQ(create.name, "create");
  EXPECT_FALSE(create.value.has_value());
  EXPECT_EQ(create.line, 6);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(OptionFileTest, AnEmptyFileHasNothing) {
  EXPECT_THAT(Items(""), IsEmpty());
  EXPECT_THAT(Items("\n \t\n#\n;\n"), IsEmpty());
  EXPECT_THAT(Items("[g]"), IsEmpty());
}

TEST(OptionFileTest, BlanksAroundNameAndValueDoNotCount) {
  EXPECT_THAT(Items("[g]\n \t a b \t=\v\f c  d \t\n"), ElementsAre("[g] a b=c  d"));
  EXPECT_THAT(Items("[g]\n  alone\t\n"), ElementsAre("[g] alone"));
}

TEST(OptionFileTest, NoEqualsSignIsNoValueAndAnEmptyValueIsOne) {
  EXPECT_THAT(Items("[g]\na\nb=\nc = \n"), ElementsAre("[g] a", "[g] b=", "[g] c="));
}

TEST(OptionFileTest, OnlyTheFirstEqualsSignSeparates) {
  EXPECT_EQ(Value("=a=b = c"), "[g] x=a=b = c");
}

TEST(OptionFileTest, TheLastLineNeedsNoNewline) {
  EXPECT_THAT(Items("[g]\na=b"), ElementsAre("[g] a=b"));
}

TEST(OptionFileTest, CarriageReturnsBelongToTheLineEnd) {
  EXPECT_THAT(Items("[g]\r\na=b\r\nc\r\n[h]\r\n!include f \r\n"),
              ElementsAre("[g] a=b", "[g] c", "!include f"));
}

TEST(OptionFileTest, AByteOrderMarkIsPassedOver) {
  EXPECT_THAT(Items("\xEF\xBB\xBF[g]\na=b\n"), ElementsAre("[g] a=b"));
  EXPECT_THAT(Items("\xEF\xBB\xBF"), IsEmpty());
}

TEST(OptionFileTest, ASharpSignBeginsACommentOutsideQuotes) {
  EXPECT_EQ(Value("=a # b"), "[g] x=a");
  EXPECT_EQ(Value("=a#b"), "[g] x=a");
  EXPECT_EQ(Value("= # b"), "[g] x=");
  EXPECT_EQ(Value(" # y = z"), "[g] x");
  EXPECT_EQ(Value("=\"a # b\" # c"), "[g] x=a # b");
  EXPECT_EQ(Value("='a # b' # c"), "[g] x=a # b");
}

TEST(OptionFileTest, QuotesProtectASharpSignWhereverTheyStand) {
  EXPECT_EQ(Value("=a \"#\" b # c"), "[g] x=a \"#\" b");
  EXPECT_EQ(Value("=it's # no comment"), "[g] x=it's # no comment");
  EXPECT_EQ(Value("=\"it's\" # c"), "[g] x=it's");
  EXPECT_THAT(Items("[g]\nn'#'x = y # c\n"), ElementsAre("[g] n'#'x=y"));
}

TEST(OptionFileTest, ABackslashProtectsAQuoteInsideQuotesOnly) {
  EXPECT_EQ(Value(R"(="a\" # b" # c)"), "[g] x=a\" # b");
  EXPECT_EQ(Value(R"(="a\\" # c)"), "[g] x=a\\");
  EXPECT_EQ(Value(R"(=\" # b" # c)"), "[g] x=\" # b\"");
}

TEST(OptionFileTest, ASemicolonBeginsACommentAtTheBeginningOfALineOnly) {
  EXPECT_THAT(Items("[g]\n;a\n  ;b=1\nc=select 1;select 2 ; d\n"),
              ElementsAre("[g] c=select 1;select 2 ; d"));
}

TEST(OptionFileTest, QuotesAreTakenAwayAtBothEndsOnly) {
  EXPECT_EQ(Value("=\"  a  \""), "[g] x=  a  ");
  EXPECT_EQ(Value("=''"), "[g] x=");
  EXPECT_EQ(Value("=\"\""), "[g] x=");
  EXPECT_EQ(Value("=\""), "[g] x=\"");
  EXPECT_EQ(Value("=\"a"), "[g] x=\"a");
  EXPECT_EQ(Value("=a\""), "[g] x=a\"");
  EXPECT_EQ(Value("=\"a'"), "[g] x=\"a'");
  EXPECT_EQ(Value("=\"a\" b"), "[g] x=\"a\" b");
  EXPECT_EQ(Value("=\"a\"b\""), "[g] x=a\"b");
}

TEST(OptionFileTest, EscapesStandForTheirCharacters) {
  EXPECT_EQ(Value(R"(=\n\t\r\b\s\\|)"), "[g] x=\n\t\r\b \\|");
  EXPECT_EQ(Value(R"(=\"\')"), "[g] x=\"'");
  EXPECT_EQ(Value(R"(="a\nb")"), "[g] x=a\nb");
}

TEST(OptionFileTest, AnUnknownEscapeStaysAsItIs) {
  EXPECT_EQ(Value(R"(=C:\xampp\Q)"), "[g] x=C:\\xampp\\Q");
}

TEST(OptionFileTest, ABackslashAtTheEndIsOne) {
  EXPECT_EQ(Value("=C:\\"), "[g] x=C:\\");
  EXPECT_EQ(Value("=\"C:\\\\\\\""), "[g] x=C:\\\\");
}

TEST(OptionFileTest, NamesAreNotChanged) {
  EXPECT_THAT(Items("[g]\nA_b-C=1\n--x\n-c3\n\"q\"=2\n"),
              ElementsAre("[g] A_b-C=1", "[g] --x", "[g] -c3", "[g] \"q\"=2"));
}

TEST(OptionFileTest, AMissingNameIsEmpty) {
  EXPECT_THAT(Items("[g]\n=a\n = b\n"), ElementsAre("[g] =a", "[g] =b"));
}

TEST(OptionFileTest, BlanksEndAGroupsNameAndTextAfterItDoesNotCount) {
  EXPECT_THAT(Items("[g \t]\na\n[ g]\nb\n[h] # c\nd\n[i]x\ne\n[j]]\nf\n[]\ng\n[ ]\nh\n"),
              ElementsAre("[g] a", "[ g] b", "[h] d", "[i] e", "[j] f", "[] g", "[] h"));
}

TEST(OptionFileTest, IncludesKeepTheirPlaceAndTheGroup) {
  EXPECT_THAT(Items("!include a\n[g]\nx\n  !  includedir \t b c \ny\n!include \"q\"\n"),
              ElementsAre("!include a", "[g] x", "!includedir b c", "[g] y", "!include \"q\""));
}

// MariaDB's programs look for a file "b # c".
TEST(OptionFileTest, ACommentAfterAnIncludeDoesNotCount) {
  EXPECT_THAT(Items("!include b # c\n!includedir d#\n!include \"e # f\" # g\n"),
              ElementsAre("!include b", "!includedir d", "!include \"e # f\""));
}

TEST(OptionFileTest, AnIncludeOnTheLastLineNeedsNoNewline) {
  EXPECT_THAT(Items("!include /etc/a.cnf"), ElementsAre("!include /etc/a.cnf"));
}

TEST(OptionFileTest, AnUnknownDirectiveIsPassedOverWithAWarningThatDoesNotRepeatIt) {
  const Outcome outcome = Parse("[g]\n!includefoo x\n!password=s3cret\na\n!\n");
  EXPECT_THAT(outcome.items, ElementsAre("[g] a"));
  const std::string warning =
      "unknown directive is passed over; there are !include and !includedir";
  EXPECT_THAT(outcome.warnings,
              ElementsAre(absl::StrCat("my.cnf:2: ", warning), absl::StrCat("my.cnf:3: ", warning),
                          absl::StrCat("my.cnf:5: ", warning)));
}

TEST(OptionFileTest, AnIncludeWithoutANameIsAnError) {
  EXPECT_THAT(Items("\n!include\n"),
              ElementsAre("error: my.cnf:2: !include needs the name of a file"));
  EXPECT_THAT(Items("!include # b\n"),
              ElementsAre("error: my.cnf:1: !include needs the name of a file"));
  EXPECT_THAT(Items("!includedir  "),
              ElementsAre("error: my.cnf:1: !includedir needs the name of a directory"));
}

TEST(OptionFileTest, AnOptionBeforeTheFirstGroupIsAnError) {
  EXPECT_THAT(Items("#\n\nuser=bench\n[g]\n"),
              ElementsAre("error: my.cnf:3: an option without a group; put a line such as [client] "
                          "above it"));
}

TEST(OptionFileTest, AGroupWithoutItsEndIsAnErrorInAnyGroup) {
  EXPECT_THAT(Items("[g]\n[h\n"), ElementsAre("error: my.cnf:2: a group's name ends with ']'"));
}

TEST(OptionFileTest, ANulByteIsAnErrorWhereverItStands) {
  EXPECT_THAT(Items(std::string("[g]\na=b\0c\n", 10)),
              ElementsAre("error: my.cnf:2: holds a NUL byte, so it is no text file; save it as "
                          "UTF-8"));
  EXPECT_THAT(Items(std::string("\0", 1)),
              ElementsAre("error: my.cnf:1: holds a NUL byte, so it is no text file; save it as "
                          "UTF-8"));
}

// MariaDB's programs cut a line after 4095 bytes and read the rest as further lines.
TEST(OptionFileTest, ALongLineIsOneLine) {
  const std::string long_value(1'000'000, 'q');
  EXPECT_EQ(Value(absl::StrCat("=", long_value, "\ny=z")), "2 items");
  EXPECT_EQ(Value(absl::StrCat("=", long_value)), absl::StrCat("[g] x=", long_value));
}

// MySQL's programs take the byte A0, the end of "à" in UTF-8, for a blank.
TEST(OptionFileTest, LettersOfUtf8AreLeftWhole) {
  EXPECT_EQ(Value("=voil\xC3\xA0"), "[g] x=voil\xC3\xA0");
}

TEST(OptionFileTest, NeverFailsInAnotherWayThanItSays) {
  std::mt19937 random(20240611);  // NOLINT(cert-msc51-cpp): the same bytes in every run
  // Its last byte is a NUL.
  constexpr char kBytes[] = "[]=!#;\"'\\ \t\r\n\n\nagincludedr\xEF\xBB\xBF\xC3\xA0";
  const std::string alphabet(kBytes, sizeof(kBytes));
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (size_t left = random() % 60; left > 0; --left) {
      text.push_back(random() % 8 == 0 ? static_cast<char>(random() % 256)
                                       : alphabet[random() % alphabet.size()]);
    }
    if (round % 2 == 0) text.insert(0, "[g]\n");
    std::vector<std::string> warnings;
    // Memory of exactly that size, so that the sanitizers see a step beyond it.
    const std::vector<char> exact(text.begin(), text.end());
    const auto items =
        ParseOptionFile(absl::string_view(exact.data(), exact.size()), "f", &warnings);
    if (!items.ok()) {
      ASSERT_EQ(items.status().code(), absl::StatusCode::kInvalidArgument);
      ASSERT_TRUE(absl::StartsWith(items.status().message(), "f:")) << items.status();
      continue;
    }
    for (const OptionFileItem& item : *items) {
      const auto* const entry = std::get_if<OptionFileEntry>(&item);
      if (entry == nullptr) continue;
      ASSERT_FALSE(absl::StrContains(entry->name, '=')) << entry->name;
      ASSERT_FALSE(absl::StrContains(entry->name, '\n')) << entry->name;
      ASSERT_GE(entry->line, 1);
    }
  }
}

}  // namespace
}  // namespace dslap
