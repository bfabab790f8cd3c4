// What the user asked for, after the command line was read and checked. Plain data: no defaults are
// decided later than here, nothing here touches the network.
#ifndef DSLAP_CONTROLLER_OPTIONS_H_
#define DSLAP_CONTROLLER_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/link_security.h"
#include "common/secret.h"

namespace dslap {

// Whose printed statements and engine handling to follow (docs/cli.md, --compat).
enum class Compat { kMySql, kMariaDb };

enum class TransportProtocol { kDefault, kTcp, kSocket };

enum class TlsMode { kOff, kPreferred, kRequired, kVerifyCa, kVerifyIdentity };

enum class LoadType { kMixed, kUpdate, kWrite, kKey, kRead };

enum class AgentLossPolicy { kStop, kContinue };

// What is done about limits, of agents or server, that are too small for what is asked.
enum class PreflightPolicy { kRefuse, kWarn };

enum class Command { kRun, kAgents, kHelp, kVersion, kPrintDefaults };

// One entry of --engine: "memory:max_rows=10" is {"memory", "max_rows=10"}.
struct EngineSpec {
  std::string name;
  std::string option;
};

// One entry of --agents (cli/agent_list.h).
struct AgentSpec {
  std::string address;   // "host:port"; until files are read, also "@FILE"
  uint64_t weight = 1;   // of the clients it gets beside the others
  bool look_up = false;  // the host is a name that stands for one agent at each of its addresses
  // What its certificate must bear instead of the host in `address`: the name that was looked up.
  std::string server_name = {};
  std::string where;  // "--agents", or "hosts, line 3"; for messages
};

// How connections to the database are encrypted. Files are paths on each agent's host.
struct TlsOptions {
  TlsMode mode = TlsMode::kOff;
  std::string ca;
  std::string ca_path;
  std::string certificate;
  std::string key;
  std::string crl;
  std::string crl_path;
  std::string cipher;
  std::string cipher_suites;
  std::string versions;
};

// Neither zlib nor zstd: none.
struct CompressionOptions {
  bool zlib = false;
  bool zstd = false;
  bool optional = false;    // no compression will do as well
  uint64_t zstd_level = 0;  // 0: not given
};

// The database as every agent is told to reach it.
struct TargetOptions {
  std::string host;
  uint32_t port = 0;
  std::string socket;
  std::string user;
  Secret password;
  TransportProtocol protocol = TransportProtocol::kDefault;
  TlsOptions tls;
  CompressionOptions compression;
  std::string default_auth;
  std::string plugin_dir;
  std::string character_sets_dir;
  std::string server_public_key_path;
  bool cleartext_password = false;
  std::optional<std::string> sql_mode;
};

// The auto-generate family. Numbers as mysqlslap documents them.
struct GenerateOptions {
  bool enabled = false;
  bool add_autoincrement = false;
  bool guid_primary = false;
  LoadType load_type = LoadType::kMixed;
  uint64_t secondary_indexes = 0;
  uint64_t unique_query_number = 10;
  uint64_t unique_write_number = 10;
  uint64_t write_number = 100;
  uint64_t execute_number = 0;  // 0: not given
  uint64_t char_columns = 1;
  bool index_char_columns = false;
  uint64_t int_columns = 1;
  bool index_int_columns = false;
};

// How each agent carries its clients.
enum class LoadEngineKind : uint8_t { kAuto, kThreads, kEventLoops };

struct LoadEngineOptions {
  LoadEngineKind kind = LoadEngineKind::kAuto;
  uint64_t threads = 0;               // event loops; 0: one for each core of the agent's host
  uint64_t connect_parallelism = 64;  // of each agent
  uint64_t connect_rate = 0;          // connects per second, of all agents together; 0: no bound
};

// The order reads well; a few bytes of padding in the one object there is do not matter.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct Options {
  Command command = Command::kRun;
  Compat compat = Compat::kMySql;
  TargetOptions target;
  bool ask_password = false;  // -p without a value: to be asked once, on the terminal

  std::vector<EngineSpec> engines;  // empty: the server's default engine
  std::vector<uint64_t> concurrency = {1};
  uint64_t iterations = 1;
  uint64_t number_of_queries = 0;  // 0: not given
  uint64_t commit_every = 0;
  uint64_t detach_every = 0;
  GenerateOptions generate;

  // SQL as given, not yet split: the value itself or the content of the file it names.
  std::optional<std::string> create_sql;
  std::optional<std::string> query_sql;
  std::optional<std::string> pre_query_sql;
  std::optional<std::string> post_query_sql;
  // Shell commands; empty: none.
  std::string pre_system;
  std::string post_system;
  std::string delimiter = "\n";
  bool delimiter_given = false;

  std::string schema = "mysqlslap";
  bool schema_given = false;
  bool no_drop = false;
  bool drop_existing_schema = false;
  bool reconnect = false;
  std::string init_command;  // empty: none
  LoadEngineOptions load_engine;

  std::vector<uint32_t> ignored_errors = {1020, 1205, 1213};
  uint64_t query_timeout_ms = 0;  // 0: none
  bool ignore_all_errors = false;
  uint64_t deadline_ms = 0;  // of the whole run; 0: none

  std::vector<AgentSpec> agents;  // empty: the in-process agent
  LinkTls link_tls;               // of the links to the agents; unused: plain text
  std::string token_file;         // what the agents let us in for; empty: none
  bool insecure = false;
  uint64_t min_agents = 0;  // 0: all of them
  AgentLossPolicy on_agent_loss = AgentLossPolicy::kStop;
  PreflightPolicy preflight = PreflightPolicy::kRefuse;
  bool truth_check = true;  // compare what is counted with the server's own counters
  uint64_t lease_ms = 10'000;
  uint64_t heartbeat_ms = 1'000;

  bool only_print = false;
  bool print_plan = false;
  bool classic = false;
  bool silent = false;
  int verbosity = 0;  // number of -v
  bool debug_info = false;
  std::optional<std::string> csv_file;   // empty string: standard output
  std::optional<std::string> json_file;  // empty string: standard output

  std::string printed_defaults;  // kPrintDefaults: what to print
  std::string command_line;      // as typed, passwords replaced, for the JSON report
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_OPTIONS_H_
