#include "controller/plan/generated_sql.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "controller/plan/initial_random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// The first three strings that mysqlslap's programs print with -a.
constexpr char kFirst[] =
    "mxvtvmC9127qJNm06sGB8R92q2j7vTiiITRDGXM9ZLzkdekbWtmXKwZ2qG1llkRw5m9DHOFilEREk3q7oce8O3BEJC0wo"
    "Jsm6uzFAEynLH2xCsw1KQ1lT4zg9rdxBL";
constexpr char kSecond[] =
    "97RGHZ65mNzkSrYT3zWoSbg9cNePQr1bzSk81qDgE4Oanw3rnPfGsBHSbnu1evTdFDe83ro9w4jjteQg4yoo9xHck3WNq"
    "zs54W5zEm92ikdRF48B2oz3m8gMBAl11W";

// One row, one query, no strings: what the columns look like.
GenerateOptions Small(LoadType load_type) {
  GenerateOptions options;
  options.enabled = true;
  options.load_type = load_type;
  options.unique_write_number = 1;
  options.unique_query_number = 0;
  options.char_columns = 0;
  return options;
}

TEST(InitialRandomTest, BeginsAsTheLibraryDoesWithoutASeed) {
  InitialRandom random;
  EXPECT_EQ(random.Next(), 1804289383U);
  EXPECT_EQ(random.Next(), 846930886U);
  EXPECT_EQ(random.Next(), 1681692777U);
}

TEST(InitialRandomTest, LeavesTheLibrarysOwnSequenceAlone) {
  srandom(7);
  const auto expected = random();
  srandom(7);
  InitialRandom random_object;
  random_object.Next();
  EXPECT_EQ(random(), expected);
}

TEST(GeneratedSqlTest, TheDefaultsByteForByte) {
  GenerateOptions options;
  options.enabled = true;
  const GeneratedSql sql = GenerateSql(options);
  EXPECT_EQ(sql.create_table, "CREATE TABLE `t1` (intcol1 INT(32) ,charcol1 VARCHAR(128))");
  ASSERT_THAT(sql.inserts, SizeIs(10));
  EXPECT_EQ(sql.inserts[0], std::string("INSERT INTO t1 VALUES (1804289383,'") + kFirst + "')");
  EXPECT_EQ(sql.inserts[1], std::string("INSERT INTO t1 VALUES (822890675,'") + kSecond + "')");
  ASSERT_THAT(sql.queries, SizeIs(11));
  // The eleventh draw of the sequence goes on where the rows ended.
  EXPECT_EQ(sql.queries[0].text.substr(0, 33), "INSERT INTO t1 VALUES (100669,'qn");
  EXPECT_EQ(sql.queries[1].text, "SELECT intcol1,charcol1 FROM t1");
  EXPECT_EQ(sql.queries[2].text.substr(0, 32), "INSERT INTO t1 VALUES (73673339,");
  EXPECT_FALSE(sql.queries[1].takes_key);
}

TEST(GeneratedSqlTest, IsTheSameEveryTime) {
  GenerateOptions options;
  EXPECT_EQ(GenerateSql(options).queries[10].text, GenerateSql(options).queries[10].text);
  EXPECT_EQ(GenerateSql(options).inserts, GenerateSql(options).inserts);
}

TEST(GeneratedSqlTest, AllColumnsKeysAndIndexes) {
  GenerateOptions options = Small(LoadType::kWrite);
  options.add_autoincrement = true;
  options.secondary_indexes = 2;
  options.int_columns = 2;
  options.index_int_columns = true;
  options.char_columns = 2;
  options.index_char_columns = true;
  const GeneratedSql sql = GenerateSql(options);
  EXPECT_EQ(sql.create_table,
            "CREATE TABLE `t1` (id serial,id0 varchar(36) unique key,id1 varchar(36) unique key,"
            "intcol1 INT(32), INDEX(intcol1),intcol2 INT(32), INDEX(intcol2),"
            "charcol1 VARCHAR(128), INDEX(charcol1) ,charcol2 VARCHAR(128), INDEX(charcol2) )");
  EXPECT_EQ(sql.inserts[0].substr(0, 65),
            "INSERT INTO t1 VALUES (NULL,uuid(),uuid(),1804289383,846930886,'x");
}

TEST(GeneratedSqlTest, GuidPrimaryKey) {
  GenerateOptions options = Small(LoadType::kRead);
  options.guid_primary = true;
  const GeneratedSql sql = GenerateSql(options);
  EXPECT_EQ(sql.create_table, "CREATE TABLE `t1` (id varchar(36) primary key,intcol1 INT(32) )");
  EXPECT_THAT(sql.inserts, ElementsAre("INSERT INTO t1 VALUES (uuid(),1804289383)"));
  EXPECT_EQ(sql.queries[0].text, "SELECT intcol1 FROM t1");
  EXPECT_FALSE(sql.queries[0].takes_key);
}

TEST(GeneratedSqlTest, WithoutOtherColumnsKeyAndIndexesHaveNoCommaAsInMysqlslap) {
  GenerateOptions options = Small(LoadType::kWrite);
  options.int_columns = 0;
  options.add_autoincrement = true;
  options.secondary_indexes = 1;
  const GeneratedSql sql = GenerateSql(options);
  EXPECT_EQ(sql.create_table, "CREATE TABLE `t1` (id serialid0 varchar(36) unique key)");
  EXPECT_THAT(sql.inserts, ElementsAre("INSERT INTO t1 VALUES (NULLuuid())"));
}

TEST(GeneratedSqlTest, LoadsByKeyTakeAKey) {
  GenerateOptions options = Small(LoadType::kKey);
  options.add_autoincrement = true;
  EXPECT_EQ(GenerateSql(options).queries[0].text, "SELECT intcol1 FROM t1 WHERE id = ");
  EXPECT_TRUE(GenerateSql(options).queries[0].takes_key);
  options.load_type = LoadType::kUpdate;
  EXPECT_EQ(GenerateSql(options).queries[0].text, "UPDATE t1 SET intcol1 = 846930886 WHERE id = ");
  EXPECT_TRUE(GenerateSql(options).queries[0].takes_key);
  options.load_type = LoadType::kMixed;
  options.unique_query_number = 1;
  EXPECT_FALSE(GenerateSql(options).queries[0].takes_key);
  EXPECT_EQ(GenerateSql(options).queries[1].text, "SELECT intcol1 FROM t1 WHERE id = ");
  EXPECT_TRUE(GenerateSql(options).queries[1].takes_key);
}

TEST(GeneratedSqlTest, WithoutAKeyColumnNothingTakesAKey) {
  EXPECT_EQ(GenerateSql(Small(LoadType::kUpdate)).queries[0].text,
            "UPDATE t1 SET intcol1 = 846930886");
  EXPECT_FALSE(GenerateSql(Small(LoadType::kUpdate)).queries[0].takes_key);
}

TEST(GeneratedSqlTest, UpdateSetsEveryColumn) {
  GenerateOptions options = Small(LoadType::kUpdate);
  options.unique_write_number = 0;
  options.int_columns = 2;
  options.char_columns = 1;
  EXPECT_EQ(GenerateSql(options).queries[0].text.substr(0, 65),
            "UPDATE t1 SET intcol1 = 1804289383,intcol2 = 846930886,charcol1 =");
}

}  // namespace
}  // namespace dslap
