// The manual pages as man renders them.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "common/status_util.h"
#include "common/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr absl::Duration kBound = absl::Seconds(60);

struct Page {
  std::string file;
  std::string name_line;
};

void PrintTo(const Page& page, std::ostream* out) { *out << page.file; }

std::string PathOf(const std::string& file) {
  return absl::StrCat(DSLAP_BINARY_DIR, "/manual/", file);
}

ProcessResult RunPlain(const std::vector<std::string>& argv) {
  return RunProcess(
      {.argv = argv, .env = {{"LC_ALL", "C.UTF-8"}, {"MANWIDTH", "80"}, {"MANROFFOPT", ""}}},
      kBound);
}

// As somebody reads it, without bold print.
std::string Rendered(const std::string& file) {
  const ProcessResult result =
      RunPlain({"sh", "-c", "man -l \"$1\" | col -bx", "sh", PathOf(file)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

std::vector<std::string> Headings(const std::string& text) {
  std::vector<std::string> headings;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!line.empty() && line[0] != ' ') headings.emplace_back(line);
  }
  // The first and the last line are the page's header and footer.
  if (headings.size() < 2) return {};
  return {headings.begin() + 1, headings.end() - 1};
}

class ManualPage : public testing::TestWithParam<Page> {};

TEST_P(ManualPage, RendersWithoutAWarning) {
  const std::string path = PathOf(GetParam().file);
  const ProcessResult man =
      RunPlain({"man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path});
  EXPECT_EQ(man.exit_code, 0);
  EXPECT_EQ(man.err, "");
  const ProcessResult groff = RunPlain({"groff", "-man", "-ww", "-Tutf8", path});
  EXPECT_EQ(groff.exit_code, 0);
  EXPECT_EQ(groff.err, "");
}

// What apropos and whatis find.
TEST_P(ManualPage, HasANameLineThatCanBeIndexed) {
  const ProcessResult result = RunPlain({"lexgrog", PathOf(GetParam().file)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            absl::StrCat(PathOf(GetParam().file), ": \"", GetParam().name_line, "\"\n"));
}

INSTANTIATE_TEST_SUITE_P(
    All, ManualPage,
    testing::Values(
        Page{"dslap.1",
             "dslap - load a database with many clients from one or many hosts, as mysqlslap does"},
        Page{"dslap-agent.8",
             "dslap-agent - run one host's share of the clients of a dslap benchmark"},
        Page{"dslap-agent.conf.5", "dslap-agent.conf - configuration file of dslap-agent"},
        Page{"dslap-make-certs.1",
             "dslap-make-certs - make an authority and certificates for TLS between dslap and its "
             "agents"}),
    [](const testing::TestParamInfo<Page>& page) {
      std::string name = page.param.file;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
      return name;
    });

TEST(ManualPageOfDslap, ReadsAsWasLookedAt) {
  const std::string text = Rendered("dslap.1");
  EXPECT_THAT(Headings(text),
              ElementsAre("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "FILES",
                          "ENVIRONMENT", "EXAMPLES", "SEE ALSO"));
  EXPECT_THAT(text, HasSubstr("\n   Encryption of that connection\n"
                              "       --ssl  TLS, or no connection: the same as "
                              "--ssl-mode=REQUIRED."));
  EXPECT_THAT(text, HasSubstr("\n       -i, --iterations=N\n"
                              "              Rounds of each case.  Default: 1.\n"));
  EXPECT_THAT(text, HasSubstr("\n       --on-agent-loss=stop|continue\n"));
  EXPECT_THAT(text, HasSubstr("\n       6      set-up or tear-down in the database failed\n"));
  // Dashes, quotes and the line's end as a shell wants them.
  EXPECT_THAT(text, HasSubstr("--query=queries.sql --delimiter=';' \\\n"));
  EXPECT_THAT(text, HasSubstr(absl::StrCat("\ndslap ", BuildVersion(), " ")));
}

TEST(ManualPageOfTheAgent, ReadsAsWasLookedAt) {
  const std::string text = Rendered("dslap-agent.8");
  EXPECT_THAT(Headings(text),
              ElementsAre("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SECURITY", "SERVICE",
                          "EXIT STATUS", "FILES", "EXAMPLES", "SEE ALSO"));
  EXPECT_THAT(text, HasSubstr("\n       --listen=HOST:PORT\n              Address to wait for"));
  EXPECT_THAT(text, HasSubstr("\n       2      wrong command line or configuration\n"));
}

TEST(ManualPageOfTheConfiguration, ShowsSettingsAsTheFileHasThem) {
  const std::string text = Rendered("dslap-agent.conf.5");
  EXPECT_THAT(text, HasSubstr("\n       tls-cert = FILE\n"));
  EXPECT_THAT(text, HasSubstr("\n       insecure\n"));
  EXPECT_FALSE(absl::StrContains(text, "\n       version\n"));
}

// That page is written by hand.
TEST(ManualPageOfMakeCerts, NamesEveryOptionOfTheHelp) {
  const std::string page = Rendered("dslap-make-certs.1");
  const ProcessResult help =
      RunPlain({absl::StrCat(DSLAP_SOURCE_DIR, "/deploy/make-certs.sh"), "--help"});
  EXPECT_THAT(help.out, HasSubstr("usage: make-certs.sh [--days=N] [--renew] DIR HOST...\n"));
  int options = 0;
  for (const absl::string_view line : absl::StrSplit(help.out, '\n')) {
    if (!absl::StartsWith(line, "  --")) continue;
    const std::vector<absl::string_view> words = absl::StrSplit(line.substr(2), ' ');
    EXPECT_THAT(page, HasSubstr(absl::StrCat("\n       ", words[0]))) << line;
    ++options;
  }
  EXPECT_EQ(options, 3);
}

}  // namespace
}  // namespace dslap
