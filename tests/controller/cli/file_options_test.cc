#include "controller/cli/file_options.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "controller/cli/option_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FileOptionsTest : public testing::Test {
 protected:
  // Stores the lines, "name" or "name=value", of a group [client]; returns the message of the
  // failure, or "".
  std::string Store(const std::vector<std::string>& lines) {
    std::vector<OptionFileEntry> entries;
    entries.reserve(lines.size());
    for (const std::string& line : lines) {
      OptionFileEntry entry{"client", line, std::nullopt, "/my.cnf",
                            static_cast<int>(entries.size()) + 2};
      const size_t equals = line.find('=');
      if (equals != std::string::npos) {
        entry.name = line.substr(0, equals);
        entry.value = Secret(line.substr(equals + 1));
      }
      entries.push_back(std::move(entry));
    }
    const auto options = ReadFileOptions(entries, vocabulary_, &warnings_);
    if (!options.ok()) return Failure(options.status());
    const auto places = StoreFileOptions(*options, vocabulary_, &draft_);
    if (!places.ok()) return Failure(places.status());
    places_ = *places;
    return "";
  }

  static std::string Failure(const absl::Status& status) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return absl::StrCat(status.message());
  }

  const OptionVocabulary vocabulary_ = DslapVocabulary();
  std::vector<std::string> warnings_;
  OptionDraft draft_;
  OptionPlaces places_;
};

TEST_F(FileOptionsTest, NamesAreReadAsOnTheCommandLine) {
  EXPECT_EQ(Store({"host=db", "iter=7", "number_of_queries=1K", "loose-commit=3", "USER=u"}), "");
  EXPECT_EQ(draft_.options.target.host, "db");
  EXPECT_EQ(draft_.options.iterations, 7U);
  EXPECT_EQ(draft_.options.number_of_queries, 1024U);
  EXPECT_EQ(draft_.options.commit_every, 3U);
  EXPECT_EQ(draft_.options.target.user, "u");
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(FileOptionsTest, FlagsAreSwitched) {
  EXPECT_EQ(Store({"only-print", "no-drop=1", "silent=off", "skip-reconnect=0"}), "");
  EXPECT_TRUE(draft_.options.only_print);
  EXPECT_TRUE(draft_.options.no_drop);
  EXPECT_FALSE(draft_.options.silent);
  EXPECT_TRUE(draft_.options.reconnect);
  EXPECT_EQ(Store({"no-drop=maybe"}).substr(0, 29), "/my.cnf:2: --no-drop=maybe: '");
}

TEST_F(FileOptionsTest, TheLastOfEqualOptionsCounts) {
  EXPECT_EQ(Store({"host=a", "host=b"}), "");
  EXPECT_EQ(draft_.options.target.host, "b");
  EXPECT_EQ(places_.at("host"), "/my.cnf:3");
}

TEST_F(FileOptionsTest, AMissingValueIsNotTakenFromTheNextLine) {
  EXPECT_EQ(Store({"query", "select 1"}), "/my.cnf:2: --query: needs a value, query = SQL|FILE");
}

TEST_F(FileOptionsTest, AnOptionalValueMayBeMissing) {
  EXPECT_EQ(Store({"csv", "json=x.json"}), "");
  EXPECT_EQ(draft_.options.csv_file, "");
  EXPECT_EQ(draft_.options.json_file, "x.json");
}

TEST_F(FileOptionsTest, AValueForAnOptionWithoutOneIsRefused) {
  EXPECT_EQ(Store({"verbose=3"}), "/my.cnf:2: --verbose: takes no value");
}

TEST_F(FileOptionsTest, AWrongValueNamesFileAndLine) {
  EXPECT_EQ(Store({"host=a", "iterations=0"}), "/my.cnf:3: --iterations=0: must be at least 1");
}

TEST_F(FileOptionsTest, AnUnknownOptionIsAnErrorThatRepeatsNoValue) {
  EXPECT_EQ(Store({"pasword=s3cret"}),
            "/my.cnf:2: unknown option '--pasword'; did you mean '--password'? If it is for other "
            "programs, write loose-pasword or put it into a group of theirs");
  EXPECT_EQ(Store({"default-character-set=utf8mb4"}),
            "/my.cnf:2: unknown option '--default-character-set'; if it is for other programs, "
            "write loose-default-character-set or put it into a group of theirs");
}

TEST_F(FileOptionsTest, AnUnknownLooseOptionIsPassedOverWithAWarning) {
  EXPECT_EQ(Store({"loose-nonsense=s3cret", "loose_nonsense", "host=db"}), "");
  EXPECT_EQ(draft_.options.target.host, "db");
  EXPECT_THAT(warnings_, ElementsAre("/my.cnf:2: unknown option 'loose-nonsense' is passed over",
                                     "/my.cnf:3: unknown option 'loose_nonsense' is passed over"));
}

TEST_F(FileOptionsTest, AnAmbiguousPrefixIsAnError) {
  EXPECT_EQ(Store({"auto-generate-sql-unique=1"}),
            "/my.cnf:2: ambiguous option 'auto-generate-sql-unique': it may mean "
            "auto-generate-sql-unique-query-number, auto-generate-sql-unique-write-number");
}

TEST_F(FileOptionsTest, DashesInFrontAreNoneOfTheName) {
  EXPECT_EQ(Store({"--host=db"}).substr(0, 36), "/my.cnf:2: unknown option '----host'");
  EXPECT_EQ(Store({"=db"}), "/my.cnf:2: an option without a name");
}

TEST_F(FileOptionsTest, AnOptionForTheFrontOfTheCommandLineIsRefused) {
  EXPECT_EQ(Store({"no-defaults"}),
            "/my.cnf:2: --no-defaults: has its place on the command line only");
  EXPECT_EQ(Store({"defaults-file=x"}),
            "/my.cnf:2: --defaults-file: has its place on the command line only");
}

TEST_F(FileOptionsTest, PasswordsBecomeSecrets) {
  std::vector<OptionFileEntry> entries = {{"client", "password", Secret("s3cret"), "/my.cnf", 2}};
  const auto options = ReadFileOptions(entries, vocabulary_, &warnings_);
  ASSERT_TRUE(options.ok());
  ASSERT_EQ(options->size(), 1U);
  EXPECT_EQ(options->front().text, std::nullopt);
  EXPECT_EQ(options->front().secret->Reveal(), "s3cret");
}

TEST_F(FileOptionsTest, APasswordWithoutAValueIsAskedFor) {
  EXPECT_EQ(Store({"password"}), "");
  EXPECT_TRUE(draft_.options.ask_password);
  EXPECT_EQ(Store({"skip-password"}), "");
  EXPECT_FALSE(draft_.options.ask_password);
}

TEST_F(FileOptionsTest, OfPasswordAndPasswordFileTheLastOneCounts) {
  EXPECT_EQ(Store({"password=a", "password-file=/f"}), "");
  EXPECT_EQ(draft_.options.target.password.Reveal(), "");
  EXPECT_EQ(draft_.password_file, "/f");
  EXPECT_EQ(Store({"password-file=/f", "password=a"}), "");
  EXPECT_EQ(draft_.options.target.password.Reveal(), "a");
  EXPECT_EQ(draft_.password_file, std::nullopt);
}

TEST_F(FileOptionsTest, OptionsOfFilesAreNotGivenAndImplyNoProtocol) {
  EXPECT_EQ(Store({"port=3307"}), "");
  EXPECT_EQ(draft_.options.target.port, 3307U);
  EXPECT_EQ(draft_.implied_protocol, TransportProtocol::kDefault);
  EXPECT_THAT(draft_.given, IsEmpty());
}

TEST(WithPlacesTest, AddsWhereTheOptionsOfAMessageAreFrom) {
  const OptionPlaces places = {{"query", "/a:1"}, {"create", "/a:2"}, {"create-schema", "/a:3"}};
  const absl::Status status = absl::InvalidArgumentError("-a and --query, or --create-schema: no");
  EXPECT_EQ(WithPlaces(status, places, {}).message(),
            "-a and --query, or --create-schema: no (--create-schema is from /a:3, --query is from "
            "/a:1)");
  EXPECT_EQ(WithPlaces(status, places, {"query", "create-schema"}), status);
  EXPECT_EQ(WithPlaces(absl::InvalidArgumentError("nothing"), places, {}).message(), "nothing");
  EXPECT_TRUE(WithPlaces(absl::OkStatus(), places, {}).ok());
}

}  // namespace
}  // namespace dslap
