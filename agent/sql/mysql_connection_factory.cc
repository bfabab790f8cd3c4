#include "agent/sql/mysql_connection_factory.h"

#include "agent/sql/mysql_loop_connection.h"
#include "agent/sql/mysql_options.h"
#include "agent/sql/target_files.h"
#include "common/status_util.h"

namespace dslap {

absl::Status MySqlConnectionFactory::Check() {
  RETURN_IF_ERROR(CheckTargetFiles(*target_));
  return CheckLibrary(*target_);
}

bool MySqlConnectionFactory::HasLoops() { return DSLAP_CONNECTOR_C != 0; }

std::unique_ptr<SqlConnection> MySqlConnectionFactory::MakeOnLoop(EventLoop* loop) {
#if DSLAP_CONNECTOR_C
  return std::make_unique<MySqlLoopConnection>(target_, aids_, loop);
#else
  return SqlConnectionFactory::MakeOnLoop(loop);
#endif
}

}  // namespace dslap
