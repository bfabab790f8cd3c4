#include "agent/sql/mysql_connection_factory.h"

#include "agent/sql/mysql_options.h"
#include "agent/sql/target_files.h"
#include "common/status_util.h"

namespace dslap {

absl::Status MySqlConnectionFactory::Check() {
  RETURN_IF_ERROR(CheckTargetFiles(*target_));
  return CheckLibrary(*target_);
}

}  // namespace dslap
