// Oracle's MySQL 9 as a child process: tests/integration/mysql9_server.sh in a directory of a test.
//
//   auto server = MySql9Server::Start("/tmp/dslap-test-1", {"--max-connections=50"});
//   if (!server.ok()) ...
//   ... (*server)->port(), (*server)->socket()
#ifndef DSLAP_TESTS_SUPPORT_MYSQL9_SERVER_H_
#define DSLAP_TESTS_SUPPORT_MYSQL9_SERVER_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/support/subprocess.h"

namespace dslap {

// The tree that the environment variable DSLAP_MYSQL9_TREE names; empty: there is none.
std::string MySql9Tree();

// Why its tests are skipped when there is no tree.
inline constexpr char kNoMySql9Tree[] =
    "DSLAP_MYSQL9_TREE is not set: tests/run.sh --mysql9 makes a tree with MySQL 9, and sets it";

// Not thread-safe. Start it on a thread that lives as long as the server: it dies with that.
class MySql9Server {
 public:
  // Makes `directory`, which must not exist. `options` are mysqld's.
  static absl::StatusOr<std::unique_ptr<MySql9Server>> Start(
      const std::string& directory, const std::vector<std::string>& options = {});
  // Stops the server and removes its files.
  ~MySql9Server();
  MySql9Server(const MySql9Server&) = delete;
  MySql9Server& operator=(const MySql9Server&) = delete;

  // It listens at 127.0.0.1. The account root has no password.
  uint16_t port() const { return port_; }
  std::string socket() const { return directory_ + "/mysqld.sock"; }
  pid_t pid() const { return process_->pid(); }
  const std::string& directory() const { return directory_; }

 private:
  explicit MySql9Server(std::string directory) : directory_(std::move(directory)) {}
  absl::Status Launch(const std::vector<std::string>& options);

  const std::string directory_;
  uint16_t port_ = 0;
  std::unique_ptr<Subprocess> process_;
};

}  // namespace dslap

#endif  // DSLAP_TESTS_SUPPORT_MYSQL9_SERVER_H_
