// dslap --only-print beside the real mysqlslap --only-print: equal bytes for hundreds of generated
// command lines, and exactly the listed differences otherwise.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/compat/only_print_combinations.h"
#include "tests/compat/only_print_differences.h"
#include "tests/compat/reference_program.h"

namespace dslap {
namespace {

// Where two texts part, short enough to read.
std::string FirstDifference(const std::string& reference, const std::string& own) {
  const std::vector<std::string> a = absl::StrSplit(reference, '\n');
  const std::vector<std::string> b = absl::StrSplit(own, '\n');
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string left = i < a.size() ? a[i] : "(its end)";
    const std::string right = i < b.size() ? b[i] : "(its end)";
    if (left != right) {
      return absl::StrCat("line ", i + 1, "\n  mysqlslap: ", left.substr(0, 300),
                          "\n  dslap:     ", right.substr(0, 300));
    }
  }
  return "none";
}

// "mysqlslap --no-defaults ...", to be tried by hand.
std::string CommandLine(const std::vector<std::string>& arguments) {
  return absl::StrCat("--no-defaults --only-print '", absl::StrJoin(arguments, "' '"), "'");
}

std::string ParameterName(const testing::TestParamInfo<Compat>& info) {
  return info.param == Compat::kMySql ? "MySql" : "MariaDb";
}

class OnlyPrintCompatTest : public testing::TestWithParam<Compat> {
 protected:
  void SetUp() override {
    reference_ = FindReference(GetParam());
    ASSERT_EQ(reference_.error, "");
    if (!reference_.skip_reason.empty()) GTEST_SKIP() << reference_.skip_reason;
    std::cout << "compared with " << reference_.version << std::endl;
  }

  // True when both printed the same and ended well.
  bool ExpectSame(const std::vector<std::string>& arguments) {
    SCOPED_TRACE(CommandLine(arguments));
    const ProcessResult expected = PrintWithReference(reference_, arguments);
    const ProcessResult own = PrintWithDslap(GetParam(), arguments);
    EXPECT_EQ(expected.exit_code, 0) << "of mysqlslap: " << expected.err;
    EXPECT_EQ(own.exit_code, 0) << "of dslap: " << own.err;
    const bool same = own.out == expected.out;
    EXPECT_TRUE(same) << "first difference: " << FirstDifference(expected.out, own.out);
    EXPECT_EQ(own.err, "");
    return same && own.exit_code == 0 && expected.exit_code == 0;
  }

  ReferenceProgram reference_;
};

TEST_P(OnlyPrintCompatTest, GeneratedCombinationsPrintEqualBytes) {
  int differing = 0;
  for (const std::vector<std::string>& arguments : OnlyPrintCombinations(GetParam(), 300)) {
    if (!ExpectSame(arguments) && ++differing == 5) break;  // enough to see what is wrong
  }
}

TEST_P(OnlyPrintCompatTest, CommandLinesOfPublicReportsPrintEqualBytes) {
  ExpectSame({"--delimiter=;", "--create=CREATE TABLE a (b int);INSERT INTO a VALUES (23)",
              "--query=SELECT * FROM a", "--iterations=200"});
  ExpectSame({"--iterations=20", "-y2", "-x3", "-a", "--auto-generate-sql-unique-query-number=2000",
              "--auto-generate-sql-execute-number=2000", "--auto-generate-sql-write-number=2000",
              "--auto-generate-sql-unique-write-number=2000"});
  ExpectSame({"-a", "--number-of-queries=1000", "--iterations=5", "--engine=myisam,innodb"});
  ExpectSame({"-a", "--create-schema=bug58090"});
  ExpectSame({"--query=CALL p1; SELECT 1;", "--delimiter=;", "--pre-query=CALL p1"});
}

TEST_P(OnlyPrintCompatTest, DiffersExactlyAsListed) {
  for (const OnlyPrintDifference& difference : OnlyPrintDifferences()) {
    if (difference.only.has_value() && *difference.only != GetParam()) continue;
    SCOPED_TRACE(difference.reason);
    SCOPED_TRACE(CommandLine(difference.arguments).substr(0, 500));
    const ProcessResult own = PrintWithDslap(GetParam(), difference.arguments);
    EXPECT_EQ(own.exit_code, difference.dslap_error.empty() ? 0 : 2);
    EXPECT_EQ(own.out, difference.dslap);
    EXPECT_EQ(own.err.substr(0, difference.dslap_error.size()), difference.dslap_error);
    if (!difference.reference.has_value()) continue;
    EXPECT_NE(difference.dslap, *difference.reference) << "this row lists no difference";
    EXPECT_EQ(PrintWithReference(reference_, difference.arguments).out, *difference.reference);
  }
}

INSTANTIATE_TEST_SUITE_P(Compat, OnlyPrintCompatTest,
                         testing::Values(Compat::kMariaDb, Compat::kMySql), ParameterName);

// Files, which Oracle's program may not be able to see.
class OnlyPrintFileTest : public testing::Test {
 protected:
  void SetUp() override {
    reference_ = FindReference(Compat::kMariaDb);
    ASSERT_EQ(reference_.error, "");
    if (!reference_.skip_reason.empty()) GTEST_SKIP() << reference_.skip_reason;
    char directory[] = "/tmp/dslap-only-print.XXXXXX";
    ASSERT_NE(mkdtemp(directory), nullptr);
    directory_ = directory;
  }

  void TearDown() override {
    for (const std::string& path : paths_) unlink(path.c_str());
    if (!directory_.empty()) rmdir(directory_.c_str());
  }

  std::string File(const std::string& name, const std::string& content) {
    paths_.push_back(absl::StrCat(directory_, "/", name));
    std::ofstream(paths_.back(), std::ios::binary) << content;
    return paths_.back();
  }

  ReferenceProgram reference_;
  std::string directory_;
  std::vector<std::string> paths_;
};

TEST_F(OnlyPrintFileTest, StatementsOverSeveralLinesPrintEqualBytes) {
  const std::string create = File("create.sql",
                                  "create table a\n  (b int);\n\ninsert into a\n"
                                  "  values (1);\n");
  const std::string query = File("query.sql",
                                 "select *\n  from a\n where b = 1;\n\n\n"
                                 "select 2;\n");
  const std::vector<std::string> arguments = {"--iterations=5", absl::StrCat("--query=", query),
                                              absl::StrCat("--create=", create), "--delimiter=;"};
  const ProcessResult expected = PrintWithReference(reference_, arguments);
  const ProcessResult own = PrintWithDslap(Compat::kMariaDb, arguments);
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  EXPECT_EQ(own.exit_code, 0) << own.err;
  EXPECT_EQ(own.out, expected.out);
}

// mysqlslap stops reading at the NUL, in the middle of a statement.
TEST_F(OnlyPrintFileTest, ANulByteDoesNotCutTheFile) {
  const std::string content("select 1;\nselect 'a\0b';\nselect 3", 32);
  const std::vector<std::string> arguments = {absl::StrCat("--query=", File("query.sql", content)),
                                              "--delimiter=;"};
  EXPECT_EQ(PrintWithReference(reference_, arguments).out, "select 1;\nselect 'a;\n");
  EXPECT_EQ(PrintWithDslap(Compat::kMariaDb, arguments).out, std::string(content) + ";\n");
}

}  // namespace
}  // namespace dslap
