// The unit files and the settings that are installed with them: systemd finds nothing to say about
// them, the service is closed off as far as it is claimed to be, and the agent reads its settings.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kBound = absl::Seconds(60);
constexpr char kAgent[] = DSLAP_BINARY_DIR "/bin/dslap-agent";

std::string Read(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(absl::StrCat(DSLAP_SOURCE_DIR, "/deploy/systemd/", name)).rdbuf();
  EXPECT_NE(text.str(), "") << name;
  return text.str();
}

// A directory with both units, made for the agent of this build; `also` is added to the service.
class SystemdUnitsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (RunProcess({.argv = {"systemd-analyze", "--version"}}, kBound).exit_code != 0) {
      GTEST_SKIP() << "needs systemd-analyze (package systemd)";
    }
    char path[] = "/tmp/dslap-units-XXXXXX";
    directory_ = mkdtemp(path);
    Write("dslap-agent.service",
          absl::StrReplaceAll(Read("dslap-agent.service"), {{"/usr/bin/dslap-agent", kAgent}}));
    Write("dslap-agent.socket", Read("dslap-agent.socket"));
  }
  void TearDown() override {
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }

  std::string Path(const std::string& name) const { return absl::StrCat(directory_, "/", name); }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name)) << text;
  }
  ProcessResult Analyze(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "systemd-analyze");
    return RunProcess({.argv = arguments, .env = {{"SYSTEMD_UNIT_PATH", directory_ + ":"}}},
                      kBound);
  }

  std::string directory_;
};

// It exits 0 whatever it says of unknown keys and wrong values.
TEST_F(SystemdUnitsTest, NothingIsSaidAgainstThem) {
  for (const std::string unit : {"dslap-agent.service", "dslap-agent.socket"}) {
    const ProcessResult result = Analyze({"verify", "--man=no", Path(unit)});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(SystemdUnitsTest, AMistakeWouldBeSeen) {
  Write("dslap-agent.service",
        absl::StrReplaceAll(Read("dslap-agent.service"),
                            {{"/usr/bin/dslap-agent", kAgent}, {"WatchdogSec=", "WatchdogSecs="}}));
  EXPECT_THAT(Analyze({"verify", "--man=no", Path("dslap-agent.service")}).err,
              HasSubstr("Unknown key 'WatchdogSecs' in section [Service]"));
}

// 2.0 or less of 10; the threshold is ten times the figure.
TEST_F(SystemdUnitsTest, ExposureIsLow) {
  const ProcessResult result = Analyze(
      {"security", "--offline=true", "--threshold=20", "--no-pager", Path("dslap-agent.service")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("Overall exposure level for dslap-agent.service: "));
}

TEST(AgentConfTest, IsGoodAsItIs) {
  const ProcessResult result =
      RunProcess({.argv = {kAgent, "--check-config",
                           "--config=" DSLAP_SOURCE_DIR "/deploy/systemd/agent.conf"}},
                 kBound);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "ok: would listen on 127.0.0.1:7527\n");
  EXPECT_EQ(result.err, "");
}

TEST(AgentConfTest, WhatIsCommentedOutIsKnown) {
  const std::string path = absl::StrCat(testing::TempDir(), "/dslap-agent-all.conf");
  int settings = 0;
  {
    std::ofstream all(path);
    for (const absl::string_view line : absl::StrSplit(Read("agent.conf"), '\n')) {
      // "#name = value" is a setting, "# text" is not.
      if (!absl::StartsWith(line, "#") || absl::StartsWith(line, "# ") || line == "#") continue;
      all << line.substr(1) << "\n";
      ++settings;
    }
  }
  const ProcessResult result =
      RunProcess({.argv = {kAgent, "--print-config", "--config=" + path}}, kBound);
  std::filesystem::remove(path);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GE(settings, 5);
  EXPECT_THAT(result.out,
              HasSubstr("\ntls-key = /run/credentials/dslap-agent.service/tls_agent.key "));
}

}  // namespace
}  // namespace dslap
