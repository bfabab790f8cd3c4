// The harness itself: a test that trusts a broken one proves nothing.
#include "tests/support/sandbox_database.h"

#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const auto* const kSandboxEnvironment = AddSandboxEnvironment({"--max-connections=77"});

TEST(SandboxDatabaseTest, UserReachesItOverTcpAndSocket) {
  const SandboxDatabase& database = Sandbox();
  for (const std::string& way :
       {absl::StrCat("--port=", database.port()), absl::StrCat("--socket=", database.socket())}) {
    const ProcessResult result =
        RunProcess({.argv = {"mariadb", "--no-defaults", "-N", way,
                             absl::StrCat("-u", database.user()), "-e", "SELECT @@max_connections"},
                    .env = {{"MYSQL_PWD", database.password()}}},
                   absl::Seconds(30));
    EXPECT_EQ(result.out, "77\n") << way << ": " << result.err;
  }
}

TEST(SandboxDatabaseTest, NobodyIsLetInOverTcpWithoutAPassword) {
  const SandboxDatabase& database = Sandbox();
  for (const std::string user : {"root", "dslap", "nobody"}) {
    const ProcessResult result =
        RunProcess({.argv = {"mariadb", "--no-defaults", "-h", database.host(),
                             absl::StrCat("-P", database.port()), "-u", user, "-e", "SELECT 1"}},
                   absl::Seconds(30));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("ERROR 1045")) << user;
  }
}

TEST(SandboxDatabaseTest, RunsSqlAndReadsCounters) {
  SandboxDatabase& database = Sandbox();
  EXPECT_THAT(database.Schemata(), ElementsAre());
  database.Execute(
      "CREATE DATABASE shop; CREATE TABLE shop.t (a INT, b TEXT);"
      "INSERT INTO shop.t VALUES (1, 'x'), (2, NULL)");
  EXPECT_THAT(database.Schemata(), ElementsAre("shop"));
  EXPECT_THAT(database.Rows("SELECT * FROM shop.t ORDER BY a"),
              ElementsAre(ElementsAre("1", "x"), ElementsAre("2", "NULL")));
  const uint64_t before = database.StatusCounter("Com_insert");
  database.Execute("INSERT INTO shop.t VALUES (3, ''); INSERT INTO shop.t VALUES (4, '')");
  EXPECT_EQ(database.StatusCounter("Com_insert"), before + 2);
  database.Execute("DROP DATABASE shop");
  EXPECT_EQ(database.Connections(), 0u);
}

TEST(SandboxDatabaseTest, TwoAtOnceAndNothingStays) {
  auto other = SandboxDatabase::Start();
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_NE((*other)->port(), Sandbox().port());
  EXPECT_EQ((*other)->Value("SELECT @@max_connections"), "4000");
  const std::string directory = (*other)->socket().substr(0, (*other)->socket().rfind('/'));
  const pid_t pid = (*other)->pid();
  other->reset();
  EXPECT_NE(access(directory.c_str(), F_OK), 0) << directory << " is still there";
  const ProcessResult ps =
      RunProcess({.argv = {"ps", "-o", "stat=", "-p", absl::StrCat(pid)}}, absl::Seconds(30));
  EXPECT_TRUE(ps.out.empty() || ps.out[0] == 'Z') << ps.out;
}

TEST(SandboxDatabaseTest, RefusalNamesTheReason) {
  const auto refused = SandboxDatabase::Start({"--option=--no-such-option=1"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(refused.status().message()),
              HasSubstr("unknown variable 'no-such-option=1'"));
}

}  // namespace
}  // namespace dslap
