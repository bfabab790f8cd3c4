#include "controller/plan/make_plan.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "controller/plan/quote_identifier.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Options UserSql() {
  Options options;
  options.query_sql = "select 1;select 2;select 3";
  options.delimiter = ";";
  options.delimiter_given = true;
  return options;
}

// Two rows, two queries, no strings.
Options Generated() {
  Options options;
  options.generate.enabled = true;
  options.generate.char_columns = 0;
  options.generate.unique_write_number = 2;
  options.generate.write_number = 4;
  options.generate.unique_query_number = 1;
  return options;
}

Plan Make(const Options& options) {
  const absl::StatusOr<Plan> plan = MakePlan(options);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.value_or(Plan());
}

std::vector<std::string> SetUpOf(const Plan& plan, size_t number = 0) {
  return SetUpStatements(plan, plan.cases[number]);
}

std::string Error(const Options& options) { return MakePlan(options).status().ToString(); }

std::vector<std::string> Texts(const std::vector<PlannedStatement>& statements) {
  std::vector<std::string> texts;
  texts.reserve(statements.size());
  for (const PlannedStatement& statement : statements) texts.push_back(statement.text);
  return texts;
}

TEST(MakePlanTest, OnePassOverTheListForEachClient) {
  Options options = UserSql();
  options.concurrency = {2};
  const Plan plan = Make(options);
  EXPECT_THAT(Texts(plan.queries), ElementsAre("select 1", "select 2", "select 3"));
  ASSERT_THAT(plan.cases, SizeIs(1));
  EXPECT_EQ(plan.cases[0].clients, 2U);
  EXPECT_EQ(plan.cases[0].statements, 6U);
}

TEST(MakePlanTest, NumberOfQueriesIsOfAllClientsTogether) {
  Options options = UserSql();
  options.number_of_queries = 7;
  options.concurrency = {4};
  EXPECT_EQ(Make(options).cases[0].statements, 7U);
}

TEST(MakePlanTest, ExecuteNumberIsForEachClient) {
  Options options = Generated();
  options.generate.execute_number = 2000;
  options.concurrency = {200};
  const Plan plan = Make(options);
  EXPECT_EQ(plan.cases[0].statements, 400'000U);
}

TEST(MakePlanTest, ExecuteNumberCountsForStatementsOfTheUserToo) {
  Options options = UserSql();
  options.generate.execute_number = 3;
  options.concurrency = {4};
  EXPECT_EQ(Make(options).cases[0].statements, 12U);
}

TEST(MakePlanTest, CasesAreEnginesThenConcurrency) {
  Options options = UserSql();
  options.engines = {{"myisam", ""}, {"innodb", ""}};
  options.concurrency = {50, 100};
  options.iterations = 5;
  const Plan plan = Make(options);
  ASSERT_THAT(plan.cases, SizeIs(4));
  EXPECT_EQ(plan.iterations, 5U);
  const std::vector<std::string> engines = {"myisam", "myisam", "innodb", "innodb"};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(plan.cases[i].engine, engines[i]);
    EXPECT_EQ(plan.cases[i].clients, i % 2 == 0 ? 50U : 100U);
    EXPECT_EQ(plan.cases[i].last_of_engine, i % 2 == 1);
  }
}

TEST(MakePlanTest, GeneratedSetUpGoesRoundTheRows) {
  const Plan plan = Make(Generated());
  EXPECT_THAT(
      SetUpOf(plan, 0),
      ElementsAre("CREATE TABLE `t1` (intcol1 INT(32) )", "INSERT INTO t1 VALUES (1804289383)",
                  "INSERT INTO t1 VALUES (846930886)", "INSERT INTO t1 VALUES (1804289383)"));
  EXPECT_THAT(Texts(plan.queries),
              ElementsAre("INSERT INTO t1 VALUES (1681692777)", "SELECT intcol1 FROM t1"));
  EXPECT_EQ(plan.key_query, "");
}

TEST(MakePlanTest, WriteNumberCountsTheCreateTable) {
  Options options = Generated();
  options.generate.write_number = 1;
  EXPECT_THAT(SetUpOf(Make(options)), ElementsAre("CREATE TABLE `t1` (intcol1 INT(32) )"));
  options.generate.write_number = 0;
  EXPECT_THAT(SetUpOf(Make(options)), IsEmpty());
}

TEST(MakePlanTest, RowsToWriteButNoneToChooseFromIsRefusedAndNotAnEndlessLoop) {
  Options options = Generated();
  options.generate.unique_write_number = 0;
  EXPECT_EQ(Error(options),
            "INVALID_ARGUMENT: --auto-generate-sql-unique-write-number=0 leaves no row to load, "
            "but --auto-generate-sql-write-number is 4: give it as 1 for an empty table, or ask "
            "for unique rows");
  options.generate.write_number = 1;
  EXPECT_THAT(SetUpOf(Make(options)), SizeIs(1));
}

TEST(MakePlanTest, KeyQueryOnlyWhenAStatementTakesAKey) {
  Options options = Generated();
  options.generate.guid_primary = true;
  EXPECT_EQ(Make(options).key_query, "SELECT id from t1");
  EXPECT_TRUE(Make(options).queries[1].takes_key);
  options.generate.load_type = LoadType::kWrite;
  EXPECT_EQ(Make(options).key_query, "");
}

TEST(MakePlanTest, MySqlSetsTheDefaultEngineAndAppendsTheOption) {
  Options options = Generated();
  options.generate.write_number = 1;
  options.engines = {{"memory", "max_rows=10"}, {"innodb", ""}};
  const Plan plan = Make(options);
  EXPECT_THAT(SetUpOf(plan, 0), ElementsAre("set default_storage_engine=`memory`",
                                            "CREATE TABLE `t1` (intcol1 INT(32) ) max_rows=10"));
  EXPECT_THAT(SetUpOf(plan, 1), ElementsAre("set default_storage_engine=`innodb`",
                                            "CREATE TABLE `t1` (intcol1 INT(32) )"));
}

TEST(MakePlanTest, MySqlDoesNotTouchTheUsersCreate) {
  Options options = UserSql();
  options.create_sql = "create table a (b int);create table c (d int)";
  options.engines = {{"memory", "max_rows=10"}};
  EXPECT_THAT(SetUpOf(Make(options)),
              ElementsAre("set default_storage_engine=`memory`", "create table a (b int)",
                          "create table c (d int)"));
}

TEST(MakePlanTest, MariaDbAppendsTheEngineToTheFirstCreateOnly) {
  Options options = UserSql();
  options.compat = Compat::kMariaDb;
  options.create_sql = "create table a (b int);create table c (d int)";
  options.engines = {{"innodb", ""}, {"memory", "max_rows=10"}};
  const Plan plan = Make(options);
  EXPECT_THAT(SetUpOf(plan, 0),
              ElementsAre("create table a (b int) Engine = innodb", "create table c (d int)"));
  EXPECT_THAT(SetUpOf(plan, 1), ElementsAre("create table a (b int) Engine = memory max_rows=10",
                                            "create table c (d int)"));
}

// Oracle's mysqlslap runs a last entry that has an option under the first entry's name.
TEST(MakePlanTest, EveryEngineEntryKeepsItsOwnName) {
  Options options = UserSql();
  options.create_sql = "create table a (b int)";
  options.engines = {{"innodb", ""}, {"memory", "max_rows=10"}};
  const Plan plan = Make(options);
  EXPECT_EQ(plan.cases[1].engine, "memory");
  EXPECT_EQ(SetUpOf(plan, 1)[0], "set default_storage_engine=`memory`");
}

TEST(MakePlanTest, AnEngineWithoutCreateChangesNothing) {
  Options options = UserSql();
  options.engines = {{"innodb", ""}};
  const Plan plan = Make(options);
  EXPECT_EQ(plan.cases[0].engine, "innodb");
  EXPECT_THAT(SetUpOf(plan, 0), IsEmpty());
}

TEST(MakePlanTest, GeneratedOrCreatedSchemaIsCreatedAndDropped) {
  Options options = UserSql();
  options.create_sql = "create table a (b int)";
  for (const Options& each : {options, Generated()}) {
    const SchemaPlan schema = Make(each).schema;
    EXPECT_EQ(schema.name, "mysqlslap");
    EXPECT_TRUE(schema.create);
    EXPECT_TRUE(schema.drop);
    EXPECT_FALSE(schema.must_exist);
    EXPECT_FALSE(schema.drop_existing);
  }
}

TEST(MakePlanTest, AnEmptyCreateStillCreatesTheSchema) {
  Options options = UserSql();
  options.create_sql = "";
  EXPECT_TRUE(Make(options).schema.create);
  EXPECT_THAT(SetUpOf(Make(options)), IsEmpty());
}

TEST(MakePlanTest, NoDropKeepsTheSchemaThatIsCreated) {
  Options options = Generated();
  options.no_drop = true;
  options.drop_existing_schema = true;
  const SchemaPlan schema = Make(options).schema;
  EXPECT_TRUE(schema.create);
  EXPECT_FALSE(schema.drop);
  EXPECT_TRUE(schema.drop_existing);
}

TEST(MakePlanTest, ASchemaThatIsOnlyUsedMustExistWhenNamed) {
  Options options = UserSql();
  EXPECT_FALSE(Make(options).schema.must_exist);
  EXPECT_FALSE(Make(options).schema.create);
  EXPECT_FALSE(Make(options).schema.drop);
  options.schema = "person";
  options.schema_given = true;
  EXPECT_TRUE(Make(options).schema.must_exist);
  EXPECT_FALSE(Make(options).schema.create);
  EXPECT_FALSE(Make(options).schema.drop);
}

TEST(MakePlanTest, ASchemaThatIsCreatedNeedNotExistWhenNamed) {
  Options options = Generated();
  options.schema = "bench";
  options.schema_given = true;
  EXPECT_EQ(Make(options).schema.name, "bench");
  EXPECT_TRUE(Make(options).schema.create);
  EXPECT_FALSE(Make(options).schema.must_exist);
}

TEST(MakePlanTest, CarriesOverWhatTheRoundsNeed) {
  Options options = UserSql();
  options.pre_query_sql = "a;b";
  options.post_query_sql = "c;-- nothing";
  options.commit_every = 3;
  options.detach_every = 4;
  options.reconnect = true;
  options.ignored_errors = {1213};
  options.ignore_all_errors = true;
  const Plan plan = Make(options);
  EXPECT_THAT(plan.pre_queries, ElementsAre("a", "b"));
  EXPECT_THAT(plan.post_queries, ElementsAre("c"));
  EXPECT_EQ(plan.commit_every, 3U);
  EXPECT_EQ(plan.detach_every, 4U);
  EXPECT_TRUE(plan.reconnect);
  EXPECT_THAT(plan.ignored_errors, ElementsAre(1213U));
  EXPECT_TRUE(plan.ignore_all_errors);
}

TEST(MakePlanTest, WhatRunsOnceGetsTenTimesTheTimeoutAndAtLeastAnHour) {
  constexpr int64_t kSecondNs = 1'000'000'000;
  Options options = UserSql();
  EXPECT_EQ(Make(options).query_timeout_ns, 0);
  EXPECT_EQ(Make(options).once_timeout_ns, 0);
  options.query_timeout_ms = 1'500;
  EXPECT_EQ(Make(options).query_timeout_ns, 3 * kSecondNs / 2);
  EXPECT_EQ(Make(options).once_timeout_ns, 3'600 * kSecondNs);
  options.query_timeout_ms = 600'000;
  EXPECT_EQ(Make(options).once_timeout_ns, 6'000 * kSecondNs);
}

TEST(MakePlanTest, NothingToRunIsRefused) {
  EXPECT_EQ(Error(Options()),
            "INVALID_ARGUMENT: nothing to run: give statements with --query, or have them "
            "generated with --auto-generate-sql");
  Options options = UserSql();
  options.query_sql = "; -- only this\n;";
  EXPECT_EQ(Error(options),
            "INVALID_ARGUMENT: --query: there is no statement in it, so nothing to run");
}

TEST(MakePlanTest, NamesTheOptionWhoseSqlCannotBeSplit) {
  constexpr char kUnclosed[] = ": line 2: the comment that begins with /* is never closed: add */";
  Options options = UserSql();
  options.query_sql = "a;\n/*";
  EXPECT_EQ(Error(options), std::string("INVALID_ARGUMENT: --query") + kUnclosed);
  options = UserSql();
  options.create_sql = "a;\n/*";
  EXPECT_EQ(Error(options), std::string("INVALID_ARGUMENT: --create") + kUnclosed);
  options = UserSql();
  options.pre_query_sql = "a;\n/*";
  EXPECT_EQ(Error(options), std::string("INVALID_ARGUMENT: --pre-query") + kUnclosed);
  options = UserSql();
  options.post_query_sql = "a;\n/*";
  EXPECT_EQ(Error(options), std::string("INVALID_ARGUMENT: --post-query") + kUnclosed);
}

TEST(MakePlanTest, NumbersOutOfReachAreRefused) {
  Options options = UserSql();
  options.concurrency = {1, 0};
  EXPECT_EQ(Error(options),
            "INVALID_ARGUMENT: --concurrency: 0 clients can do nothing, give 1 or more");
  options.concurrency = {};
  EXPECT_EQ(Error(options), "INVALID_ARGUMENT: --concurrency: there is no number in it");
  options.concurrency = {std::numeric_limits<uint64_t>::max() / 2};
  EXPECT_EQ(Error(options),
            "INVALID_ARGUMENT: --concurrency=9223372036854775807 clients with 3 statements each "
            "are more than can be counted: ask for fewer");
  options = UserSql();
  options.iterations = 0;
  EXPECT_EQ(Error(options),
            "INVALID_ARGUMENT: --iterations: 0 rounds measure nothing, give 1 or more");
}

// It was refused in the middle of the run, as a lost agent.
TEST(MakePlanTest, StatementThatFitsIntoNoMessageIsNamed) {
  Options options = UserSql();
  options.query_sql =
      absl::StrCat("select 1;select '", std::string(kLongestStatementBytes, 'x'), "'");
  EXPECT_EQ(
      Error(options),
      absl::StrCat("INVALID_ARGUMENT: --query: statement 2 (select '", std::string(32, 'x'),
                   "...) has ", kLongestStatementBytes + 9, " bytes; the most is ",
                   kLongestStatementBytes, ": make several of it, or load such rows beforehand"));
  options.only_print = true;
  EXPECT_EQ(Make(options).queries.size(), 2U);
  options = UserSql();
  options.pre_query_sql = std::string(kLongestStatementBytes, 'x');
  EXPECT_EQ(Make(options).pre_queries.size(), 1U);
  *options.pre_query_sql += 'x';
  EXPECT_THAT(Error(options), ::testing::StartsWith("INVALID_ARGUMENT: --pre-query: statement 1 "));
}

TEST(QuoteIdentifierTest, DoublesBackTicks) {
  EXPECT_EQ(QuoteIdentifier("mysqlslap"), "`mysqlslap`");
  EXPECT_EQ(QuoteIdentifier("a`b``"), "`a``b`````");
}

}  // namespace
}  // namespace dslap
