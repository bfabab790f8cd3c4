#include "controller/cli/command_line.h"

#include "absl/strings/str_cat.h"
#include "controller/cli/option_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/argv_buffer.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Outcome {
  std::vector<std::string> options;  // "concurrency=50", "silent", "!silent" when switched off
  std::vector<std::string> warnings;
  std::string echo;
  std::string error;
};

std::string Describe(const ParsedOption& option) {
  const std::string name = absl::StrCat(option.enabled ? "" : "!", option.spec->name);
  if (option.secret.has_value()) return absl::StrCat(name, "=", option.secret->Reveal());
  return option.text.has_value() ? absl::StrCat(name, "=", *option.text) : name;
}

Outcome Read(const std::vector<std::string>& arguments) {
  const ArgvBuffer argv(arguments);
  Outcome outcome;
  const OptionVocabulary vocabulary = DslapVocabulary();
  const absl::StatusOr<CommandLine> line =
      ReadCommandLine(argv.span(), vocabulary, &outcome.warnings);
  if (!line.ok()) {
    EXPECT_EQ(line.status().code(), absl::StatusCode::kInvalidArgument);
    outcome.error = absl::StrCat(line.status().message());
    return outcome;
  }
  for (const ParsedOption& option : line->options) outcome.options.push_back(Describe(option));
  outcome.echo = line->echo;
  return outcome;
}

TEST(CommandLine, ValueAttachedOrNext) {
  EXPECT_THAT(Read({"-c50", "-c", "51", "--concurrency=52", "--concurrency", "53"}).options,
              ElementsAre("concurrency=50", "concurrency=51", "concurrency=52", "concurrency=53"));
}

TEST(CommandLine, UnderscoresEqualDashesInNamesOnly) {
  EXPECT_THAT(Read({"--number_of-queries=5", "--create_schema=a_b"}).options,
              ElementsAre("number-of-queries=5", "create-schema=a_b"));
}

TEST(CommandLine, PrefixIsAcceptedAndAmbiguityNamesCandidates) {
  EXPECT_THAT(Read({"--conc=5", "--iter", "3"}).options,
              ElementsAre("concurrency=5", "iterations=3"));
  EXPECT_EQ(Read({"--no"}).error, "");
  EXPECT_EQ(Read({"--number"}).error,
            "ambiguous option '--number': it may mean --number-of-queries, --number-char-cols, "
            "--number-int-cols");
}

TEST(CommandLine, FlagsCanBeSwitched) {
  EXPECT_THAT(
      Read({"--silent", "--skip-silent", "--disable-silent", "--enable-silent", "--silent=0",
            "--silent=on", "--skip-silent=0", "--loose-silent", "--loose-skip-silent"})
          .options,
      ElementsAre("silent", "!silent", "!silent", "silent", "!silent", "silent", "silent", "silent",
                  "!silent"));
  EXPECT_EQ(Read({"--silent=maybe"}).error, "--silent=maybe: 'maybe' is neither on nor off");
  EXPECT_EQ(Read({"--skip-concurrency"}).error,
            "--concurrency: cannot be switched on or off; give it with its value or leave it out");
  EXPECT_EQ(Read({"--enable-password"}).error,
            "--password: cannot be switched on or off; give it with its value or leave it out");
  EXPECT_EQ(Read({"--verbose=2"}).error, "--verbose: takes no value");
  EXPECT_EQ(Read({"--help=2"}).error, "--help: takes no value");
}

TEST(CommandLine, UnknownLooseOptionsWarn) {
  const Outcome outcome =
      Read({"--loose-foo=5", "--loose-skip-bar", "--loose-tls-sni-servername=x", "-s"});
  EXPECT_THAT(outcome.options, ElementsAre("silent"));
  EXPECT_THAT(outcome.warnings,
              ElementsAre("unknown option '--loose-foo' is passed over",
                          "unknown option '--loose-skip-bar' is passed over",
                          "unknown option '--loose-tls-sni-servername' is passed over"));
}

TEST(CommandLine, PasswordOnlyAttached) {
  EXPECT_THAT(Read({"-psecret"}).options, ElementsAre("password=secret"));
  EXPECT_THAT(Read({"--password=secret"}).options, ElementsAre("password=secret"));
  EXPECT_THAT(Read({"-p", "-s"}).options, ElementsAre("password", "silent"));
  EXPECT_THAT(Read({"--password"}).options, ElementsAre("password"));
  EXPECT_THAT(Read({"--password="}).options, ElementsAre("password="));
  EXPECT_THAT(Read({"--skip-password"}).options, ElementsAre("!password"));
}

TEST(CommandLine, BlankBeforePasswordIsRefusedWithoutRepeatingIt) {
  EXPECT_EQ(Read({"-p", "secret"}).error,
            "the argument after -p is not taken as its value: attach it, as in -pPASSWORD or "
            "--password=PASSWORD");
  EXPECT_EQ(Read({"--password", "secret"}).error,
            "the argument after --password is not taken as its value: attach it, as in -pPASSWORD "
            "or --password=PASSWORD");
}

TEST(CommandLine, SecretsAreWipedFromArgvAndEcho) {
  ArgvBuffer argv({"-vpsecret", "--pass=secret2", "-psecret3", "--user=x"});
  std::vector<std::string> warnings;
  const OptionVocabulary vocabulary = DslapVocabulary();
  const absl::StatusOr<CommandLine> line = ReadCommandLine(argv.span(), vocabulary, &warnings);
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->echo, "-vp******** --pass=******** -p******** --user=x");
  EXPECT_EQ(argv.Memory(0), std::string("-vpx\0\0\0\0\0", 9));
  EXPECT_EQ(argv.Memory(1), std::string("--pass=x\0\0\0\0\0\0", 14));
  EXPECT_EQ(argv.Memory(2), std::string("-px\0\0\0\0\0\0", 9));
  EXPECT_EQ(argv.Memory(3), "--user=x");
  EXPECT_FALSE(line->options[1].text.has_value());
}

TEST(CommandLine, BundlesOfLetters) {
  EXPECT_THAT(Read({"-avvsc5"}).options,
              ElementsAre("auto-generate-sql", "verbose", "verbose", "silent", "concurrency=5"));
  EXPECT_THAT(Read({"-ac", "5"}).options, ElementsAre("auto-generate-sql", "concurrency=5"));
  EXPECT_EQ(Read({"-az"}).error, "unknown option '-z'");
  EXPECT_EQ(Read({"-zpsecret"}).error, "unknown option '-z'");
}

TEST(CommandLine, ValuesMayContainAnything) {
  EXPECT_THAT(Read({"--query=select a=b, '--x' -- c", "-q", "--silent", "--engine", "a=b"}).options,
              ElementsAre("query=select a=b, '--x' -- c", "query=--silent", "engine=a=b"));
  EXPECT_THAT(Read({"--user="}).options, ElementsAre("user="));
}

TEST(CommandLine, MissingValueIsNamed) {
  EXPECT_EQ(Read({"-a", "--iterations"}).error, "--iterations: needs a value (N)");
  EXPECT_EQ(Read({"-i"}).error, "-i: needs a value (N)");
}

TEST(CommandLine, OptionalValueOnlyAttached) {
  EXPECT_THAT(Read({"--csv", "--json=x.json"}).options, ElementsAre("csv", "json=x.json"));
  EXPECT_EQ(Read({"--csv", "x.csv"}).error,
            "unexpected argument 'x.csv'; did you mean '--csv=x.csv'?");
}

TEST(CommandLine, UnknownOptionsAreRefused) {
  EXPECT_EQ(Read({"--foo"}).error, "unknown option '--foo'");
  EXPECT_EQ(Read({"--no-create"}).error, "unknown option '--no-create'");
  EXPECT_EQ(Read({"--enigne=innodb"}).error,
            "unknown option '--enigne'; did you mean '--engine=innodb'?");
  EXPECT_EQ(Read({"--passwrod=secret"}).error,
            "unknown option '--passwrod'; did you mean '--password=...'?");
  EXPECT_EQ(Read({"--=5"}).error, "unknown option '--'");
}

TEST(CommandLine, OptionsOfMysqlslapThatAreNotHereAreCalledSo) {
  EXPECT_EQ(Read({"--login-path=x"}).error,
            "--login-path: the file of mysql_config_editor is not read; put user and password into "
            "an option file that only you may read, and name it with --defaults-extra-file; leave "
            "it out");
  for (const char* const pipe : {"--pipe", "--skip-pipe", "--pip"}) {
    EXPECT_EQ(Read({pipe}).error, "--pipe: only clients on Windows have it; leave it out");
  }
  EXPECT_EQ(Read({"-aW"}).error, "-W (--pipe): only clients on Windows have it; leave it out");
}

TEST(CommandLine, TypographicDashesAreRecognised) {
  EXPECT_EQ(Read({"–engine=innodb"}).error,
            "'–engine=innodb' begins with U+2013 (en dash), which is not the hyphen that options "
            "begin with; did you mean '--engine=innodb'?");
  EXPECT_EQ(Read({"—no—drop"}).error,
            "'—no—drop' begins with U+2014 (em dash), which is not the hyphen that options begin "
            "with; did you mean '--no-drop'?");
  EXPECT_EQ(Read({"-–silent"}).error,
            "'-–silent' begins with U+2013 (en dash), which is not the hyphen that options begin "
            "with; did you mean '--silent'?");
  EXPECT_EQ(Read({"−c50"}).error,
            "'−c50' begins with U+2212 (minus sign), which is not the hyphen that options begin "
            "with; did you mean '-c50'?");
  EXPECT_EQ(Read({"–9"}).error,
            "'–9' begins with U+2013 (en dash), which is not the hyphen that options begin with; "
            "type it anew with '--'");
}

TEST(CommandLine, TypographicDashBeforeAPasswordDoesNotRepeatIt) {
  EXPECT_EQ(Read({"–psecret"}).error,
            "an argument begins with U+2013 (en dash), which is not the hyphen that options begin "
            "with; did you mean '-p'?");
  EXPECT_EQ(Read({"—password=secret"}).error,
            "an argument begins with U+2014 (em dash), which is not the hyphen that options begin "
            "with; did you mean '--password=...'?");
}

TEST(CommandLine, LongOptionBehindOneHyphenIsRefused) {
  EXPECT_EQ(Read({"-engine=innodb"}).error,
            "long options begin with two hyphens; did you mean '--engine=innodb'?");
  EXPECT_EQ(Read({"-number-int-cols=2"}).error,
            "long options begin with two hyphens; did you mean '--number-int-cols=2'?");
  EXPECT_EQ(Read({"-password=x"}).error,
            "long options begin with two hyphens; did you mean '--password=...'?");
  EXPECT_THAT(Read({"-port"}).options, ElementsAre("password=ort"));
}

TEST(CommandLine, StrayArgumentsAreRefused) {
  EXPECT_EQ(Read({"-a", "x"}).error,
            "unexpected argument 'x': only options are taken; if it belongs to the value before "
            "it, quote that value as a whole");
  EXPECT_EQ(Read({"engine=innodb"}).error,
            "unexpected argument 'engine=innodb'; did you mean '--engine=innodb'?");
  EXPECT_EQ(Read({"password=secret"}).error, "unexpected argument; did you mean --password?");
  EXPECT_EQ(Read({""}).error,
            "unexpected argument '': only options are taken; if it belongs to the value before it, "
            "quote that value as a whole");
}

TEST(CommandLine, DoubleDashEndsOptions) {
  EXPECT_THAT(Read({"-s", "--"}).options, ElementsAre("silent"));
  EXPECT_EQ(Read({"--", "-s"}).error,
            "unexpected argument '-s': only options are taken; if it belongs to the value before "
            "it, quote that value as a whole");
}

TEST(CommandLine, OptionsThatNameOptionFilesMustBeFirst) {
  EXPECT_THAT(Read({"--no-defaults", "-s"}).options, ElementsAre("no-defaults", "silent"));
  EXPECT_THAT(Read({"--defaults-file", "f", "--print-defaults", "-s"}).options,
              ElementsAre("defaults-file=f", "print-defaults", "silent"));
  EXPECT_EQ(Read({"--loose-x", "--no-defaults"}).error,
            "--no-defaults: must stand before all other options");
  EXPECT_EQ(Read({"-s", "--no-defaults"}).error,
            "--no-defaults: must stand before all other options");
}

TEST(CommandLine, TheCaseOfANameDoesNotMatter) {
  EXPECT_THAT(Read({"--Silent", "--CREATE_Schema=A"}).options,
              ElementsAre("silent", "create-schema=A"));
}

TEST(CommandLine, NothingAfterHelpIsRead) {
  EXPECT_THAT(Read({"-s", "--help", "--foo", "x"}).options, ElementsAre("silent", "help"));
  EXPECT_THAT(Read({"-s?z"}).options, ElementsAre("silent", "help"));
  EXPECT_THAT(Read({"-V", "x"}).options, ElementsAre("version"));
}

TEST(CommandLine, EchoCanBePastedIntoAShell) {
  EXPECT_EQ(Read({"-q", "select 'a'", "-c50", "--loose-x=secret"}).echo,
            "-q 'select '\\''a'\\''' -c50 --loose-x=********");
  EXPECT_THAT(Read({}).options, IsEmpty());
  EXPECT_EQ(Read({}).echo, "");
}

}  // namespace
}  // namespace dslap
