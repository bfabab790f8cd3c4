#include "controller/cli/value_parser.h"

#include "absl/strings/str_cat.h"
#include "common/message_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

template <typename T>
std::string MessageOf(const absl::StatusOr<T>& result) {
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  return absl::StrCat(result.status().message());
}

constexpr char kNotANumber[] =
    " is not a whole number (digits, and perhaps K, M or G for 1024, 1024^2, 1024^3)";

TEST(ParseNumber, TakesDigitsAndSuffixes) {
  EXPECT_EQ(ParseNumber("0").value(), 0U);
  EXPECT_EQ(ParseNumber("50").value(), 50U);
  EXPECT_EQ(ParseNumber("007").value(), 7U);
  EXPECT_EQ(ParseNumber(" 5 ").value(), 5U);
  EXPECT_EQ(ParseNumber("4k").value(), 4096U);
  EXPECT_EQ(ParseNumber("4K").value(), 4096U);
  EXPECT_EQ(ParseNumber("2M").value(), 2097152U);
  EXPECT_EQ(ParseNumber("1G").value(), 1073741824U);
  EXPECT_EQ(ParseNumber("1T").value(), uint64_t{1} << 40);
  EXPECT_EQ(ParseNumber("1P").value(), uint64_t{1} << 50);
  EXPECT_EQ(ParseNumber("15E").value(), uint64_t{15} << 60);
  EXPECT_EQ(ParseNumber("18446744073709551615").value(), UINT64_MAX);
}

TEST(ParseNumber, RefusesGarbageAndNegatives) {
  for (const char* text : {"", "K", "-1", "+1", "1x", "1 K", "1.5", "0x10", "1KK", "5 5", "٣"}) {
    EXPECT_EQ(MessageOf(ParseNumber(text)), Quoted(text) + kNotANumber) << text;
  }
}

TEST(ParseNumber, RefusesOverflow) {
  EXPECT_EQ(MessageOf(ParseNumber("18446744073709551616")), "'18446744073709551616' is too large");
  EXPECT_EQ(MessageOf(ParseNumber("16E")), "'16E' is too large");
}

TEST(ParseNumberList, TakesBlanksAroundCommas) {
  EXPECT_THAT(ParseNumberList("50,100, 1K").value(), ElementsAre(50, 100, 1024));
  EXPECT_EQ(MessageOf(ParseNumberList("50,,100")), std::string("''") + kNotANumber);
  EXPECT_EQ(MessageOf(ParseNumberList("50,")), std::string("''") + kNotANumber);
}

// It became a zero, which may mean "none".
TEST(ParseDurationMs, PartsOfAMillisecondCountAsOne) {
  EXPECT_EQ(ParseDurationMs("1ns").value(), 1U);
  EXPECT_EQ(ParseDurationMs("2.5ms").value(), 3U);
}

TEST(ParseDurationMs, NeedsAUnit) {
  EXPECT_EQ(ParseDurationMs("10s").value(), 10'000U);
  EXPECT_EQ(ParseDurationMs("500ms").value(), 500U);
  EXPECT_EQ(ParseDurationMs("1m30s").value(), 90'000U);
  EXPECT_EQ(ParseDurationMs("0").value(), 0U);
  for (const char* text : {"10", "", "-1s", "inf", "10 s", "s"}) {
    EXPECT_EQ(
        MessageOf(ParseDurationMs(text)),
        Quoted(text) + " is not a duration: write a number and a unit, as in 10s, 500ms, 1m30s");
  }
}

TEST(ParseSwitch, TakesMysqlsWords) {
  for (const char* text : {"1", "on", "ON", "true", "yes"}) {
    EXPECT_TRUE(ParseSwitch(text).value()) << text;
  }
  for (const char* text : {"0", "off", "FALSE", "no"}) {
    EXPECT_FALSE(ParseSwitch(text).value()) << text;
  }
  EXPECT_EQ(MessageOf(ParseSwitch("2")), "'2' is neither on nor off");
}

TEST(ParseColumnCount, TakesIndexForms) {
  EXPECT_EQ(ParseColumnCount("3").value().columns, 3U);
  EXPECT_FALSE(ParseColumnCount("3").value().indexed);
  EXPECT_TRUE(ParseColumnCount("3:index").value().indexed);
  EXPECT_TRUE(ParseColumnCount("3:INDEX").value().indexed);
  EXPECT_TRUE(ParseColumnCount("3:1").value().indexed);
  EXPECT_FALSE(ParseColumnCount("3:0").value().indexed);
  EXPECT_EQ(MessageOf(ParseColumnCount("3:key")),
            "'key' after the colon is none of index, 1 and 0; write N or N:index");
  EXPECT_EQ(MessageOf(ParseColumnCount("3:")),
            "'' after the colon is none of index, 1 and 0; write N or N:index");
  EXPECT_EQ(MessageOf(ParseColumnCount("x:index")), std::string("'x'") + kNotANumber);
}

TEST(ParseEngines, KeepsOptionOfEachEngine) {
  const std::vector<EngineSpec> engines = ParseEngines("innodb, memory:max_rows=10").value();
  ASSERT_EQ(engines.size(), 2U);
  EXPECT_EQ(engines[0].name, "innodb");
  EXPECT_EQ(engines[0].option, "");
  EXPECT_EQ(engines[1].name, "memory");
  EXPECT_EQ(engines[1].option, "max_rows=10");
  EXPECT_TRUE(ParseEngines("").value().empty());
  EXPECT_EQ(MessageOf(ParseEngines("innodb,")),
            "'' is not the name of an engine; write NAME[:OPTION],..., as in "
            "innodb,memory:max_rows=10");
  EXPECT_EQ(MessageOf(ParseEngines("inno`db")),
            "'inno`db' is not the name of an engine; write NAME[:OPTION],..., as in "
            "innodb,memory:max_rows=10");
}

TEST(ParseIgnoredErrors, TakesListAllAndNone) {
  EXPECT_THAT(ParseIgnoredErrors("1205, 1213").value().codes, ElementsAre(1205, 1213));
  EXPECT_FALSE(ParseIgnoredErrors("1205").value().all);
  EXPECT_TRUE(ParseIgnoredErrors("all").value().all);
  EXPECT_TRUE(ParseIgnoredErrors("none").value().codes.empty());
  EXPECT_FALSE(ParseIgnoredErrors("none").value().all);
  for (const char* text : {"", "0", "-1", "65536", "any", "1K"}) {
    EXPECT_EQ(MessageOf(ParseIgnoredErrors(text)),
              Quoted(text) +
                  " is not an error code; write codes such as 1205,1213, or all, or "
                  "none");
  }
}

}  // namespace
}  // namespace dslap
