// Option files as part of a command line, from argv to Options.
#include "controller/cli/read_defaults.h"

#include <string>
#include <utility>
#include <vector>

#include "controller/cli/parse_command_line.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/command_line_fixture.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ReadDefaultsTest : public CommandLineFixture {
 protected:
  ReadDefaultsTest() {
    files_.option_files.variables["HOME"] = "/home/alice";
    system_ = "[client]\nhost=db\nuser=bench\n[mysqlslap]\nonly-print\nquery=select 1\n";
  }

  absl::StatusOr<Options> Parse(std::vector<std::string> arguments) override {
    files_.option_files.files["/etc/my.cnf"] = system_;
    if (!users_.empty()) files_.option_files.files["/home/alice/.my.cnf"] = users_;
    return CommandLineFixture::Parse(std::move(arguments));
  }

  // Without the line that every print begins with.
  std::string Printed(const std::vector<std::string>& arguments) {
    const Options options = Accepted(arguments);
    EXPECT_EQ(options.command, Command::kPrintDefaults);
    const std::string first = "dslap would have been started with the following arguments:\n";
    EXPECT_EQ(options.printed_defaults.substr(0, first.size()), first);
    return options.printed_defaults.substr(first.size());
  }

  std::string system_;  // /etc/my.cnf
  std::string users_;   // ~/.my.cnf; empty: there is none
};

TEST_F(ReadDefaultsTest, FilesAreReadUnaskedAndTheCommandLineWins) {
  const Options options = Accepted({"-u", "me", "-c", "3"});
  EXPECT_EQ(options.target.host, "db");
  EXPECT_EQ(options.target.user, "me");
  EXPECT_EQ(options.query_sql, "select 1");
  EXPECT_TRUE(options.only_print);
  EXPECT_THAT(options.concurrency, ElementsAre(3));
  EXPECT_EQ(options.command_line, "dslap -u me -c 3");
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ReadDefaultsTest, NoDefaultsReadsNone) {
  EXPECT_EQ(Refused({"--no-defaults"}).substr(0, 14), "nothing to run");
  EXPECT_EQ(Accepted({"--no-defaults", "-a"}).target.host, "");
  EXPECT_THAT(files_.option_files.read(), IsEmpty());
}

TEST_F(ReadDefaultsTest, LaterFilesWin) {
  users_ = "[client]\nuser=alice\n";
  files_.option_files.files["/extra.cnf"] = "[client]\nuser=extra\nhost=extra\n";
  const Options options = Accepted({"--defaults-extra-file=/extra.cnf"});
  EXPECT_EQ(options.target.host, "extra");
  EXPECT_EQ(options.target.user, "alice");
}

TEST_F(ReadDefaultsTest, TheGroupDslapWinsWhereverItStands) {
  system_ += "[dslap]\nhost=own\n";
  users_ = "[mysqlslap]\nhost=theirs\n";
  EXPECT_EQ(Accepted({}).target.host, "own");
  EXPECT_EQ(Accepted({"-h", "typed"}).target.host, "typed");
}

TEST_F(ReadDefaultsTest, DefaultsFileStandsForAllFiles) {
  files_.option_files.files["/only.cnf"] = "[mysqlslap]\nauto-generate-sql\n";
  const Options options = Accepted({"--defaults-file", "/only.cnf"});
  EXPECT_TRUE(options.generate.enabled);
  EXPECT_EQ(options.target.host, "");
  EXPECT_EQ(Refused({"--defaults-file=/none.cnf", "-a"}),
            "--defaults-file: cannot read the option file /none.cnf: No such file or directory");
  EXPECT_EQ(Refused({"--defaults-file=", "-a"}), "--defaults-file=: names no file");
}

TEST_F(ReadDefaultsTest, TheOptionsThatNameFilesStandInFrontAndExcludeEachOther) {
  files_.option_files.files["/only.cnf"] = "[mysqlslap_x]\nauto-generate-sql\n";
  EXPECT_TRUE(
      Accepted({"--defaults-group-suffix=_x", "--defaults-file=/only.cnf"}).generate.enabled);
  EXPECT_EQ(Refused({"-a", "--defaults-file=/only.cnf"}),
            "--defaults-file: must stand before all other options");
  EXPECT_EQ(Refused({"--no-defaults", "--defaults-file=/only.cnf"}),
            "--no-defaults and --defaults-file exclude each other; leave one out");
  EXPECT_EQ(Refused({"--defaults-extra-file=/only.cnf", "--no-defaults"}),
            "--no-defaults and --defaults-extra-file exclude each other; leave one out");
}

TEST_F(ReadDefaultsTest, CompatChoosesTheGroupsFromTheCommandLine) {
  system_ += "[client-mariadb]\nhost=maria\n";
  EXPECT_EQ(Accepted({}).target.host, "db");
  EXPECT_EQ(Accepted({"--compat=mariadb"}).target.host, "maria");
}

TEST_F(ReadDefaultsTest, CompatChoosesTheGroupsFromAFileToo) {
  system_ += "[client-mariadb]\nhost=maria\n";
  users_ = "[dslap]\ncompat=mariadb\n";
  const Options options = Accepted({});
  EXPECT_EQ(options.target.host, "maria");
  EXPECT_EQ(options.compat, Compat::kMariaDb);
  EXPECT_EQ(Accepted({"--compat=mysql"}).target.host, "db");
}

TEST_F(ReadDefaultsTest, ReadingTwiceWarnsOnce) {
  users_ = "[dslap]\ncompat=mariadb\n!include /none\n";
  Accepted({});
  EXPECT_THAT(warnings_, ElementsAre("/home/alice/.my.cnf:3: included file is passed over: /none: "
                                     "No such file or directory"));
}

TEST_F(ReadDefaultsTest, AWrongCompatIsAnErrorWhereItStands) {
  EXPECT_EQ(Refused({"--compat=oracle"}), "--compat=oracle: 'oracle' is none of: mysql, mariadb");
  users_ = "[dslap]\n\ncompat=oracle\n";
  EXPECT_EQ(Refused({}),
            "/home/alice/.my.cnf:3: --compat=oracle: 'oracle' is none of: mysql, mariadb");
}

// As in MariaDB's mysqlslap: only on the command line.
TEST_F(ReadDefaultsTest, APortInAFileChoosesNoTransport) {
  system_ = "[client]\nport=3307\nhost=db\n";
  EXPECT_EQ(Accepted({"--compat=mariadb", "-a"}).target.protocol, TransportProtocol::kDefault);
  EXPECT_EQ(Accepted({"--compat=mariadb", "-a", "-P1"}).target.protocol, TransportProtocol::kTcp);
}

TEST_F(ReadDefaultsTest, APasswordMayComeFromAFile) {
  users_ = "[client]\npassword = \"p # w\"\n";
  EXPECT_EQ(Accepted({}).target.password.Reveal(), "p # w");
  EXPECT_EQ(Accepted({"-ptyped"}).target.password.Reveal(), "typed");
}

TEST_F(ReadDefaultsTest, APasswordOnTheCommandLineIsAboveAPasswordFileInAFileAndTheOtherWay) {
  files_.files["/secret"] = "from the file\n";
  users_ = "[client]\npassword-file=/secret\n";
  EXPECT_EQ(Accepted({}).target.password.Reveal(), "from the file");
  EXPECT_EQ(Accepted({"-ptyped"}).target.password.Reveal(), "typed");
  users_ = "[client]\npassword=x\n";
  EXPECT_EQ(Accepted({"--password-file=/secret"}).target.password.Reveal(), "from the file");
  users_ = "[client]\npassword\n[mysqlslap]\nskip-only-print\n";
  EXPECT_TRUE(Accepted({}).ask_password);
  EXPECT_FALSE(Accepted({"--password-file=/secret"}).ask_password);
}

TEST_F(ReadDefaultsTest, AnErrorThatInvolvesAFileNamesIt) {
  EXPECT_EQ(Refused({"-a"}),
            "-a (--auto-generate-sql) and --query exclude each other: the statements are either "
            "generated or given; leave one out (--query is from /etc/my.cnf:6)");
  users_ = "[dslap]\niteratons=3\n";
  EXPECT_EQ(Refused({}),
            "/home/alice/.my.cnf:2: unknown option '--iteratons'; did you mean '--iterations'? If "
            "it is for other programs, write loose-iteratons or put it into a group of theirs");
}

TEST_F(ReadDefaultsTest, OptionsOfFilesWithoutEffectAreNotWorthAWarning) {
  system_ += "number-int-cols=3\ninsecure\ndrop-existing-schema\n";
  Accepted({});
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ReadDefaultsTest, HelpAndVersionReadNoFiles) {
  system_ = "nonsense";
  EXPECT_EQ(Accepted({"--help"}).command, Command::kHelp);
  EXPECT_EQ(Accepted({"-V"}).command, Command::kVersion);
  EXPECT_THAT(files_.option_files.read(), IsEmpty());
}

TEST_F(ReadDefaultsTest, TheCommandAgentsTakesItsOptionsFromFiles) {
  users_ = "[dslap]\nagents=a,b\ninsecure\n";
  const Options options = Accepted({"agents"});
  EXPECT_EQ(options.command, Command::kAgents);
  EXPECT_THAT(options.agents, ElementsAre(testing::Field(&AgentSpec::address, "a:7527"),
                                          testing::Field(&AgentSpec::address, "b:7527")));
  EXPECT_EQ(Accepted({"agents", "--no-defaults", "--agents=localhost"}).command, Command::kAgents);
}

TEST_F(ReadDefaultsTest, PrintsWhatWouldCount) {
  users_ = "[client]\nUser_ = \"a b\"\n[mysqld]\nport=1\n[dslap]\ncompat = mysql\nnonsense\n";
  system_ += "[mysqlslap]\nsilent=\n";
  EXPECT_EQ(Printed({"--print-defaults", "-c5", "--iterations", "2"}),
            "--host=db --user=bench --only-print --query=select 1 --silent= --User_=a b "
            "--compat=mysql --nonsense -c5 --iterations 2 \n");
}

TEST_F(ReadDefaultsTest, PrintsWithAnyOfTheOtherOptionsInFront) {
  files_.option_files.files["/only.cnf"] = "[client]\nuser=only\n[client_x]\nhost=x\n";
  EXPECT_EQ(Printed({"--defaults-file=/only.cnf", "--print-defaults", "-a"}), "--user=only -a \n");
  EXPECT_EQ(Printed({"--print-defaults", "--defaults-file", "/only.cnf",
                     "--defaults-group-suffix=_x", "-a"}),
            "--user=only --host=x -a \n");
  EXPECT_EQ(Printed({"--no-defaults", "--print-defaults"}), "\n");
  EXPECT_EQ(Printed({"--print-defaults", "--help"}),
            "--host=db --user=bench --only-print --query=select 1 --help \n");
}

TEST_F(ReadDefaultsTest, PrintsNoPassword) {
  system_ =
      "[client]\npassword=s1\npass=s2\nloose-password=s3\nPASSWORD=s4\npasswort=s5\n"
      "password1=s6\npassword\npassword-file=/f\n";
  EXPECT_EQ(Printed({"--print-defaults", "-ps7", "--password=s8", "-p"}),
            "--password=***** --pass=***** --loose-password=***** --PASSWORD=***** "
            "--passwort=***** --password1=***** --password --password-file=/f -p***** "
            "--password=***** -p \n");
}

}  // namespace
}  // namespace dslap
