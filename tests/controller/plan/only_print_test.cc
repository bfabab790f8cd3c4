#include "controller/plan/only_print.h"

#include <sstream>
#include <string>

#include "absl/strings/str_replace.h"
#include "controller/plan/make_plan.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

std::string Print(const Options& options, int verbosity = 0) {
  const absl::StatusOr<Plan> plan = MakePlan(options);
  EXPECT_TRUE(plan.ok()) << plan.status();
  std::ostringstream out;
  PrintPlan(plan.value_or(Plan()), verbosity, out);
  return out.str();
}

Options UserSql() {
  Options options;
  options.query_sql = "select 1;select 2";
  options.delimiter = ";";
  return options;
}

TEST(OnlyPrintTest, WithoutCreateOnlyTheStatements) {
  EXPECT_EQ(Print(UserSql()), "select 1;\nselect 2;\n");
}

// Oracle's program says so; the init command, of MariaDB's, is not printed there.
TEST(OnlyPrintTest, SqlModeComesOnceAndFirst) {
  Options options = UserSql();
  options.iterations = 2;
  options.init_command = "SET @a = 1";
  options.target.sql_mode = "ANSI,NO_ZERO_DATE";
  EXPECT_EQ(Print(options),
            "SET sql_mode = `ANSI,NO_ZERO_DATE`;\n"
            "select 1;\nselect 2;\nselect 1;\nselect 2;\n");
}

TEST(OnlyPrintTest, OneRoundWithEverything) {
  Options options = UserSql();
  options.create_sql = "create table a (b int)";
  options.pre_query_sql = "select 'pre'";
  options.post_query_sql = "select 'post'";
  options.commit_every = 2;
  options.detach_every = 2;
  options.number_of_queries = 3;
  EXPECT_EQ(Print(options),
            "DROP SCHEMA IF EXISTS `mysqlslap`;\n"
            "CREATE SCHEMA `mysqlslap`;\n"
            "use mysqlslap;\n"
            "create table a (b int);\n"
            "SET AUTOCOMMIT=0;\n"
            "select 'pre';\n"
            "SET AUTOCOMMIT=0;\n"
            "select 1;\n"
            "select 2;\n"
            "COMMIT;\n"
            "select 1;\n"
            "COMMIT;\n"
            "select 'post';\n"
            "DROP SCHEMA IF EXISTS `mysqlslap`;\n");
}

// As both mysqlslap programs do.
TEST(OnlyPrintTest, StagesStandBetweenTheStatements) {
  Options options = UserSql();
  options.create_sql = "create table a (b int)";
  options.pre_query_sql = "select 'pre'";
  options.commit_every = 2;
  options.engines = {{"innodb", ""}, {"memory", ""}};
  options.concurrency = {1, 1};
  options.iterations = 2;
  const std::string round =
      "DROP SCHEMA IF EXISTS `mysqlslap`;\n"
      "Loading Pre-data\n"
      "CREATE SCHEMA `mysqlslap`;\n"
      "use mysqlslap;\n"
      "set default_storage_engine=`innodb`;\n"
      "create table a (b int);\n"
      "Generating primary key list\n"
      "SET AUTOCOMMIT=0;\n"
      "select 'pre';\n"
      "connected!\n"
      "SET AUTOCOMMIT=0;\n"
      "select 1;\n"
      "select 2;\n"
      "COMMIT;\n"
      "COMMIT;\n";
  const std::string one_case = round + round + "Generating stats\n";
  const std::string engine =
      "Starting Concurrency Test\n" + one_case + one_case + "DROP SCHEMA IF EXISTS `mysqlslap`;\n";
  const std::string everything = engine + absl::StrReplaceAll(engine, {{"`innodb`", "`memory`"}});
  EXPECT_EQ(Print(options, 3), everything);
  EXPECT_EQ(Print(options, 2), absl::StrReplaceAll(everything, {{"connected!\n", ""}}));
  EXPECT_EQ(Print(options, 1), Print(options, 0));
}

TEST(OnlyPrintTest, NothingIsLoadedWithoutCreate) {
  EXPECT_EQ(Print(UserSql(), 2),
            "Starting Concurrency Test\n"
            "Generating primary key list\n"
            "select 1;\n"
            "select 2;\n"
            "Generating stats\n");
}

TEST(OnlyPrintTest, AClientThatEndsOnACommitCommitsOnceMore) {
  Options options = UserSql();
  options.commit_every = 1;
  EXPECT_EQ(Print(options),
            "SET AUTOCOMMIT=0;\nSET AUTOCOMMIT=0;\n"
            "select 1;\nCOMMIT;\nselect 2;\nCOMMIT;\nCOMMIT;\n");
}

TEST(OnlyPrintTest, DropsBeforeEveryRoundAndAfterEveryEngine) {
  Options options = UserSql();
  options.query_sql = "select 1";
  options.create_sql = "create table a (b int)";
  options.engines = {{"innodb", ""}, {"memory", ""}};
  options.compat = Compat::kMariaDb;
  options.iterations = 2;
  const std::string drop = "DROP SCHEMA IF EXISTS `mysqlslap`;\n";
  const std::string create = "CREATE SCHEMA `mysqlslap`;\nuse mysqlslap;\n";
  const std::string innodb = drop + create + "create table a (b int) Engine = innodb;\nselect 1;\n";
  const std::string memory = drop + create + "create table a (b int) Engine = memory;\nselect 1;\n";
  EXPECT_EQ(Print(options), innodb + innodb + drop + memory + memory + drop);
  options.engines.clear();
  options.concurrency = {1, 1};
  options.iterations = 1;
  const std::string plain = drop + create + "create table a (b int);\nselect 1;\n";
  EXPECT_EQ(Print(options), plain + plain + drop);
}

TEST(OnlyPrintTest, NoDropPrintsNoDrop) {
  Options options = UserSql();
  options.create_sql = "create table a (b int)";
  options.no_drop = true;
  EXPECT_EQ(Print(options),
            "CREATE SCHEMA `mysqlslap`;\nuse mysqlslap;\ncreate table a (b int);\n"
            "select 1;\nselect 2;\n");
}

TEST(OnlyPrintTest, KeyedStatementsGetTheStandInKey) {
  Options options;
  options.generate.enabled = true;
  options.generate.add_autoincrement = true;
  options.generate.load_type = LoadType::kKey;
  options.generate.char_columns = 0;
  options.generate.write_number = 1;
  options.generate.unique_query_number = 0;
  EXPECT_EQ(Print(options),
            "DROP SCHEMA IF EXISTS `mysqlslap`;\n"
            "CREATE SCHEMA `mysqlslap`;\n"
            "use mysqlslap;\n"
            "CREATE TABLE `t1` (id serial,intcol1 INT(32) );\n"
            "SELECT intcol1 FROM t1 WHERE id =  '796c4422-1d94-102a-9d6d-00e0812d';\n"
            "DROP SCHEMA IF EXISTS `mysqlslap`;\n");
}

// mysqlslap prints "use a-b" and leaves back-ticks as they are.
TEST(OnlyPrintTest, NamesThatNeedQuotesAreQuoted) {
  Options options = UserSql();
  options.query_sql = "q";
  options.create_sql = "c";
  const auto with_schema = [&](const std::string& name) {
    options.schema = name;
    return Print(options);
  };
  EXPECT_EQ(with_schema("a-b"),
            "DROP SCHEMA IF EXISTS `a-b`;\nCREATE SCHEMA `a-b`;\nuse `a-b`;\nc;\nq;\n"
            "DROP SCHEMA IF EXISTS `a-b`;\n");
  EXPECT_EQ(with_schema("a`b"),
            "DROP SCHEMA IF EXISTS `a``b`;\nCREATE SCHEMA `a``b`;\nuse `a``b`;\nc;\nq;\n"
            "DROP SCHEMA IF EXISTS `a``b`;\n");
  EXPECT_EQ(with_schema("12"),
            "DROP SCHEMA IF EXISTS `12`;\nCREATE SCHEMA `12`;\nuse `12`;\nc;\nq;\n"
            "DROP SCHEMA IF EXISTS `12`;\n");
  EXPECT_EQ(with_schema("x_$1ü"),
            "DROP SCHEMA IF EXISTS `x_$1ü`;\nCREATE SCHEMA `x_$1ü`;\nuse x_$1ü;\nc;\nq;\n"
            "DROP SCHEMA IF EXISTS `x_$1ü`;\n");
}

TEST(OnlyPrintTest, SeveralClientsPrintOneAfterTheOther) {
  Options options = UserSql();
  options.concurrency = {3};
  options.number_of_queries = 5;
  EXPECT_EQ(Print(options),
            "select 1;\nselect 2;\n"
            "select 1;\nselect 2;\n"
            "select 1;\n");
}

TEST(OnlyPrintTest, KeepsNulBytes) {
  Options options = UserSql();
  options.query_sql = std::string("select 'a\0b'", 12);
  EXPECT_EQ(Print(options), std::string("select 'a\0b';\n", 14));
}

}  // namespace
}  // namespace dslap
