#include "controller/cli/option_table.h"

#include "absl/strings/str_cat.h"
#include "controller/cli/custom_fields.h"

namespace dslap {
namespace {

constexpr auto kRequired = ArgumentKind::kRequired;
constexpr auto kOptional = ArgumentKind::kOptional;

// Upper bounds that no honest run reaches: they keep sums and products of counts far from overflow.
constexpr uint64_t kMostStatements = 1'000'000'000'000'000;
constexpr uint64_t kMostPerClient = 1'000'000'000;
constexpr uint64_t kMostGenerated = 1'000'000'000;
constexpr uint64_t kMostRounds = 1'000'000;
constexpr uint64_t kMostIndexes = 4096;

constexpr OptionSpec kOptions[] = {
    // ---- Connection
    {.name = "host",
     .letter = 'h',
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "HOST",
     .default_text = "localhost",
     .help = "Host of the database, as its agents reach it. localhost means the Unix socket.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.host; }}},
    {.name = "port",
     .letter = 'P',
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "N",
     .default_text = "3306",
     .help = "TCP port of the database. With --compat=mariadb it also chooses TCP.",
     .field = CustomField{StorePort}},
    {.name = "socket",
     .letter = 'S',
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "PATH",
     .help = "Unix socket of the database, a path on each agent's host. With --compat=mariadb it "
             "also chooses the socket.",
     .field = CustomField{StoreSocket}},
    {.name = "protocol",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "tcp|socket",
     .help = "Transport to use, whatever host, port and socket suggest.",
     .field = CustomField{StoreProtocol}},
    {.name = "user",
     .letter = 'u',
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "NAME",
     .default_text = "root, or with --compat=mariadb your login name",
     .help = "Account of the database.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.user; }}},
    {.name = "password",
     .letter = 'p',
     .argument = kOptional,
     .group = OptionGroup::kConnection,
     .placeholder = "PASSWORD",
     .help = "Password of the account, attached to the option. Without a value it is asked for on "
             "the terminal, once. Safer than on a command line: in --password-file.",
     .field = CustomField{StorePassword},
     .skippable = true,
     .secret = true,
     .free_text = true},
    {.name = "password-file",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "FILE",
     .help = "File whose first line is the password.",
     .field = OptionalTextField{[](OptionDraft& d) { return &d.password_file; }},
     .own = true},

    // ---- What the clients execute
    {.name = "query",
     .letter = 'q',
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "SQL|FILE",
     .help = "Statements that every client executes: SQL text, or a file that holds it "
             "(@FILE is always a file).",
     .field = OptionalTextField{[](OptionDraft& d) { return &d.query; }},
     .free_text = true},
    {.name = "delimiter",
     .letter = 'F',
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "TEXT",
     .default_text = "newline",
     .help = "Text that ends a statement in --query, --create, --pre-query and --post-query.",
     .field = CustomField{StoreDelimiter},
     .free_text = true},
    {.name = "concurrency",
     .letter = 'c',
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "N,...",
     .default_text = "1",
     .help = "Number of clients, over all agents together; a list runs one case after the other.",
     .field = CustomField{StoreConcurrency}},
    {.name = "iterations",
     .letter = 'i',
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "N",
     .help = "Rounds of each case.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.iterations; }, 1, kMostRounds}},
    {.name = "number-of-queries",
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "N",
     .help = "Statements of a round, over all clients together, exactly. Without it each client "
             "executes the list once.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.number_of_queries; }, 0,
                          kMostStatements}},
    {.name = "commit",
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "N",
     .default_text = "autocommit",
     .help = "Each client commits after every N statements.",
     .field =
         NumberField{[](OptionDraft& d) { return &d.options.commit_every; }, 0, kMostStatements}},
    {.name = "detach",
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "N",
     .default_text = "never",
     .help = "Each client closes and reopens its connection after every N statements.",
     .field =
         NumberField{[](OptionDraft& d) { return &d.options.detach_every; }, 0, kMostStatements}},
    {.name = "pre-query",
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "SQL|FILE",
     .help = "Statements executed once before every round, outside the measurement.",
     .field = OptionalTextField{[](OptionDraft& d) { return &d.pre_query; }},
     .free_text = true},
    {.name = "post-query",
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "SQL|FILE",
     .help = "Statements executed once after every round, outside the measurement.",
     .field = OptionalTextField{[](OptionDraft& d) { return &d.post_query; }},
     .free_text = true},
    {.name = "pre-system",
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "COMMAND",
     .help = "Shell command to run on dslap's own host before the --pre-query of every round. One "
             "that fails ends the run.",
     .field = TextField{[](OptionDraft& d) { return &d.options.pre_system; }},
     .free_text = true},
    {.name = "post-system",
     .argument = kRequired,
     .group = OptionGroup::kLoad,
     .placeholder = "COMMAND",
     .help = "Shell command to run on dslap's own host after the --post-query of every round. One "
             "that fails ends the run.",
     .field = TextField{[](OptionDraft& d) { return &d.options.post_system; }},
     .free_text = true},
    {.name = "reconnect",
     .group = OptionGroup::kLoad,
     .help = "Connect all clients anew for every round, as mysqlslap does, instead of keeping and "
             "resetting their connections.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.reconnect; }},
     .own = true},

    // ---- Generated statements
    {.name = "auto-generate-sql",
     .letter = 'a',
     .group = OptionGroup::kGenerate,
     .help = "Generate a table t1, rows, and the statements to execute.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.generate.enabled; }}},
    {.name = "auto-generate-sql-load-type",
     .argument = kRequired,
     .group = OptionGroup::kGenerate,
     .placeholder = "TYPE",
     .default_text = "mixed",
     .help =
         "What the clients execute: mixed (INSERT, SELECT, ...), write (INSERT), read (SELECT), "
         "key (SELECT by key), update (UPDATE, by key where there is one).",
     .field = CustomField{StoreLoadType}},
    {.name = "auto-generate-sql-add-autoincrement",
     .group = OptionGroup::kGenerate,
     .help = "Give the table an AUTO_INCREMENT key.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.generate.add_autoincrement; }}},
    {.name = "auto-generate-sql-guid-primary",
     .group = OptionGroup::kGenerate,
     .help = "Give the table a primary key of GUIDs.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.generate.guid_primary; }}},
    {.name = "auto-generate-sql-secondary-indexes",
     .argument = kRequired,
     .group = OptionGroup::kGenerate,
     .placeholder = "N",
     .help = "Unique columns to add to the table.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.generate.secondary_indexes; }, 0,
                          kMostIndexes}},
    {.name = "auto-generate-sql-execute-number",
     .argument = kRequired,
     .group = OptionGroup::kGenerate,
     .placeholder = "N",
     .help = "Statements that each client executes, in place of --number-of-queries.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.generate.execute_number; }, 0,
                          kMostPerClient}},
    {.name = "auto-generate-sql-unique-query-number",
     .argument = kRequired,
     .group = OptionGroup::kGenerate,
     .placeholder = "N",
     .help = "Different statements to generate for the clients; the list has one more.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.generate.unique_query_number; }, 0,
                          kMostGenerated}},
    {.name = "auto-generate-sql-unique-write-number",
     .argument = kRequired,
     .group = OptionGroup::kGenerate,
     .placeholder = "N",
     .help = "Different INSERTs to generate for loading the table.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.generate.unique_write_number; }, 0,
                          kMostGenerated}},
    {.name = "auto-generate-sql-write-number",
     .argument = kRequired,
     .group = OptionGroup::kGenerate,
     .placeholder = "N",
     .help = "Rows to load into the table, less one.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.generate.write_number; }, 0,
                          kMostGenerated}},
    {.name = "number-char-cols",
     .letter = 'x',
     .argument = kRequired,
     .group = OptionGroup::kGenerate,
     .placeholder = "N[:index]",
     .default_text = "1",
     .help = "VARCHAR columns of the table, each with an index if so asked.",
     .field = CustomField{StoreCharColumns}},
    {.name = "number-int-cols",
     .letter = 'y',
     .argument = kRequired,
     .group = OptionGroup::kGenerate,
     .placeholder = "N[:index]",
     .default_text = "1",
     .help = "INT columns of the table, each with an index if so asked.",
     .field = CustomField{StoreIntColumns}},

    // ---- Schema and tables
    {.name = "create-schema",
     .argument = kRequired,
     .group = OptionGroup::kSchema,
     .placeholder = "NAME",
     .default_text = "mysqlslap",
     .help = "Schema to work in. With -a or --create it is created before every round and dropped "
             "at the end; without them it is only the default database.",
     .field = CustomField{StoreSchema}},
    {.name = "create",
     .argument = kRequired,
     .group = OptionGroup::kSchema,
     .placeholder = "SQL|FILE",
     .help = "Statements that create the tables, and load them: executed before every round.",
     .field = OptionalTextField{[](OptionDraft& d) { return &d.create; }},
     .free_text = true},
    {.name = "engine",
     .letter = 'e',
     .argument = kRequired,
     .group = OptionGroup::kSchema,
     .placeholder = "NAME[:OPTION],...",
     .default_text = "the server's",
     .help = "Storage engines: all cases are run with each. OPTION goes into the CREATE TABLE, as "
             "in memory:max_rows=10.",
     .field = CustomField{StoreEngines}},
    {.name = "no-drop",
     .group = OptionGroup::kSchema,
     .help = "Leave the schema in place at the end.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.no_drop; }}},
    {.name = "drop-existing-schema",
     .group = OptionGroup::kSchema,
     .help = "Let -a or --create drop a schema of that name that dslap did not make.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.drop_existing_schema; }},
     .own = true},

    // ---- Failing statements
    {.name = "ignore-errors",
     .argument = kRequired,
     .group = OptionGroup::kErrors,
     .placeholder = "CODE,...|all|none",
     .default_text = "1020,1205,1213",
     .help = "Errors of statements that are counted and passed over. Any other error stops the "
             "run, with what was measured reported.",
     .field = CustomField{StoreIgnoredErrors},
     .own = true},

    // ---- Agents
    {.name = "agents",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "HOST[:PORT],...",
     .default_text = "one inside dslap",
     .help = "Agents (dslap-agent) that share the clients and statements; the port is 7527 unless "
             "given. An IPv6 address goes into brackets: [::1]:7527.",
     .field = CustomField{StoreAgents},
     .own = true},
    {.name = "insecure",
     .group = OptionGroup::kAgents,
     .help = "Allow agents on other hosts, though everything sent to them, the password included, "
             "is readable on the network.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.insecure; }},
     .own = true},
    {.name = "lease",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "TIME",
     .default_text = "10s",
     .help = "Silence after which dslap and an agent give each other up, from 1s to 1h.",
     .field = DurationField{[](OptionDraft& d) { return &d.options.lease_ms; }, 1'000, 3'600'000},
     .own = true},
    {.name = "heartbeat-interval",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "TIME",
     .default_text = "1s",
     .help = "Time between two signs of life, from 10ms to half of --lease.",
     .field = DurationField{[](OptionDraft& d) { return &d.options.heartbeat_ms; }, 10, 1'800'000},
     .own = true},

    // ---- Output
    {.name = "only-print",
     .group = OptionGroup::kOutput,
     .help = "Connect to nothing; print the statements that would be executed.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.only_print; }}},
    {.name = "silent",
     .letter = 's',
     .group = OptionGroup::kOutput,
     .help = "Print no report on standard output.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.silent; }}},
    {.name = "verbose",
     .letter = 'v',
     .group = OptionGroup::kOutput,
     .help = "With -vv: the stages of the run, on standard output. With -vvv: also every statement "
             "of set-up and tear-down, and once what each client executes. One -v alone adds "
             "nothing, as in mysqlslap.",
     .field = CustomField{StoreVerbose}},
    {.name = "debug-info",
     .letter = 'T',
     .group = OptionGroup::kOutput,
     .help =
         "At the end, print on standard error what the dslap process itself has used: CPU time, "
         "memory, page faults, context switches.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.debug_info; }}},
    {.name = "csv",
     .argument = kOptional,
     .group = OptionGroup::kOutput,
     .placeholder = "FILE",
     .help = "mysqlslap's seven fields for each case, appended to FILE, or on standard output in "
             "place of the report.",
     .field = CustomField{StoreCsv}},
    {.name = "json",
     .argument = kOptional,
     .group = OptionGroup::kOutput,
     .placeholder = "FILE",
     .help = "The complete report as JSON into FILE, or on standard output in place of the report.",
     .field = CustomField{StoreJson},
     .own = true},
    {.name = "classic",
     .group = OptionGroup::kOutput,
     .help = "Print mysqlslap's lines only.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.classic; }},
     .own = true},

    // ---- Option files: only before all other options
    {.name = "defaults-file",
     .argument = kRequired,
     .group = OptionGroup::kOptionFiles,
     .placeholder = "FILE",
     .help = "Read FILE as the only option file.",
     .field = CustomField{StoreNothing},
     .first_only = true},
    {.name = "defaults-extra-file",
     .argument = kRequired,
     .group = OptionGroup::kOptionFiles,
     .placeholder = "FILE",
     .help = "Read FILE too, after the system's option files and before yours.",
     .field = CustomField{StoreNothing},
     .first_only = true},
    {.name = "defaults-group-suffix",
     .argument = kRequired,
     .group = OptionGroup::kOptionFiles,
     .placeholder = "TEXT",
     .default_text = "$MYSQL_GROUP_SUFFIX",
     .help = "Read also the groups whose names end with TEXT: with _a also [client_a].",
     .field = CustomField{StoreNothing},
     .first_only = true},
    {.name = "no-defaults",
     .group = OptionGroup::kOptionFiles,
     .help = "Read no option file.",
     .field = CustomField{StoreNothing},
     .first_only = true},
    {.name = "print-defaults",
     .group = OptionGroup::kOptionFiles,
     .help = "Print the options from the option files and the command line, passwords masked, and "
             "end.",
     .field = CustomField{StoreNothing},
     .first_only = true},

    // ---- Other
    {.name = "compat",
     .argument = kRequired,
     .group = OptionGroup::kOther,
     .placeholder = "mysql|mariadb",
     .default_text = "mysql",
     .help = "Whose mysqlslap to follow where they differ: how the engine is chosen, the default "
             "user, what --port and --socket imply, and which groups of option files are read.",
     .field = CustomField{StoreCompat},
     .own = true},
    {.name = "debug-check",
     .group = OptionGroup::kOther,
     .help = "Accepted with a warning: memory and files are not checked at the end.",
     .field = FlagField{[](OptionDraft& d) { return &d.debug_check; }}},
    {.name = "help",
     .letter = '?',
     .group = OptionGroup::kOther,
     .help = "Print this help and end.",
     .field = CustomField{StoreHelp},
     .stops = true},
    {.name = "version",
     .letter = 'V',
     .group = OptionGroup::kOther,
     .help = "Print the version and end.",
     .field = CustomField{StoreVersion},
     .stops = true},
};

constexpr AbsentOption kAbsent[] = {
    {.name = "character-sets-dir"},
    {.name = "compress", .letter = 'C'},
    {.name = "compression-algorithms"},
    {.name = "debug", .letter = '#'},
    {.name = "default-auth"},
    {.name = "enable-cleartext-plugin"},
    {.name = "get-server-public-key"},
    {.name = "init-command"},
    {.name = "login-path", .spelled_out = true},
    {.name = "no-login-paths", .spelled_out = true},
    {.name = "password1", .spelled_out = true},
    {.name = "password2", .spelled_out = true},
    {.name = "password3", .spelled_out = true},
    {.name = "pipe", .letter = 'W'},
    {.name = "plugin-dir"},
    {.name = "server-public-key-path"},
    {.name = "shared-memory-base-name"},
    {.name = "sql-mode"},
    {.name = "ssl"},
    {.name = "ssl-ca"},
    {.name = "ssl-capath"},
    {.name = "ssl-cert"},
    {.name = "ssl-cipher"},
    {.name = "ssl-crl"},
    {.name = "ssl-crlpath"},
    {.name = "ssl-fips-mode"},
    {.name = "ssl-key"},
    {.name = "ssl-mode"},
    {.name = "ssl-session-data"},
    {.name = "ssl-session-data-continue-on-failed-reuse"},
    {.name = "ssl-verify-server-cert"},
    {.name = "tls-ciphersuites"},
    {.name = "tls-sni-servername"},
    {.name = "tls-version"},
    {.name = "zstd-compression-level"},
};

}  // namespace

absl::Span<const OptionSpec> OptionTable() { return kOptions; }

absl::Span<const AbsentOption> AbsentOptions() { return kAbsent; }

absl::string_view GroupTitle(OptionGroup group) {
  switch (group) {
    case OptionGroup::kConnection:
      return "Connection to the database";
    case OptionGroup::kLoad:
      return "What the clients execute";
    case OptionGroup::kGenerate:
      return "Generated statements";
    case OptionGroup::kSchema:
      return "Schema and tables";
    case OptionGroup::kErrors:
      return "Failing statements";
    case OptionGroup::kAgents:
      return "Agents on several hosts";
    case OptionGroup::kOutput:
      return "Output";
    case OptionGroup::kOptionFiles:
      return "Option files (before all other options)";
    case OptionGroup::kOther:
      return "Other";
  }
  return "";
}

std::string DefaultText(const OptionSpec& spec) {
  if (!spec.default_text.empty()) return absl::StrCat(spec.default_text);
  const auto* const number = std::get_if<NumberField>(&spec.field);
  if (number == nullptr) return "";
  OptionDraft draft;
  const uint64_t value = *number->field(draft);
  return value == 0 ? "" : absl::StrCat(value);
}

}  // namespace dslap
