// Keeps the agent's private files from being named as files of a target: with them a caller would
// have the agent show its own identity to a database.
//
//   RETURN_IF_ERROR(RefuseOwnFiles(target, {{"--tls-key", "/etc/dslap/tls/agent.key"}}));
#ifndef DSLAP_AGENT_GUARD_OWN_FILES_H_
#define DSLAP_AGENT_GUARD_OWN_FILES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "agent/sql/sql_target.h"

namespace dslap {

struct OwnFile {
  std::string option;  // of the agent
  std::string path;    // empty: none
};

// PERMISSION_DENIED naming the target's option. Files are compared as files: another path, or a
// link of either kind, makes no difference. Looks at the files anew each time: they may be renewed.
absl::Status RefuseOwnFiles(const SqlTarget& target, const std::vector<OwnFile>& own_files);

}  // namespace dslap

#endif  // DSLAP_AGENT_GUARD_OWN_FILES_H_
