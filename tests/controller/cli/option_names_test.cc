#include "controller/cli/option_names.h"

#include "absl/strings/str_cat.h"
#include "controller/cli/option_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;

NameMatch Match(absl::string_view name) { return MatchName(name, DslapVocabulary()); }

std::string NameOf(absl::string_view name) {
  const NameMatch match = Match(name);
  return match.option == nullptr ? "" : absl::StrCat(match.option->name);
}

TEST(MatchName, ExactNameWinsOverLongerOnes) {
  EXPECT_EQ(NameOf("create"), "create");
  EXPECT_EQ(NameOf("auto-generate-sql"), "auto-generate-sql");
  EXPECT_EQ(NameOf("password"), "password");
}

TEST(MatchName, TakesUniquePrefix) {
  EXPECT_EQ(NameOf("conc"), "concurrency");
  EXPECT_EQ(NameOf("number-of"), "number-of-queries");
  EXPECT_EQ(NameOf("auto-generate-sql-g"), "auto-generate-sql-guid-primary");
  EXPECT_EQ(NameOf("ag"), "agents");
}

TEST(MatchName, OwnOptionsDoNotMakeMysqlslapsPrefixesAmbiguous) {
  EXPECT_EQ(NameOf("pass"), "password");  // and password-file, password1
  EXPECT_EQ(NameOf("h"), "");             // help and host, as in mysqlslap
  EXPECT_EQ(NameOf("he"), "help");        // and heartbeat-interval
  EXPECT_EQ(NameOf("cs"), "csv");
  EXPECT_EQ(NameOf("ho"), "host");
}

TEST(MatchName, AbsentOptionsStillMakeAPrefixAmbiguous) {
  EXPECT_THAT(Match("pre").candidates, ElementsAre("pre-query", "pre-system", "preflight"));
  EXPECT_THAT(Match("tls-").candidates, ElementsAre("tls-ciphersuites", "tls-version", "tls-ca",
                                                    "tls-cert", "tls-key", "tls-sni-servername"));
}

TEST(MatchName, FindsAbsentOptions) {
  ASSERT_NE(Match("pipe").absent, nullptr);
  EXPECT_EQ(Match("tls-sni").absent->name, "tls-sni-servername");
  EXPECT_EQ(Match("login-path").absent->name, "login-path");
  EXPECT_FALSE(Match("login-p").Found());
}

TEST(MatchName, TakesTheExactNameBeforeLongerOnes) {
  EXPECT_EQ(NameOf("compress"), "compress");
  EXPECT_EQ(NameOf("ssl"), "ssl");
  EXPECT_EQ(NameOf("enable-cleartext-plugin"), "enable-cleartext-plugin");
  EXPECT_EQ(Match("enable-cleartext-plugin").switched, NameSwitch::kNone);
}

TEST(MatchName, OptionFileOptionsNeedTheirWholeName) {
  EXPECT_EQ(NameOf("no-defaults"), "no-defaults");
  EXPECT_EQ(NameOf("no-d"), "no-drop");
  EXPECT_EQ(NameOf("defaults-file"), "defaults-file");
  EXPECT_FALSE(Match("defaults-fil").Found());
}

TEST(CanonicalName, IsThatOfTheTable) {
  EXPECT_EQ(CanonicalName("create_schema"), "create-schema");
  EXPECT_EQ(CanonicalName("CREATE-schema"), "create-schema");
  EXPECT_EQ(CanonicalName(""), "");
}

TEST(MatchName, TakesSwitchPrefixes) {
  EXPECT_EQ(NameOf("skip-silent"), "silent");
  EXPECT_EQ(Match("skip-silent").switched, NameSwitch::kOff);
  EXPECT_EQ(Match("disable-sil").switched, NameSwitch::kOff);
  EXPECT_EQ(Match("enable-silent").switched, NameSwitch::kOn);
  EXPECT_EQ(Match("silent").switched, NameSwitch::kNone);
  EXPECT_TRUE(Match("loose-silent").loose);
  EXPECT_EQ(NameOf("loose-skip-silent"), "silent");
  EXPECT_EQ(Match("loose-skip-silent").switched, NameSwitch::kOff);
  EXPECT_TRUE(Match("loose-foo").loose);
  EXPECT_FALSE(Match("loose-foo").Found());
  EXPECT_FALSE(Match("skip-foo").Found());
}

TEST(MatchName, EmptyNameIsNoPrefix) {
  EXPECT_FALSE(Match("").Found());
  EXPECT_FALSE(Match("skip-").Found());
  EXPECT_FALSE(Match("loose-").Found());
}

TEST(FindLetter, FindsBothKinds) {
  EXPECT_EQ(FindLetter('c', DslapVocabulary())->name, "concurrency");
  EXPECT_EQ(FindLetter('z', DslapVocabulary()), nullptr);
  EXPECT_EQ(FindLetter(0, DslapVocabulary()), nullptr);
  EXPECT_EQ(FindAbsentLetter('W', DslapVocabulary())->name, "pipe");
  EXPECT_EQ(FindAbsentLetter(0, DslapVocabulary()), nullptr);
}

}  // namespace
}  // namespace dslap
