// Every option of both mysqlslap programs, as their --help lists them (Oracle's 9.7, MariaDB's
// 10.11): each is accepted, or refused with a reason that names it.
// tests/compat/option_list_test.cc holds this table against the programs themselves.
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "controller/cli/option_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/command_line_fixture.h"

namespace dslap {
namespace {

constexpr auto kNone = ArgumentKind::kNone;
constexpr auto kRequired = ArgumentKind::kRequired;
constexpr auto kOptional = ArgumentKind::kOptional;

struct TheirOption {
  std::string name;
  char letter = 0;
  ArgumentKind argument = kNone;
  std::string value = {};              // an example
  std::vector<std::string> with = {};  // what else has to be given
  bool refused = false;
};

void PrintTo(const TheirOption& option, std::ostream* out) { *out << option.name; }

const std::vector<std::string> kQuery = {"--query=select 1"};
const std::vector<std::string> kGenerate = {"-a"};

class MysqlslapOptionTest : public CommandLineFixture,
                            public testing::WithParamInterface<TheirOption> {
 protected:
  MysqlslapOptionTest() { files_.option_files.files["/my.cnf"] = "[client]\nuser=u\n"; }

  // The option as typed, by its letter if `short_form`, with what has to be given besides.
  static std::vector<std::string> Line(bool short_form) {
    const TheirOption& option = GetParam();
    std::string text = short_form ? absl::StrCat("-", std::string(1, option.letter), option.value)
                                  : absl::StrCat("--", option.name,
                                                 option.argument == kNone ? "" : "=", option.value);
    std::vector<std::string> line = {text};
    const std::vector<std::string>& with = option.with.empty() ? kGenerate : option.with;
    line.insert(line.end(), with.begin(), with.end());
    return line;
  }
};

TEST_P(MysqlslapOptionTest, IsAcceptedOrRefusedWithAReason) {
  const TheirOption& option = GetParam();
  if (!option.refused) {
    Accepted(Line(false));
    if (option.letter != 0) Accepted(Line(true));
    return;
  }
  const std::string name = absl::StrCat("--", option.name);
  EXPECT_TRUE(absl::StartsWith(Refused(Line(false)), absl::StrCat(name, ": ")));
  EXPECT_TRUE(absl::EndsWith(Refused(Line(false)), "; leave it out"));
  EXPECT_GT(Refused(Line(false)).size(), name.size() + 30);
  if (option.letter == 0) return;
  const std::string letter({'-', option.letter});
  EXPECT_TRUE(absl::StartsWith(Refused(Line(true)), absl::StrCat(letter, " (", name, "): ")))
      << Refused(Line(true));
}

TEST_P(MysqlslapOptionTest, HasLetterAndArgumentAsTheirs) {
  const TheirOption& option = GetParam();
  for (const OptionSpec& spec : OptionTable()) {
    if (spec.name != option.name) continue;
    EXPECT_EQ(spec.letter, option.letter);
    EXPECT_EQ(spec.argument, option.argument);
    EXPECT_FALSE(spec.own);
    EXPECT_FALSE(option.refused);
    return;
  }
  EXPECT_TRUE(option.refused);
  for (const AbsentOption& absent : AbsentOptions()) {
    if (absent.name != option.name) continue;
    EXPECT_EQ(absent.letter, option.letter);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Both, MysqlslapOptionTest,
    testing::Values(
        TheirOption{"help", '?'}, TheirOption{"auto-generate-sql", 'a'},
        TheirOption{"auto-generate-sql-add-autoincrement"},
        TheirOption{"auto-generate-sql-execute-number", 0, kRequired, "3"},
        TheirOption{"auto-generate-sql-guid-primary"},
        TheirOption{"auto-generate-sql-load-type", 0, kRequired, "read"},
        TheirOption{"auto-generate-sql-secondary-indexes", 0, kRequired, "2"},
        TheirOption{"auto-generate-sql-unique-query-number", 0, kRequired, "2"},
        TheirOption{"auto-generate-sql-unique-write-number", 0, kRequired, "2"},
        TheirOption{"auto-generate-sql-write-number", 0, kRequired, "2"},
        TheirOption{"commit", 0, kRequired, "2"}, TheirOption{"compress", 'C'},
        TheirOption{"concurrency", 'c', kRequired, "5,10"},
        TheirOption{"create", 0, kRequired, "create table t (a int)", kQuery},
        TheirOption{"create-schema", 0, kRequired, "shop"},
        TheirOption{"csv", 0, kOptional, "out.csv"},
        TheirOption{"debug", '#', kOptional, "d:t", kGenerate, true}, TheirOption{"debug-check"},
        TheirOption{"debug-info", 'T'}, TheirOption{"default-auth", 0, kRequired, "plugin"},
        TheirOption{"delimiter", 'F', kRequired, ";"}, TheirOption{"detach", 0, kRequired, "2"},
        TheirOption{"engine", 'e', kRequired, "innodb"}, TheirOption{"host", 'h', kRequired, "db"},
        TheirOption{"iterations", 'i', kRequired, "2"}, TheirOption{"no-drop"},
        TheirOption{"number-char-cols", 'x', kRequired, "2"},
        TheirOption{"number-int-cols", 'y', kRequired, "2"},
        TheirOption{"number-of-queries", 0, kRequired, "20"}, TheirOption{"only-print"},
        TheirOption{"password", 'p', kOptional, "secret"},
        TheirOption{"plugin-dir", 0, kRequired, "/plugins"},
        TheirOption{"port", 'P', kRequired, "3307"},
        TheirOption{"post-query", 0, kRequired, "select 2"},
        TheirOption{"post-system", 0, kRequired, "true"},
        TheirOption{"pre-query", 0, kRequired, "select 2"},
        TheirOption{"pre-system", 0, kRequired, "true"},
        TheirOption{"protocol", 0, kRequired, "tcp"},
        TheirOption{"query", 'q', kRequired, "select 1", {"-c", "2"}}));

INSTANTIATE_TEST_SUITE_P(
    Both2, MysqlslapOptionTest,
    testing::Values(TheirOption{"silent", 's'}, TheirOption{"socket", 'S', kRequired, "/s"},
                    TheirOption{"ssl-ca", 0, kRequired, "/ca.pem"},
                    TheirOption{"ssl-capath", 0, kRequired, "/ca"},
                    TheirOption{"ssl-cert", 0, kRequired, "/c.pem", {"-a", "--ssl-key=/k.pem"}},
                    TheirOption{"ssl-cipher", 0, kRequired, "AES256-SHA"},
                    TheirOption{"ssl-crl", 0, kRequired, "/crl.pem", {"-a", "--ssl-ca=/ca.pem"}},
                    TheirOption{"ssl-crlpath", 0, kRequired, "/crl", {"-a", "--ssl-ca=/ca.pem"}},
                    TheirOption{"ssl-key", 0, kRequired, "/k.pem", {"-a", "--ssl-cert=/c.pem"}},
                    TheirOption{"tls-version", 0, kRequired, "TLSv1.3"},
                    TheirOption{"user", 'u', kRequired, "bob"}, TheirOption{"verbose", 'v'},
                    TheirOption{"version", 'V'}, TheirOption{"print-defaults"},
                    TheirOption{"no-defaults"},
                    TheirOption{"defaults-file", 0, kRequired, "/my.cnf"},
                    TheirOption{"defaults-extra-file", 0, kRequired, "/my.cnf"},
                    TheirOption{"defaults-group-suffix", 0, kRequired, "_x"}));

INSTANTIATE_TEST_SUITE_P(
    MariaDb, MysqlslapOptionTest,
    testing::Values(TheirOption{"character-sets-dir", 0, kRequired, "/charsets"},
                    TheirOption{"init-command", 0, kRequired, "set @a = 1"}, TheirOption{"ssl"},
                    TheirOption{"ssl-verify-server-cert"}));

INSTANTIATE_TEST_SUITE_P(
    Oracle, MysqlslapOptionTest,
    testing::Values(TheirOption{"compression-algorithms", 0, kRequired, "zlib"},
                    TheirOption{"enable-cleartext-plugin"}, TheirOption{"get-server-public-key"},
                    TheirOption{"login-path", 0, kRequired, "x", kGenerate, true},
                    TheirOption{"no-login-paths"}, TheirOption{"password1", 0, kOptional, "secret"},
                    TheirOption{"password2", 0, kOptional, "secret", kGenerate, true},
                    TheirOption{"password3", 0, kOptional, "secret", kGenerate, true},
                    TheirOption{"pipe", 'W', kNone, "", kGenerate, true},
                    TheirOption{"server-public-key-path", 0, kRequired, "/key.pem"},
                    TheirOption{"shared-memory-base-name", 0, kRequired, "x", kGenerate, true},
                    TheirOption{"sql-mode", 0, kRequired, "ANSI"},
                    TheirOption{"ssl-fips-mode", 0, kRequired, "OFF"},
                    TheirOption{"ssl-mode", 0, kRequired, "REQUIRED"},
                    TheirOption{"ssl-session-data", 0, kRequired, "/s", kGenerate, true},
                    TheirOption{"ssl-session-data-continue-on-failed-reuse", 0, kNone, "",
                                kGenerate, true},
                    TheirOption{"tls-ciphersuites", 0, kRequired, "TLS_AES_256_GCM_SHA384"},
                    TheirOption{"tls-sni-servername", 0, kRequired, "db", kGenerate, true},
                    TheirOption{"zstd-compression-level", 0, kRequired, "5"}));

// Release builds of both programs end with "Option '-#' used, but is disabled".
TEST_F(CommandLineFixture, DebugTraceIsRefusedInEveryForm) {
  const std::string reason =
      "it traces the calls inside a debug build of mysqlslap, and release builds refuse it as "
      "well; -vvv tells what a run does; leave it out";
  EXPECT_EQ(Refused({"-a", "--debug"}), absl::StrCat("--debug: ", reason));
  EXPECT_EQ(Refused({"-a", "--debug=d:t:o,/tmp/x"}), absl::StrCat("--debug: ", reason));
  EXPECT_EQ(Refused({"-a", "--skip-debug"}), absl::StrCat("--debug: ", reason));
  EXPECT_EQ(Refused({"-a", "-#"}), absl::StrCat("-# (--debug): ", reason));
  EXPECT_EQ(Refused({"-a#d:t"}), absl::StrCat("-# (--debug): ", reason));
  EXPECT_TRUE(Accepted({"-a", "--loose-debug"}).generate.enabled);
  EXPECT_THAT(warnings_, testing::ElementsAre("unknown option '--loose-debug' is passed over"));
}

}  // namespace
}  // namespace dslap
