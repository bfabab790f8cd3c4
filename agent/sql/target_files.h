// Looks whether the files and directories that a target names are there and may be read.
#ifndef DSLAP_AGENT_SQL_TARGET_FILES_H_
#define DSLAP_AGENT_SQL_TARGET_FILES_H_

#include "absl/status/status.h"
#include "agent/sql/sql_target.h"

namespace dslap {

// FAILED_PRECONDITION for the first that cannot be used, naming option, path and reason:
// "--ssl-ca: read /x/ca.pem: No such file or directory; ...". The client library
// would say so for each connection anew, less clearly, or would go on without the file.
absl::Status CheckTargetFiles(const SqlTarget& target);

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_TARGET_FILES_H_
