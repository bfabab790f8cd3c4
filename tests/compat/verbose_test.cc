// What -v, -vv and -T print beside the real mysqlslap, on a real server. (The statements of -vvv
// are compared by only_print_test.cc; in a run, dslap tells what all clients execute once.)
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/reference_program.h"
#include "tests/support/dslap_process.h"
#include "tests/support/sandbox_database.h"

namespace dslap {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const auto* const kSandboxEnvironment = AddSandboxEnvironment();

// With 0 for each figure that no two runs share.
std::string WithoutFigures(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9]+\\.[0-9]+|[0-9]{2,}"), "0");
}

class VerboseCompatTest : public testing::TestWithParam<Compat> {
 protected:
  void SetUp() override {
    reference_ = FindReference(GetParam());
    ASSERT_EQ(reference_.error, "");
    if (!reference_.skip_reason.empty()) GTEST_SKIP() << reference_.skip_reason;
  }

  ProcessResult RunReference(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = reference_.command;
    all.emplace_back("--no-defaults");
    for (const std::string& one : Sandbox().ClientArguments()) all.push_back(one);
    all.insert(all.end(), arguments.begin(), arguments.end());
    return RunProcess({.argv = all}, absl::Seconds(60));
  }

  ProcessResult RunOwn(std::vector<std::string> arguments) {
    arguments.insert(
        arguments.end(),
        {"--classic", GetParam() == Compat::kMySql ? "--compat=mysql" : "--compat=mariadb"});
    return RunDslap(arguments);
  }

  ReferenceProgram reference_;
};

TEST_P(VerboseCompatTest, SameLinesOnStandardOutput) {
  const std::vector<std::vector<std::string>> runs = {
      {"-a", "--number-of-queries=20", "-c2", "-i2"},
      {"-a", "--auto-generate-sql-load-type=key", "--auto-generate-sql-add-autoincrement",
       "--number-of-queries=20", "-c1,2", "--engine=innodb,memory"},
      {"-a", "--auto-generate-sql-load-type=write", "--number-of-queries=20"},
      {"-a", "--auto-generate-sql-load-type=read", "--number-of-queries=20"},
      {"-a", "--auto-generate-sql-load-type=update", "--number-of-queries=20", "--commit=2"},
      {"--query=select 1", "--number-of-queries=20", "--create-schema=mysql"},
      {"--query=select 1", "--number-of-queries=20", "--create-schema=mysql", "--silent"},
      {"--query=select 1", "--number-of-queries=20", "--create-schema=mysql", "--csv"},
      {"--create=create table t (a int)", "--query=insert into t values (1)",
       "--pre-system=echo before", "--post-system=echo after", "--number-of-queries=20"},
  };
  for (const std::vector<std::string>& run : runs) {
    for (const std::string verbosity : {"-v", "-vv"}) {
      std::vector<std::string> arguments = run;
      arguments.push_back(verbosity);
      SCOPED_TRACE(absl::StrJoin(arguments, " "));
      const ProcessResult expected = RunReference(arguments);
      const ProcessResult own = RunOwn(arguments);
      EXPECT_EQ(expected.exit_code, 0) << expected.err;
      EXPECT_EQ(own.exit_code, 0) << own.err;
      // mysqlslap keeps its lines back while a command's own are already out.
      std::string reference_out = expected.out;
      for (const char* line : {"before\n", "after\n"}) {
        const size_t at = reference_out.find(line);
        if (at == std::string::npos) continue;
        EXPECT_THAT(own.out, HasSubstr(line));
        reference_out.erase(at, std::string(line).size());
      }
      std::string own_out = own.out;
      for (const char* line : {"before\n", "after\n"}) {
        const size_t at = own_out.find(line);
        if (at != std::string::npos) own_out.erase(at, std::string(line).size());
      }
      if (run.back() == "--csv") {
        // There it prints the line of the case before all others.
        reference_out = reference_out.substr(reference_out.find('\n') + 1) +
                        reference_out.substr(0, reference_out.find('\n') + 1);
      }
      EXPECT_EQ(WithoutFigures(own_out), WithoutFigures(reference_out));
    }
  }
}

// Oracle's release builds refuse it.
TEST_P(VerboseCompatTest, DebugInfoHasTheFormOfMariaDbs) {
  const std::vector<std::string> arguments = {"--query=select 1", "--create-schema=mysql", "-T"};
  const ProcessResult expected = RunReference(arguments);
  const ProcessResult own = RunOwn(arguments);
  EXPECT_EQ(own.exit_code, 0);
  if (GetParam() == Compat::kMySql) {
    EXPECT_THAT(expected.err, HasSubstr("Option '-T' was used, but is disabled"));
    EXPECT_NE(expected.exit_code, 0);
    return;
  }
  const auto digits_away = [](const std::string& text) {
    return std::regex_replace(text, std::regex("[0-9.]+"), "N");
  };
  EXPECT_THAT(expected.err, HasSubstr("\nUser time "));
  EXPECT_EQ(digits_away(own.err), digits_away(expected.err));
}

// A program that reads the document must find nothing else there.
TEST(VerboseTest, JsonOnStandardOutputStaysAlone) {
  const ProcessResult result =
      RunDslap({"-vvv", "--json", "--query=select 1", "--create-schema=mysql"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, 2), "{\n");
  EXPECT_THAT(result.out, EndsWith("\n}\n"));
  EXPECT_THAT(result.err, HasSubstr("Starting Concurrency Test\n"));
  EXPECT_THAT(result.err, HasSubstr("\nselect 1;\n"));
}

TEST(VerboseTest, PasswordIsInNoLine) {
  const ProcessResult result = RunDslap({"-vvv", "-a", "-T", "--debug-check"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ::testing::Not(HasSubstr(Sandbox().password())));
  EXPECT_THAT(result.err, ::testing::Not(HasSubstr(Sandbox().password())));
}

// What waits to be read is kept in memory: a pager costs no agent its lease.
TEST(VerboseTest, ReaderThatPausesForLongerThanTheLeaseHoldsUpNobody) {
  SubprocessSpec spec = DslapSpec({"-vvv", "-a", "--auto-generate-sql-write-number=2000", "-c3",
                                   "--lease=1s", "--heartbeat-interval=100ms"});
  std::string command;
  for (const std::string& word : spec.argv) command += "'" + word + "' ";
  // 2000 rows are more than a pipe holds.
  spec.argv = {"bash", "-o", "pipefail", "-c", command + "| (sleep 2.5; cat)"};
  const ProcessResult result = RunProcess(spec, absl::Seconds(60));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GT(result.out.size(), 200'000u);
  EXPECT_THAT(result.out, HasSubstr("Verdict: VALID\n"));
}

INSTANTIATE_TEST_SUITE_P(Compat, VerboseCompatTest,
                         testing::Values(Compat::kMariaDb, Compat::kMySql),
                         [](const testing::TestParamInfo<Compat>& parameter) {
                           return parameter.param == Compat::kMySql ? "MySql" : "MariaDb";
                         });

}  // namespace
}  // namespace dslap
