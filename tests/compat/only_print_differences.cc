#include "tests/compat/only_print_differences.h"

#include "absl/strings/str_cat.h"

namespace dslap {
namespace {

constexpr char kDrop[] = "DROP SCHEMA IF EXISTS `mysqlslap`;\n";
constexpr char kCreate[] = "CREATE SCHEMA `mysqlslap`;\nuse mysqlslap;\n";

std::vector<OnlyPrintDifference> Splitting() {
  return {
      {.reason = "only the first character of the delimiter counts, an empty statement cuts the "
                 "list",
       .arguments = {"--delimiter=;;", "--query=select 1;;select 2"},
       .reference = "select 1;\nselect 1;\nselect 1;\n",
       .dslap = "select 1;\nselect 2;\n"},
      {.reason = "an empty statement cuts the list",
       .arguments = {"-F;", "--query=select 1;;select 2"},
       .reference = "select 1;\nselect 1;\nselect 1;\n",
       .dslap = "select 1;\nselect 2;\n"},
      {.reason = "what is only white space is sent and answered \"Query was empty\"",
       .arguments = {"-F;", "--query=select 1; \n"},
       .reference = "select 1;\n\n;\n",
       .dslap = "select 1;\n"},
      {.reason = "a list that begins with a line end is an endless loop",
       .arguments = {"--query=\nselect 1", "--number-of-queries=1"},
       .dslap = "select 1;\n"},
      {.reason = "strings are cut",
       .arguments = {"-F;", "--query=select 'a;b'"},
       .reference = "select 'a;\nb';\n",
       .dslap = "select 'a;b';\n"},
      {.reason = "strings over several lines are cut",
       .arguments = {"--query=select 'a\nb'"},
       .reference = "select 'a;\nb';\n",
       .dslap = "select 'a\nb';\n"},
      {.reason = "names in back-ticks are cut",
       .arguments = {"-F;", "--query=select `a;b`"},
       .reference = "select `a;\nb`;\n",
       .dslap = "select `a;b`;\n"},
      {.reason = "comments are cut",
       .arguments = {"-F;", "--query=select 1 /* a;b */;select 2"},
       .reference = "select 1 /* a;\nb */;\nselect 2;\n",
       .dslap = "select 1 /* a;b */;\nselect 2;\n"},
      {.reason = "executable comments are cut",
       .arguments = {"-F;", "--query=/*!1 select 'a;b' */"},
       .reference = "/*!1 select 'a;\nb' */;\n",
       .dslap = "/*!1 select 'a;b' */;\n"},
      {.reason = "line comments are cut",
       .arguments = {"-F;", "--query=select 1 -- a;b\n;select 2 # c;d"},
       .reference = "select 1 -- a;\nb\n;\nselect 2 # c;\nd;\n",
       .dslap = "select 1 -- a;b\n;\nselect 2 # c;d;\n"},
      {.reason = "a comment without a statement is sent and answered \"Query was empty\"",
       .arguments = {"--query=-- one\nselect 1\n/* two */"},
       .reference = "-- one;\nselect 1;\n/* two */;\n",
       .dslap = "select 1;\n"},
      {.reason = "CR LF leaves a CR in the statement",
       .arguments = {"--query=select 1\r\nselect 2"},
       .reference = "select 1\r;\nselect 2;\n",
       .dslap = "select 1;\nselect 2;\n"},
      {.reason = "CR LF after the delimiter leaves a LF, alone at the end",
       .arguments = {"-F;", "--query=select 1;\r\nselect 2;\r\n"},
       .reference = "select 1;\n\nselect 2;\n\n;\n",
       .dslap = "select 1;\nselect 2;\n"},
      {.reason = "a byte order mark stays",
       .arguments = {"--query=\xEF\xBB\xBFselect 1"},
       .reference = "\xEF\xBB\xBFselect 1;\n",
       .dslap = "select 1;\n"},
      {.reason = "DELIMITER lines are not known",
       .arguments = {"-F;",
                     "--query=DELIMITER //\ncreate procedure p() begin select 1; end//\n"
                     "DELIMITER ;\ncall p()"},
       .reference = "DELIMITER //\ncreate procedure p() begin select 1;\nend//\nDELIMITER ;\n"
                    "call p();\n",
       .dslap = "create procedure p() begin select 1; end;\ncall p();\n"},
  };
}

std::vector<OnlyPrintDifference> Names() {
  return {
      {.reason = "the schema's name is not quoted after use",
       .arguments = {"--query=q", "--create=c", "--create-schema=a-b"},
       .reference = "DROP SCHEMA IF EXISTS `a-b`;\nCREATE SCHEMA `a-b`;\nuse a-b;\nc;\nq;\n"
                    "DROP SCHEMA IF EXISTS `a-b`;\n",
       .dslap = "DROP SCHEMA IF EXISTS `a-b`;\nCREATE SCHEMA `a-b`;\nuse `a-b`;\nc;\nq;\n"
                "DROP SCHEMA IF EXISTS `a-b`;\n"},
      {.reason = "back-ticks in the schema's name are not doubled",
       .arguments = {"--query=q", "--create=c", "--create-schema=a`b"},
       .reference = "DROP SCHEMA IF EXISTS `a`b`;\nCREATE SCHEMA `a`b`;\nuse a`b;\nc;\nq;\n"
                    "DROP SCHEMA IF EXISTS `a`b`;\n",
       .dslap = "DROP SCHEMA IF EXISTS `a``b`;\nCREATE SCHEMA `a``b`;\nuse `a``b`;\nc;\nq;\n"
                "DROP SCHEMA IF EXISTS `a``b`;\n"},
      {.reason = "a last engine that has an option gets the first one's name",
       .arguments = {"--query=q", "--create=c", "--engine=innodb,memory:max_rows=10"},
       .only = Compat::kMySql,
       .reference =
           absl::StrCat(kDrop, kCreate, "set default_storage_engine=`innodb`;\nc;\nq;\n", kDrop,
                        kDrop, kCreate, "set default_storage_engine=`innodb`;\nc;\nq;\n", kDrop),
       .dslap =
           absl::StrCat(kDrop, kCreate, "set default_storage_engine=`innodb`;\nc;\nq;\n", kDrop,
                        kDrop, kCreate, "set default_storage_engine=`memory`;\nc;\nq;\n", kDrop)},
  };
}

std::vector<OnlyPrintDifference> Columns() {
  return {
      {.reason = "the word index after the colon, which the help text gives, counts as 0",
       .arguments = {"-a", "-x1:index", "-y0", "--auto-generate-sql-write-number=1",
                     "--auto-generate-sql-unique-query-number=0",
                     "--auto-generate-sql-load-type=read"},
       .reference = absl::StrCat(kDrop, kCreate, "CREATE TABLE `t1` (charcol1 VARCHAR(128));\n",
                                 "SELECT charcol1 FROM t1;\n", kDrop),
       .dslap = absl::StrCat(kDrop, kCreate, "CREATE TABLE `t1` (charcol1 VARCHAR(128), ",
                             "INDEX(charcol1) );\nSELECT charcol1 FROM t1;\n", kDrop)},
  };
}

std::vector<OnlyPrintDifference> Sizes() {
  // Cut where the buffer of 8196 bytes, with its NUL, is full.
  const std::string create =
      absl::StrCat("create table a (b int comment '", std::string(8300, 'x'), "')");
  return {
      {.reason = "a long CREATE with an engine is cut",
       .arguments = {"--query=q", absl::StrCat("--create=", create), "--engine=innodb"},
       .only = Compat::kMariaDb,
       .reference = absl::StrCat(kDrop, kCreate, create.substr(0, 8195), ";\nq;\n", kDrop),
       .dslap = absl::StrCat(kDrop, kCreate, create, " Engine = innodb;\nq;\n", kDrop)},
  };
}

// What cannot be measured is refused before anything is touched.
std::vector<OnlyPrintDifference> Refusals() {
  return {
      {.reason = "a string that is never closed is only noticed by the server, each time anew",
       .arguments = {"-F;", "--query=select 1;\nselect 'a"},
       .reference = "select 1;\nselect 'a;\n",
       .dslap_error = "dslap: --query: line 2: the string that begins with ' is never closed: add "
                      "the closing ' (inside a string it is written '' or \\')\n"},
      {.reason = "a run without a statement measures nothing",
       .arguments = {"-F;", "--query= -- nothing"},
       .reference = " -- nothing;\n",
       .dslap_error = "dslap: --query: there is no statement in it, so nothing to run\n"},
      {.reason = "a number of queries but none to choose from is an endless loop",
       .arguments = {"-F;", "--query=;", "--number-of-queries=5"},
       .dslap_error = "dslap: --query: there is no statement in it, so nothing to run\n"},
      {.reason = "rows to load but none to choose from is an endless loop",
       .arguments = {"-a", "--auto-generate-sql-unique-write-number=0"},
       .dslap_error =
           "dslap: --auto-generate-sql-unique-write-number=0 leaves no row to load, but "
           "--auto-generate-sql-write-number is 100: give it as 1 for an empty table, or "
           "ask for unique rows\n"},
  };
}

}  // namespace

const std::vector<OnlyPrintDifference>& OnlyPrintDifferences() {
  static const auto* const differences = [] {
    auto* all = new std::vector<OnlyPrintDifference>();
    for (auto make : {Splitting, Names, Columns, Sizes, Refusals}) {
      for (OnlyPrintDifference& difference : make()) all->push_back(difference);
    }
    return all;
  }();
  return *differences;
}

}  // namespace dslap
