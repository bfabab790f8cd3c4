// --print-defaults and the choice of groups, beside MariaDB's mysqlslap. Oracle's may live in
// another file system (reference_program.h) and cannot be given files.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/compat/reference_program.h"
#include "tests/support/dslap_process.h"

namespace dslap {
namespace {

class PrintDefaultsCompatTest : public testing::Test {
 protected:
  void SetUp() override {
    reference_ = FindReference(Compat::kMariaDb);
    ASSERT_EQ(reference_.error, "");
    if (!reference_.skip_reason.empty()) GTEST_SKIP() << reference_.skip_reason;
    directory_ = testing::TempDir() + "print_defaults_XXXXXX";
    ASSERT_NE(mkdtemp(directory_.data()), nullptr);
    Write("main.cnf",
          "[dslap_none]\na=1\n[client]\nuser = u\n[mysqld]\nport=1\n[mysqlslap]\nquery = \"select "
          "1\"\nNo_Such=\n[client-server]\nb\n[client-mariadb]\nc\n[mariadb-slap]\nd=1\n"
          "[mariadb-client]\ne\n[client_x]\nhost=x\n[mysqlslap_x]\nf\n[CLIENT]\ng\n");
    Write("second.cnf", "[client]\nuser=second\n");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void Write(const std::string& name, const std::string& content) const {
    std::ofstream(absl::StrCat(directory_, "/", name)) << content;
  }

  void ExpectSame(const std::vector<std::string>& arguments) const {
    SCOPED_TRACE(absl::StrJoin(arguments, " "));
    const auto run = [&](std::vector<std::string> argv, const std::string& last) {
      argv.insert(argv.end(), arguments.begin(), arguments.end());
      if (!last.empty()) argv.push_back(last);
      return RunProcess({.argv = argv, .directory = directory_}, absl::Seconds(30));
    };
    const ProcessResult expected = run(reference_.command, "");
    // --compat=mariadb comes last, and so in what is printed too.
    const ProcessResult own = run(BareDslapSpec({}).argv, "--compat=mariadb");
    EXPECT_EQ(expected.exit_code, 0) << expected.err;
    EXPECT_EQ(own.exit_code, 0) << own.err;
    EXPECT_EQ(absl::StrReplaceAll(own.out,
                                  {{"dslap would", "mysqlslap would"}, {"--compat=mariadb ", ""}}),
              expected.out);
  }

  ReferenceProgram reference_;
  std::string directory_;
};

TEST_F(PrintDefaultsCompatTest, PrintsTheSame) {
  ExpectSame({"--defaults-file=main.cnf", "--print-defaults"});
  ExpectSame({"--defaults-file=main.cnf", "--print-defaults", "-a", "-c", "5", "--engine=a,b"});
  ExpectSame({"--defaults-file=main.cnf", "--defaults-group-suffix=_x", "--print-defaults"});
  ExpectSame({"--defaults-group-suffix=_x", "--defaults-file=main.cnf", "--print-defaults"});
  ExpectSame({"--defaults-file=main.cnf", "--defaults-group-suffix=", "--print-defaults"});
  ExpectSame({"--defaults-extra-file=second.cnf", "--defaults-file=main.cnf", "--print-defaults"});
  ExpectSame({"--no-defaults", "--print-defaults", "-a"});
  ExpectSame({"--no-defaults", "--print-defaults"});
}

TEST_F(PrintDefaultsCompatTest, PrintsTheSameForASuffixFromTheEnvironment) {
  for (const char* const name : {"MYSQL_GROUP_SUFFIX", "MARIADB_GROUP_SUFFIX"}) {
    ASSERT_EQ(setenv(name, "_x", 1), 0);
    ExpectSame({"--defaults-file=main.cnf", "--print-defaults"});
    ASSERT_EQ(setenv(name, "", 1), 0);
    ExpectSame({"--defaults-file=main.cnf", "--print-defaults"});
    ASSERT_EQ(unsetenv(name), 0);
  }
}

// Named difference: MariaDB's prints passwords (Oracle's masks those in files).
TEST_F(PrintDefaultsCompatTest, PasswordsAreMasked) {
  Write("main.cnf", "[client]\npassword=s3cret\n");
  std::vector<std::string> argv = reference_.command;
  argv.insert(argv.end(), {"--defaults-file=main.cnf", "--print-defaults", "-ps3cret"});
  const ProcessResult theirs =
      RunProcess({.argv = argv, .directory = directory_}, absl::Seconds(30));
  EXPECT_EQ(theirs.out,
            "mysqlslap would have been started with the following arguments:\n"
            "--password=s3cret -ps3cret \n");
  SubprocessSpec own = BareDslapSpec({"--defaults-file=main.cnf", "--print-defaults", "-ps3cret"});
  own.directory = directory_;
  EXPECT_EQ(RunProcess(own, absl::Seconds(30)).out,
            "dslap would have been started with the following arguments:\n"
            "--password=***** -p***** \n");
}

}  // namespace
}  // namespace dslap
