// The database goes on, but no longer does what it is asked: it kills connections, takes no new
// ones, is full, or writes nothing.
#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "controller/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/database_fault_checks.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/agent_process.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// What is mounted here is seen by this program and its children only, the server among them, and
// gone with them, however they end.
class PrivateMounts final : public ::testing::Environment {
 public:
  void SetUp() override {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      why_not_ = std::strerror(errno);
    }
  }
  const std::string& why_not() const { return why_not_; }

 private:
  std::string why_not_;
};

auto* const kPrivateMounts = new PrivateMounts;
const auto* const kMountsEnvironment = ::testing::AddGlobalTestEnvironment(kPrivateMounts);
const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// --load-engine.
class DatabaseLimitTest : public ::testing::TestWithParam<std::string> {
 protected:
  SubprocessSpec Spec(std::vector<std::string> arguments) {
    arguments.push_back(absl::StrCat("--load-engine=", GetParam()));
    return DslapSpec(arguments);
  }
};

// Connections of the clients: the one of the scripts is idle.
void KillClients() {
  for (const auto& row :
       Sandbox().Rows(absl::StrCat("SELECT id FROM information_schema.processlist WHERE user = '",
                                   Sandbox().user(), "' AND command <> 'Sleep'"))) {
    // It may have gone meanwhile.
    RunProcess({.argv = {"mariadb", "--no-defaults", absl::StrCat("--socket=", Sandbox().socket()),
                         "--user=root", absl::StrCat("--execute=KILL ", row[0])}},
               kFewSeconds);
  }
}

TEST_P(DatabaseLimitTest, KilledConnectionEndsTheRunWithItsError) {
  Subprocess dslap(Spec(EndlessLoad("select sleep(300)")));
  ASSERT_TRUE(WaitUntilAllRun("select sleep(300)")) << dslap.err();
  Sandbox().Execute(
      "SET @id = (SELECT id FROM information_schema.processlist WHERE info = 'select sleep(300)' "
      "LIMIT 1); EXECUTE IMMEDIATE CONCAT('KILL ', @id)");
  const ProcessResult result = WaitForEnd(dslap);
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  ExpectOneErrorLine(result, {"a statement failed and ended the run: "});
  EXPECT_THAT(result.out, ContainsRegex("\n\tErrors: *\n?.*\\((2013|1927)/"));
  ExpectNothingLeft();
}

TEST_P(DatabaseLimitTest, LoadOutlivesKillsWhenTheyAreIgnored) {
  const ScratchSchema schema("faults", {"seen (id BIGINT AUTO_INCREMENT PRIMARY KEY, a INT)"});
  constexpr uint64_t kStatements = 1200;
  Subprocess dslap(Spec({"--ignore-errors=all", "--concurrency=4", "--json",
                         absl::StrCat("--number-of-queries=", kStatements),
                         "--query=insert into faults.seen (a) select sleep(0.005)"}));
  for (uint64_t seen = 100; seen <= 700; seen += 300) {
    ASSERT_TRUE(WaitUntilRows("faults.seen", seen)) << dslap.err();
    KillClients();
  }
  const ProcessResult result = WaitForEnd(dslap, absl::Seconds(60));
  const FaultReport report(result);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(report.succeeded() + report.failed(), kStatements);
  EXPECT_GE(report.failed(), 3u);
  EXPECT_EQ(report.reconnects(), report.failed());
  const uint64_t rows = CountRows("faults.seen");
  EXPECT_GE(rows, report.succeeded());
  EXPECT_LE(rows, report.succeeded() + report.failed());
}

TEST_P(DatabaseLimitTest, LoweredMaxConnectionsRefuseReconnects) {
  const std::string before = Sandbox().Value("SELECT @@max_connections");
  std::vector<std::string> arguments = EndlessLoad();
  arguments.insert(arguments.end(), {"--concurrency=24", "--detach=5"});
  Subprocess dslap(Spec(arguments));
  ASSERT_TRUE(WaitUntilLoadRuns()) << dslap.err();
  Sandbox().Execute("SET GLOBAL max_connections = 10");
  const ProcessResult result = WaitForEnd(dslap, absl::Seconds(30));
  Sandbox().Execute(absl::StrCat("SET GLOBAL max_connections = ", before));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  EXPECT_THAT(result.err, HasSubstr("Too many connections (1040/"));
  EXPECT_THAT(result.out, HasSubstr("(1040/"));
  ExpectNothingLeft();
}

TEST_P(DatabaseLimitTest, ServerThatBecomesReadOnly) {
  Sandbox().Execute(
      "CREATE OR REPLACE USER plain@'%' IDENTIFIED BY 'x';"
      "GRANT SELECT, INSERT, CREATE, DROP ON *.* TO plain@'%'");
  std::vector<std::string> arguments = EndlessLoad("insert into t select sleep(0.005)");
  arguments.insert(arguments.end(), {"-uplain", "-px"});
  Subprocess dslap(Spec(arguments));
  ASSERT_TRUE(WaitUntilRows("e2e_load.t", 50)) << dslap.err();
  Sandbox().Execute("SET GLOBAL read_only = 1");
  const ProcessResult result = WaitForEnd(dslap, absl::Seconds(30));
  Sandbox().Execute("SET GLOBAL read_only = 0");
  // The schema cannot be dropped either.
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kSetUpFailed)) << result.err;
  EXPECT_THAT(result.err, HasSubstr("a statement failed and ended the run: "));
  EXPECT_THAT(result.err, HasSubstr("(1290/HY000): schema `e2e_load` was left behind on"));
  EXPECT_THAT(result.out, HasSubstr("(1290/HY000)"));
  Sandbox().Execute("DROP SCHEMA e2e_load; DROP USER plain@'%'");
  ExpectNothingLeft();
}

// A file system of its own in the place of a directory.
class SmallDisk {
 public:
  explicit SmallDisk(std::string path) : path_(std::move(path)) {
    mounted_ = mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=1m,mode=0777") == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  const std::string path_;
  bool mounted_ = false;
};

// Where the server sorts. (Without a disk for its tables MariaDB ends itself.)
TEST_P(DatabaseLimitTest, FullDisk) {
  if (const std::string& why = kPrivateMounts->why_not(); !why.empty()) {
    GTEST_SKIP() << "mounting a small file system needs root: " << why;
  }
  const SmallDisk disk(Sandbox().data_directory() + "/../tmp");
  if (!disk.mounted()) GTEST_SKIP() << "cannot mount a tmpfs here: " << std::strerror(errno);
  Subprocess dslap(Spec({"--init-command=set sort_buffer_size=32768", "--concurrency=2",
                         "--query=select seq, repeat('x', 200) p from mysql.seq_1_to_50000 "
                         "order by rand() limit 20000, 1",
                         "--create=create table t (a int)", "--create-schema=e2e_load"}));
  const ProcessResult result = WaitForEnd(dslap, absl::Seconds(30));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  ExpectOneErrorLine(
      result, {"a statement failed and ended the run: ", "No space left on device", "(3/HY000)"});
  EXPECT_THAT(result.out, HasSubstr("(3/HY000)"));
  EXPECT_THAT(result.out, HasSubstr("\nVerdict: INVALID: "));
  ExpectNothingLeft();
}

// Where there is a limit to a table.
TEST_P(DatabaseLimitTest, FullTable) {
  Subprocess dslap(Spec({"--create=create table t (a char(200)) engine=memory max_rows=100",
                         "--concurrency=2", "--create-schema=e2e_load",
                         "--query=insert into t values ('x')", "--number-of-queries=10000000"}));
  const ProcessResult result = WaitForEnd(dslap, absl::Seconds(30));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures)) << result.err;
  ExpectOneErrorLine(result, {"a statement failed and ended the run: ", "(1114/HY000)"});
  ExpectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Engines, DatabaseLimitTest, ::testing::Values("threads", "epoll"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace dslap
