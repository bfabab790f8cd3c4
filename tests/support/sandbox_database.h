// A real server for the tests of one program, in a temporary directory: MariaDB, by
// deploy/sandbox-db.sh, or MySQL 9 where the environment variable DSLAP_TEST_SERVER says "mysql9".
// CMake's dslap_mysql9_test() has a test program run again that way; without a tree with MySQL 9
// (DSLAP_MYSQL9_TREE) all its tests are skipped.
//
//   // once in the file with the tests:
//   const auto* const kSandboxEnvironment = AddSandboxEnvironment();
//   // in a test:
//   SandboxDatabase& database = Sandbox();
//   database.Execute("CREATE DATABASE shop");
//   EXPECT_EQ(database.Value("SELECT COUNT(*) FROM shop.t"), "7");
#ifndef DSLAP_TESTS_SUPPORT_SANDBOX_DATABASE_H_
#define DSLAP_TESTS_SUPPORT_SANDBOX_DATABASE_H_

#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/support/mysql9_server.h"

namespace dslap {

// The methods that run SQL do so as root over the socket, with the `mariadb` command line client; a
// failing one fails the test (ADD_FAILURE) and returns nothing. Not thread-safe.
class SandboxDatabase {
 public:
  // `options` of `sandbox-db.sh start`, e.g. {"--max-connections=50", "--option=--general-log=1"};
  // MySQL 9 is given them too. `network_fd`: of the host (NetHost) where the server runs, which is
  // then MariaDB; give it --bind-address too.
  static absl::StatusOr<std::unique_ptr<SandboxDatabase>> Start(
      const std::vector<std::string>& options = {}, int network_fd = -1);
  // Stops the server and removes its files. It also stops by itself when the test is killed.
  ~SandboxDatabase();
  SandboxDatabase(const SandboxDatabase&) = delete;
  SandboxDatabase& operator=(const SandboxDatabase&) = delete;

  // How to reach it: over TCP at host() and port(), or over socket(). user() may do everything.
  const std::string& host() const { return host_; }
  uint16_t port() const { return port_; }
  const std::string& socket() const { return socket_; }
  const std::string& user() const { return user_; }
  const std::string& password() const { return password_; }
  pid_t pid() const { return pid_; }
  bool is_mysql() const { return mysql_ != nullptr; }
  // With the certificates that MySQL makes by itself.
  std::string data_directory() const { return directory_ + "/data"; }

  // "-h127.0.0.1 -P12345 -udslap -p..." as arguments for dslap and mysqlslap.
  std::vector<std::string> ClientArguments() const;

  // Arguments to log in with an account that needs no password and may do what user() may: for
  // links in plain text, over which no password is sent.
  std::vector<std::string> WithoutPassword();

  // Faults, of MariaDB only. Kill: SIGKILL; Stop: SIGTERM, an orderly end. The server has ended
  // when they return. StartAgain: with its data, at its address; it answers when this returns.
  void Kill() { EndServer(SIGKILL); }
  void Stop() { EndServer(SIGTERM); }
  void StartAgain();

  void Execute(const std::string& sql);
  // Drops the schema if there is one, and makes it. A name with a backtick has it doubled.
  void MakeSchema(const std::string& name);
  // Rows of fields, as text; NULL is "NULL".
  std::vector<std::vector<std::string>> Rows(const std::string& sql);
  // The first field of the first row; empty, and a failed test, when there is none.
  std::string Value(const std::string& sql);

  // SHOW GLOBAL STATUS LIKE 'name', e.g. "Com_select".
  uint64_t StatusCounter(const std::string& name);
  // Names of all schemata but the server's own, in order.
  std::vector<std::string> Schemata();
  // Connections of user() now.
  uint64_t Connections();
  // True as soon as Value(sql) is `expected`; false at the timeout or when it is empty.
  bool WaitForValue(const std::string& sql, const std::string& expected, absl::Duration timeout);
  // True as soon as user() has `count` connections.
  bool WaitForConnections(uint64_t count, absl::Duration timeout);

 private:
  SandboxDatabase() = default;
  absl::Status StartMariaDb(const std::vector<std::string>& options, int network_fd);
  absl::Status StartMySql(const std::vector<std::string>& options);
  absl::Status ReadEnvironment(const std::string& text);
  std::string CountConnections() const;
  void EndServer(int signal);

  std::string directory_;
  std::string host_;
  uint16_t port_ = 0;
  std::string socket_;
  std::string user_;
  std::string password_;
  pid_t pid_ = 0;
  std::vector<std::string> server_argv_;  // of the server that was ended
  std::unique_ptr<MySql9Server> mysql_;   // null: it is MariaDB
};

// A table expression of `rows` rows for a FROM, their numbers from 1 on in a column `seq`.
std::string SequenceTable(uint64_t rows);

// One database for all tests of the program, started before the first of them. Call before main().
::testing::Environment* AddSandboxEnvironment(std::vector<std::string> options = {});

// The database of AddSandboxEnvironment().
SandboxDatabase& Sandbox();

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_SANDBOX_DATABASE_H_
