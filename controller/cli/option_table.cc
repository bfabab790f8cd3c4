#include "controller/cli/option_table.h"

#include "absl/strings/str_cat.h"
#include "controller/cli/connection_fields.h"
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

constexpr uint64_t kHighestZstdLevel = 22;

constexpr uint64_t kLongestQueryMs = uint64_t{24} * 3'600'000;
constexpr uint64_t kLongestRunMs = 30 * kLongestQueryMs;

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
     .help = "Transport to use, whatever host, port and socket suggest. The pipe and memory of "
             "clients on Windows are refused.",
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

    {.name = "password1",
     .argument = kOptional,
     .group = OptionGroup::kConnection,
     .placeholder = "PASSWORD",
     .help = "The same as --password: the password of the first factor.",
     .field = CustomField{StorePassword},
     .spelled_out = true,
     .skippable = true,
     .secret = true,
     .free_text = true},
    {.name = "init-command",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "SQL",
     .help = "Statement that each client executes when it has connected, and again after each "
             "reconnect and each reset of its session. A client whose statement fails has not "
             "connected.",
     .field = TextField{[](OptionDraft& d) { return &d.options.init_command; }},
     .free_text = true},
    {.name = "sql-mode",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "MODE,...",
     .default_text = "the server's",
     .help = "sql_mode of all sessions, those of set-up and load as those of clients.",
     .field = OptionalTextField{[](OptionDraft& d) { return &d.options.target.sql_mode; }}},
    {.name = "compress",
     .letter = 'C',
     .group = OptionGroup::kConnection,
     .help = "Compress what goes over the connection. A server that cannot is an error.",
     .field = FlagField{[](OptionDraft& d) { return &d.compress; }}},
    {.name = "compression-algorithms",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "NAME,...",
     .default_text = "uncompressed",
     .values = "zlib|zstd|uncompressed",
     .help = "zlib, zstd, uncompressed: what is allowed, in place of --compress. zstd needs a "
             "plugin of the client library on each agent's host.",
     .field = CustomField{StoreCompressionAlgorithms}},
    {.name = "zstd-compression-level",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "N",
     .default_text = "3",
     .help = "Level of zstd, from 1 to 22.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.target.compression.zstd_level; },
                          1, kHighestZstdLevel}},
    {.name = "default-auth",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "PLUGIN",
     .default_text = "the server's",
     .help = "Client-side authentication plugin to begin with.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.default_auth; }}},
    {.name = "plugin-dir",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "DIR",
     .help = "Directory of the client library's plugins, on each agent's host.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.plugin_dir; }}},
    {.name = "enable-cleartext-plugin",
     .group = OptionGroup::kConnection,
     .help = "Send the password as it is to a server that asks for that (mysql_clear_password). "
             "Only over TLS is it safe.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.target.cleartext_password; }}},
    {.name = "server-public-key-path",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "FILE",
     .help = "The server's public RSA key, on each agent's host: protects the password of "
             "sha256_password and caching_sha2_password where there is no TLS.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.server_public_key_path; }}},
    {.name = "get-server-public-key",
     .group = OptionGroup::kConnection,
     .help = "Ask the server for that key. The client library always does when it needs the key "
             "and has none.",
     .field = SwitchField{StoreGetServerPublicKey}},
    {.name = "character-sets-dir",
     .argument = kRequired,
     .group = OptionGroup::kConnection,
     .placeholder = "DIR",
     .help = "Directory of character sets, on each agent's host. Handed to the client library, "
             "which has utf8mb4, the one in use, built in.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.character_sets_dir; }}},

    // ---- Encryption of that connection
    {.name = "ssl",
     .group = OptionGroup::kTls,
     .help = "TLS, or no connection: the same as --ssl-mode=REQUIRED. --skip-ssl is the same as "
             "--ssl-mode=DISABLED.",
     .field = SwitchField{StoreSsl}},
    {.name = "ssl-mode",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "MODE",
     .default_text = "REQUIRED with one of the options below; else PREFERRED, or with "
                     "--compat=mariadb DISABLED",
     .values = "DISABLED|PREFERRED|REQUIRED|VERIFY_CA|VERIFY_IDENTITY",
     .help =
         "DISABLED; PREFERRED: over TCP, if the server offers TLS; REQUIRED; VERIFY_CA: and the "
         "server's certificate must come from a CA of --ssl-ca or --ssl-capath; "
         "VERIFY_IDENTITY: and bear the name given with --host.",
     .field = CustomField{StoreTlsMode}},
    {.name = "ssl-ca",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "FILE",
     .help = "Certificates (PEM) of the CAs to trust, on each agent's host. The server's "
             "certificate is then verified, also with --ssl-mode=REQUIRED.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.tls.ca; }}},
    {.name = "ssl-capath",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "DIR",
     .help = "The same as a directory, in the form of OpenSSL.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.tls.ca_path; }}},
    {.name = "ssl-verify-server-cert",
     .group = OptionGroup::kTls,
     .help = "The same as --ssl-mode=VERIFY_IDENTITY; without --ssl-ca and --ssl-capath the CAs of "
             "each agent's system are trusted.",
     .field = FlagField{[](OptionDraft& d) { return &d.verify_server_cert; }}},
    {.name = "ssl-cert",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "FILE",
     .help = "Certificate (PEM) to show to the server, on each agent's host.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.tls.certificate; }}},
    {.name = "ssl-key",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "FILE",
     .help = "Its private key (PEM, without a pass phrase), on each agent's host.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.tls.key; }}},
    {.name = "ssl-crl",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "FILE",
     .help = "Revoked certificates (PEM), on each agent's host.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.tls.crl; }}},
    {.name = "ssl-crlpath",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "DIR",
     .help = "The same as a directory, in the form of OpenSSL.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.tls.crl_path; }}},
    {.name = "ssl-cipher",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "NAME:...",
     .help = "Ciphers to allow up to TLS 1.2.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.tls.cipher; }}},
    {.name = "tls-ciphersuites",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "NAME:...",
     .help = "Cipher suites to allow from TLS 1.3 on. Not together with --ssl-cipher.",
     .field = TextField{[](OptionDraft& d) { return &d.options.target.tls.cipher_suites; }}},
    {.name = "tls-version",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "NAME,...",
     .default_text = "all that OpenSSL allows",
     .values = "TLSv1.3|TLSv1.2|TLSv1.1|TLSv1.0",
     .help = "Versions to allow: TLSv1.2, TLSv1.3, and the old TLSv1.0 and TLSv1.1.",
     .field = CustomField{StoreTlsVersions}},
    {.name = "ssl-fips-mode",
     .argument = kRequired,
     .group = OptionGroup::kTls,
     .placeholder = "OFF",
     .values = "OFF",
     .help = "Accepted as OFF; ON and STRICT are refused, as the client library cannot do that.",
     .field = CustomField{StoreFipsMode}},

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
     .values = "mixed|write|read|key|update",
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
    {.name = "query-timeout",
     .argument = kRequired,
     .group = OptionGroup::kErrors,
     .placeholder = "TIME",
     .default_text = "none",
     .help = "Time after which a client gives up a statement that is not answered: it is killed on "
             "the server, and fails with error 2999. At most 24h; 0 means none.",
     .field = DurationField{[](OptionDraft& d) { return &d.options.query_timeout_ms; }, 0,
                            kLongestQueryMs},
     .own = true},

    {.name = "deadline",
     .argument = kRequired,
     .group = OptionGroup::kErrors,
     .placeholder = "TIME",
     .default_text = "none",
     .help =
         "Time after which the run is ended: what runs is stopped, the schema dropped, and what "
         "was measured reported, within 20s more. Exit code 3. From 1ms to 720h; 0 means none.",
     .field =
         DurationField{[](OptionDraft& d) { return &d.options.deadline_ms; }, 0, kLongestRunMs},
     .own = true},
    {.name = "preflight",
     .argument = kRequired,
     .group = OptionGroup::kErrors,
     .placeholder = "refuse|warn",
     .default_text = "refuse",
     .help = "What to do when limits of an agent (descriptors, threads, ports) or of the server "
             "(connections, the account's limits) are too small for what is asked: refuse the run "
             "before it touches anything, or go on and note it in the report.",
     .field = CustomField{StorePreflight},
     .own = true},
    {.name = "truth-check",
     .group = OptionGroup::kErrors,
     .default_text = "on",
     .help = "Compare what the agents counted with the server's own counters, around every round; "
             "--skip-truth-check leaves it out.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.truth_check; }},
     .own = true},

    // ---- Agents
    {.name = "agents",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "HOST[:PORT][*WEIGHT],...",
     .default_text = "one inside dslap",
     .help = "Agents (dslap-agent) that share the clients and statements; the port is 7527 unless "
             "given. An IPv6 address goes into brackets: [::1]:7527. An agent of weight 3 gets "
             "three times the clients of one of weight 1. @FILE stands for the agents that a file "
             "names, dns:NAME[:PORT] for one at each address of a name.",
     .field = CustomField{StoreAgents},
     .own = true},
    {.name = "tls-ca",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "FILE",
     .help = "Call the agents over TLS; their certificates must be of this authority and bear the "
             "name or address in --agents. dslap-make-certs makes all that is needed. Not for "
             "the database: that is --ssl-ca.",
     .field = TextField{[](OptionDraft& d) { return &d.options.link_tls.ca; }},
     .own = true},
    {.name = "tls-cert",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "FILE",
     .help = "Certificate that shows the agents who calls.",
     .field = TextField{[](OptionDraft& d) { return &d.options.link_tls.certificate; }},
     .own = true},
    {.name = "tls-key",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "FILE",
     .help = "Private key of --tls-cert.",
     .field = TextField{[](OptionDraft& d) { return &d.options.link_tls.key; }},
     .own = true},
    {.name = "token-file",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "FILE",
     .help = "File with the token that the agents want, if they want one.",
     .field = TextField{[](OptionDraft& d) { return &d.options.token_file; }},
     .own = true},
    {.name = "insecure",
     .group = OptionGroup::kAgents,
     .help = "Allow agents on other hosts without TLS: everything sent to them can be read and "
             "changed on the way. A password is not sent there, not even so.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.insecure; }},
     .own = true},
    {.name = "min-agents",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "N",
     .default_text = "all of them",
     .help =
         "Begin without agents that are unreachable, busy or otherwise of no use, if N are "
         "left: they share all clients. Each missing one is named, and the verdict is DEGRADED.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.min_agents; }, 1, 100'000},
     .own = true},
    {.name = "on-agent-loss",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "stop|continue",
     .default_text = "stop",
     .help = "When an agent is lost during the run: stop the others and report what was measured, "
             "or go on with them. The round is then marked as cut short, and from the next one on "
             "they share all clients. The exit code is 5 either way.",
     .field = CustomField{StoreAgentLoss},
     .own = true},
    {.name = "load-engine",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "auto|threads|epoll",
     .default_text = "auto",
     .help = "How an agent carries its clients: a thread for each, or a few threads that drive all "
             "of them over epoll. auto takes threads for few clients and epoll for many. epoll "
             "needs MariaDB's client library on the agents.",
     .field = CustomField{StoreLoadEngine},
     .own = true},
    {.name = "engine-threads",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "N",
     .default_text = "the agent's cores",
     .help = "Threads of each agent that drive all its clients over epoll.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.load_engine.threads; }, 1, 1024},
     .own = true},
    {.name = "connect-parallelism",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "N",
     .help = "Connects of one agent that are under way at a time, at most.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.load_engine.connect_parallelism; },
                          1, 1'000'000},
     .own = true},
    {.name = "connect-rate",
     .argument = kRequired,
     .group = OptionGroup::kAgents,
     .placeholder = "N",
     .default_text = "no bound",
     .help = "New connections per second before a round, over all agents together.",
     .field = NumberField{[](OptionDraft& d) { return &d.options.load_engine.connect_rate; }, 1,
                          1'000'000'000},
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
    {.name = "print-plan",
     .group = OptionGroup::kOutput,
     .help = "Ask no agent and no database; print which agent would run how many clients and "
             "statements of each case. --only-print does the same with --agents.",
     .field = FlagField{[](OptionDraft& d) { return &d.options.print_plan; }},
     .own = true},
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
    {.name = "no-login-paths",
     .group = OptionGroup::kOptionFiles,
     .help = "Accepted: the file of mysql_config_editor is never read.",
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

constexpr absl::string_view kNoLoginFile =
    "the file of mysql_config_editor is not read; put user and password into an option file that "
    "only "
    "you may read, and name it with --defaults-extra-file";
constexpr absl::string_view kOneFactor =
    "clients log in with one factor, as MariaDB Connector/C, the client library of the agents, "
    "knows no second one";
constexpr absl::string_view kWindows = "only clients on Windows have it";
constexpr absl::string_view kNoSessionReuse =
    "MariaDB Connector/C, the client library of the agents, begins every TLS session anew";
constexpr absl::string_view kNoServerName =
    "MariaDB Connector/C, the client library of the agents, sends no server name";

constexpr absl::string_view kNoTrace =
    "it traces the calls inside a debug build of mysqlslap, and release builds refuse it as well; "
    "-vvv tells what a run does";

constexpr AbsentOption kAbsent[] = {
    {.name = "debug", .letter = '#', .reason = kNoTrace},
    {.name = "login-path", .spelled_out = true, .reason = kNoLoginFile},
    {.name = "password2", .spelled_out = true, .reason = kOneFactor},
    {.name = "password3", .spelled_out = true, .reason = kOneFactor},
    {.name = "pipe", .letter = 'W', .reason = kWindows},
    {.name = "shared-memory-base-name", .reason = kWindows},
    {.name = "ssl-session-data", .reason = kNoSessionReuse},
    {.name = "ssl-session-data-continue-on-failed-reuse", .reason = kNoSessionReuse},
    {.name = "tls-sni-servername", .reason = kNoServerName},
};

}  // namespace

absl::Span<const OptionSpec> OptionTable() { return kOptions; }

absl::Span<const AbsentOption> AbsentOptions() { return kAbsent; }

absl::string_view GroupTitle(OptionGroup group) {
  switch (group) {
    case OptionGroup::kConnection:
      return "Connection to the database";
    case OptionGroup::kTls:
      return "Encryption of that connection";
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
