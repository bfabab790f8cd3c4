// Option files as MySQL's own reader takes them: a few hundred generated trees of files, read by
// `my_print_defaults` and by dslap. The generator leaves out what dslap reads otherwise on purpose;
// each of those has a test of its own below, and a line in docs/option-files.md.
//
// MariaDB's program is found on PATH. DSLAP_ORACLE_PRINT_DEFAULTS gives Oracle's as the beginning
// of a command line, words separated by blanks; it must see the working directory of the test.
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "controller/cli/defaults_files.h"
#include "controller/cli/option_file_loader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/option_file_generator.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

constexpr char kFailed[] = "(an error)";

std::string ParameterName(const testing::TestParamInfo<Compat>& info) {
  return info.param == Compat::kMySql ? "MySql" : "MariaDb";
}

class OptionFileCompatTest : public testing::TestWithParam<Compat> {
 protected:
  void SetUp() override {
    if (!mariadb_) {
      const char* const given = std::getenv("DSLAP_ORACLE_PRINT_DEFAULTS");
      if (given == nullptr || *given == '\0') {
        GTEST_SKIP() << "DSLAP_ORACLE_PRINT_DEFAULTS is not set: give the command line of Oracle's "
                        "my_print_defaults";
      }
      program_ = absl::StrSplit(given, ' ', absl::SkipEmpty());
    }
    std::vector<std::string> argv = program_;
    argv.emplace_back("--help");
    const ProcessResult help = RunProcess({.argv = argv}, absl::Seconds(20));
    ASSERT_EQ(help.exit_code, 0) << help.err << " (Debian package mariadb-client-core has it)";
    ASSERT_EQ(absl::StrContains(help.out, "--mariadbd"), mariadb_) << "the wrong program";
    std::string name = testing::TempDir() + "option_file_compat_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    std::filesystem::permissions(directory_, std::filesystem::perms{0755});
    // Relative names in !include count from there.
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(directory_);
  }
  void TearDown() override {
    if (directory_.empty()) return;
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(directory_);
  }

  void Clear() const {
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      std::filesystem::remove_all(entry);
    }
  }

  std::string Path(const std::string& name) const { return absl::StrCat(directory_, "/", name); }

  void Write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
    std::ofstream(Path(name), std::ios::binary) << content;
  }

  ProcessResult RunTheirs(const std::vector<std::string>& groups) const {
    std::vector<std::string> argv = program_;
    argv.push_back(absl::StrCat("--defaults-file=", Path("main.cnf")));
    argv.insert(argv.end(), groups.begin(), groups.end());
    return RunProcess({.argv = argv, .env = {{"HOME", Path("home")}}}, absl::Seconds(20));
  }

  // What the groups in main.cnf hold, as my_print_defaults prints it.
  std::string Theirs(const std::vector<std::string>& groups) const {
    const ProcessResult result = RunTheirs(groups);
    return result.exit_code == 0 && !SpeaksOfAnError(result.err) ? result.out : kFailed;
  }

  // Of an error in an included file theirs only speak (AnErrorInAnIncludedFileIsAnError).
  static bool SpeaksOfAnError(const std::string& err) {
    return absl::StrContains(err, "without preceding group") || absl::StrContains(err, "Wrong ") ||
           absl::StrContains(err, "Can't read dir");
  }

  std::string Ours(const std::vector<std::string>& groups) const {
    const OptionFileAccess access = ProcessOptionFileAccess();
    std::vector<std::string> warnings;
    OptionFileLoader loader(access, Path("home"), &warnings);
    if (!loader.LoadRequired(Path("main.cnf"), "--defaults-file").ok()) return kFailed;
    std::string printed;
    for (const OptionFileEntry& entry : loader.TakeEntries()) {
      if (!IsOneOf(entry.group, groups)) continue;
      absl::StrAppend(&printed, "--", entry.name);
      if (entry.value.has_value()) absl::StrAppend(&printed, "=", entry.value->Reveal());
      absl::StrAppend(&printed, "\n");
    }
    return printed;
  }

  static bool IsOneOf(const std::string& group, const std::vector<std::string>& groups) {
    for (const std::string& each : groups) {
      if (absl::EqualsIgnoreCase(each, group)) return true;
    }
    return false;
  }

  // Both in the file `content`, for the group [g].
  void ExpectDifference(const std::string& content, const std::string& theirs,
                        const std::string& ours) const {
    Write("main.cnf", content);
    EXPECT_EQ(Theirs({"g"}), theirs);
    EXPECT_EQ(Ours({"g"}), ours);
  }

  const bool mariadb_ = GetParam() == Compat::kMariaDb;
  std::vector<std::string> program_ = {"my_print_defaults"};
  std::string directory_;
  std::filesystem::path before_;  // the working directory
};

INSTANTIATE_TEST_SUITE_P(Programs, OptionFileCompatTest,
                         testing::Values(Compat::kMariaDb, Compat::kMySql), ParameterName);

TEST_P(OptionFileCompatTest, GeneratedFilesAreReadAlike) {
  const std::vector<std::string> groups = {"g", "mysqlslap", "client_x"};
  int failing = 0;
  int with_options = 0;
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    Clear();
    const GeneratedOptionFiles generated = GenerateOptionFiles(seed, directory_);
    for (const auto& [name, content] : generated) Write(name, content);
    const std::string theirs = Theirs(groups);
    failing += theirs == kFailed ? 1 : 0;
    with_options += theirs != kFailed && !theirs.empty() ? 1 : 0;
    ASSERT_EQ(Ours(groups), theirs) << "seed " << seed << ", main.cnf:\n"
                                    << generated.at("main.cnf");
  }
  // The comparison is worth something only if both kinds come up often.
  EXPECT_GT(with_options, 200);
  EXPECT_GT(failing, 20);
}

TEST_P(OptionFileCompatTest, EveryByteIsReadAlike) {
  std::string content = "[g]\n";
  for (int byte = 1; byte < 256; ++byte) {
    const std::string c(1, static_cast<char>(byte));
    absl::StrAppend(&content, "in=a", c, "b\n");
    absl::StrAppend(&content, "escaped=a\\", c, "b\nquoted='", c, "'\nna", c, "me\n");
    // ABlankOfLatin1BelongsToTheValue and AnOptionWithoutANameIsLeftToWhoReadsIt, below.
    if (byte == 0xA0 || c == "=") continue;
    absl::StrAppend(&content, "at_end=a", c, "\nbefore= ", c, "b\n");
    if (c != "[") absl::StrAppend(&content, c, "d=x\n");
  }
  Write("main.cnf", content);
  const std::string theirs = Theirs({"g"});
  EXPECT_NE(theirs, kFailed);
  EXPECT_EQ(Ours({"g"}), theirs);
}

TEST_P(OptionFileCompatTest, QuotesEscapesAndCommentsAreReadAlikeInAnyOrder) {
  const std::string bytes = "#;\"'\\= \tn";
  std::string content = "[g]\n";
  for (const char a : bytes) {
    for (const char b : bytes) {
      for (const char c : bytes) {
        const std::string text = {a, b, c};
        absl::StrAppend(&content, "x=", text, "\ny=a", text, "b # c\nz=\"", text, "\"\nw", text,
                        "\n");
      }
    }
  }
  Write("main.cnf", content);
  const std::string theirs = Theirs({"g"});
  EXPECT_NE(theirs, kFailed);
  EXPECT_EQ(Ours({"g"}), theirs);
}

TEST_P(OptionFileCompatTest, ACircleOfIncludesGoesEquallyDeep) {
  Write("main.cnf", "[g]\nbefore\n!include main.cnf\n!includedir d\nafter\n");
  Write("d/a.cnf", "[g]\na\n!includedir d\n");
  const std::string theirs = Theirs({"g"});
  EXPECT_NE(theirs, kFailed);
  EXPECT_EQ(Ours({"g"}), theirs);
}

// ---- What is read otherwise, on purpose.

TEST_P(OptionFileCompatTest, AByteOrderMarkIsPassedOver) {
  ExpectDifference("\xEF\xBB\xBF[g]\na\n", kFailed, "--a\n");
}

TEST_P(OptionFileCompatTest, ANulByteIsAnError) {
  ExpectDifference(std::string("[g]\na=b\0c\nd\n", 12), mariadb_ ? "--a=b\n--d\n" : "--a=bd\n",
                   kFailed);
}

TEST_P(OptionFileCompatTest, ABlankOfLatin1BelongsToTheValue) {
  ExpectDifference("[g]\nx=voil\xC3\xA0\n", "--x=voil\xC3\n", "--x=voil\xC3\xA0\n");
}

TEST_P(OptionFileCompatTest, ALongLineIsOneLine) {
  const std::string value(5000, 'q');
  // MariaDB's: the option up to byte 4095 of the line, and the rest as an option of its own.
  const std::string theirs =
      mariadb_ ? absl::StrCat("--x=", value.substr(0, 4092), "\n--", value.substr(4092), "\n")
               : absl::StrCat("--x=", value, "\n");
  ExpectDifference(absl::StrCat("[g]\nx=", value, "\n"), theirs, absl::StrCat("--x=", value, "\n"));
}

TEST_P(OptionFileCompatTest, AnOptionWithoutANameIsLeftToWhoReadsIt) {
  // With a blank in front theirs reads memory that is not the line's.
  ExpectDifference("[g]\n=c\n", "--=c\n", "--=c\n");
}

TEST_P(OptionFileCompatTest, AnIncludeOnTheLastLineNeedsNoNewline) {
  Write("b.cnf", "[g]\nb\n");
  // MariaDB's take the last letter off the name.
  ExpectDifference(absl::StrCat("!include ", Path("b.cnf")), mariadb_ ? "" : "--b\n", "--b\n");
}

TEST_P(OptionFileCompatTest, ACommentAfterAnIncludeDoesNotCount) {
  Write("b.cnf", "[g]\nb\n");
  // MariaDB's look for a file "b.cnf # c".
  ExpectDifference("!include b.cnf # c\n", mariadb_ ? "" : "--b\n", "--b\n");
}

TEST_P(OptionFileCompatTest, AnIncludeWithoutANameIsAnErrorOnTheLastLineToo) {
  ExpectDifference("!include", "", kFailed);
  ExpectDifference("!include\n", kFailed, kFailed);
}

TEST_P(OptionFileCompatTest, AnErrorInAnIncludedFileIsAnError) {
  Write("b.cnf", "[g]\nb1\n[\nb2\n");
  Write("main.cnf", "[g]\na\n!include b.cnf\nc\n");
  const ProcessResult theirs = RunTheirs({"g"});
  EXPECT_EQ(theirs.exit_code, 0);
  EXPECT_EQ(theirs.out, "--a\n--b1\n--c\n");
  EXPECT_EQ(Ours({"g"}), kFailed);
}

TEST_P(OptionFileCompatTest, ATildeIsTheHomeDirectoryForIncludedDirectoriesToo) {
  Write("home/d/b.cnf", "[g]\nb\n");
  ExpectDifference("!include ~/d/b.cnf\n", "--b\n", "--b\n");
  ExpectDifference("!includedir ~/d\n", kFailed, "--b\n");
}

TEST_P(OptionFileCompatTest, ADirectoryInPlaceOfTheFileIsAnError) {
  std::filesystem::create_directory(Path("main.cnf"));
  EXPECT_EQ(Theirs({"g"}), "");
  EXPECT_EQ(Ours({"g"}), kFailed);
}

TEST_P(OptionFileCompatTest, FilesThatMultiplyEachOtherAreAnError) {
  const std::string content = "!include main.cnf\n!include main.cnf\n[g]\na\n";
  std::string theirs;
  for (int files = (1 << 11) - 1; files > 0; --files) absl::StrAppend(&theirs, "--a\n");
  ExpectDifference(content, theirs, kFailed);
}

// ---- Which files and groups.

// The line after "Default options are read from the following files in the given order:".
std::string FilesInHelp(const std::string& help) {
  const std::vector<std::string> lines = absl::StrSplit(help, '\n');
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    if (absl::StartsWith(lines[i], "Default options are read from")) {
      return absl::StrCat(absl::StripSuffix(lines[i + 1], " "));
    }
  }
  return "";
}

TEST(DefaultsFilesCompatTest, TheFilesAreThoseOfMysqlslap) {
  for (const std::string home :
       {"", "/etc", "/etc/", "/etc/mysql/.", "/etc//mysql", "/opt/none", "/opt/none/", "none"}) {
    SubprocessSpec spec = {.argv = {"mysqlslap", "--no-defaults", "--help"}};
    spec.env["MYSQL_HOME"] = home;
    const ProcessResult result = RunProcess(spec, absl::Seconds(20));
    if (result.exit_code == 127) GTEST_SKIP() << "mysqlslap is not installed (mariadb-client)";
    ASSERT_EQ(result.exit_code, 0) << result.err;
    OptionFileAccess access;
    access.variable = [&home](const std::string& name) {
      return name == "MYSQL_HOME" ? std::optional<std::string>(home) : std::nullopt;
    };
    const Compat compat =
        absl::StrContains(result.out, "mariadb-slap") ? Compat::kMariaDb : Compat::kMySql;
    EXPECT_EQ(absl::StrJoin(DefaultsFiles(compat, access), " "), FilesInHelp(result.out)) << home;
    std::vector<std::string> groups = DefaultsGroups(compat);
    groups.pop_back();  // dslap's own
    EXPECT_THAT(result.out, testing::HasSubstr(absl::StrCat("The following groups are read: ",
                                                            absl::StrJoin(groups, " "), "\n")));
  }
}

}  // namespace
}  // namespace dslap
