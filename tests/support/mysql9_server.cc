#include "tests/support/mysql9_server.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace dslap {
namespace {

// A fresh data directory takes ten seconds of a busy machine.
constexpr absl::Duration kStartTimeout = absl::Seconds(120);
constexpr absl::Duration kStopTimeout = absl::Seconds(60);
// Another process may take a free port before the server does.
constexpr int kPortAttempts = 10;

uint16_t FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  bind(fd, reinterpret_cast<sockaddr*>(&address), size);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  close(fd);
  return ntohs(address.sin_port);
}

}  // namespace

std::string MySql9Tree() {
  const char* const tree = std::getenv("DSLAP_MYSQL9_TREE");
  return tree == nullptr ? "" : tree;
}

absl::StatusOr<std::unique_ptr<MySql9Server>> MySql9Server::Start(
    const std::string& directory, const std::vector<std::string>& options) {
  if (MySql9Tree().empty()) return absl::UnavailableError(kNoMySql9Tree);
  if (std::error_code error; !std::filesystem::create_directory(directory, error)) {
    return absl::UnavailableError(absl::StrCat("make ", directory, ": ", error.message()));
  }
  std::unique_ptr<MySql9Server> server(new MySql9Server(directory));
  absl::Status status;
  for (int attempt = 0; attempt < kPortAttempts; ++attempt) {
    status = server->Launch(options);
    if (!absl::IsAborted(status)) break;
  }
  if (!status.ok()) return status;
  return server;
}

// ABORTED: the port was taken.
absl::Status MySql9Server::Launch(const std::vector<std::string>& options) {
  port_ = FreePort();
  SubprocessSpec spec;
  spec.argv = {absl::StrCat(DSLAP_SOURCE_DIR, "/tests/integration/mysql9_server.sh"), "serve",
               MySql9Tree(), directory_, absl::StrCat(port_)};
  spec.argv.insert(spec.argv.end(), options.begin(), options.end());
  if (std::getenv("DSLAP_SANDBOX_TEMPLATE") == nullptr) {
    spec.env["DSLAP_SANDBOX_TEMPLATE"] = absl::StrCat(DSLAP_BINARY_DIR, "/sandbox-template");
  }
  process_ = std::make_unique<Subprocess>(spec);
  if (process_->WaitForErrorLine("ready for connections", kStartTimeout)) return absl::OkStatus();
  const std::string log = process_->err();
  const std::string message = absl::StrCat(spec.argv[0], " serve brought up no server:\n", log);
  if (absl::StrContains(log, "Address already in use")) return absl::AbortedError(message);
  return absl::UnavailableError(message);
}

MySql9Server::~MySql9Server() {
  if (process_ != nullptr) {
    process_->Signal(SIGTERM);
    if (!process_->WaitForExit(kStopTimeout)) ADD_FAILURE() << "MySQL 9 does not end";
    process_.reset();
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

}  // namespace dslap
