#include "controller/cli/build_options.h"

#include "absl/strings/str_cat.h"
#include "controller/cli/agent_list.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/fake_environment.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class BuildRunOptionsTest : public testing::Test {
 protected:
  BuildRunOptionsTest() { draft_.query = "select 1"; }

  void Generate() {
    draft_.query.reset();
    draft_.options.generate.enabled = true;
  }

  Options Built() {
    absl::StatusOr<Options> options = BuildRunOptions(draft_, files_.MakeEnvironment(), &warnings_);
    EXPECT_TRUE(options.ok()) << options.status();
    return options.ok() ? *options : Options();
  }

  std::string Refused() {
    const absl::StatusOr<Options> options =
        BuildRunOptions(draft_, files_.MakeEnvironment(), &warnings_);
    EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument);
    return absl::StrCat(options.status().message());
  }

  FakeFiles files_;
  OptionDraft draft_;
  std::vector<std::string> warnings_;
};

TEST_F(BuildRunOptionsTest, NothingToRun) {
  draft_.query.reset();
  EXPECT_EQ(Refused(),
            "nothing to run: give --query=SQL|FILE, or -a (--auto-generate-sql) to have statements "
            "generated; --help lists all options");
  draft_.create = "create table t (a int)";
  EXPECT_EQ(Refused(),
            "nothing to run: give --query=SQL|FILE, or -a (--auto-generate-sql) to have statements "
            "generated; --help lists all options");
  draft_.options.number_of_queries = 5;
  EXPECT_EQ(Refused(),
            "--number-of-queries: there is no query to execute; give --query=SQL|FILE, or -a "
            "(--auto-generate-sql) to have statements generated");
}

TEST_F(BuildRunOptionsTest, MinAgentsNeedsAgents) {
  draft_.options.min_agents = 1;
  EXPECT_EQ(Refused(), "--min-agents: without --agents there is none to do without");
}

TEST_F(BuildRunOptionsTest, EmptyQuery) {
  draft_.query = " \n";
  EXPECT_EQ(Refused(), "--query: is empty; give SQL text or the name of a file that holds it");
  files_.files["empty.sql"] = "\r\n";
  draft_.query = "empty.sql";
  EXPECT_EQ(Refused(), "--query: the file 'empty.sql' is empty");
}

TEST_F(BuildRunOptionsTest, EmptyCreateIsStillGiven) {
  draft_.create = "";
  EXPECT_EQ(Built().create_sql, "");
}

TEST_F(BuildRunOptionsTest, GeneratedAndGivenStatementsExcludeEachOther) {
  Generate();
  draft_.query = "select 1";
  EXPECT_EQ(Refused(),
            "-a (--auto-generate-sql) and --query exclude each other: the statements are either "
            "generated or given; leave one out");
  draft_.query.reset();
  draft_.create = "create";
  EXPECT_EQ(Refused(),
            "-a (--auto-generate-sql) and --create exclude each other: the statements are either "
            "generated or given; leave one out");
}

TEST_F(BuildRunOptionsTest, OneKeyOnly) {
  Generate();
  draft_.options.generate.guid_primary = true;
  draft_.options.generate.add_autoincrement = true;
  EXPECT_EQ(Refused(),
            "--auto-generate-sql-guid-primary and --auto-generate-sql-add-autoincrement exclude "
            "each other: the table has one key; leave one out");
}

TEST_F(BuildRunOptionsTest, LoadByKeyNeedsAKey) {
  Generate();
  draft_.options.generate.load_type = LoadType::kKey;
  EXPECT_EQ(Refused(),
            "--auto-generate-sql-load-type=key: the table has no key; add "
            "--auto-generate-sql-add-autoincrement or --auto-generate-sql-guid-primary");
  draft_.options.generate.guid_primary = true;
  EXPECT_EQ(Built().generate.load_type, LoadType::kKey);
}

TEST_F(BuildRunOptionsTest, GeneratedTableNeedsAColumn) {
  Generate();
  draft_.options.generate.int_columns = 0;
  EXPECT_EQ(Built().generate.int_columns, 0U);
  draft_.options.generate.char_columns = 0;
  EXPECT_EQ(Refused(),
            "--number-int-cols=0 and --number-char-cols=0: the table needs a column to select; "
            "give one of them at least 1");
}

TEST_F(BuildRunOptionsTest, TwoWaysToCountExcludeEachOther) {
  Generate();
  draft_.options.generate.execute_number = 3;
  draft_.options.number_of_queries = 4;
  EXPECT_EQ(Refused(),
            "--auto-generate-sql-execute-number and --number-of-queries exclude each other: the "
            "one counts for each client, the other for all together; leave one out");
}

TEST_F(BuildRunOptionsTest, ExecuteNumberAloneTurnsGeneratingOn) {
  draft_.query.reset();
  draft_.options.generate.execute_number = 3;
  EXPECT_TRUE(Built().generate.enabled);
  EXPECT_THAT(warnings_, ElementsAre("--auto-generate-sql-execute-number without --query: "
                                     "--auto-generate-sql (-a) is turned on"));
}

TEST_F(BuildRunOptionsTest, OnePlaceForEachOutput) {
  draft_.options.csv_file = "";
  draft_.options.json_file = "";
  EXPECT_EQ(Refused(), "--csv and --json both go to standard output; give one of them a file");
  draft_.options.csv_file = "x";
  draft_.options.json_file = "x";
  EXPECT_EQ(Refused(), "--csv and --json both name 'x'; name two files");
  draft_.options.json_file = "y";
  EXPECT_EQ(Built().json_file, "y");
}

TEST_F(BuildRunOptionsTest, HeartbeatsMustFitIntoTheLease) {
  draft_.options.lease_ms = 5'000;
  draft_.options.heartbeat_ms = 2'501;
  EXPECT_EQ(Refused(), "--heartbeat-interval=2.501s: must be at most half of --lease, which is 5s");
  draft_.options.heartbeat_ms = 2'500;
  EXPECT_EQ(Built().heartbeat_ms, 2'500U);
}

TEST_F(BuildRunOptionsTest, AgentsElsewhereNeedInsecure) {
  draft_.options.agents = ParseAgents("127.0.0.1,db-a").value();
  EXPECT_EQ(Refused(),
            "--agents: db-a:7527 is on another host, and what is sent there in plain text can be "
            "read and changed on the way: give --tls-ca, --tls-cert and --tls-key "
            "(dslap-make-certs makes the files), or --insecure if the network between is "
            "trusted");
  draft_.options.only_print = true;
  EXPECT_EQ(Built().agents.size(), 2U);
  draft_.options.only_print = false;
  draft_.options.insecure = true;
  EXPECT_EQ(Built().agents.size(), 2U);
}

TEST_F(BuildRunOptionsTest, DefaultUserFollowsCompat) {
  EXPECT_EQ(Built().target.user, "root");
  draft_.options.compat = Compat::kMariaDb;
  EXPECT_EQ(Built().target.user, "alice");
  draft_.options.target.user = "bob";
  EXPECT_EQ(Built().target.user, "bob");
}

TEST_F(BuildRunOptionsTest, PortAndSocketChooseTransportInMariaDbMode) {
  draft_.implied_protocol = TransportProtocol::kTcp;
  EXPECT_EQ(Built().target.protocol, TransportProtocol::kDefault);
  draft_.options.compat = Compat::kMariaDb;
  EXPECT_EQ(Built().target.protocol, TransportProtocol::kTcp);
  draft_.options.target.protocol = TransportProtocol::kSocket;
  EXPECT_EQ(Built().target.protocol, TransportProtocol::kSocket);
}

TEST_F(BuildRunOptionsTest, PortOfAnOptionFileThatTheSocketHidesIsNoNews) {
  draft_.options.target.port = 3307;
  Built();
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(BuildRunOptionsTest, PortThatTheSocketHidesIsSaid) {
  draft_.given.push_back("port");
  draft_.options.target.port = 3307;
  Built();
  EXPECT_THAT(warnings_, ElementsAre("--port=3307 has no effect: localhost means the Unix socket; "
                                     "give --protocol=tcp or --host=127.0.0.1"));
  warnings_.clear();
  draft_.options.target.host = "127.0.0.1";
  Built();
  draft_.options.target.host = "localhost";
  draft_.options.target.protocol = TransportProtocol::kTcp;
  Built();
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(BuildRunOptionsTest, PasswordFile) {
  files_.files["pw"] = "sec ret\r\nsecond\n";
  draft_.password_file = "pw";
  EXPECT_EQ(Built().target.password.Reveal(), "sec ret");
  EXPECT_THAT(warnings_, IsEmpty());
  files_.readable_by_all.insert("pw");
  Built();
  EXPECT_THAT(warnings_,
              ElementsAre("--password-file=pw: every user of this host may read it; chmod 600 it"));
  files_.files["pw"] = "\n";
  EXPECT_EQ(Refused(), "--password-file=pw: its first line is empty; put the password there");
  draft_.password_file = "none";
  EXPECT_EQ(Refused(), "--password-file: cannot be read: none: No such file or directory");
  draft_.given = {"password"};
  EXPECT_EQ(Refused(), "--password and --password-file exclude each other; leave one out");
}

TEST_F(BuildRunOptionsTest, AllSqlOptionsReadFiles) {
  files_.files = {{"c", "create x"}, {"q", "query x"}, {"pre", "pre x"}, {"post", "post x"}};
  draft_.create = "c";
  draft_.query = "q";
  draft_.pre_query = "pre";
  draft_.post_query = "@post";
  const Options options = Built();
  EXPECT_EQ(options.create_sql, "create x");
  EXPECT_EQ(options.query_sql, "query x");
  EXPECT_EQ(options.pre_query_sql, "pre x");
  EXPECT_EQ(options.post_query_sql, "post x");
  draft_.pre_query = "none.sql";
  EXPECT_EQ(Refused(),
            "--pre-query: cannot read the file 'none.sql': No such file or directory (if it is "
            "meant as SQL, put a blank into it)");
}

TEST_F(BuildRunOptionsTest, OptionsWithoutEffectAreSaid) {
  draft_.given = {"number-int-cols",
                  "auto-generate-sql-load-type",
                  "auto-generate-sql-execute-number",
                  "drop-existing-schema",
                  "insecure",
                  "on-agent-loss"};
  draft_.options.on_agent_loss = AgentLossPolicy::kContinue;
  draft_.options.drop_existing_schema = true;
  draft_.options.insecure = true;
  Built();
  EXPECT_THAT(warnings_, ElementsAre("--number-int-cols, --auto-generate-sql-load-type: without -a "
                                     "(--auto-generate-sql) of no effect",
                                     "--drop-existing-schema: without -a or --create of no effect",
                                     "--insecure: without --agents of no effect",
                                     "--on-agent-loss: without --agents of no effect"));
}

TEST_F(BuildRunOptionsTest, DebugCheckIsAcceptedAndSaidToDoNothing) {
  draft_.debug_check = true;
  Built();
  EXPECT_THAT(warnings_, ElementsAre("--debug-check: of no effect: dslap does not check its memory "
                                     "and files at the end"));
}

}  // namespace
}  // namespace dslap
