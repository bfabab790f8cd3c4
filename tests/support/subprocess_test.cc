// The harness itself: a test that trusts a broken one proves nothing.
#include "tests/support/subprocess.h"

#include <csignal>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::HasSubstr;

SubprocessSpec Shell(const std::string& script) { return {.argv = {"sh", "-c", script}}; }

TEST(SubprocessTest, ReportsExitCodeAndBothStreams) {
  const ProcessResult result =
      RunProcess(Shell("echo to out; echo to err >&2; exit 7"), absl::Seconds(30));
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.out, "to out\n");
  EXPECT_EQ(result.err, "to err\n");
}

TEST(SubprocessTest, ReadsMoreThanAPipeHolds) {
  const ProcessResult result = RunProcess(
      Shell("head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2"), absl::Seconds(60));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out.size(), 3000000u);
  EXPECT_EQ(result.err.size(), 2000000u);
}

TEST(SubprocessTest, PassesEnvironmentAndDirectory) {
  const ProcessResult result = RunProcess({.argv = {"sh", "-c", "echo $HARNESS $HOME; pwd"},
                                           .env = {{"HARNESS", "set"}, {"HOME", "/elsewhere"}},
                                           .directory = "/usr"},
                                          absl::Seconds(30));
  EXPECT_EQ(result.out, "set /elsewhere\n/usr\n");
}

TEST(SubprocessTest, ShowsASignalAsAShellDoes) {
  Subprocess child({.argv = {"sleep", "100"}});
  EXPECT_FALSE(child.WaitForExit(absl::Milliseconds(1)));
  child.Signal(SIGTERM);
  ASSERT_TRUE(child.WaitForExit(absl::Seconds(30)));
  EXPECT_EQ(child.exit_code(), 128 + SIGTERM);
}

TEST(SubprocessTest, MissingProgramIs127AndSaysWhy) {
  const ProcessResult result = RunProcess({.argv = {"/no/such/program"}}, absl::Seconds(30));
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_THAT(result.err, HasSubstr("execute /no/such/program: No such file or directory"));
}

TEST(SubprocessTest, WaitsForOutputWhileTheChildRuns) {
  Subprocess child(Shell("echo ready; sleep 100"));
  EXPECT_TRUE(child.WaitForOutput("ready\n", absl::Seconds(30)));
  EXPECT_FALSE(child.WaitForError("never", absl::Milliseconds(1)));
  EXPECT_FALSE(child.exit_code().has_value());
}

TEST(SubprocessTest, WaitsForTheEndOfTheLine) {
  Subprocess child(
      Shell("printf 'port 4' >&2; read line </dev/null; printf '321\\n' >&2; sleep 100"));
  ASSERT_TRUE(child.WaitForErrorLine("port", absl::Seconds(30)));
  EXPECT_EQ(child.err(), "port 4321\n");
}

TEST(SubprocessTest, EndOfOutputEndsTheWait) {
  Subprocess child(Shell("exit 0"));
  EXPECT_FALSE(child.WaitForOutput("never", absl::Hours(1)));
}

TEST(SubprocessTest, DestructorKillsTheWholeGroup) {
  std::string grandchild;
  {
    Subprocess child(Shell("sleep 100 & echo $!; wait"));
    ASSERT_TRUE(child.WaitForOutput("\n", absl::Seconds(30)));
    grandchild = child.out();
    grandchild.pop_back();
  }
  // Whoever adopts it may take a moment to bury it: dead is what counts.
  const ProcessResult state = RunProcess(
      Shell(absl::StrCat("for i in $(seq 500); do s=$(ps -o stat= -p ", grandchild,
                         "); case $s in ''|Z*) echo gone; exit;; esac; done; echo alive")),
      absl::Seconds(60));
  EXPECT_EQ(state.out, "gone\n");
}

}  // namespace
}  // namespace dslap
