#include "controller/cli/parse_command_line.h"

#include <random>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/argv_buffer.h"
#include "tests/controller/cli/command_line_fixture.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ParseCommandLineTest : public CommandLineFixture {};

TEST_F(ParseCommandLineTest, DefaultsAreMysqlslaps) {
  const Options options = Accepted({"-a"});
  EXPECT_EQ(options.command, Command::kRun);
  EXPECT_TRUE(options.generate.enabled);
  EXPECT_THAT(options.concurrency, ElementsAre(1));
  EXPECT_EQ(options.iterations, 1U);
  EXPECT_EQ(options.schema, "mysqlslap");
  EXPECT_FALSE(options.schema_given);
  EXPECT_EQ(options.delimiter, "\n");
  EXPECT_FALSE(options.delimiter_given);
  EXPECT_EQ(options.target.user, "root");
  EXPECT_EQ(options.target.host, "");
  EXPECT_EQ(options.target.port, 0U);
  EXPECT_EQ(options.target.protocol, TransportProtocol::kDefault);
  EXPECT_FALSE(options.ask_password);
  EXPECT_THAT(options.agents, IsEmpty());
  EXPECT_EQ(options.on_agent_loss, AgentLossPolicy::kStop);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ParseCommandLineTest, EveryOptionReachesItsPlace) {
  const Options options = Accepted({"--no-defaults",
                                    "--host=db",
                                    "--port=3307",
                                    "--socket=/s",
                                    "--protocol=TCP",
                                    "--user=u",
                                    "--password=pw",
                                    "--query=select 1",
                                    "--delimiter=;",
                                    "--concurrency=5,10",
                                    "--iterations=7",
                                    "--number-of-queries=1K",
                                    "--commit=3",
                                    "--detach=4",
                                    "--pre-query=set a",
                                    "--post-query=set b",
                                    "--reconnect",
                                    "--create-schema=s",
                                    "--create=create c",
                                    "--engine=innodb,memory:max_rows=10",
                                    "--no-drop",
                                    "--drop-existing-schema",
                                    "--ignore-errors=1205",
                                    "--query-timeout=1m30s",
                                    "--deadline=2h",
                                    "--agents=a,b:1",
                                    "--min-agents=2",
                                    "--on-agent-loss=continue",
                                    "--insecure",
                                    "--lease=20s",
                                    "--heartbeat-interval=500ms",
                                    "--only-print",
                                    "--silent",
                                    "-vv",
                                    "-T",
                                    "--pre-system=echo a; echo b",
                                    "--post-system=sync",
                                    "--csv=x.csv",
                                    "--json=x.json",
                                    "--classic",
                                    "--compat=mariadb"});
  EXPECT_EQ(options.target.host, "db");
  EXPECT_EQ(options.target.port, 3307U);
  EXPECT_EQ(options.target.socket, "/s");
  EXPECT_EQ(options.target.protocol, TransportProtocol::kTcp);
  EXPECT_EQ(options.target.user, "u");
  EXPECT_EQ(options.target.password.Reveal(), "pw");
  EXPECT_EQ(options.query_sql, "select 1");
  EXPECT_EQ(options.delimiter, ";");
  EXPECT_TRUE(options.delimiter_given);
  EXPECT_THAT(options.concurrency, ElementsAre(5, 10));
  EXPECT_EQ(options.iterations, 7U);
  EXPECT_EQ(options.number_of_queries, 1024U);
  EXPECT_EQ(options.commit_every, 3U);
  EXPECT_EQ(options.detach_every, 4U);
  EXPECT_EQ(options.pre_query_sql, "set a");
  EXPECT_EQ(options.post_query_sql, "set b");
  EXPECT_TRUE(options.reconnect);
  EXPECT_EQ(options.schema, "s");
  EXPECT_TRUE(options.schema_given);
  EXPECT_EQ(options.create_sql, "create c");
  ASSERT_EQ(options.engines.size(), 2U);
  EXPECT_EQ(options.engines[1].option, "max_rows=10");
  EXPECT_TRUE(options.no_drop);
  EXPECT_TRUE(options.drop_existing_schema);
  EXPECT_THAT(options.ignored_errors, ElementsAre(1205));
  EXPECT_EQ(options.query_timeout_ms, 90'000U);
  EXPECT_EQ(options.deadline_ms, 7'200'000U);
  EXPECT_THAT(options.agents, ElementsAre(testing::Field(&AgentSpec::address, "a:7527"),
                                          testing::Field(&AgentSpec::address, "b:1")));
  EXPECT_EQ(options.min_agents, 2U);
  EXPECT_EQ(options.on_agent_loss, AgentLossPolicy::kContinue);
  EXPECT_TRUE(options.insecure);
  EXPECT_EQ(options.lease_ms, 20'000U);
  EXPECT_EQ(options.heartbeat_ms, 500U);
  EXPECT_TRUE(options.only_print);
  EXPECT_TRUE(options.silent);
  EXPECT_EQ(options.verbosity, 2);
  EXPECT_TRUE(options.debug_info);
  EXPECT_EQ(options.pre_system, "echo a; echo b");
  EXPECT_EQ(options.post_system, "sync");
  EXPECT_EQ(options.csv_file, "x.csv");
  EXPECT_EQ(options.json_file, "x.json");
  EXPECT_TRUE(options.classic);
  EXPECT_EQ(options.compat, Compat::kMariaDb);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ParseCommandLineTest, QueryTimeoutIsADuration) {
  EXPECT_EQ(Accepted({"-a"}).query_timeout_ms, 0U);
  EXPECT_EQ(Accepted({"-a", "--query-timeout=0"}).query_timeout_ms, 0U);
  EXPECT_EQ(Accepted({"-a", "--query-timeout=1us"}).query_timeout_ms, 1U);
  EXPECT_EQ(Accepted({"-a", "--query-timeout=24h"}).query_timeout_ms, 86'400'000U);
  constexpr char kWhat[] = " is not a duration: write a number and a unit, as in 10s, 500ms, 1m30s";
  EXPECT_EQ(Refused({"-a", "--query-timeout=5"}), absl::StrCat("--query-timeout=5: '5'", kWhat));
  EXPECT_EQ(Refused({"-a", "--query-timeout=-1s"}),
            absl::StrCat("--query-timeout=-1s: '-1s'", kWhat));
  EXPECT_EQ(Refused({"-a", "--query-timeout=soon"}),
            absl::StrCat("--query-timeout=soon: 'soon'", kWhat));
  EXPECT_EQ(Accepted({"-a"}).deadline_ms, 0U);
  EXPECT_EQ(Refused({"-a", "--deadline=721h"}), "--deadline=721h: must be at most 720h");
  EXPECT_EQ(Refused({"-a", "--query-timeout=25h"}), "--query-timeout=25h: must be at most 24h");
  EXPECT_EQ(Refused({"-a", "--query-timeout"}), "--query-timeout: needs a value (TIME)");
  // A short form of mysqlslap's stays what it is.
  EXPECT_EQ(Accepted({"--quer=select 1"}).query_sql, "select 1");
}

TEST_F(ParseCommandLineTest, EveryGenerateOptionReachesItsPlace) {
  const GenerateOptions generate =
      Accepted({"-a", "--auto-generate-sql-load-type=KEY", "--auto-generate-sql-guid-primary",
                "--auto-generate-sql-secondary-indexes=2", "--auto-generate-sql-execute-number=3",
                "--auto-generate-sql-unique-query-number=4",
                "--auto-generate-sql-unique-write-number=5", "--auto-generate-sql-write-number=6",
                "-x", "7:index", "-y8"})
          .generate;
  EXPECT_EQ(generate.load_type, LoadType::kKey);
  EXPECT_TRUE(generate.guid_primary);
  EXPECT_FALSE(generate.add_autoincrement);
  EXPECT_EQ(generate.secondary_indexes, 2U);
  EXPECT_EQ(generate.execute_number, 3U);
  EXPECT_EQ(generate.unique_query_number, 4U);
  EXPECT_EQ(generate.unique_write_number, 5U);
  EXPECT_EQ(generate.write_number, 6U);
  EXPECT_EQ(generate.char_columns, 7U);
  EXPECT_TRUE(generate.index_char_columns);
  EXPECT_EQ(generate.int_columns, 8U);
  EXPECT_FALSE(generate.index_int_columns);
  EXPECT_TRUE(Accepted({"-a", "--auto-generate-sql-add-autoincrement"}).generate.add_autoincrement);
}

TEST_F(ParseCommandLineTest, ValueErrorsNameOptionAndValue) {
  EXPECT_EQ(Refused({"-a", "-c0"}), "-c 0: a case needs at least 1 client");
  EXPECT_EQ(Refused({"-a", "-c", "5,0"}), "-c 5,0: a case needs at least 1 client");
  EXPECT_EQ(Refused({"-a", "-cabc"}),
            "-c abc: 'abc' is not a whole number (digits, and perhaps K, M or G for 1024, 1024^2, "
            "1024^3)");
  EXPECT_EQ(Refused({"-a", "-c2M"}), "-c 2M: 2097152 clients are too many; the most is 1000000");
  EXPECT_EQ(Refused({"-a", "--iterations=0"}), "--iterations=0: must be at least 1");
  EXPECT_EQ(Refused({"-a", "--iterations=-1"}),
            "--iterations=-1: '-1' is not a whole number (digits, and perhaps K, M or G for 1024, "
            "1024^2, 1024^3)");
  EXPECT_EQ(Refused({"-a", "--number-of-queries=99999999999999999999"}),
            "--number-of-queries=99999999999999999999: '99999999999999999999' is too large");
  EXPECT_EQ(Refused({"-a", "--number-of-queries=1E"}),
            "--number-of-queries=1E: must be at most 1000000000000000");
  EXPECT_EQ(Refused({"-a", "--port=65536"}), "--port=65536: must be at most 65535");
  EXPECT_EQ(Refused({"-a", "--protocol=udp"}), "--protocol=udp: 'udp' is none of: tcp, socket");
  EXPECT_EQ(Refused({"-a", "--compat=oracle"}),
            "--compat=oracle: 'oracle' is none of: mysql, mariadb");
  EXPECT_EQ(Refused({"-a", "-x", "4097"}),
            "-x 4097: must be at most 4096, the most columns a table can have");
  EXPECT_EQ(Refused({"-a", "--delimiter="}),
            "--delimiter=: is empty; give the text that ends a statement, as in --delimiter=';'");
  EXPECT_EQ(Refused({"-a", "--create-schema="}),
            "--create-schema=: is empty; give the name of the schema to work in");
  EXPECT_EQ(Refused({"-a", "--csv="}),
            "--csv=: names no file; leave the '=' out, or write =-, for standard output");
  EXPECT_EQ(Refused({"-a", "--lease=1h1s"}), "--lease=1h1s: must be at most 1h");
  EXPECT_EQ(Refused({"-a", "--lease=999ms"}), "--lease=999ms: must be at least 1s");
}

TEST_F(ParseCommandLineTest, MissingBlankBetweenOptionsIsRefused) {
  EXPECT_EQ(Refused({"-a", "--concurrency=100--iterations=1"}),
            "--concurrency=100--iterations=1: two options without a blank between them; did you "
            "mean '--concurrency=100 --iterations=1'?");
  EXPECT_EQ(Refused({"-a", "-e", "innodb--no-drop"}),
            "-e innodb--no-drop: two options without a blank between them; did you mean "
            "'--engine=innodb --no-drop'?");
  EXPECT_EQ(Accepted({"-q", "select 1--iterations"}).query_sql, "select 1--iterations");
}

TEST_F(ParseCommandLineTest, TypographicDashIsRefused) {
  EXPECT_EQ(Refused({"-a", "--auto-generate-sql-load-type=write", "–engine=innodb"}),
            "'–engine=innodb' begins with U+2013 (en dash), which is not the hyphen that options "
            "begin with; did you mean '--engine=innodb'?");
}

TEST_F(ParseCommandLineTest, UnknownLoadTypeNamesTheValidOnes) {
  EXPECT_EQ(Refused({"-a", "--auto-generate-sql-load-type=insert"}),
            "--auto-generate-sql-load-type=insert: 'insert' is none of: mixed, update, write, key, "
            "read");
}

TEST_F(ParseCommandLineTest, UnknownOptionIsNamedBeforeAnythingIsDone) {
  EXPECT_EQ(Refused({"--create=", "--query=select 1", "--no-create", "--no-drop",
                     "--create-schema=person"}),
            "unknown option '--no-create'");
}

TEST_F(ParseCommandLineTest, EverydayCommandLines) {
  Options options =
      Accepted({"--delimiter=;", "--create=CREATE TABLE a (b int);INSERT INTO a VALUES (23)",
                "--query=SELECT * FROM a", "--concurrency=50", "--iterations=200"});
  EXPECT_EQ(options.create_sql, "CREATE TABLE a (b int);INSERT INTO a VALUES (23)");
  EXPECT_EQ(options.query_sql, "SELECT * FROM a");

  files_.files["query.sql"] = "select 1\n  from t;\n\n";
  files_.files["create.sql"] = "create table t (a int);\n";
  options = Accepted({"--concurrency=5", "--iterations=5", "--query=query.sql",
                      "--create=create.sql", "--delimiter=;"});
  EXPECT_EQ(options.query_sql, "select 1\n  from t;\n\n");
  EXPECT_EQ(options.create_sql, "create table t (a int);\n");

  options = Accepted(
      {"--concurrency=200", "--iterations=20", "-y2", "-x3", "-a",
       "--auto-generate-sql-unique-query-number=2000", "--auto-generate-sql-execute-number=2000",
       "--auto-generate-sql-write-number=2000", "--auto-generate-sql-unique-write-number=2000"});
  EXPECT_EQ(options.generate.int_columns, 2U);
  EXPECT_EQ(options.generate.char_columns, 3U);
  EXPECT_EQ(options.generate.execute_number, 2000U);
}

TEST_F(ParseCommandLineTest, ExecuteNumberWithAQueryCountsForEachClient) {
  const Options options = Accepted({"-q", "select 1", "--auto-generate-sql-execute-number=3"});
  EXPECT_FALSE(options.generate.enabled);
  EXPECT_EQ(options.generate.execute_number, 3U);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ParseCommandLineTest, OutputFiles) {
  EXPECT_EQ(Accepted({"-a", "--csv"}).csv_file, "");
  EXPECT_EQ(Accepted({"-a", "--csv=-"}).csv_file, "");
  EXPECT_EQ(Accepted({"-a", "--json"}).json_file, "");
  EXPECT_EQ(Accepted({"-a"}).csv_file, std::nullopt);
}

TEST_F(ParseCommandLineTest, LoadEngine) {
  const LoadEngineOptions usual = Accepted({"-a"}).load_engine;
  EXPECT_EQ(usual.kind, LoadEngineKind::kAuto);
  EXPECT_EQ(usual.threads, 0U);
  EXPECT_EQ(usual.connect_parallelism, 64U);
  EXPECT_EQ(usual.connect_rate, 0U);
  const LoadEngineOptions asked = Accepted({"-a", "--load-engine=epoll", "--engine-threads=3",
                                            "--connect-parallelism=10", "--connect-rate=500"})
                                      .load_engine;
  EXPECT_EQ(asked.kind, LoadEngineKind::kEventLoops);
  EXPECT_EQ(asked.threads, 3U);
  EXPECT_EQ(asked.connect_parallelism, 10U);
  EXPECT_EQ(asked.connect_rate, 500U);
  EXPECT_EQ(Accepted({"-a", "--load-engine=threads"}).load_engine.kind, LoadEngineKind::kThreads);
}

TEST_F(ParseCommandLineTest, ChecksOfTheRun) {
  EXPECT_EQ(Accepted({"-a"}).preflight, PreflightPolicy::kRefuse);
  EXPECT_TRUE(Accepted({"-a"}).truth_check);
  EXPECT_EQ(Accepted({"-a", "--preflight=warn"}).preflight, PreflightPolicy::kWarn);
  EXPECT_FALSE(Accepted({"-a", "--skip-truth-check"}).truth_check);
  EXPECT_EQ(Refused({"-a", "--preflight=off"}), "--preflight=off: 'off' is none of: refuse, warn");
}

TEST_F(ParseCommandLineTest, IgnoredErrors) {
  EXPECT_TRUE(Accepted({"-a", "--ignore-errors=all"}).ignore_all_errors);
  EXPECT_THAT(Accepted({"-a", "--ignore-errors=none"}).ignored_errors, IsEmpty());
  EXPECT_THAT(Accepted({"-a"}).ignored_errors, ElementsAre(1020, 1205, 1213));
}

TEST_F(ParseCommandLineTest, PasswordIsKeptOutOfArgvAndEcho) {
  ArgvBuffer argv({"/usr/bin/dslap", "-a", "-psecret"});
  const absl::StatusOr<Options> options =
      ParseCommandLine(argv.argc(), argv.argv(), files_.MakeEnvironment(), &warnings_);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->target.password.Reveal(), "secret");
  EXPECT_FALSE(options->ask_password);
  EXPECT_EQ(options->command_line, "/usr/bin/dslap -a -p********");
  EXPECT_EQ(argv.Memory(2), std::string("-px\0\0\0\0\0", 8));
}

TEST_F(ParseCommandLineTest, PasswordAloneIsAskedFor) {
  EXPECT_TRUE(Accepted({"-a", "-p"}).ask_password);
  EXPECT_TRUE(Accepted({"-a", "-pold", "--password"}).ask_password);
  EXPECT_EQ(Accepted({"-a", "-pold", "--password"}).target.password.Reveal(), "");
  EXPECT_FALSE(Accepted({"-a", "-p", "--skip-password"}).ask_password);
  EXPECT_FALSE(Accepted({"-a", "-p", "--only-print"}).ask_password);
}

TEST_F(ParseCommandLineTest, HelpAndVersionNeedNothingElse) {
  EXPECT_EQ(Accepted({"--help"}).command, Command::kHelp);
  EXPECT_EQ(Accepted({"-?"}).command, Command::kHelp);
  EXPECT_EQ(Accepted({"-V"}).command, Command::kVersion);
  EXPECT_EQ(Accepted({"agents", "--help"}).command, Command::kHelp);
  EXPECT_EQ(Accepted({"-c5", "--help", "--nonsense"}).command, Command::kHelp);
}

TEST_F(ParseCommandLineTest, AgentsCommand) {
  const Options options = Accepted({"agents", "--agents=localhost,db:9", "--insecure"});
  EXPECT_EQ(options.command, Command::kAgents);
  EXPECT_THAT(options.agents, ElementsAre(testing::Field(&AgentSpec::address, "localhost:7527"),
                                          testing::Field(&AgentSpec::address, "db:9")));
  EXPECT_TRUE(options.insecure);
  EXPECT_EQ(options.command_line, "dslap agents --agents=localhost,db:9 --insecure");
  EXPECT_EQ(Refused({"agents"}),
            "--agents is missing: give the agents to ask, as in --agents=HOST[:PORT],...");
  EXPECT_EQ(Refused({"agents", "--agents=localhost", "-c5"}),
            "--concurrency: does not go with 'dslap agents', which takes --agents, --insecure, "
            "--tls-ca, --tls-cert, --tls-key, --token-file only");
  EXPECT_EQ(Refused({"agents", "--agents=db"}),
            "--agents: db:7527 is on another host, and what is sent there in plain text can be "
            "read and changed on the way: give --tls-ca, --tls-cert and --tls-key "
            "(dslap-make-certs makes the files), or --insecure if the network between is "
            "trusted");
  EXPECT_EQ(Refused({"-a", "agents"}),
            "unexpected argument 'agents': only options are taken; if it belongs to the value "
            "before it, quote that value as a whole");
}

TEST_F(ParseCommandLineTest, LinksToTheAgentsWithTls) {
  const Options options = Accepted({"-a", "--agents=db", "-psecret", "--tls-ca=ca.pem",
                                    "--tls-cert=c.pem", "--tls-key=c.key", "--token-file=t"});
  EXPECT_EQ(options.link_tls.ca, "ca.pem");
  EXPECT_EQ(options.link_tls.certificate, "c.pem");
  EXPECT_EQ(options.link_tls.key, "c.key");
  EXPECT_EQ(options.token_file, "t");
  EXPECT_EQ(Refused({"-a", "--agents=localhost", "--tls-ca=ca.pem", "--tls-cert=c.pem"}),
            "--tls-cert without --tls-key: give both");
  EXPECT_EQ(Refused({"-a", "--agents=localhost", "--tls-ca=ca.pem", "--tls-key=c.key"}),
            "--tls-key without --tls-cert: give both");
  EXPECT_EQ(Refused({"-a", "--agents=localhost", "--tls-cert=c.pem", "--tls-key=c.key"}),
            "--tls-cert without --tls-ca: the agents' certificates could not be checked");
}

TEST_F(ParseCommandLineTest, NoSecretTravelsInPlainText) {
  const std::string mend =
      " is never sent there in plain text, not even with --insecure: give --tls-ca, --tls-cert and "
      "--tls-key (dslap-make-certs makes the files)";
  EXPECT_EQ(Refused({"-a", "--agents=localhost,db", "--insecure", "-psecret"}),
            "--agents: db:7527 is on another host, and a password" + mend +
                ", or use an account without a password");
  EXPECT_EQ(Refused({"-a", "--agents=db", "--insecure", "-p"}),
            "--agents: db:7527 is on another host, and a password" + mend +
                ", or use an account without a password");
  EXPECT_EQ(Refused({"-a", "--agents=db", "--insecure", "--token-file=t"}),
            "--agents: db:7527 is on another host, and a token" + mend);
  Accepted({"-a", "--agents=db", "--insecure"});
  Accepted({"-a", "--agents=localhost,[::1]:9", "-psecret", "--token-file=t"});
}

TEST_F(ParseCommandLineTest, AProcessWithoutArgumentsAtAll) {
  ArgvBuffer argv({});
  EXPECT_EQ(ParseCommandLine(argv.argc(), argv.argv(), files_.MakeEnvironment(), &warnings_)
                .status()
                .message(),
            "nothing to run: give --query=SQL|FILE, or -a (--auto-generate-sql) to have statements "
            "generated; --help lists all options");
}

// Pieces of command lines in random order, with random bytes between them: never a crash, never
// another code, never the secret.
TEST_F(ParseCommandLineTest, RandomArgumentsNeverCrash) {
  const std::vector<std::string> pieces = {
      "-",       "--",       "=",           "-a",
      "--query", "select 1", "-p",          "--loose-",
      "–",       "—",        "--skip",      "-c",
      "5",       ",",        "K",           "--agents",
      "[::1]",   ":",        "agents",      "-x",
      "index",   "@",        "--create=",   "/",
      "--csv",   "-vvv",     "\xE2",        "\xFF",
      "--json",  "_",        "--password=", "--no-defaults",
      "enable",  "%",        "''",          "18446744073709551616"};
  std::mt19937 random(20240607);  // NOLINT(cert-msc51-cpp): the same run every time
  const auto below = [&](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  };
  int refused = 0;
  constexpr int kRuns = 20'000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<std::string> arguments(below(5));
    for (std::string& argument : arguments) {
      const size_t parts = below(4);
      for (size_t i = 0; i < parts; ++i) {
        if (below(4) == 0) {
          argument.push_back(static_cast<char>(1 + below(255)));
        } else {
          argument += pieces[below(pieces.size())];
        }
      }
    }
    const absl::StatusOr<Options> options = Parse(arguments);
    if (options.ok()) continue;
    ++refused;
    EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(options.status().message(), "");
  }
  // Both ends are reached.
  EXPECT_GT(refused, kRuns / 2);
  EXPECT_LT(refused, kRuns);
}

}  // namespace
}  // namespace dslap
