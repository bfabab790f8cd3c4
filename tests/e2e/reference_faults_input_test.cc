// The faults of mysqlslap that are about its input: the command line, SQL texts and files. The
// rest, and the words about all of them, are in reference_faults_test.cc.
#include <sys/inotify.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "controller/exit_code.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/e2e_checks.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr int kUsage = static_cast<int>(ExitCode::kUsage);

TEST(ReferenceFaults, Fault04EndlessLoopsAreUsageErrors) {
  struct Case {
    std::vector<std::string> arguments;
    std::string text;
  };
  for (const Case& one : std::vector<Case>{
           {{"--number-of-queries=10"}, "--number-of-queries: there is no query to execute"},
           {{"--create=create table t (a int)", "--number-of-queries=10"},
            "there is no query to execute"},
           {{"-a", "-c", "0"}, "-c 0: a case needs at least 1 client"},
           {{"-a", "-c", "abc"}, "-c abc: 'abc' is not a whole number"},
           {{"-a", "--iterations=0"}, "--iterations"},
           {{"--query=;;", "-F;", "--number-of-queries=10"},
            "--query: there is no statement in it"},
           {{"-a", "--auto-generate-sql-unique-write-number=0"},
            "--auto-generate-sql-unique-write-number=0 leaves no row to load"}}) {
    const ProcessResult result = RunDslap(one.arguments);
    EXPECT_EQ(result.exit_code, kUsage) << one.arguments.back();
    EXPECT_LT(result.elapsed, kFewSeconds);
    EXPECT_EQ(result.out, "");
    ExpectOneErrorLine(result, {one.text});
  }
}

TEST(ReferenceFaults, Fault04FileThatBeginsWithAnEmptyLineRuns) {
  const ScratchDirectory directory;
  const ProcessResult result =
      RunDslap({absl::StrCat("--query=", directory.File("q.sql", "\n\nselect 1\n")),
                "--number-of-queries=10"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 10 of 10\n"));
}

TEST(ReferenceFaults, Fault04ExecuteNumberAloneTurnsGeneratingOn) {
  const ProcessResult result = RunDslap({"--auto-generate-sql-execute-number=7", "-c2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("dslap: warning: "));
  EXPECT_THAT(result.err, HasSubstr("--auto-generate-sql-execute-number"));
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 14 of 14\n"));
  EXPECT_THAT(result.out, HasSubstr("\tAverage number of queries per client: 7\n"));
}

// What the server stored, as hexadecimal digits, in order of `id`.
std::string Stored() {
  std::string all;
  for (const auto& row : Sandbox().Rows("SELECT HEX(v) FROM texts.t ORDER BY id")) {
    absl::StrAppend(&all, row[0], "\n");
  }
  return all;
}

std::string Hex(const std::vector<std::string>& values) {
  std::string all;
  for (const std::string& value : values) {
    for (const unsigned char byte : value) absl::StrAppend(&all, absl::Hex(byte, absl::kZeroPad2));
    all += "\n";
  }
  for (char& digit : all) digit = absl::ascii_toupper(static_cast<unsigned char>(digit));
  return all;
}

// Runs files of SQL that store what they are about in texts.t.
class TextRunner {
 public:
  ProcessResult RunFile(const std::string& text, const std::string& delimiter) const {
    return RunDslap({absl::StrCat("--query=", directory_.File("q.sql", text)),
                     absl::StrCat("--delimiter=", delimiter), "--create-schema=texts"});
  }

  const ScratchDirectory& directory() const { return directory_; }

 private:
  const ScratchDirectory directory_;
  const ScratchSchema schema_{"texts", {"t (id INT AUTO_INCREMENT PRIMARY KEY, v LONGBLOB)"}};
};

TEST(ReferenceFaults, Fault05WholeDelimiterCounts) {
  const TextRunner texts;
  const ProcessResult result =
      texts.RunFile("insert into t (v) values ('1;2')//insert into t (v) values ('3/4')//", "//");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Stored(), Hex({"1;2", "3/4"}));
}

TEST(ReferenceFaults, Fault05QuotesAndCommentsAreKnown) {
  const TextRunner texts;
  const ProcessResult result = texts.RunFile(
      "insert into t (v) values ('a;''b;\\';c');"
      "insert into `t` (`v`) select \"d;\"\"e\" as `;`;\n"
      "-- a comment; with a delimiter\n"
      "# and; another\n"
      ";;; \n ;\n"
      "insert /* one; more */ into t (v) values ('f') -- at the end;\n;"
      "/*!50000 insert into t (v) values ('executed; too') */;"
      "insert into t (v) values ('last')",
      ";");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 5 of 5\n"));
  EXPECT_EQ(Stored(), Hex({"a;'b;';c", "d;\"e", "f", "executed; too", "last"}));
}

TEST(ReferenceFaults, Fault05BytesArriveAsTheyAre) {
  const TextRunner texts;
  const std::string nul("a\0b\0", 4);
  const std::string utf8 = "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x90\xAC";
  const std::string not_utf8 = "\xFF\xFE\x80";
  const ProcessResult result = texts.RunFile(
      absl::StrCat("insert into t (v) values ('", nul, "');insert into t (v) values ('", utf8,
                   "');insert into t (v) values (_binary'", not_utf8,
                   "');insert into t (v) values ('x\r\ny')"),
      ";");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Stored(), Hex({nul, utf8, not_utf8, "x\r\ny"}));
}

TEST(ReferenceFaults, Fault05ByteOrderMarkAndCrLfAreNoStatements) {
  const TextRunner texts;
  const ProcessResult result = texts.RunFile(
      "\xEF\xBB\xBFinsert into t (v) values ('1');\r\n\r\ninsert into t (v)\r\n values ('2');\r\n",
      ";");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 2 of 2\n"));
  const ProcessResult by_lines =
      texts.RunFile("insert into t (v) values ('3')\r\ninsert into t (v) values ('4')\r\n", "\n");
  EXPECT_EQ(by_lines.exit_code, 0) << by_lines.err;
  EXPECT_THAT(by_lines.out, HasSubstr("\tStatements executed: 2 of 2\n"));
  EXPECT_EQ(Stored(), Hex({"1", "2", "3", "4"}));
}

TEST(ReferenceFaults, Fault05DelimiterLinesGiveStoredPrograms) {
  const TextRunner texts;
  const std::string create =
      texts.directory().File("create.sql",
                             "create table n (a int);\n"
                             "DELIMITER //\n"
                             "create procedure fill(k int)\n"
                             "begin\n"
                             "  while k > 0 do\n"
                             "    insert into n values (k); set k = k - 1;\n"
                             "  end while;\n"
                             "  select count(*) from n;\n"
                             "end//\n"
                             "create trigger r after insert on n for each row\n"
                             "begin\n"
                             "  insert into texts.t (v) values (new.a);\n"
                             "end //\n"
                             "delimiter ;\n"
                             "insert into n values (40);\n");
  const ProcessResult result = RunDslap(
      {absl::StrCat("--create=", create), "--query=call fill(2); call fill(1)", "--delimiter=;"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 2 of 2\n"));
  EXPECT_EQ(Stored(), Hex({"40", "2", "1", "1"}));
}

// What is on its way at once: messages, and the buffers of both ends.
constexpr int64_t kPieces = 24 << 20;

// Statements of about 1 kB, written piece by piece: what the test itself holds would count as the
// child's.
void WriteBigFile(const std::string& path, int64_t bytes) {
  const std::string text(1000, 'x');
  std::ofstream file(path, std::ios::binary);
  for (int64_t written = 0; written < bytes; written += 1024) {
    file << "do length('" << text << "') = 1000;\n";
  }
}

// The list is held once by the controller and once by the agent, which is in the same process here,
// and pieces of it while they are on their way.
void ExpectBigFileRuns(int64_t bytes) {
  const ScratchDirectory directory;
  const std::string file = directory.Path("big.sql");
  WriteBigFile(file, bytes);
  const ProcessResult small = RunDslap({"--query=do 1"});
  const ProcessResult big =
      RunDslap({absl::StrCat("--query=", file), "-F;", "--number-of-queries=1000", "-c2"},
               absl::Seconds(120));
  EXPECT_EQ(big.exit_code, 0) << big.err;
  EXPECT_THAT(big.out, HasSubstr("\tStatements executed: 1000 of 1000\n"));
  EXPECT_LT(big.peak_rss_bytes - small.peak_rss_bytes, bytes / 2 * 5 + kPieces);
  std::cout << "peak " << (big.peak_rss_bytes >> 20) << " MB for " << (bytes >> 20) << " MB\n";
}

TEST(ReferenceFaults, Fault05FileOf20MegabytesNeedsBoundedMemory) { ExpectBigFileRuns(20 << 20); }
TEST(ReferenceFaults, Fault05FileOf200MegabytesNeedsBoundedMemory) { ExpectBigFileRuns(200 << 20); }

// Held once for all cases, and once more while a round is set up.
void ExpectBigCreateFileRuns(int64_t bytes) {
  const ScratchDirectory directory;
  const std::string file = directory.Path("big.sql");
  WriteBigFile(file, bytes);
  const ProcessResult small = RunDslap({"--create=do 1", "--query=do 1"});
  const ProcessResult big = RunDslap(
      {absl::StrCat("--create=", file), "-F;", "--query=do 1", "-c1,2,3"}, absl::Seconds(280));
  EXPECT_EQ(big.exit_code, 0) << big.err;
  EXPECT_THAT(big.out, HasSubstr("\tStatements executed: 3 of 3\n"));
  EXPECT_LT(big.peak_rss_bytes - small.peak_rss_bytes, bytes / 2 * 5 + kPieces);
  ExpectNothingLeft();
}

TEST(ReferenceFaults, Fault05CreateFileOf20MegabytesNeedsBoundedMemory) {
  ExpectBigCreateFileRuns(20 << 20);
}

// It takes the server more than a minute: with --gtest_also_run_disabled_tests.
TEST(ReferenceFaults, DISABLED_Fault05CreateFileOf200MegabytesNeedsBoundedMemory) {
  ExpectBigCreateFileRuns(200 << 20);
}

// Root may open every file for writing: only the kernel can tell how it was opened.
TEST(ReferenceFaults, Fault06FilesAreOnlyRead) {
  const ScratchDirectory directory;
  const std::string file = directory.File("query.sql", "select 1");
  const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(watch, 0);
  ASSERT_GE(inotify_add_watch(watch, file.c_str(), IN_CLOSE_WRITE | IN_CLOSE_NOWRITE), 0);
  const ProcessResult result = RunDslap({absl::StrCat("--query=", file)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  uint32_t closed = 0;
  alignas(inotify_event) char buffer[4096];
  const ssize_t got = read(watch, buffer, sizeof(buffer));
  for (ssize_t at = 0; at < got;) {
    const auto* const event = reinterpret_cast<const inotify_event*>(buffer + at);
    closed |= event->mask;
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  close(watch);
  EXPECT_EQ(closed & (IN_CLOSE_WRITE | IN_CLOSE_NOWRITE), uint32_t{IN_CLOSE_NOWRITE});
}

TEST(ReferenceFaults, Fault06MistypedFileNameIsNotRunAsSql) {
  for (const std::string option : {"--query", "--create", "--pre-query", "--post-query"}) {
    for (const std::string name : {"./no-such-file", "no_such_file.sql", "@no_such_file"}) {
      std::vector<std::string> arguments = {absl::StrCat(option, "=", name)};
      if (option != "--query") arguments.emplace_back("--query=select 1");
      const ProcessResult result = RunDslap(arguments);
      EXPECT_EQ(result.exit_code, kUsage);
      ExpectOneErrorLine(
          result, {option, name[0] == '@' ? name.substr(1) : name, "No such file or directory"});
    }
  }
}

TEST(ReferenceFaults, Fault13StrayAndMistypedArgumentsAreRefused) {
  struct Case {
    std::vector<std::string> arguments;
    std::vector<std::string> texts;
  };
  for (const Case& one : std::vector<Case>{
           {{"-a",
             "\xE2\x80\x93"
             "engine=innodb"},
            {"U+2013 (en dash)", "did you mean '--engine=innodb'?"}},
           {{"-a", "innodb"}, {"innodb"}},
           {{"-a", "--concurrency=100--iterations=1"}, {"--concurrency", "100--iterations=1"}},
           {{"-a", "--auto-generate-sql-load-type=insert"},
            {"'insert' is none of: mixed, update, write, key, read"}}}) {
    const ProcessResult result = RunDslap(one.arguments);
    EXPECT_EQ(result.exit_code, kUsage) << one.arguments.back();
    EXPECT_EQ(result.out, "");
    ExpectOneErrorLine(result, one.texts);
  }
}

// Cut anywhere, the statement would be a syntax error.
TEST(ReferenceFaults, Fault18LongStatementsWithAKeyAreWhole) {
  const ProcessResult result = RunDslap({"-a", "-x60", "-y10", "--auto-generate-sql-guid-primary",
                                         "--auto-generate-sql-load-type=update",
                                         "--auto-generate-sql-execute-number=20", "-c2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\tStatements executed: 40 of 40\n"));
}

TEST(ReferenceFaults, Fault18StatementLargerThanAPacketIsReported) {
  const ScratchDirectory directory;
  const std::string allowed = Sandbox().Value("SELECT @@global.max_allowed_packet");
  Sandbox().Execute("SET GLOBAL max_allowed_packet = 1048576");
  const ProcessResult result = RunDslap({absl::StrCat(
      "--query=",
      directory.File("q.sql", absl::StrCat("do length('", std::string(2 << 20, 'x'), "')")))});
  Sandbox().Execute(absl::StrCat("SET GLOBAL max_allowed_packet = ", allowed));
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kFailures));
  // The server ends the connection as well: who is still writing may see only that.
  EXPECT_THAT(
      result.out,
      ContainsRegex("\tErrors: 1\n\t  1 x  (1153/08S01: .*max_allowed_packet|2006/|2013/)"));
}

}  // namespace
}  // namespace dslap
