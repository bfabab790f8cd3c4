// cmake --install: which files of which component go where, and that they work there.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/status_util.h"
#include "common/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

namespace fs = std::filesystem;

class InstallTest : public testing::Test {
 protected:
  InstallTest() { fs::create_directories(root_); }
  ~InstallTest() override { fs::remove_all(root_); }

  void Install(const std::string& prefix, const std::vector<std::string>& options = {}) const {
    SubprocessSpec spec;
    spec.argv = {DSLAP_CMAKE, "--install", DSLAP_BINARY_DIR, "--prefix", prefix};
    spec.argv.insert(spec.argv.end(), options.begin(), options.end());
    spec.env = {{"DESTDIR", root_}};
    const ProcessResult result = RunProcess(spec, absl::Seconds(60));
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }

  // Relative to the root; with "x " in front of those that can be executed.
  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(root_)) {
      if (!entry.is_regular_file()) continue;
      const bool runs = (entry.status().permissions() & fs::perms::others_exec) != fs::perms::none;
      files.push_back((runs ? "x " : "") + fs::relative(entry.path(), root_).string());
    }
    return files;
  }

  std::string Read(const std::string& file) const {
    return ReadFile(absl::StrCat(root_, "/", file)).value_or("");
  }

  const std::string root_ = fs::temp_directory_path() / absl::StrCat("dslap-install-", getpid());
};

TEST_F(InstallTest, TheController) {
  Install("/usr/local", {"--component", "controller"});
  EXPECT_THAT(
      Files(),
      UnorderedElementsAre(
          "x usr/local/bin/dslap", "usr/local/share/man/man1/dslap.1",
          "usr/local/share/bash-completion/completions/dslap",
          "usr/local/share/doc/dslap/CHANGELOG.md", "usr/local/share/doc/dslap/LICENSE",
          "usr/local/share/doc/dslap/README.md", "usr/local/share/doc/dslap/copyright",
          "usr/local/share/doc/dslap/docs/cli.md",
          "usr/local/share/doc/dslap/docs/compatibility.md",
          "usr/local/share/doc/dslap/docs/json.md", "usr/local/share/doc/dslap/docs/links.md",
          "usr/local/share/doc/dslap/docs/operations.md",
          "usr/local/share/doc/dslap/docs/option-files.md",
          "usr/local/share/doc/dslap/docs/performance.md",
          "usr/local/share/doc/dslap/docs/report.md"));
  const ProcessResult version =
      RunProcess({.argv = {root_ + "/usr/local/bin/dslap", "--version"}}, absl::Seconds(30));
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, StartsWith(absl::StrCat("dslap  Ver ", BuildVersion(), ",")));
}

TEST_F(InstallTest, TheAgent) {
  Install("/usr", {"--component", "agent"});
  EXPECT_THAT(
      Files(),
      UnorderedElementsAre(
          "x usr/bin/dslap-agent", "x usr/bin/dslap-make-certs", "etc/dslap/agent.conf",
          "usr/lib/systemd/system/dslap-agent.service", "usr/lib/systemd/system/dslap-agent.socket",
          "usr/share/bash-completion/completions/dslap-agent",
          "usr/share/doc/dslap-agent/CHANGELOG.md", "usr/share/doc/dslap-agent/LICENSE",
          "usr/share/doc/dslap-agent/copyright", "usr/share/doc/dslap-agent/docs/agent.md",
          "usr/share/doc/dslap-agent/docs/agent_service.md",
          "usr/share/doc/dslap-agent/docs/links.md", "usr/share/doc/dslap-agent/docs/operations.md",
          "usr/share/doc/dslap-agent/examples/renew-in-place.conf",
          "usr/share/man/man1/dslap-make-certs.1", "usr/share/man/man5/dslap-agent.conf.5",
          "usr/share/man/man8/dslap-agent.8"));
  const std::string unit = Read("usr/lib/systemd/system/dslap-agent.service");
  EXPECT_THAT(unit, HasSubstr("ExecStart=/usr/bin/dslap-agent --config=/etc/dslap/agent.conf\n"));
}

TEST_F(InstallTest, TheUnitNamesThePrefix) {
  Install("/opt/dslap", {"--component", "agent"});
  const std::string unit = Read("opt/dslap/lib/systemd/system/dslap-agent.service");
  EXPECT_THAT(unit, HasSubstr("ExecStart=/opt/dslap/bin/dslap-agent "
                              "--config=/opt/dslap/etc/dslap/agent.conf\n"));
  EXPECT_THAT(unit, Not(HasSubstr(" /etc/dslap/")));
  EXPECT_TRUE(fs::exists(root_ + "/opt/dslap/etc/dslap/agent.conf"));
}

TEST_F(InstallTest, AConfigurationThatIsThereIsKept) {
  fs::create_directories(root_ + "/etc/dslap");
  std::ofstream(root_ + "/etc/dslap/agent.conf") << "listen = 127.0.0.1:7000\n";
  Install("/usr");
  EXPECT_EQ(Read("etc/dslap/agent.conf"), "listen = 127.0.0.1:7000\n");
}

TEST_F(InstallTest, MakeCertsCallsItselfByItsName) {
  Install("/usr", {"--component", "agent"});
  const std::string program = root_ + "/usr/bin/dslap-make-certs";
  ProcessResult result = RunProcess({.argv = {program}}, absl::Seconds(30));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "dslap-make-certs: give a directory and at least one host: see --help\n");
  result = RunProcess({.argv = {program, "--help"}}, absl::Seconds(30));
  EXPECT_THAT(result.out, StartsWith("usage: dslap-make-certs "));
}

}  // namespace
}  // namespace dslap
