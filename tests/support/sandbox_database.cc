#include "tests/support/sandbox_database.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "tests/support/subprocess.h"

namespace dslap {
namespace {

constexpr absl::Duration kStartTimeout = absl::Seconds(90);
constexpr absl::Duration kStopTimeout = absl::Seconds(60);
constexpr absl::Duration kQueryTimeout = absl::Seconds(60);

std::string Script() { return absl::StrCat(DSLAP_SOURCE_DIR, "/deploy/sandbox-db.sh"); }

bool MySqlIsWanted() {
  const char* const server = std::getenv("DSLAP_TEST_SERVER");
  return server != nullptr && absl::string_view(server) == "mysql9";
}

// The owner of the pointer; null before the environment is set up and after it is torn down.
std::unique_ptr<SandboxDatabase>& Shared() {
  static auto* const shared = new std::unique_ptr<SandboxDatabase>;
  return *shared;
}

class SandboxEnvironment final : public ::testing::Environment {
 public:
  explicit SandboxEnvironment(std::vector<std::string> options) : options_(std::move(options)) {}

  void SetUp() override {
    if (MySqlIsWanted() && MySql9Tree().empty()) {
      GTEST_SKIP() << kNoMySql9Tree;  // tests/run.sh knows it by the name of this file
    }
    auto started = SandboxDatabase::Start(options_);
    ASSERT_TRUE(started.ok()) << started.status();
    Shared() = *std::move(started);
  }
  void TearDown() override { Shared().reset(); }

 private:
  std::vector<std::string> options_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<SandboxDatabase>> SandboxDatabase::Start(
    const std::vector<std::string>& options, int network_fd) {
  auto database = std::unique_ptr<SandboxDatabase>(new SandboxDatabase);
  // The script makes the directory and removes it, also when this process is killed.
  database->directory_ =
      absl::StrCat("/tmp/dslap-test-", getpid(), "-", absl::ToUnixMicros(absl::Now()));
  const absl::Status status = MySqlIsWanted() && network_fd < 0
                                  ? database->StartMySql(options)
                                  : database->StartMariaDb(options, network_fd);
  if (!status.ok()) return status;
  return database;
}

absl::Status SandboxDatabase::StartMariaDb(const std::vector<std::string>& options,
                                           int network_fd) {
  SubprocessSpec spec;
  spec.network_fd = network_fd;
  spec.argv = {Script(), "start", absl::StrCat("--while-pid=", getpid())};
  spec.argv.insert(spec.argv.end(), options.begin(), options.end());
  spec.argv.push_back(directory_);
  if (std::getenv("DSLAP_SANDBOX_TEMPLATE") == nullptr) {
    spec.env["DSLAP_SANDBOX_TEMPLATE"] = absl::StrCat(DSLAP_BINARY_DIR, "/sandbox-template");
  }
  const ProcessResult result = RunProcess(spec, kStartTimeout);
  if (result.exit_code != 0) {
    return absl::UnavailableError(
        absl::StrCat(Script(), " start ended with ", result.exit_code, ":\n", result.err));
  }
  return ReadEnvironment(result.out);
}

absl::Status SandboxDatabase::StartMySql(const std::vector<std::string>& options) {
  std::vector<std::string> own_options = {"--max-connections=4000"};  // as sandbox-db.sh
  for (const std::string& option : options) {
    own_options.emplace_back(absl::StripPrefix(option, "--option="));
  }
  auto started = MySql9Server::Start(directory_, own_options);
  if (!started.ok()) return started.status();
  mysql_ = *std::move(started);
  host_ = "127.0.0.1";
  port_ = mysql_->port();
  socket_ = mysql_->socket();
  pid_ = mysql_->pid();
  user_ = "dslap";
  password_ = absl::StrCat("dslap-", absl::Hex(absl::ToUnixNanos(absl::Now()), absl::kZeroPad16));
  for (const char* const host : {"localhost", "%"}) {
    const std::string account = absl::StrCat(user_, "@'", host, "'");
    Execute(absl::StrCat("CREATE USER ", account, " IDENTIFIED BY '", password_,
                         "'; GRANT ALL ON *.* TO ", account, " WITH GRANT OPTION"));
  }
  return absl::OkStatus();
}

SandboxDatabase::~SandboxDatabase() {
  if (is_mysql()) return;  // it ends by itself
  const ProcessResult result = RunProcess({.argv = {Script(), "stop", directory_}}, kStopTimeout);
  if (result.exit_code != 0) ADD_FAILURE() << "sandbox database: stop: " << result.err;
}

absl::Status SandboxDatabase::ReadEnvironment(const std::string& text) {
  uint32_t port = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> entry = absl::StrSplit(line, absl::MaxSplits('=', 1));
    const auto& [key, value] = entry;
    if (key == "HOST") host_ = value;
    if (key == "PORT" && !absl::SimpleAtoi(value, &port)) port = 0;
    if (key == "SOCKET") socket_ = value;
    if (key == "USER") user_ = value;
    if (key == "PASSWORD") password_ = value;
    if (key == "PID" && !absl::SimpleAtoi(value, &pid_)) pid_ = 0;
  }
  port_ = static_cast<uint16_t>(port);
  if (host_.empty() || port_ == 0 || socket_.empty() || user_.empty() || password_.empty() ||
      pid_ == 0) {
    return absl::InternalError(absl::StrCat(Script(), " start printed no usable lines:\n", text));
  }
  return absl::OkStatus();
}

void SandboxDatabase::EndServer(int signal) {
  std::ifstream file(absl::StrCat("/proc/", pid_, "/cmdline"), std::ios::binary);
  const std::string arguments{std::istreambuf_iterator<char>(file),
                              std::istreambuf_iterator<char>()};
  server_argv_ = absl::StrSplit(arguments, '\0', absl::SkipEmpty());
  ASSERT_FALSE(is_mysql());
  ASSERT_FALSE(server_argv_.empty());
  // It is nobody's child here: its end is told by a descriptor.
  const int pid_fd = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  ASSERT_GE(pid_fd, 0);
  EXPECT_EQ(kill(pid_, signal), 0);
  pollfd ended = {pid_fd, POLLIN, 0};
  EXPECT_EQ(poll(&ended, 1, static_cast<int>(absl::ToInt64Milliseconds(kStopTimeout))), 1);
  close(pid_fd);
}

void SandboxDatabase::StartAgain() {
  SubprocessSpec spec;
  spec.argv = {"sh", "-c",
               "ulimit -Sn $(ulimit -Hn); exec setsid --fork \"$@\" </dev/null >>\"$0\" 2>&1",
               absl::StrCat(directory_, "/mariadbd.log")};
  for (const std::string& argument : server_argv_) {
    if (!absl::StartsWith(argument, "--init-file=")) spec.argv.push_back(argument);
  }
  ASSERT_EQ(RunProcess(spec, kStartTimeout).exit_code, 0);
  const SubprocessSpec ask = {.argv = {"mariadb", "--no-defaults", "--batch",
                                       absl::StrCat("--socket=", socket_), "--user=root",
                                       "--execute=DO 0"}};
  const absl::Time deadline = absl::Now() + kStartTimeout;
  while (RunProcess(ask, kQueryTimeout).exit_code != 0) ASSERT_LT(absl::Now(), deadline);
  std::ifstream(absl::StrCat(directory_, "/mariadbd.pid")) >> pid_;
}

std::vector<std::string> SandboxDatabase::ClientArguments() const {
  return {absl::StrCat("-h", host_), absl::StrCat("-P", port_), absl::StrCat("-u", user_),
          absl::StrCat("-p", password_)};
}

std::vector<std::string> SandboxDatabase::WithoutPassword() {
  Execute(
      "CREATE USER IF NOT EXISTS open_account@'%' IDENTIFIED BY '';"
      "GRANT ALL ON *.* TO open_account@'%'");
  return {"--user=open_account", "--password="};
}

void SandboxDatabase::Execute(const std::string& sql) { Rows(sql); }

void SandboxDatabase::MakeSchema(const std::string& name) {
  Execute(absl::StrCat("DROP DATABASE IF EXISTS `", name, "`; CREATE DATABASE `", name, "`"));
}

std::vector<std::vector<std::string>> SandboxDatabase::Rows(const std::string& sql) {
  const ProcessResult result =
      RunProcess({.argv = {"mariadb", "--no-defaults", "--batch", "--skip-column-names", "--raw",
                           absl::StrCat("--socket=", socket_), "--user=root",
                           absl::StrCat("--execute=", sql)}},
                 kQueryTimeout);
  if (result.exit_code != 0) {
    ADD_FAILURE() << sql << "\nended with " << result.exit_code << ": " << result.err;
    return {};
  }
  std::vector<std::vector<std::string>> rows;
  for (absl::string_view line : absl::StrSplit(result.out, '\n')) {
    if (!line.empty()) rows.push_back(absl::StrSplit(line, '\t'));
  }
  return rows;
}

std::string SandboxDatabase::Value(const std::string& sql) {
  const std::vector<std::vector<std::string>> rows = Rows(sql);
  if (rows.empty()) {
    ADD_FAILURE() << sql << "\nreturned no row";
    return "";
  }
  return rows[0][0];
}

uint64_t SandboxDatabase::StatusCounter(const std::string& name) {
  const auto rows = Rows(absl::StrCat("SHOW GLOBAL STATUS LIKE '", name, "'"));
  uint64_t value = 0;
  if (rows.size() != 1 || rows[0].size() != 2 || !absl::SimpleAtoi(rows[0][1], &value)) {
    ADD_FAILURE() << "there is no status counter " << name;
  }
  return value;
}

std::vector<std::string> SandboxDatabase::Schemata() {
  std::vector<std::string> names;
  for (const auto& row :
       Rows("SELECT schema_name FROM information_schema.schemata WHERE schema_name NOT IN "
            "('information_schema', 'mysql', 'performance_schema', 'sys') ORDER BY 1")) {
    names.push_back(row[0]);
  }
  return names;
}

std::string SandboxDatabase::CountConnections() const {
  return absl::StrCat("SELECT COUNT(*) FROM information_schema.processlist WHERE user = '", user_,
                      "'");
}

uint64_t SandboxDatabase::Connections() {
  uint64_t count = 0;
  EXPECT_TRUE(absl::SimpleAtoi(Value(CountConnections()), &count));
  return count;
}

bool SandboxDatabase::WaitForValue(const std::string& sql, const std::string& expected,
                                   absl::Duration timeout) {
  // Each look starts a client program, which takes its time: no pause is needed between them.
  const absl::Time deadline = absl::Now() + timeout;
  std::string value;
  do {
    value = Value(sql);
    if (value == expected) return true;
  } while (!value.empty() && absl::Now() < deadline);
  return false;
}

bool SandboxDatabase::WaitForConnections(uint64_t count, absl::Duration timeout) {
  return WaitForValue(CountConnections(), absl::StrCat(count), timeout);
}

std::string SequenceTable(uint64_t rows) {
  return absl::StrCat("JSON_TABLE(CONCAT('[0', REPEAT(',0', ", rows - 1,
                      "), ']'), '$[*]' COLUMNS (seq FOR ORDINALITY)) AS sequence_table");
}

::testing::Environment* AddSandboxEnvironment(std::vector<std::string> options) {
  return ::testing::AddGlobalTestEnvironment(new SandboxEnvironment(std::move(options)));
}

SandboxDatabase& Sandbox() { return *Shared(); }

}  // namespace dslap
