#include "controller/cli/option_table.h"

#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

TEST(OptionTable, NamesAndLettersAreUnique) {
  std::set<absl::string_view> names;
  std::set<char> letters;
  for (const OptionSpec& spec : OptionTable()) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    EXPECT_TRUE(spec.letter == 0 || letters.insert(spec.letter).second) << spec.name;
  }
  for (const AbsentOption& option : AbsentOptions()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_TRUE(option.letter == 0 || letters.insert(option.letter).second) << option.name;
  }
}

TEST(OptionTable, RowsAreComplete) {
  for (const OptionSpec& spec : OptionTable()) {
    EXPECT_EQ(spec.placeholder.empty(), spec.argument == ArgumentKind::kNone) << spec.name;
    EXPECT_TRUE(absl::EndsWith(spec.help, ".")) << spec.name;
    EXPECT_EQ(spec.name, absl::AsciiStrToLower(spec.name));
    EXPECT_FALSE(absl::StrContains(spec.name, '_')) << spec.name;
    if (IsSwitch(spec)) {
      EXPECT_EQ(spec.argument, ArgumentKind::kNone) << spec.name;
    }
    if (std::holds_alternative<NumberField>(spec.field)) {
      EXPECT_EQ(spec.argument, ArgumentKind::kRequired) << spec.name;
    }
  }
}

TEST(OptionTable, GroupsStandTogetherInOrder) {
  OptionGroup last = OptionGroup::kConnection;
  for (const OptionSpec& spec : OptionTable()) {
    EXPECT_GE(spec.group, last) << spec.name;
    last = spec.group;
    EXPECT_NE(GroupTitle(spec.group), "");
  }
}

// What help calls the default is what the Options are without the option.
TEST(OptionTable, DefaultsShownAreDefaults) {
  const Options defaults;
  const auto shown = [](absl::string_view name) {
    for (const OptionSpec& spec : OptionTable()) {
      if (spec.name == name) return DefaultText(spec);
    }
    return std::string("no such option");
  };
  EXPECT_EQ(shown("create-schema"), defaults.schema);
  EXPECT_EQ(shown("iterations"), "1");
  EXPECT_EQ(shown("concurrency"), "1");
  EXPECT_EQ(defaults.concurrency, std::vector<uint64_t>{1});
  EXPECT_EQ(shown("number-of-queries"), "");
  EXPECT_EQ(shown("auto-generate-sql-write-number"), "100");
  EXPECT_EQ(shown("auto-generate-sql-unique-query-number"), "10");
  EXPECT_EQ(shown("auto-generate-sql-unique-write-number"), "10");
  EXPECT_EQ(shown("ignore-errors"), "1020,1205,1213");
  EXPECT_EQ(defaults.ignored_errors, (std::vector<uint32_t>{1020, 1205, 1213}));
  EXPECT_EQ(shown("lease"), "10s");
  EXPECT_EQ(defaults.lease_ms, 10'000U);
  EXPECT_EQ(shown("heartbeat-interval"), "1s");
  EXPECT_EQ(defaults.heartbeat_ms, 1'000U);
  EXPECT_EQ(shown("delimiter"), "newline");
  EXPECT_EQ(defaults.delimiter, "\n");
}

}  // namespace
}  // namespace dslap
