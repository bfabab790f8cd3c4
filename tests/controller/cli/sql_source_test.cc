#include "controller/cli/sql_source.h"

#include "gtest/gtest.h"
#include "tests/controller/cli/fake_environment.h"

namespace dslap {
namespace {

class ReadSqlSourceTest : public testing::Test {
 protected:
  ReadSqlSourceTest() {
    files_.files["query.sql"] = "select 1;\r\n\xEF\xBB\xBF";
    files_.files["queries"] = "select 2";
    files_.files["/dev/fd/63"] = "select 3";
    files_.files["locked.sql"] = "";
    files_.unreadable.insert("locked.sql");
    files_.directories = {"/tmp", "select"};
  }

  std::string Read(const std::string& value) {
    const absl::StatusOr<std::string> sql =
        ReadSqlSource("--query", value, files_.MakeEnvironment());
    if (sql.ok()) return *sql;
    EXPECT_EQ(sql.status().code(), absl::StatusCode::kInvalidArgument);
    return absl::StrCat("refused: ", sql.status().message());
  }

  FakeFiles files_;
};

TEST_F(ReadSqlSourceTest, ExistingFileIsReadUnchanged) {
  EXPECT_EQ(Read("query.sql"), "select 1;\r\n\xEF\xBB\xBF");
  EXPECT_EQ(Read("queries"), "select 2");
  EXPECT_EQ(Read("/dev/fd/63"), "select 3");
}

TEST_F(ReadSqlSourceTest, AtSignAlwaysMeansAFile) {
  EXPECT_EQ(Read("@queries"), "select 2");
  EXPECT_EQ(Read("@select 1"),
            "refused: --query: cannot read the file 'select 1': No such file or directory");
  EXPECT_EQ(Read("@"), "refused: --query: cannot read the file '': No such file or directory");
}

TEST_F(ReadSqlSourceTest, OtherTextIsSql) {
  for (const char* sql :
       {"select 1", "select(1/2)", "select/**/1", "commit", "", "select", "select 'a.sql'",
        "select * from t into outfile '/x/y'", "select`a/b`from`t`"}) {
    EXPECT_EQ(Read(sql), sql);
  }
}

TEST_F(ReadSqlSourceTest, MistypedFileNameIsNotRunAsSql) {
  EXPECT_EQ(Read("qeury.sql"),
            "refused: --query: cannot read the file 'qeury.sql': No such file or directory (if it "
            "is meant as SQL, put a blank into it)");
  EXPECT_EQ(Read("./queries/all"),
            "refused: --query: cannot read the file './queries/all': No such file or directory "
            "(if it is meant as SQL, put a blank into it)");
  EXPECT_EQ(Read("QUERY.TXT"),
            "refused: --query: cannot read the file 'QUERY.TXT': No such file or directory (if it "
            "is meant as SQL, put a blank into it)");
}

TEST_F(ReadSqlSourceTest, UnreadableFileIsRefused) {
  EXPECT_EQ(Read("locked.sql"),
            "refused: --query: cannot read the file 'locked.sql': Permission "
            "denied");
  EXPECT_EQ(Read("/tmp"),
            "refused: --query: cannot read the file '/tmp': it is a directory (if it is meant as "
            "SQL, put a blank into it)");
}

}  // namespace
}  // namespace dslap
