#include "agent/sql/mysql_library.h"

#include <mysql.h>

#include <csignal>
#include <cstdlib>
#include <mutex>

namespace dslap {
namespace {

void IgnoreSigpipeUnlessHandled() {
  struct sigaction current {};
  sigaction(SIGPIPE, nullptr, &current);
  if (current.sa_handler == SIG_DFL) signal(SIGPIPE, SIG_IGN);
}

}  // namespace

void InitialiseMySqlLibrary() {
  static std::once_flag once;
  std::call_once(once, [] {
    mysql_library_init(0, nullptr, nullptr);
    IgnoreSigpipeUnlessHandled();
  });
}

std::string DefaultSocketPath() {
  const char* const chosen = std::getenv("MYSQL_UNIX_PORT");
  return chosen != nullptr ? chosen : MYSQL_UNIX_ADDR;
}

void InitialiseMySqlThread() {
  struct ThreadEnd {
    ~ThreadEnd() { mysql_thread_end(); }
  };
  thread_local const ThreadEnd end;
  // Naming it is what constructs it, and so what has it destroyed with the thread.
  static_cast<void>(&end);
}

}  // namespace dslap
