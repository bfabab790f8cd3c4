#include "controller/cli/defaults_files.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/fake_option_files.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DefaultsFilesTest : public ::testing::Test {
 protected:
  // Every file that could be read is there; the entry in it is named like the file.
  void SetUp() override {
    for (const char* const path :
         {"/etc/my.cnf", "/etc/mysql/my.cnf", "/opt/my/my.cnf", "/opt/maria/my.cnf", "/extra.cnf",
          "/only.cnf", "/home/alice/.my.cnf"}) {
      files_.files[path] = absl::StrCat("[client]\n", path, "\n");
    }
    files_.variables["HOME"] = "/home/alice";
  }

  std::vector<std::string> Read(const DefaultsRequest& request, Compat compat = Compat::kMySql) {
    const auto entries = ReadDefaultsFiles(request, compat, access_, &warnings_);
    if (!entries.ok()) {
      EXPECT_EQ(entries.status().code(), absl::StatusCode::kInvalidArgument);
      return {absl::StrCat("error: ", entries.status().message())};
    }
    std::vector<std::string> names;
    for (const OptionFileEntry& entry : *entries) names.push_back(entry.name);
    return names;
  }

  FakeOptionFiles files_;
  std::vector<std::string> warnings_;
  OptionFileAccess access_ = files_.MakeAccess();
};

TEST_F(DefaultsFilesTest, ReadsTheFilesOfTheSystemThenTheUsers) {
  EXPECT_THAT(Read({}), ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "/home/alice/.my.cnf"));
  EXPECT_THAT(Read({}, Compat::kMariaDb),
              ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "/home/alice/.my.cnf"));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(DefaultsFilesTest, MysqlHomeComesBeforeTheUsersFile) {
  files_.variables["MYSQL_HOME"] = "/opt/my/";
  EXPECT_THAT(Read({}), ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "/opt/my/my.cnf",
                                    "/home/alice/.my.cnf"));
}

TEST_F(DefaultsFilesTest, MariaDbLooksForItsOwnVariableFirstEvenAnEmptyOne) {
  files_.variables["MYSQL_HOME"] = "/opt/my";
  files_.variables["MARIADB_HOME"] = "/opt/maria";
  EXPECT_THAT(DefaultsFiles(Compat::kMariaDb, access_),
              ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "/opt/maria/my.cnf", "~/.my.cnf"));
  EXPECT_THAT(DefaultsFiles(Compat::kMySql, access_),
              ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "/opt/my/my.cnf", "~/.my.cnf"));
  files_.variables["MARIADB_HOME"] = "";
  EXPECT_THAT(DefaultsFiles(Compat::kMariaDb, access_),
              ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "~/.my.cnf"));
  files_.variables.erase("MARIADB_HOME");
  EXPECT_THAT(DefaultsFiles(Compat::kMariaDb, access_),
              ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "/opt/my/my.cnf", "~/.my.cnf"));
}

TEST_F(DefaultsFilesTest, AHomeThatIsInTheListMovesToItsEnd) {
  files_.variables["MYSQL_HOME"] = "/etc/";
  EXPECT_THAT(DefaultsFiles(Compat::kMySql, access_),
              ElementsAre("/etc/mysql/my.cnf", "/etc/my.cnf", "~/.my.cnf"));
  files_.variables["MYSQL_HOME"] = "/etc//mysql/.";
  EXPECT_THAT(DefaultsFiles(Compat::kMySql, access_),
              ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "~/.my.cnf"));
}

TEST_F(DefaultsFilesTest, TheExtraFileComesBeforeTheUsersFile) {
  files_.variables["MYSQL_HOME"] = "/opt/my";
  DefaultsRequest request;
  request.extra_file = "/extra.cnf";
  EXPECT_THAT(Read(request), ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "/opt/my/my.cnf",
                                         "/extra.cnf", "/home/alice/.my.cnf"));
}

TEST_F(DefaultsFilesTest, TheExtraFileIsReadWithoutAHomeDirectoryToo) {
  files_.variables["HOME"] = "";
  DefaultsRequest request;
  request.extra_file = "/extra.cnf";
  EXPECT_THAT(Read(request), ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "/extra.cnf"));
  files_.variables.erase("HOME");
  EXPECT_THAT(Read(request), ElementsAre("/etc/my.cnf", "/etc/mysql/my.cnf", "/extra.cnf"));
}

TEST_F(DefaultsFilesTest, AMissingExtraFileIsAnError) {
  DefaultsRequest request;
  request.extra_file = "/none.cnf";
  EXPECT_THAT(Read(request),
              ElementsAre("error: --defaults-extra-file: cannot read the option file /none.cnf: No "
                          "such file or directory"));
}

TEST_F(DefaultsFilesTest, DefaultsFileStandsForAllFiles) {
  DefaultsRequest request;
  request.only_file = "/only.cnf";
  EXPECT_THAT(Read(request), ElementsAre("/only.cnf"));
  EXPECT_THAT(files_.read(), ElementsAre("/only.cnf"));
  EXPECT_THAT(warnings_, IsEmpty());
  request.extra_file = "/extra.cnf";
  EXPECT_THAT(Read(request), ElementsAre("/only.cnf"));
  EXPECT_THAT(warnings_, ElementsAre("--defaults-extra-file=/extra.cnf is not read: "
                                     "--defaults-file stands for all files"));
}

TEST_F(DefaultsFilesTest, AMissingDefaultsFileIsAnError) {
  DefaultsRequest request;
  request.only_file = "/none.cnf";
  EXPECT_THAT(Read(request),
              ElementsAre("error: --defaults-file: cannot read the option file /none.cnf: No such "
                          "file or directory"));
}

TEST_F(DefaultsFilesTest, NoDefaultsReadsNothingAndSaysNothing) {
  files_.files["/home/alice/.mylogin.cnf"] = "";
  DefaultsRequest request;
  request.none = true;
  EXPECT_THAT(Read(request), IsEmpty());
  EXPECT_THAT(files_.read(), IsEmpty());
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(DefaultsFilesTest, ALoginFileIsPassedOverWithAWarningForMySqlOnly) {
  files_.files["/home/alice/.mylogin.cnf"] = "";
  Read({}, Compat::kMariaDb);
  EXPECT_THAT(warnings_, IsEmpty());
  Read({});
  EXPECT_THAT(warnings_,
              ElementsAre("login file /home/alice/.mylogin.cnf is passed over: dslap does not read "
                          "the files of mysql_config_editor; put the account into ~/.my.cnf, "
                          "readable by you alone"));
  warnings_.clear();
  DefaultsRequest request;
  request.no_login_file = true;
  Read(request);
  EXPECT_THAT(warnings_, IsEmpty());
  files_.variables["MYSQL_TEST_LOGIN_FILE"] = "/none";
  Read({});
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(DefaultsFilesTest, TheSuffixComesFromTheCommandLineOrTheEnvironment) {
  EXPECT_EQ(GroupSuffix({}, Compat::kMySql, access_), "");
  files_.variables["MYSQL_GROUP_SUFFIX"] = "_my";
  EXPECT_EQ(GroupSuffix({}, Compat::kMySql, access_), "_my");
  EXPECT_EQ(GroupSuffix({}, Compat::kMariaDb, access_), "_my");
  files_.variables["MARIADB_GROUP_SUFFIX"] = "_maria";
  EXPECT_EQ(GroupSuffix({}, Compat::kMySql, access_), "_my");
  EXPECT_EQ(GroupSuffix({}, Compat::kMariaDb, access_), "_maria");
  DefaultsRequest request;
  request.group_suffix = "_x";
  EXPECT_EQ(GroupSuffix(request, Compat::kMariaDb, access_), "_x");
  request.group_suffix = "";
  EXPECT_EQ(GroupSuffix(request, Compat::kMariaDb, access_), "");
}

std::vector<std::string> Selected(const std::vector<std::string>& groups, Compat compat,
                                  const std::string& suffix) {
  std::vector<OptionFileEntry> entries;
  entries.reserve(groups.size());
  for (const std::string& group : groups) entries.push_back({group, "x", std::nullopt, "f", 1});
  std::vector<std::string> selected;
  for (const OptionFileEntry& entry : SelectGroups(entries, compat, suffix)) {
    selected.push_back(entry.group);
  }
  return selected;
}

TEST(SelectGroupsTest, EachProgramHasItsGroups) {
  const std::vector<std::string> all = {"mysqld",    "client-mariadb", "client-server",
                                        "client",    "mariadb-slap",   "mysqlslap",
                                        "mysqldump", "clientx",        "mysql"};
  EXPECT_THAT(Selected(all, Compat::kMySql, ""), ElementsAre("client", "mysqlslap"));
  EXPECT_THAT(
      Selected(all, Compat::kMariaDb, ""),
      ElementsAre("client-mariadb", "client-server", "client", "mariadb-slap", "mysqlslap"));
}

TEST(SelectGroupsTest, TheOrderIsThatOfTheFilesButDslapComesLast) {
  EXPECT_THAT(Selected({"dslap", "client", "mysqlslap", "dslap", "client"}, Compat::kMySql, ""),
              ElementsAre("client", "mysqlslap", "client", "dslap", "dslap"));
}

TEST(SelectGroupsTest, WithASuffixTheGroupsWithoutItCountToo) {
  EXPECT_THAT(
      Selected({"dslap_x", "client_x", "client", "client_y", "dslap"}, Compat::kMySql, "_x"),
      ElementsAre("client_x", "client", "dslap_x", "dslap"));
}

TEST(SelectGroupsTest, TheCaseOfAGroupDoesNotMatter) {
  EXPECT_THAT(Selected({"DSLAP", "Client_X", " client"}, Compat::kMySql, "_x"),
              ElementsAre("Client_X", "DSLAP"));
}

}  // namespace
}  // namespace dslap
